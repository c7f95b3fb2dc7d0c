"""A story in which no pause takes time."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.server.helpers.clocks import without_waiting


def test_pauses_end_in_their_order_and_take_no_time() -> None:
    told: list[tuple[str, float]] = []

    async def speak(word: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        told.append((word, round(time.monotonic(), 3)))

    async def story() -> None:
        await asyncio.gather(speak("last", 3600), speak("first", 5), speak("second", 5.5))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(10):
                await asyncio.sleep(60)

    begin = time.monotonic()
    without_waiting(story())
    assert told == [("first", 5), ("second", 5.5), ("last", 3600)]
    assert time.monotonic() - begin < 5
