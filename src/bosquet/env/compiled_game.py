"""The compiled kernels of one game, with states and observations in flat arrays. All environments use them.

Kernels take an array of states and the index of one of them, since passing an array to compiled code is five times as
fast as passing a single record.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, SupportsIndex, TypeVar

import numpy as np
import numpy.typing as npt

from bosquet.core.bound import (
    action_at,
    deal,
    determinize_in_place,
    indices,
    is_concealed,
    observe,
    play,
    private,
    sample_chance,
    scores,
    winners,
)
from bosquet.core.encoding import (
    ENCODER_KERNELS,
    Encoder,
    Part,
    expect_nothing,
    observation_size,
    observe_nothing_again,
)
from bosquet.core.errors import IllegalMove, OptionError, quoted
from bosquet.core.inputs.integers import whole_number
from bosquet.core.installed import spec_or_variant
from bosquet.core.rng import RNG_WORDS, seed_rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.env.named import Named
from bosquet.kernels.jit import available, bind, kernel

Bytes = npt.NDArray[np.uint8]
Kernel = Callable[..., Any]
PartView = TypeVar("PartView")


@kernel
def begin(states: Any, i: int, rng_state: Numbers) -> int:
    """Deal a new game; return the seat to move. Advances `rng_state`."""
    deal(states[i], rng_state)
    return int(states[i].seat)


@kernel
def advance(states: Any, i: int, number: int) -> int:
    """Apply the legal action with this index; return the next seat to move, CHANCE or NOBODY."""
    state = states[i]
    play(state, action_at(state, number))
    return int(state.seat)


@kernel
def tell(states: Any, i: int, number: int) -> tuple[int, int, bool, int]:
    """Apply the legal action with this index; return the next seat to move and an entry of the history.

    The entry is the action, whether only its seat knows it, and what was private to that seat before it.
    """
    state = states[i]
    action = action_at(state, number)
    hidden = is_concealed(state, action)
    seen = private(state, state.seat)
    play(state, action)
    return int(state.seat), int(action), bool(hidden), int(seen)


@kernel
def sample_chance_of(states: Any, i: int, rng_state: Numbers) -> int:
    """Draw and apply the chance event that is due; return the seat to move. Advances `rng_state`."""
    sample_chance(states[i], rng_state)
    return int(states[i].seat)


@kernel
def write_legal(states: Any, i: int, moves: Numbers) -> int:
    """Write the indices of the legal actions into `moves`, in any order; return their number."""
    return indices(states[i], moves)


@kernel
def look(states: Any, i: int, viewer: int, observation: Any) -> None:
    """Write the observation of a seat."""
    observe(states[i], viewer, observation)


@kernel
def write_mask(states: Any, i: int, moves: Numbers, out: Any) -> None:
    """Write a 1 at the index of every legal action. `out` must be all zeros."""
    for k in range(indices(states[i], moves)):
        out[moves[k]] = 1


@kernel
def determinize_one(states: Any, i: int, viewer: int, rng_state: Numbers) -> None:
    """Replace everything that a seat cannot see, uniformly. Mutates the state, advances `rng_state`."""
    determinize_in_place(states[i], viewer, rng_state)


@kernel
def count(states: Any, i: int, points: Numbers) -> int:
    """Write the current score of every seat into `points`; return the winners as a bit mask, 0 while the game runs."""
    state = states[i]
    scores(state, points)
    if state.seat == NOBODY:
        return winners(state)
    return 0


class CompiledGame:
    """All kernels of a game with its options. Environments of the same game and options share one."""

    def __init__(self, spec: GameSpec, options: Mapping[str, Any], box: Any = None) -> None:
        """Bind the kernels; each is compiled at its first call. Raises OptionError."""
        self.spec: GameSpec = spec
        self.encoder: Encoder = spec.encoder
        self.options: dict[str, Any] = check_options(spec, options)
        self.players: int = int(self.options["players"])
        self.layout: tuple[Part, ...] = self.encoder.layout(self.options)
        self.observation_size: int = observation_size(self.layout)
        self.observation_high: Bytes = np.repeat(
            np.array([part.high for part in self.layout], np.uint8), [part.size for part in self.layout]
        )
        self.actions: int = self.encoder.action_count(self.options)
        self.jit: bool = available()
        self.box = box
        start = spec.new_state(self.options, box)
        self._start = start.pack() if self.jit else start
        self._tight = spec.rules.State.tight
        self.begin: Kernel = self.bound(begin)
        self.advance: Kernel = self.bound(advance)
        self.tell: Kernel = self.bound(tell)
        self.sample_chance: Kernel = self.bound(sample_chance_of)
        self.write_legal: Kernel = self.bound(write_legal)
        self.look: Kernel = self.bound(look)
        self.write_mask: Kernel = self.bound(write_mask)
        self.determinize: Kernel = self.bound(determinize_one)
        self.count: Kernel = self.bound(count)

    def bound(self, function: Callable[..., Any], **more: Any) -> Callable[..., Any]:
        """Return a kernel bound to the rules and the encoder of this game, and to more values of global names."""
        return bind(function, self.bindings | more, jit=self.jit)

    @property
    def bindings(self) -> dict[str, Any]:
        """Return what the placeholders of `core.bound` stand for in this game."""
        encoder = {name: getattr(self.encoder, name) for name in ENCODER_KERNELS}
        return {
            **encoder,
            "observe_again": getattr(self.encoder, "observe_again", observe_nothing_again),
            "expect_state": getattr(self.encoder, "expect_state", expect_nothing),
            "greedy_action": self.spec.greedy_action,
            **self.spec.kernels,
        }

    def states(self, n: int) -> Any:
        """Return an array of n states with their options set, ready for the deal."""
        return self._start.repeat(n) if self.jit else [self._start.copy() for _ in range(n)]

    @cached_property
    def option_fields(self) -> dict[str, npt.NDArray[Any]]:
        """Map the fields of a state that hold its options and its box to their values in this game.

        They are those that `new_state` sets otherwise for other options, and all that it sets where a game has a box,
        without those that a deal changes.
        """
        rules = self.spec.rules
        starts = []
        for values in itertools.product(*self.spec.options.values()):
            with contextlib.suppress(OptionError):  # options that do not go together
                options = check_options(self.spec, dict(zip(self.spec.options, values, strict=True)))
                starts.append(self.spec.new_state(options))
        blanks = [rules.State()] if self.spec.box_keys else []
        dealt = [state.copy() for state in starts]
        for state in dealt:
            rules.deal(state, seed_rng(0))
        mine = self.blank()

        def differs(name: str) -> bool:
            return any(getattr(state, name) != getattr(mine, name) for state in starts + blanks)

        def stays(name: str) -> bool:
            return all(getattr(one, name) == getattr(other, name) for one, other in zip(starts, dealt, strict=True))

        names = [name for name in rules.State.fields if name == "players" or (differs(name) and stays(name))]
        packed = mine.pack()
        return {name: packed[name][0] for name in names}

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.spec.name, self.options, self.box)

    def blank(self) -> Any:
        """Return an uncompiled state with its options set, ready for the deal."""
        return self.spec.new_state(self.options, self.box)

    def action_number(self, action: object) -> int:
        """Return an action as `int`. Raises IllegalMove for anything but a whole number."""
        number = whole_number(action)
        if number is None:
            raise IllegalMove(f"{quoted(action)} is no action; an action is a whole number below {self.actions}")
        return number

    def check_index(self, index: SupportsIndex) -> int:
        """Return the index of an action as `int`.

        Raises IllegalMove for one outside the action space, since compiled code would read beside its arrays.
        """
        number = index if type(index) is int else self.action_number(index)
        if not 0 <= number < self.actions:
            raise IllegalMove(f"action {quoted(number)} is not legal; actions are 0 to {self.actions - 1}")
        return number

    def check_seat(self, seat: object) -> int:
        """Return a seat as `int`. Raises OptionError, since compiled code would read beside its arrays."""
        if type(seat) is int and 0 <= seat < self.players:  # the usual case first: observations are asked for often
            return seat
        number = whole_number(seat)
        if number is None or not 0 <= number < self.players:
            shown = quoted(seat if number is None else number)
            raise OptionError(f"seat is {shown}; seats are 0 to {self.players - 1}")
        return number

    def pack(self, state: Any) -> Any:
        """Return an uncompiled state as an array of one. Raises OverflowError if a number does not fit its field."""
        return state.pack() if self.jit else [state.copy()]

    def dump(self, states: Any, i: int = 0) -> bytes:
        """Return a state as bytes. They do not depend on whether code is compiled."""
        packed = states[i : i + 1] if self.jit else states[i].pack()
        dumped: bytes = packed.astype(self._tight).tobytes()
        return dumped

    def load(self, dumped: bytes) -> Any:
        """Return an array of one state from its bytes."""
        packed = np.frombuffer(dumped, self._tight).astype(self.spec.rules.State.dtype)
        return packed if self.jit else [self.spec.rules.State.unpack(packed)]

    def rng_state(self, rng_state: list[int]) -> Any:
        """Return an rng state in the form that kernels take."""
        assert len(rng_state) == RNG_WORDS
        return np.array(rng_state, np.int64) if self.jit else list(rng_state)

    def moves(self) -> Any:
        """Return an array for the legal actions of a state."""
        return np.zeros(self.spec.rules.MAX_MOVES, np.int32) if self.jit else [0] * self.spec.rules.MAX_MOVES

    def rows(self, rows: list[list[int]], dtype: Any, times: int = 1) -> Any:
        """Return rows of integers, repeated `times` times, in the form that kernels read and write."""
        return np.array(rows, dtype).repeat(times, 0) if self.jit else [list(row) for row in rows for _ in range(times)]

    def copy(self, states: Any) -> Any:
        """Return an independent copy of states. Copies bytes, since NumPy's copy of records is three times slower."""
        if not self.jit:
            return [state.copy() for state in states]
        return states.view(np.uint8).copy().view(states.dtype)

    def copy_some(self, states: Any, rows: npt.NDArray[np.int64]) -> Any:
        """Return an independent copy of some states."""
        if not self.jit:
            return [states[i].copy() for i in rows]
        return states.view(np.uint8).reshape(len(states), -1)[rows].view(states.dtype)[:, 0]

    def plain(self, states: Any, i: int = 0) -> Any:
        """Return a copy of a state as the uncompiled object that the functions of `rules` take."""
        return self.spec.rules.State.unpack(states[i : i + 1]) if self.jit else states[i].copy()

    def view_parts(self, observations: Bytes) -> dict[str, Bytes]:
        """Return the parts of observations of shape `(…, observation_size)` by name, as views of the same memory.

        The dict raises NoSuchName, a KeyError, for a part that there is not.
        """

        def view(start: int, shape: tuple[int, ...]) -> Bytes:
            columns = observations[..., start : start + math.prod(shape)]
            return columns.reshape(*observations.shape[:-1], *shape)

        return self.parts_of(view)

    def parts_of(self, view: Callable[[int, tuple[int, ...]], PartView]) -> dict[str, PartView]:
        """Return `view(start, shape)` of each part of an observation by name: its first byte, and its shape."""
        parts: Named[PartView] = Named.of("part", {})
        start = 0
        for part in self.layout:
            parts[part.name] = view(start, part.shape)
            start += part.size
        return parts


@functools.cache
def _compiled(game: str, options: tuple[tuple[str, Any], ...], jit: bool) -> CompiledGame:
    return CompiledGame(spec_or_variant(game), dict(options))


def compiled_game(game: str, **options: Any) -> CompiledGame:
    """Return the compiled game or variant for these options. Calls are cached. Raises OptionError."""
    checked = check_options(spec_or_variant(game), options)
    return _compiled(game, tuple(checked.items()), available())


def _again(game: str, options: Mapping[str, Any], box: Any) -> CompiledGame:
    """Return the compiled game that was pickled."""
    if box is None:
        return compiled_game(game, **options)
    return CompiledGame(spec_or_variant(game), options, box)


__all__ = ["CHANCE", "NOBODY", "CompiledGame", "compiled_game"]
