"""Fills the cache of compiled code after an installation, so that nobody waits for a compiler later.

One process does that, and ends. A mark in the cache says that it is done for these versions of everything: the next
start then loads no compiler. What is missing in spite of it is compiled when it is first used.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sys
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import structlog
from structlog.typing import FilteringBoundLogger

import bosquet
from bosquet.core import view_texts
from bosquet.core.installed import names, spec
from bosquet.kernels import cache
from bosquet.server.base.background import in_background
from bosquet.server.compute.choosing import load_game
from bosquet.server.compute.workers import Workers

NICE = 10
"""Games that are played already come first."""
TOOLS = ("numba", "llvmlite", "numpy")

log: FilteringBoundLogger = structlog.get_logger()


@contextlib.asynccontextmanager
async def compiling_ahead() -> AsyncIterator[None]:
    """Fill the cache meanwhile, unless that was done."""
    async with in_background(_fill()):
        yield


async def _fill() -> None:
    mark = await asyncio.to_thread(mark_of_everything)
    if cache.load(mark) == b"done":
        return
    cache.save(mark, b"begun")
    if cache.load(mark) is None:
        return  # nothing can be kept
    compiler = Workers(1, nice=NICE)
    compiler.open()
    try:
        for game in names():
            await compiler.run(load_views, game)
            await compiler.run(load_game, game)
        cache.save(mark, b"done")
    except BrokenProcessPool:
        log.warning("what bots think with could not be compiled ahead; it is compiled when they play")
    finally:
        compiler.close()


def load_views(game: str) -> None:
    """Be ready to write the views of a game quickly, if it can be compiled here."""
    view_texts.load(spec(game))


def mark_of_everything() -> str:
    """Return the name of the mark for what is installed: sources of this package, other games, compilers, Python."""
    digest = hashlib.sha256(repr((sys.implementation.cache_tag, sys.platform, names(), *map(_version, TOOLS))).encode())
    package = Path(bosquet.__file__).parent
    for file in sorted(package.rglob("*.py")):
        digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return f"ahead-{digest.hexdigest()[:32]}.mark"


def _version(package: str) -> str:
    with contextlib.suppress(PackageNotFoundError):
        return version(package)
    return ""
