"""The clocks of the seats: when each runs and stands, and what happens when the time of one is up.

What the clocks say follows from the events that begin a turn, or change who makes it: whatever was asked, `clocked`
adds it. A move that arrives before the time was called counts, however late it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from bosquet.server.base.clock import later
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.actions.deal import Dealt
from bosquet.server.table.actions.give_up import leaving, plays_alone, resigning
from bosquet.server.table.actions.move import TurnPassed
from bosquet.server.table.next_turn import next_turn
from bosquet.server.table.session import Session
from bosquet.server.table.timing.clocks import DEAL_SECONDS, UNCOUNTED_SECONDS, flag, full, left_at, running_seat


class CallTime(Command):
    """See whether the time of the seat to move is up. If so, it resigns or a bot takes over, as was agreed.

    If nobody else plays, the game ends either way. If the time is not up, the table is made due again for when it is.
    """

    def decide(self, session: Session, context: Context) -> list[Event]:
        seat, up = running_seat(session), flag(session)
        if session.clock is None or session.times is None:
            return []
        if seat is None or up is None or session.chairs[seat].bot is not None:  # its guest was erased
            return [ClocksSet(session.times, None, None, session.since)]
        if context.at < up:
            return [ClocksSet(session.times, session.since, up, session.since)]
        bot = session.clock.bot
        if bot is None or plays_alone(session, seat):
            return [TimeCalled(seat), *resigning(session, seat, context.at, late=True)]
        return [TimeCalled(seat), *leaving(session, seat, bot, context.at)]


class TimeCalled(Event, frozen=True):
    """The time of a seat is up. What is kept of it is that its clock says nothing is left."""

    log = ("time is up", "seat")

    seat: int

    def write(self, rows: Rows) -> None:
        pass


class ClocksSet(Event, frozen=True):
    """What each seat has left, and whose clock runs from when on: that of the seat to move, or none."""

    times: list[int]
    since: str | None
    due: str | None
    """When its time is up."""
    before: str | None
    """Since when a clock ran before. Of two nodes that change it, the second is refused."""

    def write(self, rows: Rows) -> None:
        rows.expect(since=self.before)
        rows.set(times=self.times, since=self.since, due=self.due)


def clocked(session: Session, happened: Sequence[Event], at: str) -> list[Event]:
    """Return what the clocks say from now on, where what happens at a table changes that."""
    if session.clock is None or not happened or any(isinstance(event, ClocksSet) for event in happened):
        return []
    seat, bots, begins, _ = next_turn(session, happened)
    ran, runs = running_seat(session), None if seat is None or bots[seat] else seat
    if ran == runs and not begins:
        return []
    times = list(session.times or full(session.clock, len(session.chairs)))
    if ran is not None:
        called = any(isinstance(event, TimeCalled) for event in happened)
        passed = any(isinstance(event, TurnPassed) for event in happened)
        times[ran] = 0 if called else left_at(session, ran, at) + passed * session.clock.increment * 1000
    if runs is None:
        return [ClocksSet(times, None, None, session.since)]
    dealt = any(isinstance(event, Dealt) for event in happened)
    since = later(at, seconds=DEAL_SECONDS if dealt else UNCOUNTED_SECONDS)
    return [ClocksSet(times, since, later(since, seconds=times[runs] / 1000), session.since)]
