"""Compiled kernels that write views, loaded once a server writes many: they take 75 MB, and save it its processor."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core import views
from bosquet.core.installed import names, spec
from bosquet.server.base.background import in_background
from bosquet.server.compute.compile_ahead import NICE, load_views
from bosquet.server.compute.workers import Workers

LOOK_SECONDS = 10.0
MANY = 50
"""Views of one game written slowly between two looks: each takes about 8 ms, so these take 4 % of the event loop."""

log: FilteringBoundLogger = structlog.get_logger()


@contextlib.asynccontextmanager
async def quickening() -> AsyncIterator[None]:
    """Load the kernels of games that are played much, meanwhile."""
    async with in_background(_quicken()):
        yield


async def _quicken() -> None:
    left = [game for game in names() if spec(game).writes_views]
    while left:
        before = {game: views.written_plainly(spec(game)) for game in left}
        await asyncio.sleep(LOOK_SECONDS)
        for game in [game for game in left if views.written_plainly(spec(game)) - before[game] >= MANY]:
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
