"""A game whose chance outcomes are chosen by the caller, with the history that its seats remember.

An outcome is either one draw of the rules (a shuffle of 35 tiles is 34 draws), one byte of a seed from which all draws
follow, or the number of a fixed deal.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, SupportsIndex

from bosquet.core.errors import BosquetError, IllegalMove, listed, quoted
from bosquet.core.inputs.integers import at_least, truth_value, whole_number
from bosquet.core.rng import RNG_WORDS, seed_rng
from bosquet.env.compiled_game import CHANCE, CompiledGame
from bosquet.env.game_state import GameState
from bosquet.kernels.jit import bind

SEED_BYTES = 4
BYTE = 256

HIDDEN = -1
"""Placeholder for an action that a seat did not see, and for information private to another seat."""


class _Due(Exception):  # noqa: N818  (a signal, not an error)
    """The rules draw a number below n that has not been chosen yet."""

    def __init__(self, n: int) -> None:
        self.n = n


def _chosen(numbers: Iterator[int], n: int) -> int:
    """Return the next chosen number. Replaces `below` in the rules."""
    for number in numbers:
        return number
    raise _Due(n)


@dataclass(frozen=True, eq=False)
class ChanceModel:
    """A game with its options, and how its chance outcomes are chosen."""

    compiled: CompiledGame
    explicit: bool = False
    """Whether every draw of the rules is an outcome; otherwise the bytes of a seed are."""
    deals: int = 0
    """Number of fixed deals of which one is played (`fixed_deal`), or 0 for any deal."""

    def __post_init__(self) -> None:
        """Check the settings. Raises OptionError."""
        truth_value("explicit", self.explicit)
        at_least(0, "deals", self.deals)

    def __reduce__(self) -> tuple[Any, ...]:
        return ChanceModel, (self.compiled, self.explicit, self.deals)

    @cached_property
    def deal(self) -> Callable[[Any, Iterator[int]], None]:
        """Return `rules.deal`, with chosen numbers in place of random ones."""
        return bind(self.compiled.spec.rules.deal, {"below": _chosen}, jit=False)

    @cached_property
    def sample_chance(self) -> Callable[[Any, Iterator[int]], None]:
        """Return `rules.sample_chance`, with chosen numbers in place of random ones."""
        return bind(self.compiled.spec.rules.sample_chance, {"below": _chosen}, jit=False)

    @cached_property
    def draws(self) -> list[int]:
        """Return the number of outcomes of every draw of the deal."""
        draws: list[int] = []
        while n := _due(self.deal, self.compiled.blank(), [0] * len(draws)):
            draws.append(n)
        return draws

    def fixed_deal(self, number: int) -> GameState:
        """Return fixed deal `number`. It differs from the previous one only in what one of the seats cannot see."""
        game_state = GameState.dealt(self.compiled, seed_rng("deal"), explicit=True)
        for other in range(number):
            game_state.determinize_by(other % self.compiled.players, seed_rng("deal", other))
        return game_state

    @cached_property
    def first(self) -> int:
        """Return the number of outcomes of the first choice, 0 if the deal draws nothing."""
        return next(iter(self._choices_of_deal), 0)

    @property
    def max_outcomes(self) -> int:
        """Return an upper bound on the outcomes of a choice."""
        return max([*self._choices_of_deal, *(self._choices_of_event if self._events else ())], default=0)

    @property
    def max_choices(self) -> int:
        """Return an upper bound on the choices of a game."""
        return len(self._choices_of_deal) + self._events * len(self._choices_of_event)

    @property
    def _choices_of_deal(self) -> Sequence[int]:
        """Return the number of outcomes of each choice of the deal."""
        if self.deals:
            return (self.deals,)
        return self.draws if self.explicit or not self.draws else (BYTE,) * SEED_BYTES

    @property
    def _choices_of_event(self) -> Sequence[int]:
        """Return the number of outcomes of each choice of a chance event, at most."""
        return (self.compiled.spec.chance_draws or self.draws) if self.explicit else (BYTE,) * SEED_BYTES

    @property
    def is_deterministic(self) -> bool:
        """Return whether nothing is left to chance."""
        return not self._choices_of_deal and not self._events

    @property
    def _events(self) -> int:
        return self.compiled.encoder.max_chance_events(self.compiled.options)


def _due(move: Callable[[Any, Iterator[int]], None], state: Any, chosen: list[int]) -> int:
    """Apply a deal or chance event with chosen numbers.

    Return 0, or the number of outcomes of the next draw if more numbers are needed.
    """
    try:
        move(state, iter(chosen))
    except _Due as due:
        return due.n
    return 0


class ChanceGame:
    """One game, from before its deal to its end."""

    __slots__ = ("_legal", "chance_model", "chosen", "due", "game_state", "past", "seat")

    def __init__(self, chance_model: ChanceModel) -> None:
        """Start before the deal."""
        self.chance_model: ChanceModel = chance_model
        self.game_state: GameState | None = None
        self.seat: int = CHANCE
        """The seat to move, CHANCE or NOBODY."""
        self.past: list[tuple[int, int, bool, int]] = []
        """Per decision: its seat, the action, whether only that seat knows it, and what was private to the seat."""
        self.chosen: list[int] = []
        """The outcomes chosen so far for the deal or chance event that is due."""
        self.due: int = chance_model.first
        """Number of outcomes of the choice that is due; 0 if a seat is to move or the game is over."""
        self._legal: list[int] | None = None
        """What `legal` has returned for this state; None until it is called."""
        if not self.due:
            self._ask()

    def __deepcopy__(self, memo: object) -> ChanceGame:
        return self.copy()

    def copy(self) -> ChanceGame:
        """Return an independent copy."""
        twin = ChanceGame.__new__(ChanceGame)
        twin.chance_model = self.chance_model
        twin.game_state = self.game_state.copy() if self.game_state else None
        twin.seat = self.seat
        twin.past = self.past.copy()
        twin.chosen = self.chosen.copy()
        twin.due = self.due
        twin._legal = self._legal
        return twin

    def legal(self) -> list[int]:
        """Return the indices of the legal actions in ascending order; empty if no seat is to move."""
        if self._legal is None:
            self._legal = self.game_state.legal() if self.game_state else []
        return self._legal.copy()

    def choose(self, outcome: SupportsIndex) -> None:
        """Choose an outcome. Raises IllegalMove if it is none of those that are due."""
        number = whole_number(outcome)
        if number is None or not 0 <= number < self.due:
            raise IllegalMove(f"chance outcome {quoted(outcome)} is not due; outcomes are 0 to {self.due - 1}")
        self.chosen.append(number)
        self._ask()

    def play(self, index: SupportsIndex) -> None:
        """Apply a legal action, given by its index. Raises IllegalMove; nothing is changed then."""
        game_state = self.game_state
        index = self.chance_model.compiled.check_index(index)
        if game_state is None or self.seat < 0:
            raise IllegalMove("no action is legal: the game is over, or a chance outcome is due")
        known = self._legal or self.legal()
        place = bisect_left(known, index)
        if place == len(known) or known[place] != index:
            raise IllegalMove(f"action {index} is not legal; legal are {listed(list(map(str, known)))}")
        self._legal = None
        seat, action, hidden, private = game_state.compiled.tell(game_state.states, 0, index)
        self.past.append((self.seat, action, hidden, private))
        self.seat = game_state.seat = seat
        if seat == CHANCE:
            self._ask()

    def observed_decisions(self, seat: int) -> list[tuple[int, int]]:
        """Return per decision the action and what was private to its seat, or HIDDEN where this seat does not know."""
        return [
            (action, private) if mover == seat else (HIDDEN if hidden else action, HIDDEN)
            for mover, action, hidden, private in self.past
        ]

    def resampled(self, seat: int, seed: object) -> ChanceGame:
        """Return a determinization for a seat: a game that the seat cannot distinguish from this one.

        The history that only the other seats know is removed. Raises OptionError for a seat that there is not.
        """
        seat = self.chance_model.compiled.check_seat(seat)
        if not self.game_state:
            return ChanceGame(self.chance_model)
        twin = ChanceGame.__new__(ChanceGame)
        twin.chance_model = self.chance_model
        twin.game_state = self.game_state.copy()
        twin.game_state.determinize_by(seat, seed_rng("resample", seed))
        twin.past = [
            (mover, action, hidden, private) if mover == seat else (mover, HIDDEN if hidden else action, hidden, HIDDEN)
            for mover, action, hidden, private in self.past
        ]
        twin.chosen = []
        twin._settle()
        return twin

    def go_on(self, state: Any) -> None:
        """Continue from an uncompiled state just after the deal or a chance event."""
        self.game_state = GameState.at(self.chance_model.compiled, state)
        self.chosen = []
        self._settle()

    def _ask(self) -> None:
        """Set the choice that is due; if nothing is left to choose, apply the deal or the chance event."""
        chance_model, chosen = self.chance_model, self.chosen
        compiled = chance_model.compiled
        self.due = 0
        if not self.game_state and chance_model.deals:
            self.game_state = chance_model.fixed_deal(*chosen)
        elif chance_model.explicit or not (self.game_state or chance_model.draws):
            state = self.game_state.state if self.game_state else compiled.blank()
            self.due = _due(chance_model.sample_chance if self.game_state else chance_model.deal, state, chosen)
            if self.due > chance_model.max_outcomes:
                raise BosquetError(
                    f"a chance event of {compiled.spec.title} draws one of {self.due}, more than its GameSpec says; "
                    "give it chance_draws"
                )
            if not self.due:
                self.game_state = GameState.at(compiled, state)
        elif len(chosen) < SEED_BYTES:
            self.due = BYTE
        elif self.game_state:
            self.game_state.rng_state = compiled.rng_state(seed_rng(*chosen))
            self.game_state.sample_chance()
        else:
            self.game_state = GameState(compiled, *chosen, explicit=True)
        if not self.due:
            self.chosen = []
            self._settle()

    def _settle(self) -> None:
        """Continue with the seat to move, or with the next chance event."""
        assert self.game_state
        self._legal = None
        self.game_state.rng_state = self.chance_model.compiled.rng_state(
            [0] * RNG_WORDS
        )  # later chance events do not depend on earlier ones
        self.seat = self.game_state.seat
        self.due = 0
        if self.seat == CHANCE:
            self._ask()
