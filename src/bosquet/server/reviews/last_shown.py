"""What was shown last in each review: written to the database some seconds later, not at each step."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from bosquet.server.base.background import failures_logged, in_background
from bosquet.server.reviews import kept
from bosquet.server.store.store import Conflict, Store

WRITE_SECONDS = 3.0
"""Seconds after which it is written at the latest; a node that dies loses as much."""
MOST = 1024
"""Reviews of which it waits to be written, while the database can't be."""


class LastShown:
    """What this node has shown last in each review, in the database or about to be there."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[str, dict[str, Any]] = {}
        """What is not written yet, by the review."""
        self._hurry = asyncio.Event()

    async def find(self, review: str) -> dict[str, Any] | None:
        """Return what was shown last in a review; None before anything was. Raises Refusal."""
        written = await kept.find_place(self._store, review)
        return self._waiting.get(review, written)

    def keep(self, review: str, place: dict[str, Any]) -> None:
        """Have it written soon what is shown now."""
        self._waiting[review] = place
        if len(self._waiting) > MOST:
            del self._waiting[next(iter(self._waiting))]

    def hurry(self) -> None:
        """Write all that waits now: the next page may come to another node."""
        self._hurry.set()

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Write in the background meanwhile, and at the end what waits still."""
        try:
            async with in_background(self._run()):
                yield
        finally:
            await self._write()

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._hurry.wait()
            self._hurry.clear()
            await self._write()

    async def _write(self) -> None:
        with failures_logged("what was shown in reviews could not be written; the next try is in some seconds"):
            for review, place in list(self._waiting.items()):
                with contextlib.suppress(Conflict):  # the review was erased meanwhile
                    await kept.keep_place(self._store, review, place)
                if self._waiting.get(review) is place:
                    del self._waiting[review]
