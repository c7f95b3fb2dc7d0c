"""Worker processes for heavy computing, so that the event loop never waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol, TypeVar, TypeVarTuple

from bosquet.core.system.processes import SPAWN

T = TypeVar("T")
Given = TypeVarTuple("Given")

IDLE_SECONDS = 300.0
"""Seconds without work after which processes end: each holds 70 to 240 MB, and starts again within two seconds."""
DAYS_NICE = 10
"""Bots and people at tables come first."""


class Closed(BrokenProcessPool):
    """The pool was closed."""


class Pool(Protocol):
    """Works things out in other processes, of this machine or of others."""

    @property
    def processes(self) -> int:
        """How many things at a time."""

    def open(self) -> None:
        """Take work from now on."""

    def close(self) -> None:
        """End."""

    async def run(self, function: Callable[[*Given], T], *args: *Given) -> T:
        """Return what a module's function gives. Raises what it raises, and BrokenProcessPool (`Closed` at the end)."""


class Workers:
    """A pool of processes that start when there is work and end when there was none for a while.

    It is made anew when one of them dies.
    """

    def __init__(
        self,
        processes: int | None = None,
        *,
        nice: int = 0,
        begin: Callable[[], object] | None = None,
        idle: float = IDLE_SECONDS,
    ) -> None:
        """Bound the number of processes, by default one fewer than there are cores, at least two.

        By `nice` steps they leave the machine to others. Each calls a module's function `begin` first. They end after
        `idle` seconds without work.
        """
        self.processes: int = processes or max(2, (os.cpu_count() or 2) - 1)
        self._given = nice, begin
        self._idle = idle
        self._opened = False
        self._pool: ProcessPoolExecutor | None = None
        self._running = 0
        self._end: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Take work from now on; nothing is started before there is some."""
        self._opened = True

    def close(self) -> None:
        """End the processes, whatever they are doing: it may be long, and nobody is left to hear of it."""
        self._opened = False
        self._stop(wait=True)

    def _stop(self, *, wait: bool = False) -> None:
        """Kill the processes: one that has just started would read only after seconds that it is to end."""
        if self._end is not None:
            self._end.cancel()
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(wait=wait, cancel_futures=True)

    async def run(self, function: Callable[[*Given], T], *args: *Given) -> T:
        """What a module's function gives, worked out in another process. Raises what it raises, and as `Pool.run`."""
        if not self._opened:
            raise Closed
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.processes, SPAWN, initializer=_begin, initargs=self._given)
        pool = self._pool
        if self._end is not None:
            self._end.cancel()
        self._running += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, function, *args)
        except BrokenProcessPool:
            if not self._opened:
                raise Closed from None
            if self._pool is pool:
                self._pool = None  # what comes next starts others
            raise
        finally:
            self._running -= 1
            if not self._running and self._pool is not None:
                self._end = asyncio.get_running_loop().call_later(self._idle, self._stop)


def _begin(nice: int, begin: Callable[[], object] | None) -> None:
    """Leave Ctrl-C to the server, which then ends its workers; end with it if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if nice and hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(nice)
    if begin is not None:
        begin()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)
