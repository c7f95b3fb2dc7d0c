"""Reads from the database: in threads, so that the loop goes on meanwhile; one turn of a thread for each read."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import sqlalchemy as sa

T = TypeVar("T")


class _Asked(NamedTuple):
    """Something to be read."""

    read: Callable[[sa.Connection], Any]
    found: asyncio.Future[Any]


class Reader:
    """Threads that read, each with a connection while it does."""

    def __init__(self, engine: sa.Engine, threads: int) -> None:
        """Take an engine whose driver blocks, and has as many connections as there are to be threads."""
        self._engine = engine
        self._threads = threads
        self._waiting: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()

    def open(self) -> None:
        """Start the threads."""
        for number in range(self._threads):
            # As daemons: a database that is silent keeps no server from ending.
            threading.Thread(target=self._run, name=f"reader {number}", daemon=True).start()

    def close(self) -> None:
        """Read nothing more."""
        for _ in range(self._threads):
            self._waiting.put(None)

    async def read(self, read: Callable[[sa.Connection], T]) -> T:
        """Return what a function reads from a connection. Raises what the function raises, and SQLAlchemyError."""
        found = asyncio.get_running_loop().create_future()
        self._waiting.put(_Asked(read, found))
        return cast(T, await found)

    # --- in the threads ---

    def _run(self) -> None:
        while (asked := self._waiting.get()) is not None:
            if asked.found.cancelled():  # nobody waits for it any more
                continue
            value, wrong = None, None
            try:
                with self._engine.connect() as connection:
                    value = asked.read(connection)
            except Exception as error:
                wrong = error
            with contextlib.suppress(RuntimeError):  # the loop is closed
                asked.found.get_loop().call_soon_threadsafe(_answer, asked.found, value, wrong)


def _answer(found: asyncio.Future[Any], value: Any, wrong: Exception | None) -> None:
    """Tell who waits, in the loop, what was read, or what went wrong."""
    if found.done():
        return
    if wrong is None:
        found.set_result(value)
    else:
        found.set_exception(wrong)
