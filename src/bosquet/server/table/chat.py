"""The chat of a table: short lines, for those alone who sit there and have it switched on.

It is on from the start where people come by the link or by an invitation, and off at tables that are open to all, where
each person switches it on for themselves: only who has it on writes, and only they are sent what is written. It is no
part of the game: neither journal nor record, no notice and no answer but that of its author's own download has it.

A line is kept as long as its table. One that was reported is kept for the operator of the server, see `TableRetention`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection

import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.clock import now, today
from bosquet.server.base.legible import legible
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.schema import chat, fellows, reports, tables
from bosquet.server.store.store import Conflict, Store
from bosquet.server.table.messages import LINE_LENGTH, ChatLine, KeptLine
from bosquet.server.table.session import Session

MOST = 200
"""Lines of one table."""
MOST_REPORTS = 1000
"""Reports that are kept at a time."""
REPORTS_A_DAY = 10
"""Reports of one guest on a day."""

log: FilteringBoundLogger = structlog.get_logger()


class Line(ChatLine):
    """A line of the chat, and the guest who wrote it, which nobody is told."""

    guest: str


def check_writes(session: Session, guest: str, seat: int) -> None:
    """Check that a guest may write to the chat from a seat. Raises Refusal."""
    session.check_mine(guest, seat)
    if session.phase == "closed":
        raise Refusal("not now", "this table is closed")
    if not session.chair_reads(seat):
        raise Refusal("not now", "who writes here has the chat switched on; programs have none")
    if session.chat >= MOST:
        raise Refusal("not now", f"a table has {MOST} lines of chat; that is all")


async def add(store: Store, table: str, session: Session, guest: str, seat: int, text: str) -> None:
    """Keep a new line, under the next number. Raises Conflict if another one has it; Refusal."""
    check_writes(session, guest, seat)
    row = {"table_id": table, "number": session.chat, "seat": seat, "guest": guest, "text": legible(text, LINE_LENGTH)}
    row |= {"name": session.chairs[seat].name or "", "at": now()}
    is_next = (tables.c.id == table) & (tables.c.chat == session.chat)
    await store.write(sa.update(tables).where(is_next).values(chat=session.chat + 1), sa.insert(chat).values(row))


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
    """Report a line to the operator of the server; once is enough. Raises Refusal."""
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
