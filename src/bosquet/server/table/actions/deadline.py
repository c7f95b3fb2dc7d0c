"""The deadlines of slow tables: until when each turn has time, and that a bot stands in after that.

A deadline follows from the events that begin a turn, or change who makes it: whatever was asked, `timed` adds it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bosquet.server.base.clock import later
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.actions.stand_in import SeatGiven
from bosquet.server.table.next_turn import next_turn
from bosquet.server.table.session import Session
from bosquet.server.table.timing.slow import reminder_of, turn_of

BACK_HOURS = 1
"""Hours that a guest gets for the rest of a turn that a bot has begun for them while others wait."""
BOT_SECONDS = 60
"""Seconds that a bot has to begin its turn. After that a node looks whether any node runs bots for the table."""


class LookAfter(Command):
    """See whether a slow table that is due goes on."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        turn = turn_of(session)
        if session.slow is None or turn is None:
            return [TurnTimed(None, None, session.deadline)]
        if turn.guest is None:
            return [_bot_moves(session, context.at, rests=all(chair.bot is not None for chair in session.chairs))]
        if session.deadline is None:
            return [_begins(session, turn.seat, context.at)]
        if context.at < session.deadline:
            return [TurnTimed(session.deadline, next_look(session.deadline, context.at), session.deadline)]
        if (session.chairs[turn.seat].away or "") > context.at:  # another node passed the turn on and did not know it
            return [_begins(session, turn.seat, context.at)]
        return [SeatGiven(turn.seat, turn.guest, session.slow.bot, session.chairs[turn.seat].name or "")]


class TurnTimed(Event, frozen=True):
    """At a slow table, until when the one who is to move has time."""

    deadline: str | None
    """None while a bot moves, and where nobody does."""
    due: str | None
    """When a node looks after the table next: to remind of the deadline, at the deadline, or soon where a bot moves."""
    since: str | None
    """The deadline until now. Of two nodes that change it, the second is refused."""

    def write(self, rows: Rows) -> None:
        rows.expect(deadline=self.since)
        rows.set(deadline=self.deadline, due=self.due)


def timed(session: Session, happened: Sequence[Event], at: str) -> list[Event]:
    """Return until when the seat to move has time, where what happens at a slow table changes that."""
    if session.slow is None or not happened or any(isinstance(event, TurnTimed) for event in happened):
        return []
    before = turn_of(session)
    rested = all(chair.bot is not None for chair in session.chairs)
    turn, bots, begins, over = next_turn(session, happened)
    if over:
        return [TurnTimed(None, None, session.deadline)]
    if turn is None:
        return []
    goes_on = not begins and before is not None and bots[turn] == (before.guest is None)
    if goes_on and (not bots[turn] or all(bots) == rested):
        return []
    if bots[turn]:
        return [_bot_moves(session, at, rests=all(bots))]
    if not begins and not rested:  # a part of the turn that a bot had begun
        return [_begins(session, turn, at, hours=BACK_HOURS)]
    return [_begins(session, turn, at)]


def _begins(session: Session, seat: int, at: str, **time: float) -> TurnTimed:
    """Return that a person has time, from now on or after a vacation: by default the days that were agreed."""
    assert session.slow is not None
    deadline = later(max(at, session.chairs[seat].away or at), **(time or {"days": session.slow.days}))
    return TurnTimed(deadline, next_look(deadline, at), session.deadline)


def next_look(deadline: str, at: str) -> str:
    """Return when a node looks after a table next where a person has time: to remind them, else at the deadline."""
    remind = reminder_of(deadline)
    return remind if remind > at else deadline


def _bot_moves(session: Session, at: str, *, rests: bool) -> TurnTimed:
    """Return that a bot is to move, where the game does not rest until somebody comes back."""
    return TurnTimed(None, None if rests else later(at, seconds=BOT_SECONDS), session.deadline)
