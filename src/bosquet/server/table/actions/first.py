"""Who begins, if the people at the table decide it. Seat 0 always begins, so everybody moves on around the table."""

from __future__ import annotations

from typing import Any

from bosquet.core.real_game import SeatNumber
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.actions.deal import deal_of_bots
from bosquet.server.table.session import Session


class SayFirst(Command, tag="first"):
    """Say who begins, once all seats are taken; for those who sit here and the host to ask."""

    on_screens = True

    seat: SeatNumber

    def decide(self, session: Session, context: Context) -> list[Event]:
        if not session.seats_of(context.guest) and not session.is_host(context.guest):
            raise Refusal("not yours", "those who sit here and the host say who begins")
        if session.phase != "waiting" or session.first != "open":
            raise Refusal("not now", "it is settled who begins")
        if session.has_free_seat:
            raise Refusal("not now", "who begins is said when all seats are taken")
        if self.seat >= len(session.chairs):
            raise Refusal("no seat", f"this table has the seats 0 to {len(session.chairs) - 1}")
        seated = [{**vars(chair)} for chair in session.chairs]
        return [FirstSaid(seated, self.seat), *deal_of_bots(session, context.at)]


class FirstSaid(Event, frozen=True):
    """Who begins was said: the one on this seat is on seat 0 now, the others follow in the same order."""

    log = ("who begins was said", "seat")

    seated: list[dict[str, Any]]
    """Who sat where until then: the columns of each seat. No seat has added to the shuffle."""
    seat: int

    def write(self, rows: Rows) -> None:
        rows.expect_waiting()
        rows.expect(first="open")
        rows.set(first="chosen")
        moved = self.seated[self.seat :] + self.seated[: self.seat]
        for seat, (before, now) in enumerate(zip(self.seated, moved, strict=True)):
            expected = {"guest": before["guest"], "bot": before["bot"], "nonce": None}
            rows.set_seat(seat, expected, **now, shelved=False)
