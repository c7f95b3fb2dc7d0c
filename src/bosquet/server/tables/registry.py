"""The tables of a process: finds them, reads them from the database, and forgets those where nobody is.

`opening.py` makes new ones.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from weakref import WeakValueDictionary

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.fair_queue import ASKING, ASKING_GUEST, FairQueue
from bosquet.server.base.messages import Code
from bosquet.server.base.refusals import Refusal, Unreadable
from bosquet.server.nodes.nodes import Follower
from bosquet.server.services import Services
from bosquet.server.store.schema import tables
from bosquet.server.store.store import Conflict, Statement, change
from bosquet.server.table.actions.send_away import SENT_AWAY
from bosquet.server.table.limits import TableLimits
from bosquet.server.table.listeners import Listeners
from bosquet.server.table.messages import Waiting
from bosquet.server.table.session import Session
from bosquet.server.table.table import Table
from bosquet.server.tables.outlines import is_barred, outline_of

NO_TABLE = "there is no such table; ask for the whole link"
GONE_CODES: tuple[Code, ...] = ("no table", "unreadable")
"""The codes of refusals of a table that was deleted, or can't be played through."""
UNREADABLE_BOUND = 10_000
SETTLING_SECONDS = 2.0
REPLAYED_AT_ONCE = 4
"""Tables whose games are played through at a time, from what was read: that is done in the loop of the server."""
LOOKED_AT = 50
"""Tables that are compared with the database before the loop of the server has its turn again."""

log: FilteringBoundLogger = structlog.get_logger()


class _Reading:
    """A table that is being read, for all who wait for it."""

    def __init__(self) -> None:
        self.table: Table | None = None
        """Stays in memory until all of them have it, so that nobody goes on with what was read before."""
        self.has_changed = False
        """Whether something was written past it since."""


