"""Who is connected to a table, who is away, and who has been away for long. The time is passed in, in seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

GONE = 120.0
"""Seconds after which somebody who left is not waited for any more: a bot may stand in, a table is not listed."""


class Presence:
    """The guests at one table, of whom each may have several pages open."""

    def __init__(self, now: float) -> None:
        """Start with nobody known to have been away for longer than since `now`."""
        self._since = now
        self._pages: Counter[str] = Counter()
        self._seen: dict[str, float] = {}
        """When guests were seen last who are not connected now."""

    def arrive(self, guest: str) -> None:
        """Count one more page of a guest."""
        self._pages[guest] += 1

    def leave(self, guest: str) -> None:
        """Count one page of a guest less."""
        self._pages[guest] -= 1
        if not self._pages[guest]:
            del self._pages[guest]

    def see(self, guest: str, now: float) -> None:
        """Remember that a guest was there now."""
        self._seen[guest] = now

    def is_here(self, guest: str | None) -> bool:
        """Return whether a guest is connected."""
        return guest in self._pages

    def was_seen(self, guest: str, now: float) -> bool:
        """Return whether a guest is connected, or was less than `GONE` seconds ago as far as anybody saw."""
        return guest in self._pages or (guest in self._seen and now - self._seen[guest] < GONE)

    def seconds_away(self, guest: str | None, now: float) -> float:
        """Return for how long a guest has been away; 0 while it is connected, and for nobody."""
        if guest is None or guest in self._pages:
            return 0.0
        return now - self._seen.get(guest, self._since)

    def is_gone(self, guest: str | None, now: float) -> bool:
        """Return whether a guest need not be waited for any more."""
        return self.seconds_away(guest, now) >= GONE

    def next_gone(self, guests: Collection[str | None], now: float) -> float | None:
        """Return in how many seconds the next of some guests will be gone, None if nobody of them is away."""
        away = [self.seconds_away(guest, now) for guest in guests]
        return min((GONE - seconds for seconds in away if 0 < seconds < GONE), default=None)

    def pages_besides(self, guests: Collection[str | None]) -> int:
        """Return how many pages of others are connected."""
        return self._pages.total() - sum(self._pages[guest] for guest in set(guests) if guest is not None)
