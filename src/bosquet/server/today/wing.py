"""The wing of the deals and puzzles of days, as the application collects it."""

from __future__ import annotations

import functools
from typing import Any

from bosquet.server.base.background import in_background
from bosquet.server.base.wing import Wing
from bosquet.server.store.store import Store
from bosquet.server.today import daily_results, puzzles
from bosquet.server.today.clean_up import TodayRetention, clean_up
from bosquet.server.today.daily_bots import DailyBots
from bosquet.server.today.daily_requests import DailyRequests
from bosquet.server.today.puzzles import Puzzles


def today_wing(
    store: Store, daily: DailyRequests, bots: DailyBots, my_puzzles: Puzzles, retention: TodayRetention
) -> Wing:
    """Return what the wing hands over."""

    async def kept(guest: str, device: int) -> dict[str, Any]:
        return {"daily": await daily_results.kept(store, guest), "puzzles": await puzzles.kept(store, guest)}

    async def erase(guest: str) -> None:
        await daily_results.erase(store, guest)
        await puzzles.erase(store, guest)

    return Wing(
        [*daily.routes(), *my_puzzles.routes()],
        kept,
        erase,
        functools.partial(clean_up, store, retention),
        (lambda: in_background(bots.run()),),
    )
