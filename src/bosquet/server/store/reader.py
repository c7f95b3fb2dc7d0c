"""Reads from the database: in threads, so that the loop goes on meanwhile; one turn of a thread for each read.

Addresses share the threads fairly (start-time fair queueing, Goyal, Vin and Cheng 1997): the next read of an address
comes later the longer its earlier ones have taken, and at once if it has asked for little. One address has few threads
at a time: if all of them summed up thousands of games, no processor would be left for the moves of others.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import sqlalchemy as sa

from bosquet.server.base.fair_queue import ASKING

T = TypeVar("T")

SHORT = 0.001
"""Seconds that a read is taken to last, until it is known."""
AT_ONCE = 2
"""Reads of one address at a time; the server itself may have all threads."""
MANY = 10_000
"""Addresses whose reads are remembered."""
CLOSING_SECONDS = 2.0
"""How long the end waits for what is being read."""


class _Asked(NamedTuple):
    """Something to be read."""

    start: float
    """In seconds of reading; what starts earlier comes first."""
    number: int
    address: str
    read: Callable[[sa.Connection], Any]
    found: asyncio.Future[Any]


class Reader:
    """Threads that read, each with a connection while it does."""

    def __init__(self, engine: sa.Engine, threads: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Take an engine whose driver blocks, and has as many connections as there are to be threads."""
        self._engine = engine
        self._clock = clock
        # As daemons: a database that is silent keeps no server from ending.
        self._threads = [threading.Thread(target=self._run, name=f"reader {n}", daemon=True) for n in range(threads)]
        self._closed = False
        self._changed = threading.Condition()
        """Held to change the next two, and told of it."""
        self._waiting: dict[str, deque[_Asked]] = {}
        """What each address has asked for, in order."""
        self._reading: Counter[str] = Counter()
        """How many threads read for each."""
        self._numbers = itertools.count()
        self._now = 0.0
        """When what was begun last was to start."""
        self._ends: dict[str, float] = {}
        """When the reads of each address end that were asked for until now."""

    def open(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Read nothing more, and wait a moment for what is being read.

        Connections that are in use for longer are closed when they are given back.
        """
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        end = time.monotonic() + CLOSING_SECONDS
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, end - time.monotonic()))

    async def read(self, read: Callable[[sa.Connection], T]) -> T:
        """Return what a function reads from a connection. Raises what the function raises, and SQLAlchemyError."""
        found = asyncio.get_running_loop().create_future()
        address = ASKING.get()
        start = max(self._now, self._ends.get(address, 0.0))
        self._ends[address] = start + SHORT
        if len(self._ends) > MANY:
            self._ends = {one: end for one, end in self._ends.items() if end > self._now}
        with self._changed:
            asked = _Asked(start, next(self._numbers), address, read, found)
            self._waiting.setdefault(address, deque()).append(asked)
            self._changed.notify()
        return cast(T, await found)

    # --- in the threads ---

    def _run(self) -> None:
        while (asked := self._next()) is not None:
            self._now = max(self._now, asked.start)
            begun = self._clock()
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
            seconds = self._clock() - begun
            with self._changed:
                self._reading -= Counter([asked.address])  # which forgets those of which nothing is read
            with contextlib.suppress(RuntimeError):  # the loop is closed
                asked.found.get_loop().call_soon_threadsafe(self._answer, asked, seconds, value, wrong)

    def _next(self) -> _Asked | None:
        """Wait for what is to be read next, None at the end; it is counted as being read."""
        with self._changed:
            while self._waiting or not self._closed:
                ready = [those[0] for address, those in self._waiting.items() if self._may_read(address)]
                if not ready:
                    self._changed.wait()
                    continue
                asked = min(ready)
                self._waiting[asked.address].popleft()
                if not self._waiting[asked.address]:
                    del self._waiting[asked.address]
                if not asked.found.cancelled():  # somebody still waits for it
                    self._reading[asked.address] += 1
                    return asked
            self._changed.notify_all()
            return None

    def _may_read(self, address: str) -> bool:
        """Return whether one more thread may read for an address."""
        return not address or self._reading[address] < AT_ONCE

    # --- in the loop ---

    def _answer(self, asked: _Asked, seconds: float, value: Any, wrong: Exception | None) -> None:
        """Count the seconds that a read took, and tell who waits what was read, or what went wrong."""
        if asked.address in self._ends:
            self._ends[asked.address] += max(0.0, seconds - SHORT)
        if asked.found.done():
            return
        if wrong is None:
            asked.found.set_result(value)
        else:
            asked.found.set_exception(wrong)
