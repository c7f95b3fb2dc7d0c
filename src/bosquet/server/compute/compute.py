"""The worker processes of a server, and how often one guest may have something worked out."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar, TypeVarTuple

from bosquet.core.errors import BosquetError
from bosquet.server.base.fair_queue import Asker
from bosquet.server.base.metrics import Metrics
from bosquet.server.base.rate_limits import Gate
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute.choosing import load_beside
from bosquet.server.compute.limits import ComputeLimits
from bosquet.server.compute.thinking import Thinking
from bosquet.server.compute.work_queue import RemoteWorkers
from bosquet.server.compute.workers import DAYS_NICE, Pool, Workers
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.nodes.redis_bus import RedisBus

T = TypeVar("T")
Given = TypeVarTuple("Given")


class Compute:
    """The processes of a server, and how often one guest may have something worked out."""

    def __init__(
        self,
        thinking: Thinking,
        requests: Pool,
        days: Pool,
        nodes: Nodes,
        limits: ComputeLimits,
    ) -> None:
        self.thinking = thinking
        """Where bots choose."""
        self.requests = requests
        """Where requests are worked out, so that no request holds up a bot."""
        self.days = days
        """Where bots play the deals of days."""
        self._turns = Thinking(requests, most=limits.waiting_work)
        self._asked = Gate.shared("computing", nodes, limits.computing, limits.computing_of_address)

    def open(self) -> None:
        """Take work from now on; processes start when there is some."""
        for pool in (self.thinking.workers, self.requests, self.days):
            pool.open()

    def close(self) -> None:
        """End the processes."""
        for pool in (self.days, self.requests, self.thinking.workers):
            pool.close()

    def take(self, guest: str | None, address: str) -> None:
        """Count one more thing that is worked out for somebody. Raises Refusal."""
        self._asked.check(guest, address, "too many questions at once; wait a moment")

    async def work_out(self, guest: str | None, address: str, work: Callable[[*Given], T], *given: *Given) -> T:
        """Run a module's function in another process for somebody. Raises Refusal, and what the function raises."""
        self.take(guest, address)
        try:
            return await self.in_turn(guest, address, work, *given)
        except BrokenProcessPool:
            raise Refusal("busy", "that was too much; try again") from None

    async def in_turn(self, guest: str | None, address: str, work: Callable[[*Given], T], *given: *Given) -> T:
        """Do the same as a part of something that was counted. Raises BrokenProcessPool, too."""
        return await self._turns.run(Asker(guest or address, address, people=True), work, *given)


def build_compute(
    processes: int | None, bus: RedisBus | None, nodes: Nodes, limits: ComputeLimits, metrics: Metrics
) -> Compute:
    """Return the processes of a server, which start when there is work.

    Bots think in a number of `processes`, by default one fewer than there are cores but at least two; with 0 they and
    the deals of days are left to workers that the bus reaches. Raises BosquetError.
    """
    bots: Pool
    days: Pool
    if processes == 0:
        if bus is None:
            raise BosquetError("--workers 0: workers elsewhere are reached by a bus; name one with --bus")
        bots, days = RemoteWorkers(bus.url, "bots", nodes), RemoteWorkers(bus.url, "days", nodes)
    else:
        bots = Workers(processes, begin=load_beside)
        days = Workers(1, nice=DAYS_NICE)
    return Compute(Thinking(bots, metrics), Workers(1), days, nodes, limits)
