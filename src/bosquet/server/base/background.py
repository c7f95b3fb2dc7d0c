"""Runs work in the background for as long as something else goes on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.refusals import Refusal

CANCEL_SECONDS = 0.1
"""Seconds after which a task is cancelled again."""

log: FilteringBoundLogger = structlog.get_logger()


@dataclass(frozen=True)
class Pauses:
    """The pace of work on many tables, so that moves are written in between."""

    pause: float = 0.05
    """Seconds between two tables."""


@contextlib.asynccontextmanager
async def in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Let some work go on meanwhile; at the end it is cancelled and waited for."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@contextlib.contextmanager
def failures_logged(said: str, **details: object) -> Iterator[None]:
    """Log what fails within, and let the work go on after it. What the store refuses, the store has logged."""
    try:
        yield
    except Refusal:
        pass
    except Exception:
        log.exception(said, **details)


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks until they have ended.

    Once is not enough: `asyncio.wait_for` of Python 3.11 can swallow a cancellation (CPython issue 86296).
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=CANCEL_SECONDS)
