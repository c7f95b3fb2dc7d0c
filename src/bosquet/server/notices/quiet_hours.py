"""The hours of a day in which a guest gets no notice, in the guest's own time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


def is_zone(name: str) -> bool:
    """Return whether a time zone is known here."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # not found, a path, a folder
        return False
    return True


def next_loud(now: int, start: int | None, end: int | None, zone: str) -> int:
    """Return when a notice may be sent next, from `now` on: both in seconds since 1970.

    From the hour `start` to the hour `end` it is quiet, over midnight if `end` is not after `start`.
    """
    if start is None or end is None:
        return now
    here = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(zone))
    hour = here.hour
    quiet = start <= hour < end if start < end else hour >= start or hour < end
    if not quiet:
        return now
    day = here.date() + timedelta(days=1 if hour >= end else 0)
    ends = datetime(day.year, day.month, day.day, end, tzinfo=ZoneInfo(zone))
    return max(now, int(ends.timestamp()))
