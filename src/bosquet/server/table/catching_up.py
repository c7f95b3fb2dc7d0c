"""Reads what was written to the database past a table in memory: by other nodes, or by a write without an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.refusals import Refusal, Unreadable
from bosquet.server.store.store import JournalEntry, Store
from bosquet.server.table.actions import replay
from bosquet.server.table.session import Chair, Session

REPLAY_CHUNK = 16
"""Entries of a journal that are replayed before the loop of the server has its turn again."""

log: FilteringBoundLogger = structlog.get_logger()


class Reading:
    """Logs that a live table can't be read, and the kind of the error: its text may show a hand."""

    def __init__(self, table: str, session: Session) -> None:
        self._table = table
        self._session = session

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, Unreadable):
            log.error("a table can't be read", table=self._table[:6], number=self._session.number, error=error.error)


class CatchingUp:
    """Brings one table up to what is kept of it. Its lock is held meanwhile."""

    def __init__(self, table: str, session: Session, store: Store) -> None:
        self._table = table
        self._session = session
        self._store = store
        self.reading: Reading = Reading(table, session)
        self.uncertain = False
        """Whether it is not known if what was to be written last has been."""

    def is_behind(self, row: dict[str, Any], seats: list[dict[str, Any]], number: int) -> bool:
        """Return whether what is kept of the table differs from what is known here."""
        return number > self._session.number or self._session.differs(row, [Chair.read(seat) for seat in seats])

    async def read_entries(self) -> None:
        """Replay what the journal has beyond the position. Raises Refusal if that can't be."""
        await self.replay(await self._store.read_journal(self._table, self._session.number))

    async def replay(self, entries: Sequence[JournalEntry]) -> None:
        """Replay entries that the journal has beyond the position. Raises Refusal if that can't be."""
        self._session.ensure_dealt()
        for i, entry in enumerate(entries):
            replay(self._session, entry)
            if i % REPLAY_CHUNK == REPLAY_CHUNK - 1:
                await asyncio.sleep(0)

    async def read_all(self) -> None:
        """Take over the rows of the table and its seats, and then the journal. Raises Refusal if that can't be."""
        self.uncertain = True  # until it is read
        await self._read_rows()
        if self._session.phase in ("playing", "over"):
            with self.reading:
                await self.read_entries()
            if self._session.phase == "playing" and self._session.dealt().over:
                await self._read_rows()  # the end was written after the rows were read
        self.uncertain = False

    async def _read_rows(self) -> None:
        found = await self._store.read_table(self._table)
        if found is None:
            raise Refusal("no table", "this table was deleted; open another one")
        row, seats = found
        self._session.read_rows(row, [Chair.read(seat) for seat in seats])
