"""Times and days as text: in UTC, as RFC 3339 has them, so that texts compare as times do."""

from __future__ import annotations

import functools
import time
from datetime import UTC, date, datetime, timedelta


def written(moment: datetime) -> str:
    """Return a time with its zone as text."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    """Return the time."""
    seconds, milliseconds = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_second(seconds)}.{milliseconds:03}Z"


@functools.lru_cache(1)
def _second(seconds: int) -> str:
    """Return a time without a part of a second: many ask within one."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def today() -> str:
    """Return the day, `2026-11-22`."""
    return now()[:10]


def later(at: str, **time: float) -> str:
    """Return a time that is some `days`, `hours` or `seconds` later."""
    return written(datetime.fromisoformat(at) + timedelta(**time))


def seconds_between(earlier: str, later: str) -> float:
    """Return how many seconds lie between two times; below 0 if the later one comes first."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)) / timedelta(seconds=1)


def days_before(day: str, days: int) -> str:
    """Return the day that is `days` before that of a day or time; after it, if `days` is negative."""
    return (date.fromisoformat(day[:10]) - timedelta(days=days)).isoformat()


def days_between(earlier: str, later: str) -> int:
    """Return how many midnights lie between two days or times."""
    return (date.fromisoformat(later[:10]) - date.fromisoformat(earlier[:10])).days
