"""Fair turns at worker processes: for bots, and for what is worked out for requests."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from bosquet.server.base.fair_queue import Asker, FairQueue
from bosquet.server.base.metrics import Metrics
from bosquet.server.compute.choosing import NotReady
from bosquet.server.compute.workers import Pool

T = TypeVar("T")
Given = TypeVarTuple("Given")

COMPILER_SECONDS = 0.3
"""Seconds until it is tried again what waits for the compiler."""


class Thinking:
    """Runs functions of modules in worker processes, one at a time in each."""

    def __init__(
        self,
        workers: Pool,
        metrics: Metrics | None = None,
        clock: Callable[[], float] = time.monotonic,
        most: float = math.inf,
    ) -> None:
        """Take what is told how long it took, and how many calls may run or wait."""
        self.workers = workers
        self._metrics = metrics or Metrics()
        self._clock = clock
        self._turns = FairQueue(lambda: workers.processes, most, clock)

    async def run(self, asker: Asker, function: Callable[[*Given], T], *args: *Given) -> T:
        """Return what a module's function gives, worked out in another process. Raises what it raises, and Refusal.

        A call that is cancelled while it waits leaves the queue; what has begun is finished. What has to wait for the
        compiler gives its process to others meanwhile.
        """
        while True:
            try:
                return await self._run_once(asker, function, *args)
            except NotReady:
                await asyncio.sleep(COMPILER_SECONDS)

    async def _run_once(self, asker: Asker, function: Callable[[*Given], T], *args: *Given) -> T:
        asked = self._clock()
        await self._turns.begin(asker)
        begun = self._clock()
        self._metrics.queue.observe(begun - asked)

        def end(done: asyncio.Future[T]) -> None:
            seconds = self._clock() - begun
            self._metrics.thinking.observe(seconds)
            self._turns.end(asker, seconds)

        work = asyncio.ensure_future(self.workers.run(function, *args))
        work.add_done_callback(end)
        return await asyncio.shield(work)
