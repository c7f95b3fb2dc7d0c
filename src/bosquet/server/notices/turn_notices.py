"""Makes notices of the news of slow tables, unless the guest is at the table.

`sender.py` sends them: as Web Push (`push_delivery.py`), or as e-mail (`mails.py` writes it, `smtp.py` hands it over).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import datetime

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.background import failures_logged, in_background
from bosquet.server.notices.notices import Notices
from bosquet.server.table.listeners import DeadlineNear, GameEnded, StoodIn, TableNews, TurnEnded, TurnNews

WAITING = 10_000
"""Turns that may wait for the database; no notice is made of further ones."""

log: FilteringBoundLogger = structlog.get_logger()


class TurnNotices:
    """Passes news of turns on to `Notices`, one after the other."""

    def __init__(self, notices: Notices, is_here: Callable[[str, str], bool]) -> None:
        """`is_here(table, guest)` says whether a guest looks at a table."""
        self._notices = notices
        self._is_here = is_here
        self._news: asyncio.Queue[TurnNews] = asyncio.Queue(WAITING)

    def hear(self, news: TableNews) -> None:
        """Take up what happened to a turn, or that its guest has come to the table."""
        if isinstance(news, GameEnded):
            return
        if not isinstance(news, TurnEnded) and self._is_here(news.table, news.guest):
            return
        try:
            self._news.put_nowait(news)
        except asyncio.QueueFull:
            log.warning("too many turns wait to be told of")

    @contextlib.asynccontextmanager
    async def passing_on(self) -> AsyncIterator[None]:
        """Pass on what was heard, in the background, meanwhile."""
        async with in_background(self._pass_on()):
            yield

    async def _pass_on(self) -> None:
        while True:
            news = await self._news.get()
            with failures_logged("a turn could not be told of", table=news.table[:6]):
                await self.tell(news)

    async def tell(self, news: TurnNews) -> None:
        """Have a guest told of a turn, or no more of it. Raises Refusal."""
        match news:
            case TurnEnded():
                await self._notices.settled(news.guest, news.table)
            case StoodIn():
                await self._notices.stood_in(news.guest, news.table, news.game)
            case DeadlineNear():
                await self._notices.remind(news.guest, news.table, news.game, datetime.fromisoformat(news.deadline))
            case _:
                await self._notices.your_turn(news.guest, news.table, news.game, datetime.fromisoformat(news.deadline))
