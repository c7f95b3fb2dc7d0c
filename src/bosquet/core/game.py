"""A game in play: its rules, its state and its moves so far."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, SupportsIndex, TypeVar

import msgspec

from bosquet.core import ending
from bosquet.core.assistance import AIDS, FULL
from bosquet.core.ending import Ending
from bosquet.core.errors import BosquetError, IllegalMove, listed, quoted
from bosquet.core.inputs.integers import checked_seed
from bosquet.core.positions.position import Position
from bosquet.core.rng import Rng, fresh_seed, seed_rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.core.state import CHANCE, NOBODY
from bosquet.core.view import Move, Sheet, View, to_json
from bosquet.core.view_texts import NO_ACTION, Plies, StateTexts
from bosquet.kernels.bits import members

FORMAT = "bosquet/1"

Judged = TypeVar("Judged", View, Sheet)


class Game:
    """One game in play. It holds all hidden information; give a seat only `view(seat)`.

    Moves are given and returned as notation (docs/records.md). `play` applies chance events as soon as they are due,
    except in a game without `rng`, such as one being replayed from a record.
    """

    def __init__(
        self,
        spec: GameSpec,
        options: Mapping[str, Any],
        state: Any,
        *,
        deal: Mapping[str, Any] | None = None,
        rng: Rng | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """Start from a state that has just been dealt.

        Without `rng`, chance events must be made with `play` or `sample_chance`. `extra` holds optional keys of the
        record.
        """
        self.spec = spec
        self.options: dict[str, Any] = dict(options)
        self.deal: dict[str, Any] = dict(deal) if deal is not None else spec.notation.write_deal(state)
        self.moves: list[str] = []
        self._actions_made: list[int] = []
        """The actions of the moves, NO_ACTION for a move of chance."""
        self.rng = rng
        self.extra: dict[str, Any] = dict(extra or {})
        self.ending: Ending | None = None
        """How it ended other than by its rules; None if it runs, or ended by its rules without a resignation."""
        self._state = self._first = state.copy()
        """Never changed: a move is made on a copy, so that copies of the game share it."""
        self._before: list[Any] = []
        self._next: tuple[Any, int, Any] | None = None
        """A state, an action, and the state after it."""
        self._legal: list[int] | None = None
        """The legal actions of the position, once somebody asked for them."""
        self._texts: StateTexts | None = None
        """The views of the position, once one has been asked for."""

    @property
    def name(self) -> str:
        """Return the name of the game, as in a record."""
        return self.spec.name

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return int(self.options["players"])

    @property
    def seat(self) -> int | None:
        """Return the seat to move, or None if the game is over or a chance event is due."""
        seat: int = self._state.seat
        return seat if seat >= 0 else None

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return bool(self._state.seat == NOBODY)

    @property
    def chance_due(self) -> bool:
        """Return whether a chance event is due. This happens only in a game without `rng`; see `sample_chance`."""
        return bool(self._state.seat == CHANCE)

    @property
    def state(self) -> Any:
        """Return a copy of the state, hidden information included."""
        return self._state.copy()

    @property
    def scores(self) -> list[int]:
        """Return the current score of each seat, including points that the opponents cannot see."""
        points = [0] * 4
        self.spec.rules.scores(self._state, points)
        return points[: self.players]

    @property
    def winners(self) -> list[int]:
        """Return the winning seats in ascending order; empty while the game runs."""
        if not self.over:
            return []
        by_rules = list(members(self.spec.rules.winners(self._state)))
        return by_rules if self.ending is None else ending.winners_of(self.ending, by_rules, self.scores)

    @property
    def result(self) -> dict[str, Any] | None:
        """Return the result by the rules as in a record, or None if the game runs or ended before its end."""
        by_rules = self.over and (self.ending is None or self.ending.how == "played")
        return self.spec.rules.result(self._state) if by_rules else None

    def end(self, how: ending.How, resigned: Sequence[int] = ()) -> None:
        """End the game before its end, or say which seats had resigned in one that is over. Raises BosquetError.

        Seats that resigned can't win. The rest is counted as it stands, and revealed as at the end of any game.
        """
        if self.ending is not None:
            raise BosquetError("the game has ended already")
        found = Ending(how, list(resigned))
        ending.check_ending(found, self.players, over=self.over)
        self.ending, self._state = found, ending.ended(self.spec, self._state)
        self._before.clear()
        self.release()

    @property
    def is_void(self) -> bool:
        """Return whether the game does not count."""
        return self.ending is not None and self.ending.how == "void"

    def legal(self) -> list[str]:
        """Return the notation of every legal move; empty if the game is over or a chance event is due."""
        return [self.spec.notation.to_notation(self._state, action) for action in self._actions()]

    def play(self, move: str) -> None:
        """Make a move. Raises IllegalMove with the reason and the legal moves; the game is then unchanged."""
        if self.chance_due:
            state = self._state.copy()
            self.spec.notation.apply_chance(state, move)
            self._note(state, move, undoable=False)
            return
        self._make(self.parse(move), move)

    def parse(self, move: str) -> int:
        """Return the legal action with this notation. Raises IllegalMove, as `play` does."""
        state = self._state
        if self.over:
            raise IllegalMove(f"{quoted(move)}: the game is over; no move is legal")
        try:
            if not isinstance(move, str):
                raise IllegalMove(f"{quoted(move)} is no move; a move must be text")
            action = self.spec.notation.parse(state, move)
            if action not in self._actions():
                reason = self.spec.notation.illegal_reason(state, action)
                raise IllegalMove(f"{quoted(move)}: {reason}", reason)
        except IllegalMove as error:
            raise IllegalMove(f"{error}; legal: {listed(self.legal())}", error.reason) from None
        return action

    def apply(self, action: int) -> None:
        """Apply a legal action, such as one that `parse` has returned in this state. It is not checked."""
        self._make(action, self.spec.notation.to_notation(self._state, action))

    def apply_all(self, actions: Iterable[int]) -> None:
        """Apply legal actions of a whole game or a part of it, with the chance events between them. None is checked.

        Faster than `apply` one by one; none of them can be undone.
        """
        state = self._state.copy()
        for action in actions:
            self.moves.append(self.spec.notation.to_notation(state, action))
            self._actions_made.append(action)
            self.spec.rules.play(state, action)
            while state.seat == CHANCE and self.rng is not None:
                self.spec.rules.sample_chance(state, self.rng.state)
                self.moves.append(self.spec.notation.chance_to_notation(state))
                self._actions_made.append(NO_ACTION)
        self._state = state
        self.release()
        self._before.clear()

    def seat_after(self, action: int) -> int | None:
        """Return the seat that is to move after a legal action; None if the game is then over or chance is due."""
        seat: int = self._played(action).seat
        return seat if seat >= 0 else None

    def after(self, action: int) -> Game:
        """Return a copy in which a legal action was applied. Applying the same one here is then done without work."""
        self._played(action)
        twin = self.copy()
        twin.apply(action)
        return twin

    def observed_move(self, move: str, seat: int | None) -> str:
        """Return the notation of a legal move as a seat or a spectator (None) may see it. Raises IllegalMove."""
        return self.spec.notation.observed_action(self._state, self.parse(move), seat)

    def observed_action(self, action: int, seat: int | None) -> Move:
        """Return a legal action about to be made as a seat or a spectator may know it."""
        return self._written().typed_move(action, seat)

    def observed_actions(self, action: int) -> list[Move]:
        """Return a legal action about to be made as each seat may know it, and last as a spectator may."""
        everybody = self.observed_action(action, None)
        if self.spec.moves_are_open:
            return [everybody] * (self.players + 1)
        own = [self.observed_action(action, seat) for seat in range(self.players)]
        return [everybody if move == everybody else move for move in own] + [everybody]  # a log keeps them for long

    def sample_chance(self, rng: Rng | None = None) -> None:
        """Draw and apply the chance event that is due. Raises BosquetError if none is due."""
        if not self.chance_due:
            raise BosquetError("no chance event is due")
        source = rng or self.rng or Rng()
        state = self._state.copy()
        self.spec.rules.sample_chance(state, source.state)
        self._note(state, self.spec.notation.chance_to_notation(state), undoable=False)

    @property
    def can_undo(self) -> bool:
        """Return whether the last move can be undone: it revealed nothing and the same seat is still to move."""
        return bool(self._before) and self._before[-1].seat == self._state.seat

    def undo(self) -> None:
        """Undo the last move. Raises BosquetError if it revealed hidden information or another seat is to move."""
        if not self.can_undo:
            raise BosquetError("nothing to take back: the last move revealed something, or another seat is to move")
        self._state = self._before.pop()
        self.moves.pop()
        self._actions_made.pop()
        self.release()

    def view(self, seat: int | None, *, moves: bool = True) -> View:
        """Return all that a seat, or a spectator (None), may know. Raises BosquetError for an unknown seat.

        With `moves=False` the legal moves are left out, since listing and scoring them takes most of the time.
        """
        self._check_viewer(seat)
        return self._judged(self._written().typed_view(seat, FULL if moves else AIDS))

    def position(self, viewer: int | None) -> Position:
        """Return what a seat, or a spectator (None), knows as a position, which has a text (docs/positions.md).

        Raises BosquetError for an unknown seat, and for a game that was ended before its end.
        """
        self._check_viewer(viewer)
        if self.ending is not None and self.result is None:
            raise BosquetError("the game was ended before its end by the rules, which no position says")
        return Position(self.spec, self.options, viewer, self.spec.conceal(self._state, viewer))

    def position_text(self, viewer: int | None) -> str | None:
        """Return the text of `position`, which is kept until the position changes.

        None for a game without texts of positions, and for one that ended other than by its rules. Raises BosquetError
        for an unknown seat.
        """
        self._check_viewer(viewer)
        return self._written().position(viewer) if self.ending is None else None

    def view_json(self, seat: int | None, assistance: int = FULL) -> bytes:
        """Return all that a seat, or a spectator (None), may know, as JSON. It is kept until the position changes.

        `assistance` is one of the levels of `core.assistance`: what is said of the moves, and whether they are listed.
        Raises BosquetError for an unknown seat.
        """
        self._check_viewer(seat)
        if self.ending is None:
            return self._written().view(seat, assistance)
        return to_json(self._judged(self._written().typed_view(seat, assistance)))

    def release(self) -> None:
        """Drop what was derived from the position, to save memory."""
        self._legal = self._next = self._texts = None

    def observed_moves(self, seat: int | None) -> list[tuple[int, str]]:
        """Return the moves so far as `(seat, notation)`, as a seat or a spectator (None) may see them.

        Hidden parts of moves are left out, and so are chance events.
        """
        return [(state.seat, self.spec.notation.observed_action(state, action, seat)) for state, action in self.plies()]

    def score_sheet(self) -> Sheet:
        """Return the score sheet: the source of every point."""
        return self._judged(self.spec.view.sheet(self._state, Plies(self._first, self._actions_made, self.plies)))

    def record(self) -> dict[str, Any]:
        """Return the record of the game (docs/records.md), hidden information included."""
        return {
            "format": FORMAT,
            "game": self.name,
            "options": self.spec.options_in_records(self.options),
            "deal": copy.deepcopy(self.deal),
            "moves": list(self.moves),
            "result": self.result,
            **(
                {} if self.ending is None else {ending.KEY: ending.write_ending(self.ending, self.scores, self.winners)}
            ),
            **self.extra,
        }

    def copy(self) -> Game:
        """Return an independent copy. Chance events of the copy are drawn from a new generator."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin.moves = self.moves.copy()
        twin._actions_made = self._actions_made.copy()
        twin.extra = copy.deepcopy(self.extra) if self.extra else {}
        twin._before = self._before.copy()
        twin.rng = Rng() if self.rng else None
        twin._texts = None  # of use to one thread at a time
        return twin

    def with_state(self, state: Any) -> Game:
        """Return a copy in another state, such as one that a seat cannot tell from this one. It is not checked."""
        twin = self.copy()
        twin._state = state.copy()
        twin.release()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled and deep-copied: all but what was worked out of the position.

        The twin's chance events are the same as in this game. Its game is looked up by name where it is unpickled.
        """
        return {**vars(self), "_next": None, "_legal": None, "_texts": None}

    def plies(self) -> Iterator[tuple[Any, int]]:
        """Yield every state in which a seat moved, with its action. The caller may keep and change the states."""
        for _, state, action in self.numbered_plies():
            yield state, action

    def numbered_plies(self) -> Iterator[tuple[int, Any, int]]:
        """Yield the plies, each with its index in `moves`; chance events count in this index but are not yielded."""
        state = self._first.copy()
        for index, move in enumerate(self.moves):
            if state.seat == CHANCE:
                self.spec.notation.apply_chance(state, move)
                continue
            action = self.spec.notation.parse(state, move)
            yield index, state.copy(), action
            self.spec.rules.play(state, action)

    def _check_viewer(self, seat: object) -> None:
        if seat is not None and seat not in range(self.players):
            raise BosquetError(f"no seat {quoted(seat)}; seats are 0 to {self.players - 1}, None a spectator")

    def _judged(self, said: Judged) -> Judged:
        """Return a view or a sheet with the winners of a game that ended other than by its rules."""
        return said if self.ending is None else msgspec.structs.replace(said, winners=self.winners)

    def _actions(self) -> list[int]:
        if self._legal is None:
            self._legal = self._written().actions
        return self._legal

    def _written(self) -> StateTexts:
        if self._texts is None:
            self._texts = StateTexts(self.spec, self._state)
        return self._texts

    def _make(self, action: int, move: str) -> None:
        """Apply a legal action, and the chance event that is then due if the game has a generator."""
        before = self._state
        state = self._played(action)
        undoable = not self.spec.rules.is_irreversible(before, action)
        self._note(state, move, undoable, action)
        if undoable:
            self._before.append(before)
        if self.chance_due and self.rng is not None:
            self.sample_chance()

    def _played(self, action: int) -> Any:
        """Return the state after a legal action."""
        if self._next is None or self._next[0] is not self._state or self._next[1] != action:
            state = self._state.copy()
            self.spec.rules.play(state, action)
            self._next = self._state, action, state
        return self._next[2]

    def _note(self, state: Any, move: str, undoable: bool, action: int = NO_ACTION) -> None:
        """Go on with a state that a move led to."""
        self._state = state
        self.moves.append(move)
        self._actions_made.append(action)
        self.release()
        if not undoable:
            self._before.clear()


def new_game(
    spec: GameSpec,
    given: Mapping[str, Any],
    *,
    seed: SupportsIndex | None = None,
    box: Any = None,
    open_as_in: Mapping[str, Any] | None = None,
) -> Game:
    """Deal a new game. Raises OptionError.

    The same `seed` gives the same deal and the same chance events on every machine. It is written into the record.
    `open_as_in` is a deal whose open part the new one gets.
    """
    options = check_options(spec, given)
    used = fresh_seed() if seed is None else checked_seed(seed)
    state = spec.new_state(options, box)
    spec.rules.deal(state, seed_rng(used, "deal"))
    if open_as_in is not None:
        state = spec.with_open_part(state, open_as_in)
    extra = {} if seed is None else {"seed": used}
    return Game(spec, options, state, rng=Rng(used, "chance"), extra=extra)
