"""Compiled kernels that check moves and write positions and views, loaded once a server does that much.

They take 75 MB, and a check takes 3 to 7 µs instead of 290 to 1,100 (`benchmarks/figures.md`).
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core import view_texts
from bosquet.core.installed import names, spec
from bosquet.server.base.background import in_background
from bosquet.server.compute.compile_ahead import NICE, load_views
from bosquet.server.compute.workers import Workers

LOOK_SECONDS = 10.0
MANY = 50
"""Moves checked and views written slowly between two looks: at 0.3 to 4 ms each, up to 2 % of the event loop."""

log: FilteringBoundLogger = structlog.get_logger()


@contextlib.asynccontextmanager
async def quickening() -> AsyncIterator[None]:
    """Load the kernels of games that are played much, meanwhile."""
    async with in_background(_quicken()):
        yield


async def _quicken() -> None:
    left = [game for game in names() if spec(game).writes_views]
    while left:
        before = {game: view_texts.written_plainly(spec(game)) for game in left}
        await asyncio.sleep(LOOK_SECONDS)
        for game in [game for game in left if view_texts.written_plainly(spec(game)) - before[game] >= MANY]:
            left.remove(game)
            await _load(game)


async def _load(game: str) -> None:
    """Compile in another process, which fills the cache; then load, in a thread."""
    compiler = Workers(1, nice=NICE)
    compiler.open()
    try:
        await compiler.run(load_views, game)
        await asyncio.to_thread(load_views, game)
        gc.freeze()  # the compiler is many objects, and they stay
    except BrokenProcessPool:
        log.warning("what makes views quick could not be compiled", game=game)
    finally:
        compiler.close()
