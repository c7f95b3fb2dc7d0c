"""The clean-up of deals and puzzles of days: what is kept of days that are long over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from bosquet.server.store.store import Store
from bosquet.server.today import daily_results, puzzles


@dataclass(frozen=True)
class TodayRetention:
    """How many days deals are kept."""

    daily: int = 730
    """Days whose deals are over: who played them, what it came to, and where bots came out."""


async def clean_up(store: Store, retention: TodayRetention, today: date) -> None:
    """Delete old answers to puzzles, attempts and results. Raises Refusal."""
    await puzzles.sweep(store, today)
    await daily_results.delete_before(store, (today - timedelta(days=retention.daily)).isoformat())
