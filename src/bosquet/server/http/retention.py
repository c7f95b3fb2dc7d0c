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
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.background import failures_logged, in_background
from bosquet.server.guests import people
from bosquet.server.store.entries import Entry
from bosquet.server.store.packing import pack
from bosquet.server.store.schema import (
    chat,
    devices,
    finished,
    identities,
    invitations,
    journal,
    mail_addresses,
    mail_counts,
    notice_settings,
    notices,
    packed,
    phrases,
    rating_changes,
    rating_wishes,
    ratings,
    reports,
    results,
    seats,
    shown,
    subscriptions,
    tables,
    transfers,
)
from bosquet.server.store.store import Conflict
from bosquet.server.table.registry import TableRegistry
from bosquet.server.today import daily_results, puzzles

FIRST_SECONDS = 3600.0
"""Seconds from a start to the first sweep."""
EVERY_SECONDS = 6 * 3600.0
PAUSE_SECONDS = 0.05
"""Seconds between two tables, so that moves are written in between."""
BATCH = 100
"""Tables that are looked up at a time."""

log: FilteringBoundLogger = structlog.get_logger()


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
    """Codes for other devices and addresses that nobody has confirmed, after they have expired; invitations, and
    notices that nobody could be sent."""
    mails: int = 31
    """Days of which is kept how many mails were sent to confirm an address."""
    reports: int = 90
    """Lines of chats that were reported."""
    daily: int = 730
    """Days whose deals are over: who played them, what it came to, and where bots came out."""
    games_of_guest: int = 20_000
    """Not days: results of one guest, the latest ones. They are kept as long as the guest sits at a table or has a
    device that is known."""


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
        """Sweep now and then, until cancelled."""
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            with failures_logged("old tables could not be deleted; the next try is in some hours"):
                await self.sweep()
            await asyncio.sleep(EVERY_SECONDS)

    async def sweep(self) -> Swept:
        """Delete and pack all that is old now; return how much it was. Raises Refusal."""
        kept = self._retention
        await self._sweep_identities()
        await puzzles.sweep(self._store, self._today())
        without_guests = ~sa.exists().where(seats.c.table_id == tables.c.id, seats.c.guest.is_not(None))
        # At a slow table somebody has days for a turn, whatever the other numbers are.
        today = self._today().isoformat()
        nobody_has_time = sa.or_(tables.c.deadline.is_(None), tables.c.deadline < today)
        not_packed = ~sa.exists().where(packed.c.table_id == tables.c.id)
        deleted = [
            await self._each(self._delete, kept.waiting, tables.c.phase.in_(("waiting", "closed"))),
            await self._each(self._delete, kept.bots, without_guests),
            await self._each(self._delete, kept.abandoned, tables.c.phase == "playing", nobody_has_time),
            await self._each(self._delete, kept.finished, tables.c.phase == "over"),
        ]
        await self._sweep_results()
        await daily_results.delete_before(self._store, (self._today() - timedelta(days=kept.daily)).isoformat())
        swept = Swept(sum(deleted), await self._each(self._pack, kept.unpacked, tables.c.phase == "over", not_packed))
        if any(swept):
            log.info("swept old tables", deleted=swept.deleted, packed=swept.packed)
        return swept

    async def _sweep_identities(self) -> None:
        """Delete codes, devices and identities that nobody needs any more."""
        before = (self._today() - timedelta(days=self._retention.devices)).isoformat()
        old = self._today() - timedelta(days=self._retention.transfers)
        expired = int(datetime(old.year, old.month, old.day, tzinfo=UTC).timestamp())
        uncounted = (self._today() - timedelta(days=self._retention.mails)).isoformat()
        unreported = (self._today() - timedelta(days=self._retention.reports)).isoformat()
        unseen = devices.c.revoked.is_(None) & (devices.c.last_day < before)
        with contextlib.suppress(Conflict):  # there is none
            await self._store.write(sa.update(devices).where(unseen).values(revoked=self._today().isoformat()))
        kept = [
            sa.delete(table).where(~_sits(table.c.guest), ~sa.exists().where(devices.c.guest == table.c.guest))
            for table in (phrases, identities, notice_settings, mail_addresses, rating_wishes, shown)
        ]
        there = (devices.c.guest == subscriptions.c.guest) & (devices.c.number == subscriptions.c.device)
        other = devices.alias()
        # A guest who is still there keeps those that were signed out: of the first device it counts that it is there.
        stands = sa.exists().where(other.c.guest == devices.c.guest, other.c.revoked.is_(None))
        await self._store.write(
            sa.delete(transfers).where(transfers.c.expires < expired),
            sa.delete(subscriptions).where(~sa.exists().where(there, devices.c.revoked.is_(None))),
            sa.delete(notices).where(notices.c.since < expired),
            sa.delete(mail_addresses).where(mail_addresses.c.expires < expired),
            sa.delete(mail_counts).where(mail_counts.c.day < uncounted),
            sa.delete(reports).where(reports.c.made < unreported),
            sa.delete(invitations).where(invitations.c.made < expired),
            sa.delete(devices).where(devices.c.revoked < before, ~_sits(devices.c.guest), ~stands),
            *kept,
        )

    async def _sweep_results(self) -> None:
        """Forget guests in results who are not there any more, and what they have too many of; delete what is left."""
        last = ""
        while True:
            each = sa.select(results.c.guest, sa.func.count()).where(results.c.guest > last)
            found = await self._store.select(each.group_by(results.c.guest).order_by(results.c.guest).limit(BATCH))
            for guest, games in found:
                if games > self._retention.games_of_guest:
                    await self._forget(results.c.guest == guest, results.c.ended <= await self._last_kept(guest))
            guests = [guest for guest, _ in found]
            here = sa.exists().where(devices.c.guest == results.c.guest, devices.c.revoked.is_(None))
            await self._forget(results.c.guest.in_(guests), ~_sits(results.c.guest), ~here)
            await asyncio.sleep(self._pause)
            if len(found) < BATCH:
                break
            last = guests[-1]
        await self._delete_results()
        await self._sweep_ratings()
        await people.sweep(self._store)

    async def _sweep_ratings(self) -> None:
        """Delete ratings of guests who are not there any more, and changes whose results are forgotten."""
        theirs = (results.c.table_id == rating_changes.c.table_id) & (results.c.guest == rating_changes.c.guest)
        unwanted = [
            sa.delete(table).where(~sa.exists().where(rating_wishes.c.guest == table.c.guest))
            for table in (ratings, rating_changes)
        ]
        kept = sa.exists().where(tables.c.id == rating_changes.c.table_id)  # a game there may still be unfinished
        await self._store.write(*unwanted, sa.delete(rating_changes).where(~sa.exists().where(theirs), ~kept))

    async def _last_kept(self, guest: str) -> str:
        """Return when the last game ended that a guest has too many."""
        query = sa.select(results.c.ended).where(results.c.guest == guest).order_by(results.c.ended.desc())
        (row,) = await self._store.select(query.offset(self._retention.games_of_guest).limit(1))
        return str(row.ended)

    async def _forget(self, *conditions: sa.ColumnElement[bool]) -> None:
        with contextlib.suppress(Conflict):  # there is none
            await self._store.write(sa.update(results).where(*conditions).values(guest=None, name=None))

    async def _delete_results(self) -> None:
        """Delete results of deleted tables of whose guests none is known any more."""
        known = sa.exists().where(results.c.table_id == finished.c.id, results.c.guest.is_not(None))
        kept = sa.exists().where(tables.c.id == finished.c.id)
        while True:
            query = sa.select(finished.c.id).where(~known, ~kept).limit(BATCH)
            found = [row.id for row in await self._store.select(query)]
            if found:
                await self._store.write(
                    sa.delete(results).where(results.c.table_id.in_(found)),
                    sa.delete(finished).where(finished.c.id.in_(found)),
                )
                await asyncio.sleep(self._pause)
            if len(found) < BATCH:
                return

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
            sa.delete(chat).where(chat.c.table_id == old.id),
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
    async with in_background(Sweeper(registry).run()):
        yield
