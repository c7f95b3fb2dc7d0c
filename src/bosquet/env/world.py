"""One game in flat arrays, for environments that play it a decision at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from bosquet.core.bits import members
from bosquet.core.chance import lanes_of
from bosquet.core.view import View
from bosquet.env.machine import CHANCE, NOBODY, Bytes, Machine


class World:
    """A game that is being played. It knows everything; a seat gets `observation(seat)`.

    Moves of chance are made by themselves, unless `explicit` is set: then `seat` is CHANCE until `roll` is called.
    """

    def __init__(self, machine: Machine, *seed: object, explicit: bool = False) -> None:
        """Deal. The seed is any printable parts; the same gives the same deal and the same chance."""
        self.machine = machine
        self.explicit = explicit
        self.states = machine.states(1)
        self.lanes = machine.lanes(lanes_of(*seed))
        self.seat: int = machine.begin(self.states, 0, self.lanes)
        self._moves = machine.moves()

    @classmethod
    def at(cls, machine: Machine, state: Any, *seed: object) -> World:
        """Begin at a plain state, with moves of chance to be made by `roll`. The seed is that of later chance."""
        return cls._made(machine, True, machine.pack(state), lanes_of(*seed))

    @classmethod
    def _made(cls, machine: Machine, explicit: bool, states: Any, lanes: list[int]) -> World:
        world = cls.__new__(cls)
        world.machine = machine
        world.explicit = explicit
        world.states = states
        world.lanes = machine.lanes(lanes)
        world.seat = int(machine.plain(states).seat)
        world._moves = machine.moves()
        return world

    @classmethod
    def _loaded(cls, machine: Machine, explicit: bool, state: bytes, lanes: list[int]) -> World:
        return cls._made(machine, explicit, machine.load(state), lanes)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._loaded, (self.machine, self.explicit, self.machine.dump(self.states), [int(n) for n in self.lanes])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat == NOBODY

    def legal(self) -> list[int]:
        """The indices of the legal actions, ascending; empty when nobody is to move."""
        if self.seat < 0:
            return []
        n = self.machine.write_legal(self.states, 0, self._moves)
        moves = self._moves[:n]
        moves.sort()
        return moves.tolist() if self.machine.jit else moves  # type: ignore[no-any-return]

    def play(self, index: int) -> None:
        """Make a legal action, given by its index, which is trusted."""
        self.seat = self.machine.advance(self.states, 0, index)
        if self.seat == CHANCE and not self.explicit:
            self.roll()

    def roll(self) -> None:
        """Make the move of chance that is due."""
        self.seat = self.machine.throw(self.states, 0, self.lanes)

    def observation(self, seat: int) -> Bytes:
        """What a seat may know, as the encoder's layout has it: shape `(observation_size,)`."""
        out = np.zeros(self.machine.observation_size, np.uint8)
        self.machine.look(self.states, 0, seat, out)
        return out

    def mask(self) -> Bytes:
        """1 at the index of every legal action of the seat to move: shape `(actions,)`."""
        out = np.zeros(self.machine.actions, np.uint8)
        self.machine.write_mask(self.states, 0, self._moves, out)
        return out

    def scores(self) -> list[int]:
        """The points of each seat as they would be counted now; those of Topiary are hidden until the game is over."""
        points = np.zeros(4, np.int64)
        self.machine.count(self.states, 0, points)
        return [int(n) for n in points[: self.machine.players]]

    def winners(self) -> list[int]:
        """The winning seats, ascending; none while the game runs."""
        return list(members(self.machine.count(self.states, 0, np.zeros(4, np.int64))))

    def resample(self, seat: int, *seed: object) -> None:
        """Lay everything anew that a seat does not see, uniformly among what agrees with all that it has seen."""
        self.machine.relay(self.states, 0, seat, self.machine.lanes(lanes_of(*seed)))

    def copy(self) -> World:
        """An independent copy; its chance goes on as this one's does."""
        twin = World.__new__(World)
        vars(twin).update(vars(self))
        twin.states = self.machine.copy(self.states)
        twin.lanes = self.lanes.copy()
        return twin

    @property
    def state(self) -> Any:
        """A copy of the state as the plain object that the rules' own functions take."""
        return self.machine.plain(self.states)

    def say(self, index: int) -> str:
        """The notation of a legal action."""
        state = self.state
        return self.machine.rules.say(state, self.machine.encoder.action_at(state, index))

    def read(self, move: str) -> int:
        """The index of a legal move, given by its notation. Raises IllegalMove if it is no move of this game."""
        state = self.state
        return int(self.machine.encoder.index_of(state, self.machine.rules.parse(state, move)))

    def view(self, seat: int | None) -> View:
        """All that a seat, or a spectator (None), may know, for people and bots."""
        return self.machine.rules.view(self.state, seat)
