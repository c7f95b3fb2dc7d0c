"""Writes to the database: in a thread with a connection of its own.

One commit has what was asked for in a round of the loop, or during the last commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Executable
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from bosquet.server.base.metrics import Metrics
from bosquet.server.store.prepared import Prepared
from bosquet.server.store.prepared import Row as Row

CLOSING_SECONDS = 10.0
"""Seconds that what is still to be written has at the end: a database that is silent may never answer."""


class Conflict(Exception):  # noqa: N818  (it is the race that was lost, not a fault)
    """Somebody else was first: wrote the entry of this number, took the seat, added to the shuffle, or dealt."""


class Work(NamedTuple):
    """Something to be written."""

    entries: Sequence[Row]
    """Rows of the journal."""
    turns: Sequence[Row]
    """Whose turn it is at a `table` from now on: a `seat`, or nobody's."""
    statements: Sequence[tuple[Executable, Any]]
    """Anything else, each with what it is given; updates that change nothing are a conflict."""
    done: asyncio.Future[None]


class Writer:
    """The one connection through which everything is written, and its thread."""

    def __init__(
        self,
        engine: sa.Engine,
        entry: Executable,
        turn: Executable,
        metrics: Metrics,
        changed: Callable[[Work], None],
        seconds: float,
        *,
        alone: bool = True,
    ) -> None:
        """Take an engine whose driver blocks, statements for an entry and for a turn, and whether nobody else writes.

        What is not written within some `seconds` is given up. `changed` is called for everything that was tried, before
        those are told who asked for it.
        """
        self._engine = engine
        self._changed = changed
        self._alone = alone
        self._metrics = metrics
        self._gathered: list[Work] = []
        """What was asked for since the thread was given something."""
        self._waiting: queue.SimpleQueue[list[Work] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._connection: sa.Connection | None = None
        self._loop: asyncio.AbstractEventLoop
        self._seconds = seconds
        self._entry, self._turn = entry, turn
        self._prepared = Prepared(engine.dialect)

    def open(self) -> None:
        """Start writing; what was written is told to the loop that runs now."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Stop writing, once all that was asked for is written."""
        if self._thread is not None:
            self._hand_over()
            self._waiting.put(None)
            await asyncio.to_thread(self._thread.join, CLOSING_SECONDS)
            self._thread = None
        self._engine.dispose()

    async def write(
        self,
        entries: Sequence[Row] = (),
        turns: Sequence[Row] = (),
        statements: Sequence[tuple[Executable, Any]] = (),
    ) -> None:
        """Write all of it or nothing; it is durable when this returns. Raises Conflict, TimeoutError."""
        done: asyncio.Future[None] = self._loop.create_future()
        late = self._loop.call_later(self._seconds, _give_up, done)
        if not self._gathered:  # what else is asked for in this round of the loop is of the same commit
            self._loop.call_soon(self._hand_over)
        self._gathered.append(Work(entries, turns, statements, done))
        try:
            await done
        finally:
            late.cancel()

    def _hand_over(self) -> None:
        """Give the thread what was asked for."""
        if self._gathered:
            self._waiting.put(self._gathered)
            self._gathered = []

    # --- in the thread ---

    def _run(self) -> None:
        while (batch := self._waiting.get()) is not None:
            with contextlib.suppress(queue.Empty):
                while (more := self._waiting.get_nowait()) is not None:
                    batch += more
                self._waiting.put(None)
            for together in [batch] if self._alone else _in_order(batch):
                with self._metrics.commits.time():
                    wrong = self._written(together)
                if wrong is None or len(together) == 1:
                    self._tell([(work, wrong) for work in together])
                else:  # one of them is in the way of the others
                    for work in together:
                        self._tell([(work, self._written([work]))])
        self._disconnect()

    def _written(self, batch: list[Work]) -> Exception | None:
        """Write a batch in one transaction; return what went wrong."""
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                self._write(self._connection, batch)
        except IntegrityError:
            return Conflict()
        except Conflict as conflict:
            return conflict
        except Exception as error:
            if self._connection is not None:  # it may be amid something: nobody can use it any more
                with contextlib.suppress(SQLAlchemyError):
                    self._connection.invalidate()
            self._disconnect()
            return error
        return None

    def _disconnect(self) -> None:
        """Let go of the connection; the next batch gets another one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError):
                connection.close()

    def _write(self, connection: sa.Connection, batch: list[Work]) -> None:
        for statement, rows in (
            (self._entry, [row for work in batch for row in work.entries]),
            (self._turn, [row for work in batch for row in work.turns]),
        ):
            if rows:
                self._prepared.execute(connection, statement, rows)
        for work in batch:
            for statement, given in work.statements:
                if self._changed_rows(connection, statement, given) < 1 and isinstance(statement, sa.Update):
                    raise Conflict

    def _changed_rows(self, connection: sa.Connection, statement: Executable, given: Any) -> int:
        """Carry out a statement, and return how many rows changed."""
        if not given:  # it has its values in itself, and is made anew each time
            return connection.execute(statement).rowcount
        return self._prepared.execute(connection, statement, given if isinstance(given, list) else [given])

    def _tell(self, outcomes: list[tuple[Work, Exception | None]]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._answer, outcomes)

    # --- in the loop ---

    def _answer(self, outcomes: list[tuple[Work, Exception | None]]) -> None:
        """Tell those who wait what has become of what they asked for."""
        for work, wrong in outcomes:
            self._changed(work)
            if work.done.done():
                continue
            if wrong is None:
                work.done.set_result(None)
            else:
                work.done.set_exception(wrong)


def _give_up(done: asyncio.Future[None]) -> None:
    """Wait no longer for something that is to be written."""
    if not done.done():
        done.set_exception(TimeoutError())


def _in_order(batch: list[Work]) -> list[list[Work]]:
    """Split a batch so that no two nodes wait for each other: moves by table, everything else alone."""
    moves = sorted((work for work in batch if not work.statements), key=lambda work: [*map(_table, work.entries)])
    return [*([moves] if moves else []), *([work] for work in batch if work.statements)]


def _table(entry: Row) -> str:
    return str(entry["table_id"])
