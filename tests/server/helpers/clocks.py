"""Clocks that tests set, and one that goes on by itself when there is nothing left to do."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

import pytest

NOON = int(datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp())


class Clock:
    """A time that tests set."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        """Return the time."""
        return self.now


class _Selector(selectors.DefaultSelector):
    """What an event loop waits by: instead of waiting for a timer it puts the clock forward."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        self.now += timeout
        return super().select(0)


def without_waiting(story: Coroutine[Any, Any, None]) -> None:
    """Run a story in a loop in which every pause is over as soon as nothing else can happen.

    `time.monotonic` is the clock of the loop meanwhile. The story may wait for no thread, process or connection: the
    clock would run away.
    """
    selector = _Selector()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: selector.now)
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
            runner.run(story)
