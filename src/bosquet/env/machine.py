"""A game in compiled code: what every environment calls for a decision, with states and observations in flat arrays.

Functions take an array of states and the number of one of them: an array is passed to compiled code five times as
quickly as a single record.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy.lib.recfunctions import repack_fields

from bosquet.core.chance import LANES
from bosquet.core.encoding import ENCODER_KERNELS, Encoder, Part, observation_size
from bosquet.core.game import check_options
from bosquet.core.jit import available, bind, kernel
from bosquet.core.rules import KERNELS, Rules
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.games import editions

if TYPE_CHECKING:  # `bind` puts a game's rules and its encoder in their place
    from bosquet.games.encoders.topas import action_at, indices, observe, private, veiled
    from bosquet.games.schlossgarten import deal, play, resample, roll, scores, winners

Bytes = npt.NDArray[np.uint8]


@kernel
def begin(states: Any, i: int, lanes: Numbers) -> int:
    """Deal a new game; return the seat to move. Steps `lanes`."""
    deal(states[i], lanes)
    return int(states[i].seat)


@kernel
def advance(states: Any, i: int, number: int) -> int:
    """Make the legal action with this index; return who is next: a seat, CHANCE or NOBODY."""
    state = states[i]
    play(state, action_at(state, number))
    return int(state.seat)


@kernel
def tell(states: Any, i: int, number: int) -> tuple[int, int, bool, int]:
    """Make the legal action with this index; return who is next, and what there is to remember of it.

    That is: the action, whether only its seat knows it, and what was private to that seat before it.
    """
    state = states[i]
    action = action_at(state, number)
    hidden = veiled(state, action)
    seen = private(state, state.seat)
    play(state, action)
    return int(state.seat), int(action), bool(hidden), int(seen)


@kernel
def throw(states: Any, i: int, lanes: Numbers) -> int:
    """Make the move of chance that is due; return the seat to move. Steps `lanes`."""
    roll(states[i], lanes)
    return int(states[i].seat)


@kernel
def write_legal(states: Any, i: int, moves: Numbers) -> int:
    """Write the indices of the legal actions into `moves`, in no order; return how many."""
    return indices(states[i], moves)


@kernel
def look(states: Any, i: int, viewer: int, observation: Any) -> None:
    """Write what a seat may know."""
    observe(states[i], viewer, observation)


@kernel
def write_mask(states: Any, i: int, moves: Numbers, out: Any) -> None:
    """Write a one at the index of every legal action into zeros."""
    for k in range(indices(states[i], moves)):
        out[moves[k]] = 1


@kernel
def relay(states: Any, i: int, viewer: int, lanes: Numbers) -> None:
    """Lay everything anew that a seat does not see. Steps `lanes`."""
    resample(states[i], viewer, lanes)


@kernel
def count(states: Any, i: int, points: Numbers) -> int:
    """Write the open count of every seat into `points`; return the winners of a game that is over as a mask, else 0."""
    state = states[i]
    scores(state, points)
    if state.seat == NOBODY:
        return winners(state)
    return 0


class Machine:
    """A game with its options, bound and compiled: shared by all environments of the same kind."""

    def __init__(self, rules: Rules, encoder: Encoder, options: Mapping[str, Any], deck: Any = None) -> None:
        """Bind; what is used is compiled at its first call. Raises OptionError."""
        self.rules, self.encoder = rules, encoder
        self.options = check_options(rules, options)
        self.players = int(self.options["players"])
        self.layout: tuple[Part, ...] = encoder.layout(self.options)
        self.observation_size = observation_size(self.layout)
        self.actions = encoder.action_count(self.options)
        self.jit = available()
        self.deck = deck
        start = rules.new_state(self.options, deck)
        self._start = start.pack() if self.jit else start
        self._tight = repack_fields(rules.State.dtype)  # the gaps between a state's fields hold anything
        self.begin = self.bound(begin)
        self.advance = self.bound(advance)
        self.tell = self.bound(tell)
        self.throw = self.bound(throw)
        self.write_legal = self.bound(write_legal)
        self.look = self.bound(look)
        self.write_mask = self.bound(write_mask)
        self.relay = self.bound(relay)
        self.count = self.bound(count)

    def bound(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel that calls rules and encoder, as it is run for this game."""
        bindings = {name: getattr(self.rules, name) for name in KERNELS}
        bindings |= {name: getattr(self.encoder, name) for name in ENCODER_KERNELS}
        return bind(function, bindings, jit=self.jit, tag=self.rules.NAME)

    def states(self, n: int) -> Any:
        """Room for n states with their options set, to be dealt."""
        return self._start.repeat(n) if self.jit else [self._start.copy() for _ in range(n)]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.rules.NAME, self.options, self.deck)

    def blank(self) -> Any:
        """A plain state with its options set, to be dealt."""
        return self.rules.new_state(self.options, self.deck)

    def pack(self, state: Any) -> Any:
        """A plain state as an array of one state. Raises OverflowError for a number that its field can't hold."""
        return state.pack() if self.jit else [state.copy()]

    def dump(self, states: Any, i: int = 0) -> bytes:
        """A state as bytes, the same ones whether code is compiled or not."""
        packed = states[i : i + 1] if self.jit else states[i].pack()
        dumped: bytes = packed.astype(self._tight).tobytes()
        return dumped

    def load(self, dumped: bytes) -> Any:
        """An array of one state from its bytes."""
        packed = np.frombuffer(dumped, self._tight).astype(self.rules.State.dtype)
        return packed if self.jit else [self.rules.State.unpack(packed)]

    def lanes(self, lanes: list[int]) -> Any:
        """A generator's lanes in the form that its kernels step."""
        assert len(lanes) == LANES
        return np.array(lanes, np.int64) if self.jit else list(lanes)

    def moves(self) -> Any:
        """Room for the legal actions of a state."""
        return np.zeros(self.rules.MAX_MOVES, np.int32) if self.jit else [0] * self.rules.MAX_MOVES

    def rows(self, rows: list[list[int]], dtype: Any, times: int = 1) -> Any:
        """Rows of integers, repeated so many times, in the form that kernels read and write."""
        return np.array(rows, dtype).repeat(times, 0) if self.jit else [list(row) for row in rows for _ in range(times)]

    def copy(self, states: Any) -> Any:
        """An independent copy of states: of their bytes, as NumPy copies records field by field, three times slower."""
        if not self.jit:
            return [state.copy() for state in states]
        return states.view(np.uint8).copy().view(states.dtype)

    def plain(self, states: Any, i: int = 0) -> Any:
        """A copy of a state as the plain object that the rules' own functions take."""
        return self.rules.State.unpack(states[i : i + 1]) if self.jit else states[i].copy()

    def view_parts(self, observations: Bytes) -> dict[str, Bytes]:
        """The parts of an observation, or of many (shape `(…, observation_size)`), by name; they share its memory."""
        parts, at = {}, 0
        for part in self.layout:
            parts[part.name] = observations[..., at : at + part.size].reshape(*observations.shape[:-1], *part.shape)
            at += part.size
        return parts


@functools.cache
def _machine(game: str, options: tuple[tuple[str, Any], ...], jit: bool) -> Machine:
    return Machine(editions.rules(game), editions.encoder(game), dict(options))


def machine(game: str, **options: Any) -> Machine:
    """The machine of a game or edition, with its house deck; the same one for the same options. Raises OptionError."""
    checked = check_options(editions.rules(game), options)
    return _machine(game, tuple(checked.items()), available())


def _again(game: str, options: Mapping[str, Any], deck: Any) -> Machine:
    """The machine that was pickled."""
    if deck is None:
        return machine(game, **options)
    return Machine(editions.rules(game), editions.encoder(game), options, deck)


__all__ = ["CHANCE", "NOBODY", "Machine", "machine"]
