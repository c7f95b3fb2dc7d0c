"""Gives back the time of clocks that ran while no server did: it was stopped, or its computer slept.

As long as a clock runs anywhere, nodes note now and then that one of them is there. One that finds that nobody was for
a while moves the clocks that ran meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.background import failures_logged
from bosquet.server.base.clock import later, now, seconds_between
from bosquet.server.store.schema import awake, tables
from bosquet.server.store.store import Conflict, Store
from bosquet.server.tables.registry import TableRegistry

EVERY_SECONDS = 5.0
OUTAGE_SECONDS = 12.0
"""A pause of this length is an outage. Nodes note that they are there more often than this."""

log: FilteringBoundLogger = structlog.get_logger()


class Outages:
    """Notes that this node is there, and finds that none was."""

    def __init__(self, store: Store, registry: TableRegistry, clock: Callable[[], str] = now) -> None:
        """Take the tables, and what gives the time."""
        self._store = store
        self._registry = registry
        self._clock = clock
        self._looking = asyncio.Lock()
        self._here: str | None = None
        """When this node looked last, and the database answered."""

    async def run(self) -> None:
        """Look now and then until cancelled."""
        while True:
            with failures_logged("it could not be noted that this node is there; the next try is in some seconds"):
                await self.look()
            await asyncio.sleep(EVERY_SECONDS)

    async def look(self) -> int:
        """Note that this node is there; return how many clocks were moved, all by then. Raises Refusal."""
        async with self._looking:
            return await self._look()

    async def look_if_late(self) -> int:
        """Look if that is overdue, as after the computer slept; return how many clocks were moved. Raises Refusal."""
        here = self._here
        return await self.look() if here is None or seconds_between(here, self._clock()) >= OUTAGE_SECONDS else 0

    async def _look(self) -> int:
        at, here = self._clock(), self._here
        query = sa.select(tables.c.id, tables.c.since, tables.c.due).where(tables.c.since.is_not(None))
        running = await self._store.select(query)
        if not running:
            self._here = at
            return 0
        noted = next((row.at for row in await self._store.select(sa.select(awake.c.at))), None)
        try:
            if noted is None:
                await self._store.write(sa.insert(awake).values(number=0, at=at))
            else:
                await self._store.write(sa.update(awake).where(awake.c.at == noted).values(at=at))
        except Conflict:  # another node looks at the same moment
            return 0
        self._here = at  # not before: while the database does not answer, no move can be written
        last = max(here or "", noted or "")
        if not last or seconds_between(last, at) < OUTAGE_SECONDS:
            return 0
        log.warning("no server was there for a while; clocks are set by that", since=last, until=at)
        return sum([await self._move(row.id, row.since, row.due, last, at) for row in running])

    async def _move(self, table: str, since: str, due: str | None, last: str, at: str) -> bool:
        """Have a clock run on from where it was at the last time that a server was there."""
        lost = seconds_between(max(since, last), at)
        if lost <= 0:
            return False
        moved = {"since": later(since, seconds=lost), "due": due and later(due, seconds=lost)}
        try:
            theirs = (tables.c.id == table) & (tables.c.since == since)
            await self._store.write(sa.update(tables).where(theirs).values(**moved))
        except Conflict:  # somebody was quicker than this
            return False
        await self._registry.read_again(table)
        return True
