"""The clean-up of tables: old ones are deleted, and the journals of finished games are packed, a little at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

import sqlalchemy as sa
import structlog
from sqlalchemy import Executable
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.background import Pauses
from bosquet.server.store.entries import JournalEntry
from bosquet.server.store.packing import pack
from bosquet.server.store.schema import chat, journal, packed, reports, seats, tables
from bosquet.server.store.store import Conflict, Store
from bosquet.server.tables.registry import TableRegistry

BATCH = 100
"""Tables that are looked up at a time."""

log: FilteringBoundLogger = structlog.get_logger()


@dataclass(frozen=True)
class TableRetention(Pauses):
    """How many days tables are kept after the last on which somebody who sits there came, or something happened."""

    waiting: int = 14
    """Tables whose game has never started, and those that were closed."""
    bots: int = 7
    """Tables of bots alone, whether their game is over or not."""
    abandoned: int = 180
    """Games that were not finished."""
    unpacked: int = 7
    """Finished games whose journal is kept as it was written; it is packed then, and can still be replayed."""
    finished: int = 730
    """Finished games."""
    reports: int = 90
    """Lines of chats that were reported."""


class Old(NamedTuple):
    """A table that was found, as it was then."""

    id: str
    phase: str
    touched: str | None
    previous: str | None


class Swept(NamedTuple):
    """How many tables a clean-up has changed."""

    deleted: int
    packed: int


class TableCleanUp:
    """Deletes and packs tables that are old."""

    def __init__(self, store: Store, registry: TableRegistry, retention: TableRetention) -> None:
        self._registry = registry
        self._store = store
        self._retention = retention

    async def __call__(self, today: date) -> None:
        """Delete and pack what is old on a day. Raises Refusal."""
        await self.sweep(today)

    async def sweep(self, today: date) -> Swept:
        """Delete and pack what is old on a day; return how many tables it was. Raises Refusal."""
        kept = self._retention
        unreported = (today - timedelta(days=kept.reports)).isoformat()
        await self._store.write(sa.delete(reports).where(reports.c.made < unreported))
        without_guests = ~sa.exists().where(seats.c.table_id == tables.c.id, seats.c.guest.is_not(None))
        # At a slow table somebody has days for a turn, whatever the other numbers are.
        nobody_has_time = sa.or_(tables.c.deadline.is_(None), tables.c.deadline < today.isoformat())
        not_packed = ~sa.exists().where(packed.c.table_id == tables.c.id)

        def before(days: int) -> str:
            return (today - timedelta(days=days)).isoformat()

        deleted = [
            await self._each(self._delete, before(kept.waiting), tables.c.phase.in_(("waiting", "closed"))),
            await self._each(self._delete, before(kept.bots), without_guests),
            await self._each(self._delete, before(kept.abandoned), tables.c.phase == "playing", nobody_has_time),
            await self._each(self._delete, before(kept.finished), tables.c.phase == "over"),
        ]
        swept = Swept(
            sum(deleted), await self._each(self._pack, before(kept.unpacked), tables.c.phase == "over", not_packed)
        )
        if any(swept):
            log.info("swept old tables", deleted=swept.deleted, packed=swept.packed)
        return swept

    async def _each(
        self, work: Callable[[Old], Awaitable[bool]], before: str, *conditions: sa.ColumnElement[bool]
    ) -> int:
        """Do something with each table last touched before a day; return for how many it was done."""
        done, last = 0, ""
        while True:
            query = sa.select(tables.c.id, tables.c.phase, tables.c.touched, tables.c.previous)
            query = query.where(tables.c.touched < before, tables.c.id > last, *conditions)
            found = [Old(*row) for row in await self._store.select(query.order_by(tables.c.id).limit(BATCH))]
            for old in found:
                if self._registry.let_go(old.id):
                    with contextlib.suppress(Conflict):  # something has happened there meanwhile
                        done += await work(old)
                await asyncio.sleep(self._retention.pause)
            if len(found) < BATCH:
                return done
            last = found[-1].id

    async def _delete(self, old: Old) -> bool:
        """Delete a table. Raises Conflict, Refusal."""
        await self._store.write(
            _unchanged(old),
            sa.delete(packed).where(packed.c.table_id == old.id),
            sa.delete(journal).where(journal.c.table_id == old.id),
            sa.delete(chat).where(chat.c.table_id == old.id),
            sa.delete(seats).where(seats.c.table_id == old.id),
            sa.delete(tables).where(tables.c.id == old.id),
        )
        await self._registry.offer_again(old.id, old.previous)
        return True

    async def _pack(self, old: Old) -> bool:
        """Pack the journal of a table, if it is complete; return whether it was. Raises Conflict, Refusal."""
        query = sa.select(journal.c.number, journal.c.kind, journal.c.text).where(journal.c.table_id == old.id)
        rows = await self._store.select(query.order_by(journal.c.number))
        if not rows or [number for number, _, _ in rows] != list(range(len(rows))):
            return False
        value = pack([JournalEntry(kind, text) for _, kind, text in rows])
        await self._store.write(
            _unchanged(old),
            sa.insert(packed).values(table_id=old.id, entries=value),
            sa.delete(journal).where(journal.c.table_id == old.id),
        )
        return True


def _unchanged(old: Old) -> Executable:
    """A change that changes nothing, and finds no row if something has happened at a table."""
    there = (tables.c.id == old.id) & (tables.c.phase == old.phase) & (tables.c.touched == old.touched)
    return sa.update(tables).where(there).values(phase=old.phase)
