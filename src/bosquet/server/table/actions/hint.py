"""Hints: whether they are given at a table. A page finds them by itself, and says so."""

from __future__ import annotations

from bosquet.server.base.refusals import Refusal
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event, Page
from bosquet.server.table.session import Session


class AllowHints(Command, tag="hints"):
    """Whether I agree that hints are given at this table."""

    allow: bool

    def decide(self, session: Session, context: Context) -> list[Event]:
        mine = session.seats_of(context.guest)
        if not mine:
            raise Refusal("not yours", "only those who sit here agree to hints")
        if not session.may_have_hints:
            raise Refusal("not now", "no hints are given at this table")
        if all(session.chairs[seat].hints == self.allow for seat in mine):
            return []
        return [HintsAllowed(context.guest, self.allow)]


class NoteHint(Command, tag="hinted"):
    """Tell everybody that my page gives me a hint. That is kept, too, since the game does not count then."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        if not session.seats_of(context.guest):
            raise Refusal("not yours", "only those who sit here get hints")
        if not session.hints_given:
            raise Refusal("not now", "hints are given when everybody who sits here agrees to them")
        return [] if session.hinted else [HintNoted()]

    async def answer(self, page: Page) -> None:
        await super().answer(page)
        session = page.table.session
        mine, mover = session.seats_of(page.guest), session.game and session.game.seat
        page.table.send_reaction(mover if mover in mine else mine[0], "hint")


class HintsAllowed(Event, frozen=True):
    """A guest has agreed to hints, or does no longer."""

    guest: str
    allow: bool

    def write(self, rows: Rows) -> None:
        rows.set_seats({"guest": self.guest}, hints=self.allow)


class HintNoted(Event, frozen=True):
    """The first hint is given at this table."""

    changes_state = False

    def write(self, rows: Rows) -> None:
        rows.set(hinted=True)
