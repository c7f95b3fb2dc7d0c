"""A game being played: the rules, a state, and the record of how it came about."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from bosquet.core.bits import members
from bosquet.core.chance import Chance, fresh_seed, lanes_of
from bosquet.core.errors import BosquetError, IllegalMove, OptionError, listed, quoted
from bosquet.core.rules import Rules
from bosquet.core.state import CHANCE, NOBODY
from bosquet.core.view import Sheet, View

FORMAT = "bosquet/1"


class Game:
    """One game at one table. It knows everything; a seat gets `view(seat)`.

    Moves are notation throughout (docs/records.md). A move of chance that falls due is made by itself,
    unless the game is being read from a record.
    """

    def __init__(
        self,
        rules: Rules,
        options: Mapping[str, Any],
        state: Any,
        *,
        deal: Mapping[str, Any] | None = None,
        chance: Chance | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """Start from a state that has just been dealt. `extra` are optional keys of the record."""
        self.rules = rules
        self.options = dict(options)
        self.deal = dict(deal) if deal is not None else rules.write_deal(state)
        self.moves: list[str] = []
        self.chance = chance
        self.extra = dict(extra or {})
        self._state = state
        self._first = state.copy()
        self._before: list[Any] = []
        self._legal: list[int] | None = None

    @property
    def name(self) -> str:
        """The name of the game, as in a record."""
        return self.rules.NAME

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.options["players"])

    @property
    def seat(self) -> int | None:
        """The seat to move; None when the game is over or a move of chance is due."""
        seat: int = self._state.seat
        return seat if seat >= 0 else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._state.seat == NOBODY)

    @property
    def chance_due(self) -> bool:
        """Whether a move of chance is due (only in a game read from a record; see `roll`)."""
        return bool(self._state.seat == CHANCE)

    @property
    def state(self) -> Any:
        """A copy of the state as the rules have it; it knows everything."""
        return self._state.copy()

    @property
    def scores(self) -> list[int]:
        """The open count: the points of each seat as they would be counted now."""
        points = [0] * 4
        self.rules.scores(self._state, points)
        return points[: self.players]

    @property
    def winners(self) -> list[int]:
        """The winning seats, ascending; empty while the game runs."""
        return list(members(self.rules.winners(self._state))) if self.over else []

    @property
    def result(self) -> dict[str, Any] | None:
        """The result as in a record; None while the game runs."""
        return self.rules.result(self._state) if self.over else None

    def legal(self) -> list[str]:
        """The notation of every legal move; empty when the game is over or chance is due."""
        return [self.rules.say(self._state, action) for action in self._actions()]

    def play(self, move: str) -> None:
        """Make a move. Raises IllegalMove, which says why not and what would be legal; the game is then unchanged."""
        if self.chance_due:
            before = self._state.copy()
            try:
                self.rules.play_roll(self._state, move)
            except IllegalMove:
                self._state = before
                raise
            self._note(move, undoable=False)
            return
        if self.over:
            raise IllegalMove(f"{quoted(move)}: the game is over; no move is legal")
        action = self._action(move)
        undoable = not self.rules.reveals(self._state, action)
        self._before.append(self._state.copy())
        self.rules.play(self._state, action)
        self._note(move, undoable)
        if self.chance_due and self.chance is not None:
            self.roll()

    def told_of(self, move: str, seat: int | None) -> str:
        """A legal move that is about to be made, as a seat or a spectator may know it. Raises IllegalMove."""
        return self.rules.told(self._state, self._action(move), seat)

    def roll(self, chance: Chance | None = None) -> None:
        """Make the move of chance that is due. Raises BosquetError if none is."""
        if not self.chance_due:
            raise BosquetError("no move of chance is due")
        source = chance or self.chance or Chance()
        self.rules.roll(self._state, source.lanes)
        self._note(self.rules.say_roll(self._state), undoable=False)

    @property
    def can_undo(self) -> bool:
        """Whether the last move can be taken back: it showed nothing hidden, and the turn is still the same seat's."""
        return bool(self._before) and self._before[-1].seat == self._state.seat

    def undo(self) -> None:
        """Take the last move back. Raises BosquetError once something hidden was seen or the turn has passed on."""
        if not self.can_undo:
            raise BosquetError("nothing to take back: something hidden was seen, or the turn has passed on")
        self._state = self._before.pop()
        self.moves.pop()
        self._legal = None

    def view(self, seat: int | None) -> View:
        """All that a seat may know; None is a spectator. Raises BosquetError for a seat that is not there."""
        if seat is not None and seat not in range(self.players):
            raise BosquetError(f"no seat {quoted(seat)}; seats are 0 to {self.players - 1}, None a spectator")
        return self.rules.view(self._state, seat)

    def told(self, seat: int | None) -> list[tuple[int, str]]:
        """The moves so far with the seats that made them, as a seat or a spectator may know them.

        What stayed hidden is left out, and so are moves of chance.
        """
        return [(state.seat, self.rules.told(state, action, seat)) for state, action in self.plies()]

    def score_sheet(self) -> Sheet:
        """Where every point comes from."""
        return self.rules.sheet(self._state, self.plies())

    def record(self) -> dict[str, Any]:
        """The record of the game, as docs/records.md has it. It holds everything hidden."""
        return {
            "format": FORMAT,
            "game": self.name,
            "options": dict(self.options),
            "deal": copy.deepcopy(self.deal),
            "moves": list(self.moves),
            "result": self.result,
            **self.extra,
        }

    def copy(self) -> Game:
        """An independent copy. A move of chance in either is drawn anew."""
        twin = copy.copy(self)
        twin._state = self._state.copy()
        twin.moves = list(self.moves)
        twin.extra = copy.deepcopy(self.extra)
        twin._before = list(self._before)
        twin.chance = Chance() if self.chance else None
        return twin

    def plies(self) -> Iterator[tuple[Any, int]]:
        """Every state in which a seat moved, with its action. The states are the caller's to keep."""
        for _, state, action in self.numbered_plies():
            yield state, action

    def numbered_plies(self) -> Iterator[tuple[int, Any, int]]:
        """The plies, each with its index in `moves`, where moves of chance stand, too."""
        state = self._first.copy()
        for index, move in enumerate(self.moves):
            if state.seat == CHANCE:
                self.rules.play_roll(state, move)
                continue
            action = self.rules.parse(state, move)
            yield index, state.copy(), action
            self.rules.play(state, action)

    def _actions(self) -> list[int]:
        if self._legal is None:
            moves = [0] * self.rules.MAX_MOVES
            n = self.rules.legal(self._state, moves) if self.seat is not None else 0
            self._legal = moves[:n]
        return self._legal

    def _action(self, move: str) -> int:
        """The legal action that is written so."""
        state = self._state
        try:
            if not isinstance(move, str):
                raise IllegalMove(f"{quoted(move)} is no move; a move is text")
            action = self.rules.parse(state, move)
            if action not in self._actions():
                raise IllegalMove(f"{quoted(move)}: {self.rules.objection(state, action)}")
        except IllegalMove as error:
            raise IllegalMove(f"{error}; legal: {listed(self.legal())}") from None
        return action

    def _note(self, move: str, undoable: bool) -> None:
        self.moves.append(move)
        self._legal = None
        if not undoable:
            self._before.clear()


