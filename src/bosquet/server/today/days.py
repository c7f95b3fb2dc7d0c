"""Days in UTC: when one opens and closes, how it is written, and how many follow each other. Pure."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from bosquet.core.errors import BosquetError
from bosquet.server.base.clock import days_before, written

GRACE = timedelta(hours=6)
"""How long after its midnight a day stays open for games that were begun in time."""
ARCHIVE_DAYS = 60
"""Days before today that can be looked at and played late."""
ONE_DAY = timedelta(days=1)


def phase(day: str, at: str) -> Literal["coming", "open", "ending", "closed"]:
    """Return how it stands with a day at some time; both as RFC 3339 has them."""
    if day > at[:10]:
        return "coming"
    if day == at[:10]:
        return "open"
    return "closed" if at >= closes(day) else "ending"


def closes(day: str) -> str:
    """Return the time from which no game counts for a day any more."""
    midnight = datetime.combine(date.fromisoformat(day) + ONE_DAY, datetime.min.time(), UTC)
    return written(midnight + GRACE)


def seconds_left(at: str) -> int:
    """Return the whole seconds until the next day."""
    moment = datetime.fromisoformat(at)
    midnight = datetime.combine(moment.date() + ONE_DAY, datetime.min.time(), UTC)
    return max(1, int((midnight - moment).total_seconds()))


def read_day(text: str) -> str:
    """Return a day as it is written here: `2026-11-23`. Raises BosquetError."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != text:
        raise BosquetError("a day is written as 2026-11-23")
    return text


def streaks(days: Collection[str], today: str) -> tuple[int, int]:
    """Return how many of some days follow each other up to today, or up to yesterday, and how many at most."""
    best = run = current = 0
    last = ""
    for day in sorted(set(days)):
        run = run + 1 if last and days_before(day, 1) == last else 1
        best, last = max(best, run), day
        if day in (today, days_before(today, 1)):
            current = run
    return current, best
