"""Clocks that tests set."""

from __future__ import annotations

from datetime import UTC, datetime

NOON = int(datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp())


class Clock:
    """A time that tests set."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        """Return the time."""
        return self.now
