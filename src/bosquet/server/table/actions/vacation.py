"""Vacations at slow tables: the deadline of a guest who is away stands still."""

from __future__ import annotations

from bosquet.server.base.clock import later, seconds_between
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.actions.deadline import TurnTimed, next_look
from bosquet.server.table.session import Session
from bosquet.server.table.timing.slow import turn_of


class SetAway(Command):
    """Note until when a guest is on vacation, or that it is not; the server knows. It may be said again."""

    tries = 3
    about: str
    until: str | None

    def decide(self, session: Session, context: Context) -> list[Event]:
        mine = session.seats_of(self.about)
        if session.slow is None or session.phase not in ("waiting", "playing") or not mine:
            return []
        before = session.chairs[mine[0]].away
        if before == self.until:
            return []
        turn, deadline = turn_of(session), session.deadline
        moved = _rest(self.until, context.at) - _rest(before, context.at)
        happened: list[Event] = [AwaySet(self.about, self.until)]
        if turn is not None and turn.guest == self.about and deadline is not None and moved:
            other = later(deadline, seconds=moved)
            happened.append(TurnTimed(other, next_look(other, context.at), deadline))
        return happened


class AwaySet(Event, frozen=True):
    """A guest is on vacation until some time, or is not."""

    guest: str
    until: str | None

    def write(self, rows: Rows) -> None:
        rows.set_seats({"guest": self.guest}, away=self.until)


def _rest(until: str | None, at: str) -> float:
    """Return how many seconds of a vacation are still to come."""
    return 0.0 if until is None else max(0.0, seconds_between(at, until))
