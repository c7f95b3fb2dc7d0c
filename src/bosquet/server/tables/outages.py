"""Gives back the time of clocks that ran while no server did: it was stopped, or its computer slept.

As long as a clock runs anywhere, nodes note now and then that one of them is there. A node that finds that none was
there for a while moves the clocks that ran meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.background import failures_logged
from bosquet.server.base.clock import later, now, seconds_between
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.rows import Statement
from bosquet.server.store.schema import awake, tables
from bosquet.server.store.store import Conflict, Store, change
from bosquet.server.tables.registry import TableRegistry

EVERY_SECONDS = 5.0
OUTAGE_SECONDS = 12.0
"""A pause of this length is an outage. Nodes note that they are there more often than this."""
TRIES = 3
"""How often a look is tried with which something else interferes."""

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
        """Note that this node is there; return how many clocks were moved. Raises Refusal."""
        async with self._looking:
            return await self._look()

    async def look_if_late(self) -> int:
        """Look if that is overdue, as after the computer slept; return how many clocks were moved. Raises as `look`."""
        here = self._here
        return await self.look() if here is None or seconds_between(here, self._clock()) >= OUTAGE_SECONDS else 0

    async def _look(self) -> int:
        for _ in range(TRIES):
            with contextlib.suppress(Conflict):  # another node looks at the same moment, or a clock was stopped
                return await self._look_once()
        raise Refusal("unavailable", "clocks are being set; try again in a moment")

    async def _look_once(self) -> int:
        """Look once. Raises Conflict, and nothing is changed, if something else was written meanwhile; Refusal."""
        at, here = self._clock(), self._here
        query = sa.select(tables.c.id, tables.c.since, tables.c.due).where(tables.c.since.is_not(None))
        running = await self._store.select(query.order_by(tables.c.id))
        if not running:
            self._here = at
            return 0
        noted = next((row.at for row in await self._store.select(sa.select(awake.c.at))), None)
        last = max(here or "", noted or "")
        late = bool(last) and seconds_between(last, at) >= OUTAGE_SECONDS
        moved = [row for row in running if late and row.since < at]
        note: sa.Insert | sa.Update = sa.insert(awake).values(number=0, at=at)
        if noted is not None:
            note = sa.update(awake).where(awake.c.at == noted).values(at=at)
        # Together, so that no clock is left out where the database or this node fails.
        await self._store.write(note, *(_run_on(row.id, row.since, row.due, last, at) for row in moved))
        self._here = at  # not before: while the database does not answer, no move can be written
        if late:
            log.warning("no server was there for a while; clocks are set by that", since=last, until=at)
        for row in moved:
            with contextlib.suppress(Refusal):  # the table reads it before its next move
                await self._registry.read_again(row.id)
        return len(moved)


def _run_on(table: str, since: str, due: str | None, last: str, at: str) -> Statement:
    """Return the change that lets a clock run on from its value when a server was there last."""
    lost = seconds_between(max(since, last), at)
    moved = {"since": later(since, seconds=lost), "due": due and later(due, seconds=lost)}
    return change(tables, table, {"since": since}, moved)
