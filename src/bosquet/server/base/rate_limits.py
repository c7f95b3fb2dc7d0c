"""The mechanism of limits: rates, token buckets, and slots for connections.

The values, with their defaults, are in the `limits.py` of each wing, such as `table/limits.py`.
"""

from __future__ import annotations

import contextlib
import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self

from starlette.requests import HTTPConnection

from bosquet.server.base.refusals import Refusal

DAY = 24 * 3600
TOO_MANY = "too many requests at once; wait a moment"


@dataclass(frozen=True)
class Rate:
    """A token bucket: its capacity, and its refill rate in tokens per second."""

    burst: float
    per_second: float


def client_address_key(host: str) -> str:
    """Return the key of per-address limits: the address, or the first 64 bits of IPv6, which one line has in common."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.IPv6Address(int(address) >> 64 << 64))
    return host


def address_of(connection: HTTPConnection) -> str:
    """Return where a request comes from, as per-address limits count it."""
    return client_address_key(connection.client.host) if connection.client else ""


@dataclass
class Bucket:
    """A token bucket."""

    rate: Rate
    tokens: float = -1
    filled: float = field(default_factory=time.monotonic)

    def take(self, tokens: float = 1) -> bool:
        """Take tokens if there are enough; return whether there were."""
        self._fill()
        if self.tokens < tokens:
            return False
        self.tokens -= tokens
        return True

    def wait(self) -> float:
        """Return in how many seconds there is a token again, infinity if never."""
        self._fill()
        if self.tokens >= 1:
            return 0.0
        return (1 - self.tokens) / self.rate.per_second if self.rate.per_second else math.inf

    def is_full(self) -> bool:
        """Return whether nothing of it is missing."""
        self._fill()
        return self.tokens >= self.rate.burst

    def charge(self, tokens: float) -> None:
        """Take tokens away, as far as there are any."""
        self._fill()
        self.tokens = max(0.0, self.tokens - tokens)

    def _fill(self) -> None:
        moment = time.monotonic()
        if self.tokens < 0:
            self.tokens = self.rate.burst
        self.tokens = min(self.rate.burst, self.tokens + (moment - self.filled) * self.rate.per_second)
        self.filled = moment


class Buckets:
    """A bucket for each guest or address. Full buckets are forgotten.

    When too many buckets are not full, newcomers share some: a crowd of others does not use up anybody's own bucket.
    """

    BOUND = 10_000
    CROWDED = 1_000
    """Buckets that are shared then."""
    FORGETTING_SECONDS = 1.0
    """Between two looks for buckets that are full again."""
    SHARED = 200
    """Heavy users of whom other nodes are told at a time."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._buckets: dict[str | int, Bucket] = {}
        """By guest or address; by a number those that are shared in a crowd."""
        self._forgotten = -math.inf
        """When those that were full again were forgotten last."""
        self._mark: Callable[[str], str] | None = None
        self._spent: Counter[str] = Counter()
        """What heavy users have taken since other nodes were told."""
        self._charged: dict[str, tuple[float, float]] = {}
        """By mark, how much was taken at other nodes and is not counted here yet, and when that was."""

    def take(self, who: str) -> bool:
        """Whether one more of this one may come now."""
        bucket = self._bucket(who)
        if self._charged and self._mark is not None:
            bucket.charge(self._owed(self._mark(who)))
            self._charged.pop(self._mark(who), None)
        taken = bucket.take()
        if taken and self._mark is not None and bucket.tokens < self.rate.burst / 2:
            self._spent[who] += 1
        return taken

    def wait(self, who: str) -> float:
        """Return after how many seconds one more of this one may come."""
        return self._bucket(who).wait()

    def share(self, mark: Callable[[str], str]) -> None:
        """Count together with others, to whom `mark` hides who it is."""
        self._mark = mark

    def collect(self) -> dict[str, float]:
        """Return by mark what heavy users have taken: those who have used half of the capacity."""
        assert self._mark is not None
        most, self._spent = self._spent.most_common(self.SHARED), Counter()
        return {self._mark(who): float(taken) for who, taken in most}

    def charge(self, spent: Mapping[str, float]) -> None:
        """Count what was taken at another node."""
        for who, taken in spent.items():
            self._charged[who] = min(self.rate.burst, self._owed(who) + max(0.0, taken)), time.monotonic()
        while len(self._charged) > self.BOUND:
            del self._charged[next(iter(self._charged))]

    def _owed(self, who: str) -> float:
        """What is left by now of what was taken elsewhere."""
        taken, moment = self._charged.get(who, (0.0, 0.0))
        return max(0.0, taken - (time.monotonic() - moment) * self.rate.per_second)

    def _bucket(self, who: str) -> Bucket:
        """Return the bucket of a guest or an address, in a crowd the one that it shares."""
        key: str | int = who
        if who not in self._buckets and len(self._buckets) >= self.BOUND:
            self._forget()
            if len(self._buckets) >= self.BOUND:
                key = hash(who) % self.CROWDED
        if key not in self._buckets:
            self._buckets[key] = Bucket(self.rate)
        return self._buckets[key]

    def _forget(self) -> None:
        """Forget the buckets that are full again. It looks at all of them, so it does so once a second at most."""
        moment = time.monotonic()
        if moment - self._forgotten >= self.FORGETTING_SECONDS:
            self._forgotten = moment
            self._buckets = {who: bucket for who, bucket in self._buckets.items() if not bucket.is_full()}


