"""Moves of people and of bots, and the chance moves that follow. `undo.py` takes a move back."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from bosquet.core.errors import IllegalMove
from bosquet.core.real_game import SeatNumber
from bosquet.core.records import fair
from bosquet.core.view import Move
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.entries import JournalEntry
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event, JournalEvent
from bosquet.server.table.actions.agree import lapsed
from bosquet.server.table.actions.stand_in import SeatsTakenBack
from bosquet.server.table.session import LogEntry, Session


class Play(Command, tag="play"):
    """Make a move. `number` is that of the position in which it was chosen."""

    seat: SeatNumber
    number: Annotated[int, Meta(ge=0)]
    move: Annotated[str, Meta(max_length=200)]

    def decide(self, session: Session, context: Context) -> list[Event]:
        check_turn(session, context.guest, self.seat, self.number)
        back: list[Event] = [SeatsTakenBack(context.guest)] if session.chairs[self.seat].bot is not None else []
        return [*back, *_moves(session, self.move, context.at), *lapsed(session, self.seat)]


class PlayForBot(Command):
    """Make the move that a bot chose in a position, if that is still the position."""

    bot: str
    seat: int
    number: int
    move: str

    def decide(self, session: Session, context: Context) -> list[Event]:
        """Return the move. At a slow table the bot may leave the seat with the end of the turn.

        It leaves if it stood in for this turn only, or if the person for whom it stands in is back.
        """
        chair = session.chairs[self.seat]
        if session.number != self.number or chair.bot != self.bot:  # the person for whom it stood in may be back
            return []
        happened = _moves(session, self.move, context.at)
        if session.slow is None or chair.guest is None:
            return happened
        leaves = not session.slow.until_back or chair.guest in session.returning
        passed = any(isinstance(event, TurnPassed) for event in happened)
        return [*happened, SeatsTakenBack(chair.guest)] if leaves and passed else happened


class Moved(JournalEvent, frozen=True):
    """A move was made."""

    kind = "move"
    changes_state = False

    seat: int
    move: str
    action: int
    """The move as the rules have it: legal in the position in which the event is applied."""
    observed: list[Move]
    """The move as each seat may know it, and last as a spectator may."""

    @classmethod
    def read(cls, session: Session, text: str) -> Moved:
        game = session.dealt()
        if game.chance_due:
            raise IllegalMove("a move of chance is due")
        seat, action = game.seat, game.parse(text)
        assert seat is not None
        return cls(seat, text, action, game.observed_actions(action))

    def apply(self, session: Session) -> None:
        game = session.dealt()
        game.apply(self.action)
        if game.over and session.resigned:
            game.end("played", session.resigned)
        session.log.append(LogEntry(self.seat, self.observed))

    def write(self, rows: Rows) -> None:
        rows.entries.append(JournalEntry("move", self.move))


class ChanceMade(JournalEvent, frozen=True):
    """A move of chance was made, as secret and nonces have it."""

    kind = "chance"
    changes_state = False

    move: str

    @classmethod
    def read(cls, session: Session, text: str) -> ChanceMade:
        return cls(text)

    def apply(self, session: Session) -> None:
        game = session.dealt()
        game.play(self.move)
        word = self.move.split()[0]
        session.log.append(LogEntry(None, [Move(say=word, kind=word, cells=[])] * (game.players + 1)))

    def write(self, rows: Rows) -> None:
        rows.entries.append(JournalEntry("chance", self.move))


class TurnPassed(Event, frozen=True):
    """It is another seat's turn. Follows from the moves: kept for those who list tables."""

    changes_state = False

    seat: int | None

    def write(self, rows: Rows) -> None:
        rows.set(turn=self.seat)


class Ended(Event, frozen=True):
    """The game is over; scores and winners follow from the moves."""

    at: str
    scores: list[int]
    winners: list[int]

    def write(self, rows: Rows) -> None:
        rows.set(phase="over", ended=self.at, result={"scores": self.scores, "winners": self.winners})
        rows.expect_left()


def check_turn(session: Session, guest: str, seat: int, number: int) -> None:
    """Check that it is the turn of a seat of a guest, in the position that they have seen. Raises Refusal."""
    session.check_mine(guest, seat)
    game = session.dealt()
    if game.over:
        raise Refusal("not now", "the game is over")
    if number != session.number:
        raise Refusal("stale", "the position has changed; look at the table again")
    if game.seat != seat:
        raise Refusal("not now", "it is not this seat's turn")


def _moves(session: Session, move: str, at: str) -> list[Event]:
    """Return a move, and the chance that follows it."""
    game = session.dealt()
    try:
        moved = Moved.read(session, move)
    except IllegalMove as error:
        # With the moves that are legal, but where players find these themselves.
        message = error.reason if session.assistance == "none" else error
        raise Refusal("illegal", str(message), error.reason) from None
    happened: list[Event] = [moved]
    seat = game.seat_after(moved.action)
    if seat is not None:
        return happened if seat == game.seat else [*happened, TurnPassed(seat)]
    after = game.after(moved.action)
    while after.chance_due:
        happened.append(ChanceMade(fair.sample_chance(after, session.secret, session.nonces)))
    if after.seat != game.seat:
        happened.append(TurnPassed(after.seat))
    if after.over:
        if session.resigned:
            after.end("played", session.resigned)
        happened.append(Ended(at, after.scores, after.winners))
    return happened
