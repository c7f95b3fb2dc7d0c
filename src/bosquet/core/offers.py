"""The offers of a view as JSON, written by compiled kernels: what takes longest of a view, in a hundredth of the time.

A game may have a module `offers` with `FIELDS` (the `OFFERS` of its view), `BYTES` (room for the text) and the kernel
`write_offers(state, assisted, moves, out, ends)`, which writes the legal actions and the JSON of these fields, that of
the moves without their `ASSISTANCE` where `assisted` is 0. Nothing here compiles by itself: until `load` is called, and
where nothing can be compiled, `msgspec` encodes the plain view.
"""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any, NamedTuple

import msgspec
import numpy as np

from bosquet.core.rng import seed_rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.kernels import jit

_loaded: dict[str, OfferWriter] = {}
"""The writers that are ready, by the package of their game."""
_left_out: Counter[str] = Counter()
"""How often a writer was wanted that was not ready, by the package of its game."""


class Offers(NamedTuple):
    """What the seat to move may do."""

    actions: list[int]
    """The legal actions."""
    fields: dict[str, msgspec.Raw]
    """The fields of the view as JSON."""


class OfferWriter:
    """Writes the offers of one game."""

    def __init__(self, spec: GameSpec, module: Any) -> None:
        """Compile the kernel of a game, or load it from the cache."""
        self._kernel = jit.bind(module.write_offers)
        self._fields: tuple[str, ...] = module.FIELDS
        self._moves = np.zeros(spec.rules.MAX_MOVES, np.int64)
        self._out = np.empty(module.BYTES, np.uint8)
        self._ends = np.zeros(len(self._fields), np.int64)
        self._lock = threading.Lock()
        state = spec.rules.new_state(check_options(spec, {}))
        spec.rules.deal(state, seed_rng(0, "deal"))
        self.write(state, assisted=True)

    def write(self, state: Any, *, assisted: bool) -> Offers:
        """Return what the seat to move may do in a state."""
        with self._lock:
            n = self._kernel(state.pack()[0], int(assisted), self._moves, self._out, self._ends)
            ends = self._ends.tolist()
            text = self._out[: ends[-1]].tobytes()
            actions = self._moves[:n].tolist()
        parts = zip(self._fields, [0, *ends], ends, strict=False)
        return Offers(actions, {field: msgspec.Raw(text[start:end]) for field, start, end in parts})


def load(spec: GameSpec) -> None:
    """Be ready to write the offers of a game, if it has them and can be compiled. Takes seconds the first time."""
    module = spec.module("offers")
    if module is not None and spec.package not in _loaded and jit.available():
        _loaded[spec.package] = OfferWriter(spec, module)


def written(spec: GameSpec, state: Any, *, assisted: bool = True) -> Offers | None:
    """Return what the seat to move may do in a state, or None if that can't be written quickly.

    Without `assisted` it is not said what the moves come to.
    """
    writer = _loaded.get(spec.package)
    if writer is None:
        _left_out[spec.package] += 1
        return None
    return writer.write(state, assisted=assisted)


def left_out(spec: GameSpec) -> int:
    """Return how often `written` has returned None for a game in this process."""
    return _left_out[spec.package]
