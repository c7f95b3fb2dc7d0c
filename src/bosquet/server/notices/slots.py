"""Slots among what is sent at a time: to push services, and to the mail server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

SLOT_SECONDS = 600.0
"""How long a notice waits for a slot; less than until it is sent again (`sender.RETRY_SECONDS`)."""


@contextlib.asynccontextmanager
async def held(slots: asyncio.Semaphore, wait: float, seconds: float) -> AsyncIterator[None]:
    """Hold a slot for some seconds at most, after at most `wait` seconds. Raises TimeoutError."""
    async with asyncio.timeout(wait):
        await slots.acquire()
    try:
        async with asyncio.timeout(seconds):
            yield
    finally:
        slots.release()
