"""The deals of days for a guest: its only attempt, and what it may see of those of others.

A guest who may still play a deal is told nothing but what lies open before the first move: no table, record or result
of another one, and not where bots came out. All of this is told once the guest's own attempt is over, or the day is
closed.
"""

from __future__ import annotations

from collections.abc import Callable

from bosquet.core.records import fair
from bosquet.server.base.clock import days_before, now
from bosquet.server.base.legible import tidy
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.store import Conflict, Store
from bosquet.server.table.display_names import name_apart
from bosquet.server.table.messages import NewTable
from bosquet.server.table.session import Chair
from bosquet.server.table.table import Table
from bosquet.server.tables.opening import Daily, TableOpener
from bosquet.server.today import daily_results as kept
from bosquet.server.today.daily import DealOfDay, deal_of, games_of_day, opening
from bosquet.server.today.daily_bots import bots_of
from bosquet.server.today.daily_results import Attempt
from bosquet.server.today.days import ARCHIVE_DAYS, phase, seconds_left, streaks
from bosquet.server.today.messages import (
    DailyArchive,
    DailyAttempt,
    DailyDay,
    DailyGame,
    DailyNext,
    DailyOutcome,
    DailyPast,
    DailyRanking,
    Today,
)

WEEK = 7
"""Days of which it is told whether a deal was finished."""


class DailyDeals:
    """The deals of this server, whose key makes them."""

    def __init__(self, store: Store, opener: TableOpener, key: bytes, clock: Callable[[], str] = now) -> None:
        """Take what opens tables, the key of the server, and what gives the time."""
        self._opener = opener
        self.store = store
        self.clock = clock
        self._key = key

    def deal(self, game: str, day: str) -> DealOfDay:
        """Return the deal of a day."""
        return deal_of(self._key, game, day)

    # --- who may see it ---

    async def check_seen(self, guest: str, game: str, day: str | None) -> None:
        """Check that a guest may see what others made of the deal of a day; None is no such deal. Raises Refusal."""
        if day is not None and not await self.may_see(guest, game, day):
            raise Refusal("hidden", "a deal of the day is shown when your own game of it is over, or after the day")

    async def may_see(self, guest: str, game: str, day: str) -> bool:
        """Return whether a guest can't play a deal any more. Raises Refusal."""
        return phase(day, self.clock()) == "closed" or await kept.has_finished(self.store, guest, day, game)

    def _check_told(self, day: str) -> None:
        """Check that a day is one of which something is told. Raises Refusal."""
        today = self.clock()[:10]
        if not days_before(today, ARCHIVE_DAYS) <= day <= today:
            raise Refusal("not found", f"there are the deals of today and of the {ARCHIVE_DAYS} days before")

    # --- playing ---

    async def open(self, guest: str, name: str, game: str, day: str) -> str:
        """Open the table of a guest's only attempt at a deal; return it, or the one that is there. Raises Refusal."""
        self._check_told(day)
        if phase(day, self.clock()) == "ending":
            raise Refusal("not now", "this day is over; its deal can be played late as soon as it is closed")
        try:
            return (await self._open_table(guest, name, self.deal(game, day))).id
        except Conflict:  # they opened it in another tab, or at another node
            table = await self.table_of(guest, game, day)
            if table is None:
                raise Refusal("stale", "this deal could not be opened; try again") from None
            return table

    async def _open_table(self, guest: str, name: str, deal: DealOfDay) -> Table:
        """Open the table of a guest's attempt at a deal. Raises Conflict if there is one; Refusal."""
        person = Chair(name=tidy(name), guest=guest)
        bot = deal.opponent
        chairs = [
            person if seat == deal.seat else Chair(bot, (bot or "").capitalize())
            for seat in range(deal.options["players"])
        ]
        name_apart(chairs)
        new = NewTable(game=deal.game, options=deal.options, seats=[], assistance="plain")
        daily = Daily(deal.day, deal.secret, lambda table: [kept.attempt(deal, guest, table)])
        return await self._opener.open_seated(guest, new, deal.options, None, chairs, daily=daily)

    async def table_of(self, guest: str, game: str, day: str) -> str | None:
        """Return the table of a guest's attempt at a deal; None if there is none. Raises Refusal."""
        found = await kept.attempts(self.store, guest, day, day)
        return next((one.table for one in found if one.game == game), None)

    # --- telling ---

    async def today(self, guest: str) -> Today:
        """Return what is told of this day. Raises Refusal."""
        at = self.clock()
        today = at[:10]
        finished = await kept.finished_days(self.store, guest)
        streak, best = streaks(finished, today)
        tomorrow = days_before(today, -1)
        return Today(
            today=await self.day(guest, today),
            seconds=seconds_left(at),
            next=[DailyNext(game, fair.commitment(self.deal(game, tomorrow).secret)) for game in games_of_day()],
            streak=streak,
            best=best,
            week=[days_before(today, ago) in finished for ago in reversed(range(WEEK))],
        )

    async def day(self, guest: str, day: str) -> DailyDay:
        """Return what is told of a day. Raises Refusal."""
        self._check_told(day)
        stands = phase(day, self.clock())
        assert stands != "coming"
        mine = {one.game: one for one in await kept.attempts(self.store, guest, day, day)}
        players = await kept.players(self.store, day)
        games = []
        for game in games_of_day():
            deal, tried = self.deal(game, day), mine.get(game)
            closed, over = stands == "closed", tried is not None and tried.result is not None
            games.append(
                DailyGame(
                    game=game,
                    options=deal.options,
                    seat=deal.seat,
                    opponent=deal.opponent,
                    opening=opening(game, deal.options["players"], deal.secret),
                    commitment=fair.commitment(deal.secret),
                    secret=deal.secret if closed else None,
                    players=players.get(game, 0),
                    attempt=None if tried is None else DailyAttempt(tried.table, tried.result),
                    outcome=await self._outcome(deal, tried) if closed or over else None,
                )
            )
        return DailyDay(day, stands, games)

    async def _outcome(self, deal: DealOfDay, tried: Attempt | None) -> DailyOutcome:
        bots = {one.bot: one for one in await kept.bots(self.store, deal.day, deal.game)}
        result = None if tried is None else tried.result
        rank = None
        if result is not None and result.ranked and result.value is not None:
            rank = await kept.rank_of(self.store, deal.day, deal.game, result.value)
        return DailyOutcome(
            scores=await kept.scores(self.store, deal.day, deal.game),
            rank=rank,
            bots=[bots[bot] for bot in bots_of() if bot in bots],
            bots_due=tried is not None and any(bot not in bots for bot in bots_of()),
        )

    async def ranking(self, guest: str, game: str, day: str, after: str | None) -> DailyRanking:
        """Return a page of the ranked results of a deal. Raises Refusal."""
        self._check_told(day)
        await self.check_seen(guest, game, day)
        return await kept.ranking(self.store, day, game, guest, after)

    async def archive(self, guest: str) -> DailyArchive:
        """Return the last days and what the guest has made of them. Raises Refusal."""
        at = self.clock()
        days = [days_before(at[:10], ago) for ago in range(1, ARCHIVE_DAYS + 1)]
        mine = await kept.attempts(self.store, guest, days[-1], days[0])
        return DailyArchive(
            [
                DailyPast(day, phase(day, at) == "closed", {one.game: one.result for one in mine if one.day == day})
                for day in days
            ]
        )