def check_options(rules: Rules, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a game, those not given by default. Raises OptionError."""
    for name in given:
        if name not in rules.OPTIONS:
            raise OptionError(f"{rules.TITLE} has no option {quoted(name)}; it has {', '.join(rules.OPTIONS)}")
    options = {}
    for name, values in rules.OPTIONS.items():
        value = given.get(name, values[0])
        if not any(type(value) is type(allowed) and value == allowed for allowed in values):
            shown = ", ".join(quoted(v) for v in sorted(values))
            raise OptionError(f"{name} is {quoted(value)}; {rules.TITLE} takes {shown}")
        options[name] = value
    return options


def new_game(rules: Rules, given: Mapping[str, Any], *, seed: int | None = None, deck: Any = None) -> Game:
    """Deal a new game. A `seed` gives the same deal and the same chance on every machine and goes into the record."""
    options = check_options(rules, given)
    if seed is not None and type(seed) is not int:
        raise OptionError(f"seed is {quoted(seed)}; it must be a whole number")
    state = rules.new_state(options, deck)
    used = fresh_seed() if seed is None else seed
    rules.deal(state, lanes_of(used, "deal"))
    extra = {} if seed is None else {"seed": seed}
    return Game(rules, options, state, chance=Chance(used, "chance"), extra=extra)
