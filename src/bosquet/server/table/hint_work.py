"""The hint that is looked for, or was given last, for one page."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class HintWork:
    """One hint at a time: what else the page asks meanwhile does not wait for it."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self.of: tuple[int, int] | None = None
        """Seat and number of the position."""
        self.given: bytes | None = None
        """The message that gave it."""

    @property
    def under_way(self) -> bool:
        """Whether it is still looked for."""
        return self._task is not None and not self._task.done()

    def begin(self, of: tuple[int, int], work: Coroutine[Any, Any, None]) -> None:
        """Look for another one; one that is looked for is no longer waited for."""
        self.cancel()
        self.of, self.given = of, None
        self._task = asyncio.create_task(work)

    def cancel(self) -> None:
        """Wait for no hint any longer."""
        if self._task is not None:
            self._task.cancel()
