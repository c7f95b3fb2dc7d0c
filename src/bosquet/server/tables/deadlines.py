"""Looks after tables that are due: bots stand in and go on at slow tables, and time is called at tables with clocks.

The rows of the tables say when each is due, so no table is held in memory until then. Every node looks, and the one
that claims a table looks after it. If two do so nevertheless, the database takes the stand-in and the moves once.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.background import failures_logged, in_background
from bosquet.server.base.clock import later, now
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.schema import tables
from bosquet.server.store.store import Conflict, Store
from bosquet.server.tables.outages import Outages
from bosquet.server.tables.registry import TableRegistry

EVERY_SECONDS = 5.0
CLAIMED_SECONDS = 120
"""Seconds in which no other node looks after a table."""
UNREADABLE_DAYS = 1
"""Days after which a table is tried again that can't be read."""
AT_ONCE = 40
"""Tables that are looked after at a time, so that bots are not asked for all moves of a long pause at once."""

log: FilteringBoundLogger = structlog.get_logger()


async def due_tables(store: Store, at: str, limit: int) -> list[tuple[str, str]]:
    """Return tables that are to be looked after by some time, the longest due first, and since when."""
    query = sa.select(tables.c.id, tables.c.due).where(tables.c.due <= at).order_by(tables.c.due).limit(limit)
    return [(table, due) for table, due in await store.select(query)]


async def claim(store: Store, table: str, due: str, again: str) -> None:
    """Claim a table that is due, by making it due later. Raises Conflict if another node has claimed it."""
    await store.write(sa.update(tables).where(tables.c.id == table, tables.c.due == due).values(due=again))


class Deadlines:
    """Looks after slow tables that are due, and those where time is up."""

    def __init__(self, store: Store, registry: TableRegistry, clock: Callable[[], str] = now) -> None:
        """Take the tables, and what gives the time."""
        self._registry = registry
        self._store = store
        self._clock = clock
        self.outages: Outages = Outages(store, registry, clock)

    async def run(self) -> None:
        """Look now and then until cancelled."""
        while True:
            with failures_logged("deadlines could not be looked after; the next try is in some seconds"):
                await self.outages.look()  # before time is called
                await self.look()
            await asyncio.sleep(EVERY_SECONDS)

    async def look(self) -> int:
        """Look after the tables that are longest due; return how many this node has claimed. Raises Refusal."""
        at, claimed = self._clock(), 0
        for table, due in await due_tables(self._store, at, AT_ONCE):
            try:
                await claim(self._store, table, due, later(at, seconds=CLAIMED_SECONDS))
            except Conflict:  # another node was quicker, or somebody has moved
                continue
            claimed += 1
            await self._look_after(table, at, due)
        return claimed

    async def _look_after(self, table: str, at: str, due: str) -> None:
        """Look after a table that was claimed, and was due since some time."""
        try:
            await (await self._registry.current(table)).look_after(at, due)
        except Refusal as refusal:
            if refusal.code == "unreadable":  # the registry has logged it
                with contextlib.suppress(Conflict):
                    claimed = later(at, seconds=CLAIMED_SECONDS)
                    await claim(self._store, table, claimed, later(at, days=UNREADABLE_DAYS))
            elif refusal.code not in ("stale", "no table"):
                log.warning("a table that is due could not be looked after; it is tried again", table=table[:6])
        except Exception:  # the others have their turn all the same
            log.exception("a table that is due could not be looked after; it is tried again", table=table[:6])


@contextlib.asynccontextmanager
async def looking_after(store: Store, registry: TableRegistry) -> AsyncIterator[None]:
    """Look after tables that are due, in the background meanwhile."""
    deadlines = Deadlines(store, registry)
    registry.listeners.before_clocks = deadlines.outages.look_if_late
    # Outages are looked for meanwhile, too: bots of many tables that are due can take longer than an outage.
    async with in_background(deadlines.run()), in_background(deadlines.outages.run()):
        yield
