"""What is not kept for ever: the clean-ups of the wings, now and then, and how long they keep things."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from bosquet.server.base.background import failures_logged, in_background
from bosquet.server.guests.clean_up import GuestRetention
from bosquet.server.history.clean_up import HistoryRetention
from bosquet.server.lobby.clean_up import LobbyRetention
from bosquet.server.notices.clean_up import NoticeRetention
from bosquet.server.reviews.clean_up import ReviewRetention
from bosquet.server.tables.clean_up import TableRetention
from bosquet.server.today.clean_up import TodayRetention

FIRST_SECONDS = 3600.0
"""Seconds from a start to the first clean-up."""
EVERY_SECONDS = 6 * 3600.0

CleanUp = Callable[[date], Awaitable[None]]
Steady = Callable[[date], Awaitable[bool]]
"""Looks at the clock, and returns whether it can be trusted."""


async def _trusted(today: date) -> bool:
    return True


@dataclass(frozen=True)
class Retention(
    ReviewRetention, NoticeRetention, TodayRetention, LobbyRetention, HistoryRetention, TableRetention, GuestRetention
):
    """How long one server keeps things."""


class Sweeper:
    """Cleans up now and then."""

    def __init__(
        self,
        clean_ups: Sequence[CleanUp],
        today: Callable[[], date] = lambda: datetime.now(UTC).date(),
        is_steady: Steady = _trusted,
    ) -> None:
        """Take the clean-ups, those of the lowest wing first: results follow from tables, people from results."""
        self._clean_ups = clean_ups
        self._today = today
        self._is_steady = is_steady

    async def run(self) -> None:
        """Clean up now and then, until cancelled."""
        with failures_logged("the clock could not be compared with the day that was looked at last"):
            await self._is_steady(self._today())
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            with failures_logged("what is old could not be deleted; the next try is in some hours"):
                await self.sweep()
            await asyncio.sleep(EVERY_SECONDS)

    async def sweep(self) -> None:
        """Clean up all that is old now, if the clock can be trusted. Raises Refusal."""
        today = self._today()
        if await self._is_steady(today):
            for clean_up in self._clean_ups:
                await clean_up(today)


@contextlib.asynccontextmanager
async def sweeping(clean_ups: Sequence[CleanUp], is_steady: Steady = _trusted) -> AsyncIterator[None]:
    """Clean up in the background meanwhile."""
    async with in_background(Sweeper(clean_ups, is_steady=is_steady).run()):
        yield
