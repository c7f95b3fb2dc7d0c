"""Who is connected to a table, who is away, and who has been away for long. The time is passed in, in seconds.

People connected to the table at other nodes count, too: these nodes send marks of the people who sit there.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Collection, Iterable

from bosquet.server.nodes.connected import NOBODY, Connected

WATCHERS = 50
"""The most people who watch that the host is told of."""
GONE_SECONDS = 120.0
"""Seconds after which an absent person is not waited for any more: a bot may stand in, and a table is not listed."""


def mark(guest: str) -> str:
    """Return a text that tells guests apart and does not tell who they are."""
    return hashlib.blake2b(guest.encode(), digest_size=12).hexdigest()


class Presence:
    """The guests at one table, of whom each may have several pages open."""

    def __init__(self, now: float) -> None:
        """Start with nobody known to have been away for longer than since `now`."""
        self._since = now
        self._pages: Counter[str] = Counter()
        self._elsewhere: dict[str, Connected] = {}
        """Who is connected at other nodes."""
        self._unconfirmed: set[str] = set()
        """Nodes that were asked again and have not answered yet."""
        self._seen: dict[str, float] = {}
        """When guests were seen last, by their marks, who are not connected now."""

    @property
    def nodes(self) -> Collection[str]:
        """Return the other nodes at which somebody is connected."""
        return self._elsewhere.keys()

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
        self._seen[mark(guest)] = now

    def hear(self, node: str, connected: Connected, now: float) -> None:
        """Take over who is connected at another node."""
        self._unconfirmed.discard(node)
        before = self._elsewhere.pop(node, None)
        if before is not None:
            self._seen |= dict.fromkeys(before.guests - connected.guests, now)
        if any(connected):
            self._elsewhere[node] = connected

    def doubt(self) -> None:
        """Expect other nodes to say anew who is connected there."""
        self._unconfirmed = set(self._elsewhere)

    def drop_unconfirmed(self, now: float) -> bool:
        """Take those for gone who were connected at nodes that have not answered; return whether there were any."""
        silent, self._unconfirmed = self._unconfirmed, set()
        for node in silent:
            self.hear(node, NOBODY, now)
        return bool(silent)

    def connected(self, guests: Iterable[str | None]) -> frozenset[str]:
        """Return the marks of those of some guests who are connected here."""
        return frozenset(mark(guest) for guest in guests if guest is not None and guest in self._pages)

    def watching(self, seated: Collection[str | None], most: int) -> list[str]:
        """Return at most `most` guests who are connected here and do not sit here, in the order in which they came."""
        return list(itertools.islice((guest for guest in self._pages if guest and guest not in seated), most))

    def watching_elsewhere(self) -> frozenset[str]:
        """Return the marks of those who watch at other nodes."""
        return frozenset[str]().union(*(other.marks for other in self._elsewhere.values()))

    def is_here(self, guest: str | None) -> bool:
        """Return whether a guest is connected, at this node or another."""
        if guest is None or guest in self._pages or not self._elsewhere:
            return guest in self._pages
        return any(mark(guest) in other.guests for other in self._elsewhere.values())

    def was_seen(self, guest: str, now: float) -> bool:
        """Return whether a guest is connected, or was less than `GONE_SECONDS` seconds ago as far as anybody saw."""
        return self.is_here(guest) or (mark(guest) in self._seen and now - self._seen[mark(guest)] < GONE_SECONDS)

    def seconds_away(self, guest: str | None, now: float) -> float:
        """Return for how long a guest has been away; 0 while it is connected, and for nobody."""
        if guest is None or self.is_here(guest):
            return 0.0
        return now - self._seen.get(mark(guest), self._since)

    def is_gone(self, guest: str | None, now: float) -> bool:
        """Return whether a guest need not be waited for any more."""
        return self.seconds_away(guest, now) >= GONE_SECONDS

    def next_gone(self, guests: Collection[str | None], now: float) -> float | None:
        """Return in how many seconds the next of some guests will be gone, None if nobody of them is away."""
        away = [self.seconds_away(guest, now) for guest in guests if guest is not None and not self.is_here(guest)]
        return min((GONE_SECONDS - seconds for seconds in away if seconds < GONE_SECONDS), default=None)

    def watchers(self, seated: Collection[str | None]) -> int:
        """Return how many pages of others than those who sit there are connected, at all nodes."""
        return self.watchers_here(seated) + sum(other.watchers for other in self._elsewhere.values())

    def watchers_here(self, seated: Collection[str | None]) -> int:
        """Return how many pages of others than those who sit there are connected here."""
        return sum(pages for guest, pages in self._pages.items() if guest not in seated)
