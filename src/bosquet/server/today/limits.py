"""The limits of the deals and puzzles of days."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.rate_limits import Rate


@dataclass(frozen=True)
class TodayLimits:
    """How much may be asked about the deals and puzzles of days."""

    daily: Rate = Rate(40, 4)
    """Requests of one guest about the deals of days."""
    daily_of_address: Rate = Rate(240, 24)
    answers: Rate = Rate(600, 0.05)
    """First answers of one guest to puzzles, each of which is kept: there are 549 at a time."""
    answers_of_address: Rate = Rate(1200, 0.1)
