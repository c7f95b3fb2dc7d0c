"""The chat of a table: short lines for those who sit there and have it switched on.

It is on from the start at tables where people come by the link or by an invitation. At tables open to all it is off,
and each person switches it on for themselves. Only those who have it on write, and only they are sent the lines. It is
no part of the game: neither the journal nor a record nor a notice has it, and only its author downloads it. A line is
kept as long as its table. A reported line is kept for those who run the server, see `Retention.reports`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable

import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.clock import today
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.schema import chat, fellows, reports
from bosquet.server.store.store import Conflict, Store
from bosquet.server.table.messages import Chat, ChatLine, KeptLine
from bosquet.server.table.session import Session
from bosquet.server.table.viewers.broadcast import Subscriber

MOST_REPORTS = 1000
"""Reports that are kept at a time."""
REPORTS_A_DAY = 10
"""Reports of one guest on a day."""

log: FilteringBoundLogger = structlog.get_logger()


class Line(ChatLine):
    """A line of the chat, and the guest who wrote it, which nobody is told."""

    guest: str


async def lines(store: Store, table: str, since: int, until: int) -> list[Line]:
    """Return the lines of a table from a number on, and before another one. Raises Refusal."""
    query = sa.select(chat).where(chat.c.table_id == table, chat.c.number >= since, chat.c.number < until)
    query = query.order_by(chat.c.number)
    return [Line(row.number, row.seat, row.name, row.text, row.at, row.guest) for row in await store.select(query)]


async def unheard(store: Store, readers: Collection[str], authors: Collection[str]) -> set[tuple[str, str]]:
    """Return who of some readers has blocked which of some authors, whose lines they are not shown. Raises Refusal."""
    theirs = (fellows.c.owner.in_(readers)) & (fellows.c.other.in_(authors)) & fellows.c.blocked
    return {
        (row.owner, row.other) for row in await store.select(sa.select(fellows.c.owner, fellows.c.other).where(theirs))
    }


async def report(store: Store, table: str, session: Session, guest: str, number: int) -> None:
    """Report a line to those who run the server; reporting it again changes nothing. Raises Refusal."""
    if not session.reads_chat(guest):
        raise Refusal("not yours", "who reads the chat reports what is in it")
    found = [line for line in await lines(store, table, number, number + 1) if line.guest != guest]
    if not found:
        raise Refusal("not now", "there is no such line of somebody else")
    (line,) = found
    kept = {"table_id": table, "number": number, "guest": line.guest, "reporter": guest, "name": line.name}
    kept |= {"text": line.text, "made": today()}
    count = sa.select(sa.func.count()).select_from(reports)
    ours = count.where(reports.c.reporter == guest, reports.c.made == today())
    values = [sa.literal(value, reports.c[column].type) for column, value in kept.items()]
    allowed = sa.select(*values).where(count.scalar_subquery() < MOST_REPORTS, ours.scalar_subquery() < REPORTS_A_DAY)
    with contextlib.suppress(Conflict):  # it was reported before
        await store.write(sa.insert(reports).from_select(list(kept), allowed))
    one = (reports.c.table_id == table) & (reports.c.number == number)
    if not await store.select(sa.select(reports.c.made).where(one)):
        raise Refusal("busy", "no more lines can be reported now; block who wrote it, and try again tomorrow")
    log.warning("a line of a chat was reported", table=table[:6], number=number)


class ChatTeller:
    """Sends the lines of one table to those who sit there and have the chat switched on, in their order."""

    def __init__(self, store: Store, table: str, session: Session, subscribers: Collection[Subscriber]) -> None:
        """Take those who are connected, now and later; they have what was written until now."""
        self._store = store
        self._table = table
        self._session = session
        self._subscribers = subscribers
        self._told = session.chat
        """How many lines were sent to those who are here."""
        self._telling = False

    @property
    def is_due(self) -> bool:
        """Whether something is new, and nobody sends it yet."""
        return self._told < self._session.chat and not self._telling

    async def tell(self) -> None:
        """Send what is new, until nothing is."""
        self._telling = True
        try:
            while self._told < self._session.chat:
                since, self._told = self._told, self._session.chat
                with contextlib.suppress(Refusal):  # the store has said why; it is sent when they connect again
                    await self.send(self._subscribers, since, self._told)
        finally:
            self._telling = False

    async def send(self, to: Iterable[Subscriber], since: int = 0, until: int | None = None) -> None:
        """Send the lines from a number on to those of some who are to read them. Raises Refusal."""
        session = self._session
        readers = [one for one in to if not one.watching and session.reads_chat(one.guest)]
        if not readers or session.chat <= since:
            return
        found = await lines(self._store, self._table, since, session.chat if until is None else until)
        blocked = await unheard(self._store, {one.guest for one in readers}, {line.guest for line in found})
        for one in readers:
            shown = [
                ChatLine(line.number, line.seat, line.name, line.text, line.at)
                for line in found
                if (one.guest, line.guest) not in blocked
            ]
            if shown and one in self._subscribers:
                one.send(ENCODER.encode(Chat(shown)))


# --- what is kept ---


async def kept(store: Store, guest: str) -> list[KeptLine]:
    """Return what a guest has written, and reported. Raises Refusal."""
    written = sa.select(chat).where(chat.c.guest == guest).order_by(chat.c.at, chat.c.number)
    reported = sa.select(reports).where(reports.c.reporter == guest).order_by(reports.c.made, reports.c.number)
    return [
        *(KeptLine(row.table_id, row.text, row.at, False) for row in await store.select(written)),
        *(KeptLine(row.table_id, row.text, row.made, True) for row in await store.select(reported)),
    ]


async def erase(store: Store, guest: str) -> None:
    """Delete what a guest has written; of reports, who it was. Raises Refusal."""
    await store.write(sa.delete(chat).where(chat.c.guest == guest))
    for column, gone in ((reports.c.guest, {"guest": None, "name": ""}), (reports.c.reporter, {"reporter": None})):
        with contextlib.suppress(Conflict):  # there is none
            await store.write(sa.update(reports).where(column == guest).values(gone))
