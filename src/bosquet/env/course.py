"""A game whose chance is chosen from outside, one number at a time, and all that its seats remember of it.

What chance has to choose is either every draw of the rules (to shuffle 35 tiles is 34 draws), or the bytes of a seed
from which all of them follow, or which of a few fixed deals is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bosquet.core.chance import LANES, lanes_of
from bosquet.core.jit import bind
from bosquet.env.machine import CHANCE, Machine
from bosquet.env.world import World

SEED_BYTES = 4
BYTE = 256

UNTOLD = -1
"""Stands for an action that a seat was not told, and for what only another seat saw."""


class _Due(Exception):  # noqa: N818  (no error: it asks)
    """The rules draw a number below n that is not chosen yet."""

    def __init__(self, n: int) -> None:
        self.n = n


def _chosen(numbers: Iterator[int], n: int) -> int:
    """What stands in the place of `below` in the rules: the next number that was chosen."""
    for number in numbers:
        return number
    raise _Due(n)


@dataclass(frozen=True, eq=False)
class Setting:
    """A game with its options, and how its chance is chosen."""

    machine: Machine
    explicit: bool = False
    """Chance chooses every draw of the rules; otherwise the bytes of a seed."""
    deals: int = 0
    """If not 0, the deal is one of so many that are always the same (`fixed_deal`)."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Setting, (self.machine, self.explicit, self.deals)

    @cached_property
    def deal(self) -> Callable[[Any, Iterator[int]], None]:
        """The rules' deal, drawing chosen numbers."""
        return bind(self.machine.rules.deal, {"below": _chosen}, jit=False)

    @cached_property
    def roll(self) -> Callable[[Any, Iterator[int]], None]:
        """The rules' later move of chance, drawing chosen numbers."""
        return bind(self.machine.rules.roll, {"below": _chosen}, jit=False)

    @cached_property
    def draws(self) -> list[int]:
        """For every draw of the deal, how many outcomes it has."""
        draws: list[int] = []
        while n := _due(self.deal, self.machine.blank(), [0] * len(draws)):
            draws.append(n)
        return draws

    def fixed_deal(self, number: int) -> World:
        """One of the deals that are always the same: each is one that a seat can't tell from the deal before."""
        world = World(self.machine, "deal", explicit=True)
        for other in range(number):
            world.resample(other % self.machine.players, "deal", other)
        return world

    @cached_property
    def first(self) -> int:
        """How many outcomes the first choice of chance has."""
        return self.deals or (self.draws[0] if self.explicit else BYTE)

    @property
    def max_outcomes(self) -> int:
        """No choice of chance has more outcomes than this."""
        usual = max(self.draws) if self.explicit else BYTE
        return max(self.deals, usual if self._rolls or not self.deals else 0)

    @property
    def max_choices(self) -> int:
        """No game has more choices of chance than this, as no later move of chance draws more than the deal."""
        usual = len(self.draws) if self.explicit else SEED_BYTES
        return (1 if self.deals else usual) + self._rolls * usual

    @property
    def _rolls(self) -> int:
        return self.machine.encoder.max_rolls(self.machine.options)


def _due(move: Callable[[Any, Iterator[int]], None], state: Any, chosen: list[int]) -> int:
    """Make a move of chance with chosen numbers; return how many outcomes the next draw has if they run out, or 0."""
    try:
        move(state, iter(chosen))
    except _Due as due:
        return due.n
    return 0


class Course:
    """One game from before its deal to its end."""

    __slots__ = ("chosen", "due", "past", "seat", "setting", "world")

    def __init__(self, setting: Setting) -> None:
        """A game before its deal."""
        self.setting = setting
        self.world: World | None = None
        self.seat: int = CHANCE
        """The seat to move, CHANCE or NOBODY."""
        self.past: list[tuple[int, int, bool, int]] = []
        """For every decision so far its seat, the action, whether only that seat knows it, what was private to it."""
        self.chosen: list[int] = []
        """What chance has chosen so far of the move that is due."""
        self.due = setting.first
        """How many outcomes the choice has that chance has to make; 0 when a seat is to move or the game is over."""

    def __deepcopy__(self, memo: object) -> Course:
        return self.copy()

    def copy(self) -> Course:
        """An independent copy."""
        twin = Course.__new__(Course)
        twin.setting = self.setting
        twin.world = self.world.copy() if self.world else None
        twin.seat = self.seat
        twin.past = self.past.copy()
        twin.chosen = self.chosen.copy()
        twin.due = self.due
        return twin

    def choose(self, outcome: int) -> None:
        """Make the choice of chance that is due; the outcome is trusted."""
        self.chosen.append(outcome)
        self._ask()

    def play(self, index: int) -> None:
        """Make a legal action, given by its index, which is trusted."""
        world = self.world
        assert world
        seat, action, hidden, private = world.machine.tell(world.states, 0, index)
        self.past.append((self.seat, action, hidden, private))
        self.seat = world.seat = seat
        if seat == CHANCE:
            self._ask()

    def told(self, seat: int) -> list[tuple[int, int]]:
        """For every decision so far the action and what was private to its seat, as a seat knows them (or UNTOLD)."""
        return [
            (action, private) if mover == seat else (UNTOLD if hidden else action, UNTOLD)
            for mover, action, hidden, private in self.past
        ]

    def resampled(self, seat: int, seed: object) -> Course:
        """A course that a seat can't tell from this one, its hidden parts laid anew.

        What only the others knew of the past is forgotten.
        """
        if not self.world:
            return Course(self.setting)
        twin = Course.__new__(Course)
        twin.setting = self.setting
        twin.world = self.world.copy()
        twin.world.resample(seat, "resample", seed)
        twin.past = [
            (mover, action, hidden, private) if mover == seat else (mover, UNTOLD if hidden else action, hidden, UNTOLD)
            for mover, action, hidden, private in self.past
        ]
        twin.chosen = []
        twin._settle()
        return twin

    def go_on(self, state: Any) -> None:
        """Go on from a plain state as chance left it: after the deal, or after a later move of chance."""
        self.world = World.at(self.setting.machine, state)
        self.chosen = []
        self._settle()

    def _ask(self) -> None:
        """Ask for what chance still has to choose; once all of it is there, deal, or make the move of chance."""
        setting, chosen = self.setting, self.chosen
        machine = setting.machine
        self.due = 0
        if not self.world and setting.deals:
            self.world = setting.fixed_deal(*chosen)
        elif setting.explicit:
            state = self.world.state if self.world else machine.blank()
            self.due = _due(setting.roll if self.world else setting.deal, state, chosen)
            if not self.due:
                self.world = World.at(machine, state)
        elif len(chosen) < SEED_BYTES:
            self.due = BYTE
        elif self.world:
            self.world.lanes = machine.lanes(lanes_of(*chosen))
            self.world.roll()
        else:
            self.world = World(machine, *chosen, explicit=True)
        if not self.due:
            self.chosen = []
            self._settle()

    def _settle(self) -> None:
        """Let a seat move, or chance once more."""
        assert self.world
        self.world.lanes = self.setting.machine.lanes([0] * LANES)  # chance to come does not hang on chance that was
        self.seat = self.world.seat
        self.due = 0
        if self.seat == CHANCE:
            self._ask()
