"""Reads from the database: in threads, so that the loop goes on meanwhile; one turn of a thread for each read."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import sqlalchemy as sa

T = TypeVar("T")

CLOSING_SECONDS = 2.0
"""How long the end waits for what is being read."""


class _Asked(NamedTuple):
    """Something to be read."""

    read: Callable[[sa.Connection], Any]
    found: asyncio.Future[Any]


class Reader:
    """Threads that read, each with a connection while it does."""

    def __init__(self, engine: sa.Engine, threads: int) -> None:
        """Take an engine whose driver blocks, and has as many connections as there are to be threads."""
        self._engine = engine
        # As daemons: a database that is silent keeps no server from ending.
        self._threads = [threading.Thread(target=self._run, name=f"reader {n}", daemon=True) for n in range(threads)]
        self._closed = False
        self._waiting: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()

    def open(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Read nothing more, and wait a moment for what is being read.

        Connections that are in use for longer are closed when they are given back.
        """
        self._closed = True
        for _ in self._threads:
            self._waiting.put(None)
        end = time.monotonic() + CLOSING_SECONDS
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, end - time.monotonic()))

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
                    try:
                        value = asked.read(connection)
                    finally:
                        if self._closed:
                            connection.invalidate()  # its pool may be gone
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
