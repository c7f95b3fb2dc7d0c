"""The clean-up of results and ratings: of guests who are gone, and of deleted tables that nobody knows any more."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from datetime import date, timedelta

import sqlalchemy as sa

from bosquet.server.base.background import Pauses
from bosquet.server.guests.clean_up import is_orphaned, sits
from bosquet.server.store.schema import (
    brought,
    devices,
    finished,
    rating_changes,
    rating_wishes,
    ratings,
    results,
    tables,
)
from bosquet.server.store.store import Conflict, Store

BATCH = 100
"""Guests, or games, that are looked up at a time."""


@dataclass(frozen=True)
class HistoryRetention(Pauses):
    """How many results are kept."""

    games_of_guest: int = 20_000
    """Results of one guest, the latest ones. They are kept as long as the guest sits at a table or has a device that is
    known."""
    brought: int = 730
    """Days for which records are kept of games that were played on a device and brought here, as those of tables."""


class HistoryCleanUp:
    """Deletes results and ratings that are of no use any more."""

    def __init__(self, store: Store, retention: HistoryRetention) -> None:
        self._store = store
        self._retention = retention

    async def __call__(self, today: date) -> None:
        """Remove guests from results if they are gone or have too many games; delete what nobody needs then."""
        last = ""
        while True:
            each = sa.select(results.c.guest, sa.func.count()).where(results.c.guest > last)
            found = await self._store.select(each.group_by(results.c.guest).order_by(results.c.guest).limit(BATCH))
            for guest, games in found:
                if games > self._retention.games_of_guest:
                    await self._forget(results.c.guest == guest, results.c.ended <= await self._last_kept(guest))
            guests = [guest for guest, _ in found]
            here = sa.exists().where(devices.c.guest == results.c.guest, devices.c.revoked.is_(None))
            await self._forget(results.c.guest.in_(guests), ~sits(results.c.guest), ~here)
            await asyncio.sleep(self._retention.pause)
            if len(found) < BATCH:
                break
            last = guests[-1]
        old = (today - timedelta(days=self._retention.brought)).isoformat()
        await self._store.write(sa.delete(brought).where(brought.c.day < old))
        await self._delete_results()
        await self._delete_ratings()

    async def _delete_ratings(self) -> None:
        """Delete ratings of guests who are not there any more, and changes whose results are forgotten."""
        theirs = (results.c.table_id == rating_changes.c.table_id) & (results.c.guest == rating_changes.c.guest)
        gone = sa.delete(rating_wishes).where(is_orphaned(rating_wishes.c.guest))
        unwanted = [
            sa.delete(table).where(~sa.exists().where(rating_wishes.c.guest == table.c.guest))
            for table in (ratings, rating_changes)
        ]
        kept = sa.exists().where(tables.c.id == rating_changes.c.table_id)  # a game there may still be unfinished
        await self._store.write(gone, *unwanted, sa.delete(rating_changes).where(~sa.exists().where(theirs), ~kept))

    async def _last_kept(self, guest: str) -> str:
        """Return when the last game ended that a guest has too many."""
        query = sa.select(results.c.ended).where(results.c.guest == guest).order_by(results.c.ended.desc())
        (row,) = await self._store.select(query.offset(self._retention.games_of_guest).limit(1))
        return str(row.ended)

    async def _forget(self, *conditions: sa.ColumnElement[bool]) -> None:
        with contextlib.suppress(Conflict):  # there is none
            await self._store.write(sa.update(results).where(*conditions).values(guest=None, name=None))

    async def _delete_results(self) -> None:
        """Delete results of deleted tables if none of their guests is known any more."""
        known = sa.exists().where(results.c.table_id == finished.c.id, results.c.guest.is_not(None))
        kept = sa.exists().where(tables.c.id == finished.c.id)  # there they would be filled in again
        while True:
            query = sa.select(finished.c.id).where(~known, ~kept).limit(BATCH)
            found = [row.id for row in await self._store.select(query)]
            if found:
                await self._store.write(
                    sa.delete(brought).where(brought.c.table_id.in_(found)),
                    sa.delete(results).where(results.c.table_id.in_(found)),
                    sa.delete(finished).where(finished.c.id.in_(found)),
                )
                await asyncio.sleep(self._retention.pause)
            if len(found) < BATCH:
                return
