"""The weights of learned values as a page gives them to an engine: bytes, a line of text and then the arrays.

The line is `bosquet.weights FORMAT GAME USE KEY`. USE is the field of the memory that the arrays belong to: `learned`
for the search, `lookahead` for the player that looks ahead. KEY tells which games have these weights (`key_of`). The
arrays follow without gaps in the order of `ARRAYS`, in little-endian order of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from bosquet.core.spec import GameSpec, check_options
from bosquet.core.state import Options
from bosquet.learning.weights import NETWORK
from bosquet.search.learned_model import required_model
from bosquet.search.learned_weights import (
    has_weights,
    options_for_weights,
    options_of_weights,
    required_weights,
    shipped_model,
)

FORMAT = 1
"""Goes up with every change of these bytes."""
Use = Literal["learned", "lookahead"]
LEARNED: Use = "learned"
LOOKAHEAD: Use = "lookahead"
ARRAYS: dict[Use, tuple[str, ...]] = {LEARNED: (*NETWORK, "spread"), LOOKAHEAD: (*NETWORK, "errors", "reach")}
"""The arrays of each use, in order."""


def arrays(spec: GameSpec) -> list[str]:
    """Return the parts of the memory where the weights of a game belong."""
    there = {LEARNED: shipped_model(spec.name), LOOKAHEAD: spec.module("solitaire")}
    return [f"{use}.{name}" for use, names in ARRAYS.items() if there[use] is not None for name in names]


def key_of(spec: GameSpec, options: Options) -> int:
    """Return which weights games with these options take: their players and variants, a byte each."""
    state = spec.new_state(check_options(spec, options))
    key = 0
    for value in options_for_weights(required_model(spec.name), state).values():
        key = key << 8 | int(value)
    return key


def key_places(spec: GameSpec) -> tuple[int, ...]:
    """Return where a packed state has these bytes."""
    fields: Any = spec.rules.State.dtype.fields
    return tuple(fields[name][1] for name in ("players", *required_model(spec.name).VARIANTS))


class Packed(NamedTuple):
    """Weights as a page takes them."""

    use: Use
    key: int
    content: bytes


def stored(spec: GameSpec) -> Iterator[Packed]:
    """Yield all weights of the package of a game."""
    if (model := shipped_model(spec.name)) is not None:
        for options in options_of_weights(spec.name, model):
            if has_weights(spec.name, options):
                yield Packed(LEARNED, key_of(spec, options), search_weights(spec, options))
    if spec.module("solitaire") is not None:
        yield Packed(LOOKAHEAD, key_of(spec, {"players": 1}), lookahead_weights(spec))


def search_weights(spec: GameSpec, options: Options, folder: str = "") -> bytes:
    """Return the weights of the search for games with these options, of a training run in a folder or of the package.

    Options that are not given have their defaults. Raises OptionError where there are none.
    """
    options = check_options(spec, options)
    return _packed(spec, LEARNED, key_of(spec, options), required_weights(spec.name, options, folder))


def lookahead_weights(spec: GameSpec, folder: str = "") -> bytes:
    """Return the weights of the player that looks ahead in a game of one player; `folder` as in `search_weights`."""
    module: Any = spec.module("solitaire")
    return _packed(spec, LOOKAHEAD, key_of(spec, {"players": 1}), module.stored_weights(folder))


def _packed(spec: GameSpec, use: Use, key: int, weights: Mapping[str, Any]) -> bytes:
    line = f"bosquet.weights {FORMAT} {spec.name} {use} {key}\n".encode()
    parts: list[Any] = [weights[name] for name in ARRAYS[use]]
    return line + b"".join(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in parts)
