"""The host of a table sends people away: from a seat before the deal, and from among those who watch."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from bosquet.core.real_game import SeatNumber
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests import people
from bosquet.server.store.rows import FREED, Rows
from bosquet.server.table import messages
from bosquet.server.table.action import Ask, Command, Context, Event, Page
from bosquet.server.table.session import Session
from bosquet.server.table.viewers.presence import WATCHERS

MOST_BARRED = 50
"""People whom the host of a table may send away."""
SENT_AWAY = "the host has sent you away from this table; you can't come back to it"


class Remove(Command, tag="remove"):
    """Send away the guest on a seat, before the deal; for the host to ask.

    They can't come back to this table, and the link that they have opens no seat any more: another one does.
    """

    seat: SeatNumber

    def decide(self, session: Session, context: Context) -> list[Event]:
        _check_sends_away(session, context.guest)
        if session.phase != "waiting":
            raise Refusal("not now", "nobody is sent away from a game that has begun")
        guest = session.chairs[self.seat].guest if self.seat < len(session.chairs) else None
        if guest is None:
            raise Refusal("not now", "no person sits on this seat")
        if guest == context.guest:
            raise Refusal("not now", "this seat is your own; close the table instead")
        return [_barred(session, session.mark(guest), self.seat, guest, context.around.new_invitation())]


class Bar(Command, tag="bar"):
    """Send somebody away who watches, at any time; for the host to ask. They can't come back to this table."""

    watcher: Annotated[str, Meta(pattern="^[0-9a-f]{16}$", max_length=16)]
    """The `id` of a `Watcher`."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        _check_sends_away(session, context.guest)
        if self.watcher in session.barred.split():
            return []
        seated = {chair.guest or chair.left_by for chair in session.chairs} | {session.host}
        if self.watcher in {session.mark(guest) for guest in seated if guest is not None}:
            raise Refusal("not now", "people who sit here, or have left a seat, may watch")
        invitation = context.around.new_invitation() if session.phase == "waiting" else None
        return [_barred(session, self.watcher, None, None, invitation)]


class AskWatchers(Ask, tag="watchers"):
    """Who watches? For the host to ask."""

    async def answer(self, page: Page) -> None:
        page.compute.take(page.guest, page.address)
        session = page.table.session
        if not session.is_host(page.guest):
            raise Refusal("not yours", "the host of a table is told who watches")
        marks = page.table.attendance.watching()
        known = await people.names(page.table.store, page.guest) if marks else {}
        names = {session.mark(other): name for other, name in known.items()}
        found = [messages.Watcher(mark, names.get(mark) or None) for mark in sorted(marks)]
        found.sort(key=lambda one: (one.name is None, one.name))
        page.tell(messages.Watchers(found[:WATCHERS]))


class Barred(Event, frozen=True):
    """The host has sent somebody away, who can't come back."""

    log = ("sent away", "seat")

    barred: str
    """The marks of all who were sent away, and those before that. Of two nodes that add one, the second is refused."""
    since: str
    seat: int | None
    """The seat that is free again; None where somebody watched."""
    guest: str | None
    """Who sat there."""
    invitation: str | None
    """What opens a seat from now on; None where it has not changed."""

    def write(self, rows: Rows) -> None:
        rows.expect(barred=self.since)
        rows.set(barred=self.barred)
        if self.invitation is not None:
            rows.set(invitation=self.invitation)
        if self.seat is not None:
            rows.expect(phase="waiting")
            rows.set_seat(self.seat, {"guest": self.guest}, **FREED)


def _check_sends_away(session: Session, guest: str) -> None:
    if not session.is_host(guest):
        raise Refusal("not yours", "the host of a table sends people away")
    if len(session.barred.split()) >= MOST_BARRED:
        raise Refusal("not now", f"{MOST_BARRED} people were sent away already; open another table")


def _barred(session: Session, mark: str, seat: int | None, guest: str | None, invitation: str | None) -> Barred:
    return Barred(" ".join([*session.barred.split(), mark]), session.barred, seat, guest, invitation)