class TableRegistry:
    """The tables of this process. Those in memory are a bounded cache of the store."""

    def __init__(self, services: Services, limits: TableLimits) -> None:
        self.services: Services = services
        self._store = services.store
        self._limits = limits
        self.listeners: Listeners = Listeners()
        """Who hears news of tables, and writes with the end of a game."""
        services.metrics.watch("tables", "Tables in memory", lambda: len(self._known))
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._known: WeakValueDictionary[str, Table] = WeakValueDictionary()
        """Every table that anybody still holds, so that there are never two of one."""
        self._unreadable: dict[str, str] = {}
        """Tables that can't be read, and the kind of error: they are not tried again before the next start."""
        self._readings: WeakValueDictionary[str, _Reading] = WeakValueDictionary()
        """The tables that somebody waits for until they are read."""
        self._replaying = FairQueue(lambda: REPLAYED_AT_ONCE)

    async def offer_again(self, closed: str, previous: str | None) -> None:
        """Have a finished table offer another game, for the one that followed it is closed. Raises Refusal."""
        if previous is not None:
            with contextlib.suppress(Conflict):  # it was deleted, or goes on elsewhere
                await self._store.write(change(tables, previous, {"rematch": closed}, {"rematch": None}))
                await self.read_again(previous)

    async def add(self, row: dict[str, Any], seats: list[dict[str, Any]], also: Sequence[Statement] = ()) -> Table:
        """Write a new table to the store, together with other statements; return it. Raises Conflict, Refusal."""
        await self._store.add_table(row, seats, also)
        table = self._table(row | dict.fromkeys(("rematch", "started", "ended", "deadline", "times", "since")), seats)
        table.attendance.saw(row["host"])
        self._hold(table)
        return table

    async def find(self, table_id: str) -> Table:
        """Return a table; it is read from the store if it is not in memory. Raises Refusal."""
        return (await self._find(table_id))[0]

    async def _find(self, table_id: str) -> tuple[Table, bool]:
        """Return a table, and whether it is as this call has read it from the store. Raises Refusal."""
        known = self._known.get(table_id)
        table, is_read = (known, False) if known is not None else await self._read(table_id)
        self._hold(table)
        return table, is_read

    async def _read(self, table_id: str) -> tuple[Table, bool]:
        """Read a table from the store; return the one in memory then, and whether this call put it there.

        Raises Refusal. A table that can't be read is refused at once when it is tried again.
        """
        if table_id in self._unreadable:
            raise Unreadable(self._unreadable[table_id])
        reading = self._readings.setdefault(table_id, _Reading())
        row, seats = await self.rows_of(table_id)
        try:
            table = self._table(row, seats)
            if table.session.phase in ("waiting", "closed"):
                await table.deal_late()
                if table.session.phase == "closed":
                    await self.offer_again(table_id, table.session.previous)  # a crash may have come between
            else:
                entries = await self._store.read_journal(table_id)
                async with self._replaying.one(
                    ASKING_GUEST.get(), ASKING.get()
                ):  # of the database nothing is asked in a turn
                    if table_id not in self._known:
                        await table.replay(entries)
        except Unreadable as error:
            self.note_unreadable(table_id, error)
            raise
        reading.table = self._known.setdefault(table_id, table)
        if reading.table is table and reading.has_changed:
            await table.read_again()
        return reading.table, reading.table is table

    def note_unreadable(self, table_id: str, error: Unreadable) -> None:
        """Log, once, that a table can't be read: not what the error says, which may be somebody's hand."""
        if table_id not in self._unreadable:
            if len(self._unreadable) >= UNREADABLE_BOUND:
                del self._unreadable[next(iter(self._unreadable))]
            self._unreadable[table_id] = error.error
            log.error("a table can't be read", table=table_id[:6], error=error.error)

    def _table(self, row: dict[str, Any], seats: list[dict[str, Any]]) -> Table:
        session = Session.read(row, seats, self._limits.undos)
        services = self.services
        return Table(
            row["id"],
            session,
            services.store,
            services.nodes,
            services.compute.thinking,
            services.metrics,
            self.listeners,
            row["touched"],
        )

    def _hold(self, table: Table) -> None:
        """Keep a table in memory, and forget the ones that were idle longest if there are too many."""
        self._known[table.id] = table
        self._live[table.id] = table
        self._live.move_to_end(table.id)
        if len(self._live) <= self._limits.live_tables:
            return
        for old in list(self._live):
            if len(self._live) <= self._limits.live_tables:
                break
            if self._live[old].idle and old != table.id:
                del self._live[old]

    def held(self) -> Iterator[Table]:
        """Yield the tables in memory, those that were held last first."""
        yield from reversed(self._live.values())

    def is_here(self, table_id: str, guest: str) -> bool:
        """Return whether a guest looks at a table, as far as this node knows."""
        table = self._known.get(table_id)
        return table is not None and table.attendance.is_here(guest)

    def let_go(self, table_id: str) -> bool:
        """Forget a table where nobody is and nothing goes on; return whether it is in memory no more."""
        table = self._known.get(table_id)
        if table is not None and table.idle:
            self._live.pop(table_id, None)
        del table
        return table_id not in self._known

    async def read_again(self, table_id: str) -> None:
        """Read what was written to a table past its object, here and at other nodes. Raises Refusal."""
        self.services.nodes.publish_change(table_id, 0, more=True)
        if table_id in self._readings:
            self._readings[table_id].has_changed = True
        if table_id in self._known:
            await self._known[table_id].read_again()

    async def settle(self) -> None:
        """Wait a moment for what tables read and write, before the store is closed."""
        tasks = [task for table in list(self._known.values()) for task in table.tasks]
        if tasks:
            await asyncio.wait(tasks, timeout=SETTLING_SECONDS)

    async def current(self, table_id: str) -> Table:
        """Return a table as it is now, though nobody here follows what other nodes do. Raises Refusal."""
        table, is_read = await self._find(table_id)
        if not is_read and not self.services.nodes.follows(table_id):
            await table.read_again()
        return table

    async def read_changed(self, tables: Iterable[Follower]) -> None:
        """Read those of some tables again that differ from the database. Raises Refusal."""
        followed = [table.id for table in tables]
        for ids in (followed[i : i + LOOKED_AT] for i in range(0, len(followed), LOOKED_AT)):
            numbers = await self._store.numbers_of(ids)
            for row, seats in await self._store.read_tables(ids):
                table = self._known.get(row["id"])
                if table is not None and table.catching_up.is_behind(row, seats, numbers.get(table.id, 0)):
                    table.read_soon("all")

    async def check_program(self, guest: str) -> None:
        """Check that a program of a guest may sit down at one more table. Raises Refusal."""
        limit = self._limits.tables_of_program
        if await self._store.open_tables_of(guest) >= limit:
            raise Refusal("busy", f"a program plays at {limit} tables at most; finish a game first")

    async def archive(self, table_id: str, guest: str, archived: bool) -> None:
        """Leave a table out of the list of a guest who sits there, or bring it back. Raises Refusal."""
        if not outline_of(*await self.rows_of(table_id), guest).mine:
            raise Refusal("not yours", "you do not sit at this table")
        await self._store.archive(table_id, guest, archived)

    async def outline(self, table_id: str, guest: str | None) -> Waiting:
        """What everybody may know of a table, but for those who were sent away. Raises Refusal."""
        await self.find(table_id)  # what can't be read is refused, so that a page learns why it is not let in
        row, seats = await self.rows_of(table_id)
        if guest is not None and is_barred(row, guest):
            raise Refusal("barred", SENT_AWAY)
        return outline_of(row, seats, guest)

    async def rows_of(self, table_id: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return what the store keeps of a table and its seats. Raises Refusal."""
        # PostgreSQL knows no text with the character 0, and would say that it can't be read.
        found = None if "\0" in table_id else await self._store.read_table(table_id)
        if found is None:
            raise Refusal("no table", NO_TABLE)
        return found
