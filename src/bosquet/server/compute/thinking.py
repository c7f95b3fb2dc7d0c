"""The queue of bots and hints for worker processes: fair between addresses, and between guests of one.

Tables with people come before tables of bots. The next to be served is the address, and among its guests the guest,
that has used the least time in the last minutes; a bot that thinks in two threads uses twice as much. One address never
occupies the last process, nor do bots that think in several threads, which take long.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, TypeVar, TypeVarTuple

from bosquet.server.base.metrics import Metrics
from bosquet.server.compute.choosing import NotReady
from bosquet.server.compute.workers import Pool

T = TypeVar("T")
Given = TypeVarTuple("Given")

HALF_LIFE = 60.0
"""Seconds after which time that was used counts half."""
COMPILER_SECONDS = 0.3
"""Seconds until it is tried again what waits for the compiler."""
FORGOTTEN = 0.01
"""Seconds of use below which an address or a guest is forgotten."""


class Asker(NamedTuple):
    """On whose behalf something is thought about."""

    guest: str
    address: str
    people: bool
    """Whether somebody who plays waits for it."""
    threads: int = 1
    """In how many threads it is thought about."""

    @property
    def is_dear(self) -> bool:
        """Return whether it takes long, and more than one core."""
        return self.threads > 1


class _Waiting(NamedTuple):
    asker: Asker
    number: int
    turn: asyncio.Future[None]


class Used:
    """Seconds that each of many has used; what was used long ago counts little."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seconds: dict[str, float] = {}
        self._since = clock()

    def __getitem__(self, who: str) -> float:
        return self._seconds.get(who, 0.0)

    def add(self, who: str, seconds: float) -> None:
        """Count some more seconds."""
        self._fade()
        self._seconds[who] = self[who] + seconds

    def _fade(self) -> None:
        now = self._clock()
        if now - self._since > HALF_LIFE / 60:
            share = 0.5 ** ((now - self._since) / HALF_LIFE)
            faded = ((who, seconds * share) for who, seconds in self._seconds.items())
            self._seconds = {who: seconds for who, seconds in faded if seconds > FORGOTTEN}
            self._since = now


class Thinking:
    """Runs what bots and hints need in worker processes, one at a time in each."""

    def __init__(
        self, workers: Pool, metrics: Metrics | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.workers = workers
        self._metrics = metrics or Metrics()
        self._clock = clock
        self._waiting: list[_Waiting] = []
        self._running: Counter[str] = Counter()
        """How many processes each address occupies."""
        self._dear = 0
        """How many processes are occupied by what is dear."""
        self._by_address, self._by_guest = Used(clock), Used(clock)
        self._asked = 0

    async def run(self, asker: Asker, function: Callable[[*Given], T], *args: *Given) -> T:
        """Return what a module's function gives, worked out in another process. Raises what it raises.

        A call that is cancelled while it waits leaves the queue; what has begun is finished. What has to wait for the
        compiler gives its process to others meanwhile.
        """
        while True:
            try:
                return await self._run_once(asker, function, *args)
            except NotReady:
                await asyncio.sleep(COMPILER_SECONDS)

    async def _run_once(self, asker: Asker, function: Callable[[*Given], T], *args: *Given) -> T:
        self._asked += 1
        waiting = _Waiting(asker, self._asked, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        asked = self._clock()
        self._start_next()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self._end(asker, 0.0)
            raise
        begin = self._clock()
        self._metrics.queue.observe(begin - asked)
        work = asyncio.ensure_future(self.workers.run(function, *args))
        work.add_done_callback(lambda done: self._end(asker, self._clock() - begin))
        return await asyncio.shield(work)

    def _start_next(self) -> None:
        """Let those go on for whom there is a process."""
        while self._waiting and self._running.total() < self.workers.processes:
            free = [one for one in self._waiting if self._may_start(one.asker) and not one.turn.done()]
            if not free:
                return
            chosen = min(free, key=self._order)
            self._waiting.remove(chosen)
            self._running[chosen.asker.address] += 1
            self._dear += chosen.asker.is_dear
            chosen.turn.set_result(None)

    def _may_start(self, asker: Asker) -> bool:
        but_one = max(1, self.workers.processes - 1)
        return self._running[asker.address] < but_one and not (asker.is_dear and self._dear >= but_one)

    def _order(self, waiting: _Waiting) -> tuple[bool, float, float, int]:
        asker = waiting.asker
        return not asker.people, self._by_address[asker.address], self._by_guest[asker.guest], waiting.number

    def _end(self, asker: Asker, seconds: float) -> None:
        self._running[asker.address] -= 1
        if not self._running[asker.address]:
            del self._running[asker.address]
        self._dear -= asker.is_dear
        self._by_address.add(asker.address, seconds * asker.threads)
        self._by_guest.add(asker.guest, seconds * asker.threads)
        self._metrics.thinking.observe(seconds)
        self._start_next()
