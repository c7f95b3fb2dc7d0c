"""The chat of a table: switched on and off, written to, and reported; see `table.chat`."""

from __future__ import annotations

from typing import Annotated

import sqlalchemy as sa
from msgspec import Meta

from bosquet.core.real_game import SeatNumber
from bosquet.server.base.legible import legible
from bosquet.server.base.refusals import Refusal
from bosquet.server.store import schema
from bosquet.server.store.rows import Rows
from bosquet.server.table import messages
from bosquet.server.table.action import Ask, Command, Context, Event, Page
from bosquet.server.table.chat import report
from bosquet.server.table.messages import LINE_LENGTH
from bosquet.server.table.session import Session

MOST = 200
"""Lines of one table."""
_LINE = sa.insert(schema.chat)


class AllowChat(Command, tag="allow chat"):
    """Switch the chat of this table on for me, or off."""

    allow: bool

    def decide(self, session: Session, context: Context) -> list[Event]:
        if not session.is_person(context.guest):
            raise Refusal("not yours", "only people who sit here have the chat")
        if all(session.chairs[seat].chat == self.allow for seat in session.seats_of(context.guest)):
            return []
        return [ChatAllowed(context.guest, self.allow)]

    async def answer(self, page: Page) -> None:
        if await page.table.do(page.guest, self) and self.allow:
            await page.table.send_chat(page.guest)


class WriteChat(Command, tag="write"):
    """Write a line to the chat, for those who have it switched on."""

    tries = 5

    seat: SeatNumber
    text: Annotated[str, Meta(min_length=1, max_length=LINE_LENGTH)]

    def decide(self, session: Session, context: Context) -> list[Event]:
        session.check_mine(context.guest, self.seat)
        if session.phase == "closed":
            raise Refusal("not now", "this table is closed")
        if not session.chair_reads(self.seat):
            raise Refusal("not now", "who writes here has the chat switched on; programs have none")
        if session.chat >= MOST:
            raise Refusal("not now", f"a table has {MOST} lines of chat; that is all")
        name, text = session.chairs[self.seat].name or "", legible(self.text, LINE_LENGTH)
        return [LineWritten(session.chat, self.seat, context.guest, name, text, context.at)]

    async def answer(self, page: Page) -> None:
        page.gates.chats.check(page.guest, page.address, "many lines at once; wait a moment")
        await page.table.do(page.guest, self)


class ReportChat(Ask, tag="report"):
    """Report a line of the chat to those who run the server."""

    number: Annotated[int, Meta(ge=0, lt=1 << 31)]

    async def answer(self, page: Page) -> None:
        page.gates.reports.check(page.guest, page.address, "many lines were reported; try again tomorrow")
        await report(page.table.store, page.table.id, page.table.session, page.guest, self.number)
        page.tell(messages.Reported(self.number))


class ChatAllowed(Event, frozen=True):
    """A guest has switched the chat on, or off."""

    guest: str
    allow: bool

    def write(self, rows: Rows) -> None:
        rows.set_seats({"guest": self.guest}, chat=self.allow)


class LineWritten(Event, frozen=True):
    """Somebody has written a line to the chat. It is no part of the game: a row of its own, and no entry."""

    number: int
    seat: int
    guest: str
    name: str
    text: str
    at: str

    def write(self, rows: Rows) -> None:
        rows.expect(chat=self.number)
        rows.set(chat=self.number + 1)
        line = {"table_id": rows.table, "number": self.number, "seat": self.seat, "guest": self.guest}
        rows.also.append((_LINE, line | {"name": self.name, "text": self.text, "at": self.at}))
