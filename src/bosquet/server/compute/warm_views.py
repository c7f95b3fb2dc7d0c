"""Compiled kernels for the views that the server sends, ready some time after it has started.

Nobody waits for them: until they are there, and where nothing can be compiled, the plain views are sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core import offers
from bosquet.core.installed import names, spec
from bosquet.kernels import jit
from bosquet.server.base.background import in_background
from bosquet.server.compute.workers import Workers

NICE = 10
"""Games that are played already come first."""

log: FilteringBoundLogger = structlog.get_logger()


@contextlib.asynccontextmanager
async def warming() -> AsyncIterator[None]:
    """Get the kernels ready meanwhile."""
    async with in_background(_warm()):
        yield


async def _warm() -> None:
    """Compile in another process, which fills the cache; then load, in a thread."""
    written = [name for name in names() if spec(name).module("offers") is not None]
    compiler = Workers(1, nice=NICE, lazy=True)
    compiler.open()
    try:
        if await compiler.run(_can_compile):
            for game in written:
                await compiler.run(load, game)
                await asyncio.to_thread(load, game)
            gc.freeze()  # the compiler is many objects, and they stay
    except BrokenProcessPool:
        log.warning("what makes views quick could not be compiled")
    finally:
        compiler.close()


def _can_compile() -> bool:
    """Whether rules can be compiled here: to find out takes as long as importing the compiler."""
    return jit.available()


def load(game: str) -> None:
    """Be ready to write the views of a game quickly, if it can be compiled here."""
    offers.load(spec(game))