class Sharing(Protocol):
    """Other nodes, with which limits are counted together."""

    def share(self, name: str, buckets: Buckets) -> None:
        """Count together with the same buckets elsewhere."""


class Gate:
    """A bucket for each guest and one for each address, so that making new guests gains nothing."""

    def __init__(self, of_guest: Rate, of_address: Rate) -> None:
        self.guests: Buckets = Buckets(of_guest)
        self.addresses: Buckets = Buckets(of_address)

    @classmethod
    def shared(cls, name: str, nodes: Sharing, of_guest: Rate, of_address: Rate) -> Self:
        """Return a gate that counts together with that of the same name at other nodes."""
        gate = cls(of_guest, of_address)
        nodes.share(f"{name} of guest", gate.guests)
        nodes.share(f"{name} of address", gate.addresses)
        return gate

    def take(self, guest: str | None, address: str) -> bool:
        """Whether one more may come now. One who is no guest yet counts as its address.

        An address that may ask nothing more gets no buckets for further guests.
        """
        return not self.addresses.wait(address) and self.guests.take(guest or address) and self.addresses.take(address)

    def check(self, guest: str | None, address: str, message: str = TOO_MANY) -> None:
        """Take one more for somebody. Raises Refusal with the message, and how long to wait, if none may come now."""
        if not self.take(guest, address):
            wait = max(self.guests.wait(guest or address), self.addresses.wait(address))
            raise Refusal("busy", message, wait=wait)


@dataclass(eq=False)
class Slot:
    """A slot that a connection holds."""

    who: str
    address: str
    give_way: Callable[[], bool]
    """Ends what holds it, if that may be; returns whether it did."""


def _stay() -> bool:
    """Give no way."""
    return False


class Slots:
    """The open connections: in all, of each guest, and of each address.

    When all slots are taken, the address with the most connections gives one up, the oldest that can end, to an address
    with fewer.
    """

    def __init__(self, total: int, of_guest: int, of_address: int) -> None:
        self._limits = total, of_guest, of_address
        self._of_guest: Counter[str] = Counter()
        self._of_address: dict[str, dict[Slot, None]] = {}
        """The oldest first."""
        self._total = 0

    @property
    def taken(self) -> int:
        """How many are held."""
        return self._total

    @contextlib.contextmanager
    def one(self, guest: str | None, address: str, give_way: Callable[[], bool] = _stay) -> Iterator[bool]:
        """Hold a slot, if there is one; gives whether there is. One who is no guest yet counts as its address."""
        (total, of_guest, of_address), who = self._limits, guest or address
        held = len(self._of_address.get(address, ()))
        too_many = self._of_guest.get(who, 0) >= of_guest or held >= of_address
        if too_many or (self._total >= total and not self._made_way(held)):
            yield False
        else:
            slot = Slot(who, address, give_way)
            self._total += 1
            self._of_guest[who] += 1
            self._of_address.setdefault(address, {})[slot] = None
            try:
                yield True
            finally:
                self._leave(slot)

    def _made_way(self, held: int) -> bool:
        """Free a slot for an address that holds `held`, if another one holds more than that address will have then."""
        most = max(self._of_address.values(), key=len, default={})
        if len(most) > held + 1:
            for slot in most:
                if slot.give_way():
                    self._leave(slot)
                    return True
        return False

    def _leave(self, slot: Slot) -> None:
        """Count a slot no more, unless it has given way already."""
        of_address = self._of_address.get(slot.address, {})
        if slot not in of_address:
            return
        del of_address[slot]
        if not of_address:
            del self._of_address[slot.address]
        self._total -= 1
        self._of_guest[slot.who] -= 1
        if not self._of_guest[slot.who]:
            del self._of_guest[slot.who]
