"""Has bots play the deals of days, once for a server, in a process that gives way to others, and keeps how they did.

They are worked out for deals that somebody plays, from the first attempt on, so that they are there at its end. A row
of the database claims a bot's game for a node; what was claimed long ago was lost with its node, and is claimed again.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

import sqlalchemy as sa

from bosquet import bots
from bosquet.server.base.background import failures_logged
from bosquet.server.base.clock import days_before
from bosquet.server.compute.daily_play import play_deal
from bosquet.server.compute.workers import Pool
from bosquet.server.store.schema import daily_attempts, daily_bots
from bosquet.server.store.store import Conflict, Store
from bosquet.server.today.daily import DealOfDay
from bosquet.server.today.days import ARCHIVE_DAYS

EVERY_SECONDS = 5.0
LOST_SECONDS = 600
"""Seconds after which a game is claimed again that nobody has finished."""


@functools.cache
def bots_of() -> list[str]:
    """Return the bots that play the deals of days, the weakest first."""
    return list(bots.NAMES)


class Deals(Protocol):
    """Knows the deals of days."""

    store: Store

    def deal(self, game: str, day: str) -> DealOfDay:
        """Return the deal of a day."""

    def clock(self) -> str:
        """Return the time."""


class DailyBots:
    """Has bots play the deals of days."""

    def __init__(self, deals: Deals, pool: Pool) -> None:
        """Take what knows the deals, and where bots play them."""
        self._deals = deals
        self._store = deals.store
        self._pool = pool

    async def run(self) -> None:
        """Look now and then until cancelled."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            with (
                failures_logged("bots could not play a deal of the day; it is tried again"),
                contextlib.suppress(BrokenProcessPool),  # the pool has said so in the log
            ):
                await self.look()

    async def look(self) -> int:
        """Work out what is missing of deals that somebody plays; return how much it was. Raises Refusal."""
        worked_out = 0
        for game, day in await self._due():
            known = {row.bot: row for row in await self._store.select(_of(game, day))}
            for bot in bots_of():
                row = known.get(bot)
                if row is not None and (row.value is not None or row.claimed > time.time() - LOST_SECONDS):
                    continue
                try:
                    await self._claim(game, day, bot, None if row is None else row.claimed)
                except Conflict:  # another node was quicker
                    continue
                await self._play(game, day, bot)
                worked_out += 1
        return worked_out

    async def _due(self) -> list[tuple[str, str]]:
        """Return the deals that somebody plays of which some bots are missing, the latest day first."""
        tried, done = daily_attempts.c, daily_bots.c
        known = sa.select(sa.func.count()).where(
            done.day == tried.day, done.game == tried.game, done.value.is_not(None)
        )
        since = days_before(self._deals.clock()[:10], ARCHIVE_DAYS)
        query = sa.select(tried.game, tried.day).distinct().where(tried.day >= since)
        query = query.where(known.scalar_subquery() < len(bots_of())).order_by(tried.day.desc(), tried.game)
        return [(game, day) for game, day in await self._store.select(query)]

    async def _claim(self, game: str, day: str, bot: str, since: int | None) -> None:
        """Claim a game of a bot. Raises Conflict if somebody else has, Refusal."""
        claimed = int(time.time())
        if since is None:
            await self._store.write(sa.insert(daily_bots).values(day=day, game=game, bot=bot, claimed=claimed))
        else:
            theirs = (*_this(game, day, bot), daily_bots.c.claimed == since)
            await self._store.write(sa.update(daily_bots).where(*theirs).values(claimed=claimed))

    async def _play(self, game: str, day: str, bot: str) -> None:
        """Have a bot play in the place of a person, and keep what it came to. Raises Refusal, BrokenProcessPool."""
        deal = self._deals.deal(game, day)
        players = [bot if seat == deal.seat else deal.opponent or bot for seat in range(deal.options["players"])]
        scores = await self._pool.run(play_deal, game, deal.secret, players)
        points = scores[deal.seat]
        against = None if len(scores) == 1 else scores[1 - deal.seat]
        found = {"points": points, "against": against, "value": points - (against or 0)}
        await self._store.write(sa.update(daily_bots).where(*_this(game, day, bot)).values(found))


def _of(game: str, day: str) -> sa.Select[str, int, int | None]:
    query = sa.select(daily_bots.c.bot, daily_bots.c.claimed, daily_bots.c.value)
    return query.where(daily_bots.c.game == game, daily_bots.c.day == day)


def _this(game: str, day: str, bot: str) -> tuple[sa.ColumnElement[bool], ...]:
    return daily_bots.c.game == game, daily_bots.c.day == day, daily_bots.c.bot == bot
