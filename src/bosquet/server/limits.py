"""How much anybody may ask of the server. Everything that grows with what comes in has its bound here."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: float
    per_second: float


@dataclass(frozen=True)
class Limits:
    """The bounds of one server."""

    asks: Rate = Rate(40, 10)
    """What one connection may ask."""
    opened: Rate = Rate(10, 0.1)
    """Tables that one guest, or one address, may open."""
    requests: Rate = Rate(60, 10)
    """HTTP requests to `/api` of one guest, or one address."""
    computing: Rate = Rate(20, 4)
    """Replays and scores that one guest, or one address, may have worked out."""
    ask_bytes: int = 4096
    body_bytes: int = 1 << 20
    connections: int = 4096
    connections_of_guest: int = 32
    waiting_messages: int = 64
    """Messages that a slow connection may be behind before it is cut; it comes back for the gap by itself."""
    live_tables: int = 2048
    """Tables held in memory; the others are read again from their journals when somebody comes."""
    listed: int = 24
    """Tables that the start page lists."""


@dataclass
class Bucket:
    """Tokens for one who asks."""

    rate: Rate
    tokens: float = -1
    filled: float = field(default_factory=time.monotonic)

    def take(self) -> bool:
        """Whether one more may come now."""
        moment = time.monotonic()
        if self.tokens < 0:
            self.tokens = self.rate.burst
        self.tokens = min(self.rate.burst, self.tokens + (moment - self.filled) * self.rate.per_second)
        self.filled = moment
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Buckets:
    """A bucket for each who asks; those that are full again are forgotten."""

    BOUND = 10_000

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._buckets: dict[str, Bucket] = {}

    def take(self, who: str) -> bool:
        """Whether one more of this one may come now."""
        if who not in self._buckets:
            if len(self._buckets) >= self.BOUND:
                self._forget()
            self._buckets[who] = Bucket(self.rate)
        return self._buckets[who].take()

    def _forget(self) -> None:
        full = time.monotonic() - self.rate.burst / self.rate.per_second
        self._buckets = {who: bucket for who, bucket in self._buckets.items() if bucket.filled > full}
        while len(self._buckets) >= self.BOUND:
            del self._buckets[next(iter(self._buckets))]
