"""One compiled game in play, for environments that step a single game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np

from bosquet.core.assistance import AIDS, FULL
from bosquet.core.errors import IllegalMove
from bosquet.core.inputs.integers import checked_seed
from bosquet.core.rng import seed_rng
from bosquet.core.view import View
from bosquet.core.view_texts import StateTexts
from bosquet.env.compiled_game import CHANCE, NOBODY, Bytes, CompiledGame
from bosquet.kernels.bits import members


class GameState:
    """A game in play. It holds all hidden information; give a seat only `observation(seat)`.

    Chance events are applied as soon as they are due. With `explicit`, `seat` is CHANCE instead until `sample_chance`
    is called.
    """

    def __init__(self, compiled: CompiledGame, *seed: SupportsIndex, explicit: bool = False) -> None:
        """Deal a game. The seed is one or more whole numbers; it determines the deal and all chance events.

        They are those of `bosquet.new` with the same seed. Without one, the deal is always the same. Raises
        OptionError.
        """
        self._deal(compiled, _seeded(seed, "deal"), _seeded(seed, "chance"), explicit)

    @classmethod
    def dealt(cls, compiled: CompiledGame, rng_state: list[int], *, explicit: bool = False) -> GameState:
        """Return a game that is dealt, and goes on, with the random numbers of an rng state."""
        game_state = cls.__new__(cls)
        game_state._deal(compiled, rng_state, None, explicit)
        return game_state

    def _deal(self, compiled: CompiledGame, rng_state: list[int], later: list[int] | None, explicit: bool) -> None:
        """Deal with an rng state, and go on with it or with another one, `later`."""
        self.compiled: CompiledGame = compiled
        self.explicit: bool = explicit
        self.states: Any = compiled.states(1)
        dealing = compiled.rng_state(rng_state)
        self.seat: int = compiled.begin(self.states, 0, dealing)
        self.rng_state: Any = dealing if later is None else compiled.rng_state(later)
        self._moves = compiled.moves()

    @classmethod
    def at(cls, compiled: CompiledGame, state: Any, *seed: SupportsIndex) -> GameState:
        """Return a game that continues from an uncompiled state, with `explicit` set.

        The seed is for later chance. Raises OptionError.
        """
        return cls._made(compiled, True, compiled.pack(state), _seeded(seed, "chance"))

    @classmethod
    def _made(cls, compiled: CompiledGame, explicit: bool, states: Any, rng_state: list[int]) -> GameState:
        game_state = cls.__new__(cls)
        game_state.compiled = compiled
        game_state.explicit = explicit
        game_state.states = states
        game_state.rng_state = compiled.rng_state(rng_state)
        game_state.seat = int(compiled.plain(states).seat)
        game_state._moves = compiled.moves()
        return game_state

    @classmethod
    def _loaded(cls, compiled: CompiledGame, explicit: bool, state: bytes, rng_state: list[int]) -> GameState:
        return cls._made(compiled, explicit, compiled.load(state), rng_state)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._loaded, (
            self.compiled,
            self.explicit,
            self.compiled.dump(self.states),
            [int(n) for n in self.rng_state],
        )

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.seat == NOBODY

    def legal(self) -> list[int]:
        """Return the indices of the legal actions in ascending order; empty if no seat is to move."""
        if self.seat < 0:
            return []
        n = self.compiled.write_legal(self.states, 0, self._moves)
        moves = self._moves[:n]
        moves.sort()
        return moves.tolist() if self.compiled.jit else moves  # type: ignore[no-any-return]

    def play(self, index: SupportsIndex) -> None:
        """Apply a legal action, given by its index.

        Whether it is legal is not checked. Raises IllegalMove for an index outside the action space, and if no seat is
        to move.
        """
        index = self.compiled.check_index(index)
        if self.seat < 0:
            raise IllegalMove("no action is legal: " + ("the game is over" if self.over else "a chance event is due"))
        self.seat = self.compiled.advance(self.states, 0, index)
        if self.seat == CHANCE and not self.explicit:
            self.sample_chance()

    def sample_chance(self) -> None:
        """Draw and apply the chance event that is due."""
        self.seat = self.compiled.sample_chance(self.states, 0, self.rng_state)

    def observation(self, seat: SupportsIndex) -> Bytes:
        """Return the observation of a seat, shape `(observation_size,)`; the encoder's `layout` describes it.

        Raises OptionError for a seat that there is not.
        """
        out = np.zeros(self.compiled.observation_size, np.uint8)
        self.compiled.look(self.states, 0, self.compiled.check_seat(seat), out)
        return out

    def mask(self) -> Bytes:
        """Return 1 for every legal action of the seat to move and 0 for all others, shape `(actions,)`."""
        out = np.zeros(self.compiled.actions, np.uint8)
        self.compiled.write_mask(self.states, 0, self._moves, out)
        return out

    def scores(self) -> list[int]:
        """Return the current score of each seat. A game may hide it from the players until the end."""
        points = np.zeros(4, np.int64)
        self.compiled.count(self.states, 0, points)
        return [int(n) for n in points[: self.compiled.players]]

    def winners(self) -> list[int]:
        """Return the winning seats in ascending order; empty while the game runs."""
        return list(members(self.compiled.count(self.states, 0, np.zeros(4, np.int64))))

    def determinize(self, seat: SupportsIndex, *seed: SupportsIndex) -> None:
        """Replace everything that a seat cannot see, uniformly among what is consistent with all that it has seen.

        The seed is one or more whole numbers; the same one draws the same. The coming chance stays as it is. Raises
        OptionError for a seat that there is not, and for another seed; nothing is changed then.
        """
        self.determinize_by(seat, _seeded(seed, "determinize"))

    def determinize_by(self, seat: SupportsIndex, rng_state: list[int]) -> None:
        """Do the same with the random numbers of an rng state, which stays as it is. Raises OptionError."""
        self.compiled.determinize(self.states, 0, self.compiled.check_seat(seat), self.compiled.rng_state(rng_state))

    def copy(self) -> GameState:
        """Return an independent copy. Its later chance events are the same as in this game."""
        twin = GameState.__new__(GameState)
        vars(twin).update(vars(self))
        twin.states = self.compiled.copy(self.states)
        twin.rng_state = self.rng_state.copy()
        return twin

    @property
    def state(self) -> Any:
        """Return a copy of the state as the uncompiled object that the functions of `rules` take."""
        return self.compiled.plain(self.states)

    def to_notation(self, index: SupportsIndex) -> str:
        """Return the notation of a legal action. Raises IllegalMove for an index outside the action space."""
        state, index = self.state, self.compiled.check_index(index)
        return self.compiled.spec.notation.to_notation(state, self.compiled.encoder.action_at(state, index))

    def parse(self, move: str) -> int:
        """Return the index of a legal move, given by its notation. Raises IllegalMove for text that is not a move."""
        state = self.state
        return int(self.compiled.encoder.index_of(state, self.compiled.spec.notation.parse(state, move)))

    def view(self, seat: SupportsIndex | None, *, moves: bool = True) -> View:
        """Return the view of a seat or a spectator (None), for people and bots. Raises OptionError.

        With `moves=False` the legal moves are left out, since listing and scoring them takes most of the time.
        """
        viewer = None if seat is None else self.compiled.check_seat(seat)
        return StateTexts(self.compiled.spec, self.state).typed_view(viewer, FULL if moves else AIDS)


def _seeded(seed: Sequence[SupportsIndex], purpose: str) -> list[int]:
    """Return the rng state for a seed of whole numbers. Raises OptionError."""
    return seed_rng(*map(checked_seed, seed), purpose)
