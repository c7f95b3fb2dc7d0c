"""Heavy computing, in processes of its own: the loop of the server never waits for it."""

from __future__ import annotations

import asyncio
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar, TypeVarTuple

from bosquet import bots
from bosquet.core.chance import Chance
from bosquet.core.view import View

T = TypeVar("T")
Given = TypeVarTuple("Given")


class Workers:
    """A pool of processes, warmed up when it opens and made anew when one of them dies."""

    def __init__(self, processes: int | None = None) -> None:
        """By default one process fewer than there are cores, at least one."""
        self.processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None

    def open(self) -> None:
        """Start the processes; they get ready by themselves."""
        self._pool = ProcessPoolExecutor(self.processes, multiprocessing.get_context("spawn"), initializer=_begin)
        for _ in range(self.processes):
            self._pool.submit(_warm_up)

    def close(self) -> None:
        """End the processes once what they are doing is done."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    async def run(self, function: Callable[[*Given], T], *args: *Given) -> T:
        """What a module's function gives, worked out in another process. Raises what it raises."""
        assert self._pool is not None, "the workers must be opened first"
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, function, *args)
        except BrokenProcessPool:
            if self._pool is pool:
                self.open()
            raise


def choose(bot: str, view: View) -> str:
    """The move of a bot that sees this view."""
    return bots.make(bot).choose(view, Chance())


def _begin() -> None:
    """Leave Ctrl-C to the server, which then ends its workers; end with it if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _warm_up() -> Any:
    """Import what will be needed."""
    from bosquet.server import real_games, replays

    return real_games, replays
