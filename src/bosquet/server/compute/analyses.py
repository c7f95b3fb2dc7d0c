"""Analyses of finished games, sent a line at a time as they go on, from a process that gives way to others."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol, TypeVar, TypeVarTuple

from bosquet.core.errors import BosquetError
from bosquet.server.base.limits import Places
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.turns import Asker
from bosquet.server.compute import coaching
from bosquet.server.compute.choosing import load_game
from bosquet.server.compute.limits import ComputeLimits
from bosquet.server.compute.messages import Analysis, AnalysisFailed, AnalysisStep
from bosquet.server.compute.thinking import Thinking
from bosquet.server.compute.workers import Pool

T = TypeVar("T")
Given = TypeVarTuple("Given")

BUSY = "many games are analysed just now; try again in a minute"
KEPT = 32
"""Analyses that are kept: everybody at a table looks at the same game."""
KEPT_BYTES = 1 << 20
"""A longer one is not."""


class Worker(Protocol):
    """Works things out for somebody, in fair turns."""

    async def run(self, function: Callable[[*Given], T], *args: *Given) -> T:
        """Return what a module's function gives. Raises what it raises, BrokenProcessPool, and Refusal."""


Steps = Callable[[Worker, bytes], AsyncGenerator[Analysis, None]]


class Turns:
    """The turns of one analysis. It may have to give way, and then has no more of them."""

    def __init__(self, thinking: Thinking, asker: Asker) -> None:
        self._thinking = thinking
        self._asker = asker
        self._ended = False

    def give_way(self) -> bool:
        """Have no more turns."""
        self._ended = True
        return True

    async def run(self, function: Callable[[*Given], T], *args: *Given) -> T:
        """Wait for a turn and use it. Raises as `Worker.run`."""
        if self._ended:
            raise Refusal("busy", BUSY)
        return await self._thinking.run(self._asker, function, *args)


class Analyses:
    """The analyses under way, and the last ones that were finished."""

    def __init__(self, workers: Pool, limits: ComputeLimits) -> None:
        self.workers = workers
        self._thinking = Thinking(workers)
        self._places = Places(limits.analyses, limits.analyses_of_guest, limits.analyses_of_address)
        self._kept: OrderedDict[bytes, list[bytes]] = OrderedDict()
        self._preparing: dict[str, asyncio.Task[None]] = {}

    def expect(self, game: str) -> None:
        """Get ready to analyse a game that was just played: its players may want to see it soon."""
        if game not in self._preparing:
            self._preparing[game] = asyncio.create_task(self._get_ready(game))

    async def _get_ready(self, game: str) -> None:
        with contextlib.suppress(BrokenProcessPool, Refusal):
            await self.workers.run(load_game, game)

    async def lines(self, steps: Steps, guest: str | None, address: str, body: bytes) -> AsyncGenerator[bytes, None]:
        """Yield an analysis line by line. Raises Refusal before its first line. Stops when the reader closes it.

        Where as many are under way as may be, the address that has most gives way with its oldest one.
        """
        key = hashlib.sha256(steps.__name__.encode() + b"/" + body).digest()
        if key in self._kept:
            self._kept.move_to_end(key)
            for line in self._kept[key]:
                yield line
            return
        lines: list[bytes] = []
        turns = Turns(self._thinking, Asker(guest or address, address, people=True))
        with self._places.one(guest, address, turns.give_way) as free:
            if not free:
                raise Refusal("busy", BUSY)
            try:
                async with contextlib.aclosing(steps(turns, body)) as analysis:
                    async for found in analysis:
                        lines.append(ENCODER.encode(found) + b"\n")
                        yield lines[-1]
            except coaching.NotOver as error:
                raise Refusal("not now", str(error)) from None
            except BosquetError as error:
                raise Refusal("malformed", str(error)) from None
            except (BrokenProcessPool, Refusal) as error:
                if not lines and isinstance(error, Refusal):
                    raise
                if not lines:
                    raise Refusal("busy", "that was too much; try again") from None
                yield ENCODER.encode(AnalysisFailed()) + b"\n"
                return
        self._keep(key, lines)

    def _keep(self, key: bytes, lines: list[bytes]) -> None:
        if sum(map(len, lines)) <= KEPT_BYTES:
            self._kept[key] = lines
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


async def coached(workers: Worker, body: bytes) -> AsyncGenerator[Analysis, None]:
    """Yield every decision of a game as the coach sees it, and what they come to. Raises BosquetError.

    The last decision comes first: there the least is left to be simulated, so that the first words come soon.
    """
    begun = await workers.run(coaching.begin_coach, body)
    yield begun
    made: list[Any] = []
    for done in range(1, begun.steps + 1):
        decision = await workers.run(coaching.weigh, body, begun.steps - done)
        if decision is not None:
            made.insert(0, decision)
        yield AnalysisStep(done=done, decision=decision)
    yield await workers.run(coaching.judge, body, made)


async def played_again(workers: Worker, body: bytes) -> AsyncGenerator[Analysis, None]:
    """Let bots play the deal of a game many times; yield the progress, then the scores. Raises BosquetError."""
    begun = await workers.run(coaching.begin_luck, body)
    yield begun
    played: list[coaching.Outcome] = []
    for step in range(begun.steps):
        played += await workers.run(coaching.play_again, body, step)
        yield AnalysisStep(done=step + 1)
    yield await workers.run(coaching.receipt, body, played)
