"""What is not kept for ever: old tables are deleted, and the journals of finished games packed, a little at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
import structlog
from sqlalchemy import Executable

from bosquet.server.events import Entry, Refusal
from bosquet.server.packing import pack
from bosquet.server.registry import TableRegistry
from bosquet.server.schema import devices, identities, journal, packed, phrases, seats, tables, transfers
from bosquet.server.store import Conflict

FIRST_SECONDS = 3600.0
"""Seconds from a start to the first sweep. The version before reads no packed journal; no server of it runs by then."""
EVERY_SECONDS = 6 * 3600.0
PAUSE_SECONDS = 0.05
"""Seconds between two tables, so that moves are written in between."""
BATCH = 100
"""Tables that are looked up at a time."""

log = structlog.get_logger()


@dataclass(frozen=True)
class Retention:
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
    devices: int = 366
    """Devices that were not there; then they are signed out, and their cookie has expired.

    Those that were signed out are kept as long again, and as long as their guest sits anywhere: a cookie that somebody
    has copied must not count again.
    """
    transfers: int = 1
    """Codes for other devices after they have expired."""


class Old(NamedTuple):
    """A table that was found, as it was then."""

    id: str
    phase: str
    touched: str | None


class Swept(NamedTuple):
    """How many tables a sweep has changed."""

    deleted: int
    packed: int


class Sweeper:
    """Deletes and packs what is old."""

    def __init__(
        self,
        registry: TableRegistry,
        retention: Retention | None = None,
        today: Callable[[], date] = lambda: datetime.now(UTC).date(),
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self._registry = registry
        self._store = registry.store
        self._retention = retention or Retention()
        self._today = today
        self._pause = pause

    async def run(self) -> None:
        """Sweep now and then until cancelled."""
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            try:
                await self.sweep()
            except Refusal:
                pass  # the store has logged why it can't be read or written
            except Exception:
                log.exception("old tables could not be deleted; the next try is in some hours")
            await asyncio.sleep(EVERY_SECONDS)

    async def sweep(self) -> Swept:
        """Delete and pack all that is old now; return how much it was. Raises Refusal."""
        kept = self._retention
        await self._note_unnoted()
        await self._sweep_identities()
        without_guests = ~sa.exists().where(seats.c.table_id == tables.c.id, seats.c.guest.is_not(None))
        not_packed = ~sa.exists().where(packed.c.table_id == tables.c.id)
        deleted = [
            await self._each(self._delete, kept.waiting, tables.c.phase.in_(("waiting", "closed"))),
            await self._each(self._delete, kept.bots, without_guests),
            await self._each(self._delete, kept.abandoned, tables.c.phase == "playing"),
            await self._each(self._delete, kept.finished, tables.c.phase == "over"),
        ]
        swept = Swept(sum(deleted), await self._each(self._pack, kept.unpacked, tables.c.phase == "over", not_packed))
        if any(swept):
            log.info("swept old tables", deleted=swept.deleted, packed=swept.packed)
        return swept

    async def _note_unnoted(self) -> None:
        """Note a day for tables that were written by a version that noted none."""
        day = sa.func.substr(sa.func.coalesce(tables.c.ended, tables.c.started, tables.c.opened), 1, 10)
        with contextlib.suppress(Conflict):  # there is none
            await self._store.write(sa.update(tables).where(tables.c.touched.is_(None)).values(touched=day))

    async def _sweep_identities(self) -> None:
        """Delete codes, devices and identities that nobody needs any more."""
        before = (self._today() - timedelta(days=self._retention.devices)).isoformat()
        old = self._today() - timedelta(days=self._retention.transfers)
        expired = int(datetime(old.year, old.month, old.day, tzinfo=UTC).timestamp())
        unseen = devices.c.revoked.is_(None) & (devices.c.last_day < before)
        with contextlib.suppress(Conflict):  # there is none
            await self._store.write(sa.update(devices).where(unseen).values(revoked=self._today().isoformat()))
        kept = [
            sa.delete(table).where(~_sits(table.c.guest), ~sa.exists().where(devices.c.guest == table.c.guest))
            for table in (phrases, identities)
        ]
        other = devices.alias()
        # A guest who is still there keeps those that were signed out: of the first device it counts that it is there.
        stands = sa.exists().where(other.c.guest == devices.c.guest, other.c.revoked.is_(None))
        await self._store.write(
            sa.delete(transfers).where(transfers.c.expires < expired),
            sa.delete(devices).where(devices.c.revoked < before, ~_sits(devices.c.guest), ~stands),
            *kept,
        )

    async def _each(
        self, work: Callable[[Old], Awaitable[bool]], days: int, *conditions: sa.ColumnElement[bool]
    ) -> int:
        """Do something with each table that is so many days old; return for how many it was done."""
        before = (self._today() - timedelta(days=days)).isoformat()
        done, last = 0, ""
        while True:
            query = sa.select(tables.c.id, tables.c.phase, tables.c.touched)
            query = query.where(tables.c.touched < before, tables.c.id > last, *conditions)
            found = [Old(*row) for row in await self._store.select(query.order_by(tables.c.id).limit(BATCH))]
            for old in found:
                if self._registry.let_go(old.id):
                    with contextlib.suppress(Conflict):  # something has happened there meanwhile
                        done += await work(old)
                await asyncio.sleep(self._pause)
            if len(found) < BATCH:
                return done
            last = found[-1].id

    async def _delete(self, old: Old) -> bool:
        """Delete a table. Raises Conflict, Refusal."""
        await self._store.write(
            _unchanged(old),
            sa.delete(packed).where(packed.c.table_id == old.id),
            sa.delete(journal).where(journal.c.table_id == old.id),
            sa.delete(seats).where(seats.c.table_id == old.id),
            sa.delete(tables).where(tables.c.id == old.id),
        )
        return True

    async def _pack(self, old: Old) -> bool:
        """Pack the journal of a table, if it is complete; return whether it was. Raises Conflict, Refusal."""
        query = sa.select(journal.c.number, journal.c.kind, journal.c.text).where(journal.c.table_id == old.id)
        rows = await self._store.select(query.order_by(journal.c.number))
        if not rows or [number for number, _, _ in rows] != list(range(len(rows))):
            return False
        value = pack([Entry(kind, text) for _, kind, text in rows])
        await self._store.write(
            _unchanged(old),
            sa.insert(packed).values(table_id=old.id, entries=value),
            sa.delete(journal).where(journal.c.table_id == old.id),
        )
        return True


def _sits(guest: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Whether a guest sits at a table, or has left a seat there."""
    return sa.exists().where(sa.or_(seats.c.guest == guest, seats.c.left_by == guest))


def _unchanged(old: Old) -> Executable:
    """A change that changes nothing, and finds no row if something has happened at a table."""
    there = (tables.c.id == old.id) & (tables.c.phase == old.phase) & (tables.c.touched == old.touched)
    return sa.update(tables).where(there).values(phase=old.phase)


@contextlib.asynccontextmanager
async def sweeping(registry: TableRegistry) -> AsyncIterator[None]:
    """Sweep in the background meanwhile."""
    task = asyncio.create_task(Sweeper(registry).run())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
