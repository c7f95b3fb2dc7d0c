"""Places among what is sent at a time: to push services, and to the mail server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

PLACE_SECONDS = 600.0
"""How long a notice waits for a place; less than until it is sent again (`sender.RETRY_SECONDS`)."""


@contextlib.asynccontextmanager
async def held(places: asyncio.Semaphore, wait: float, seconds: float) -> AsyncIterator[None]:
    """Hold a place for some seconds at most, after at most `wait` seconds. Raises TimeoutError."""
    async with asyncio.timeout(wait):
        await places.acquire()
    try:
        async with asyncio.timeout(seconds):
            yield
    finally:
        places.release()
