"""How much anybody may ask of the server. Everything that grows with what comes in has its bound here."""

from __future__ import annotations

import contextlib
import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from starlette.requests import HTTPConnection

from bosquet.server.base.refusals import Refusal

DAY = 24 * 3600


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: float
    per_second: float


@dataclass(frozen=True)
class Limits:
    """The bounds of one server."""

    asks: Rate = Rate(40, 10)
    """Messages of one guest at tables, on all its connections."""
    asks_of_address: Rate = Rate(800, 150)
    """Forty people who click three times a second."""
    warnings: Rate = Rate(20, 0.5)
    """Times that a connection is told that these are too many; then it is ended."""
    opened: Rate = Rate(10, 0.1)
    """Tables that one guest may open."""
    opened_of_address: Rate = Rate(80, 0.25)
    """Guests are free to make, so their address counts, too: forty people, each with a new game every few minutes."""
    opened_a_day: Rate = Rate(200, 200 / DAY)
    """Tables that one guest may open, rematches among them: a finished one takes 2 to 50 KB."""
    opened_a_day_of_address: Rate = Rate(2000, 2000 / DAY)
    """Forty people with fifty games each: 100 MB a day at most, 12 MB when finished games are packed."""
    tables_of_program: int = 20
    """Tables at which one guest's program plays at a time."""
    requests: Rate = Rate(60, 10)
    """HTTP requests to `/api` of one guest."""
    requests_of_address: Rate = Rate(600, 100)
    """Forty people who all load a page at once, and go on clicking."""
    files_of_address: Rate = Rate(1600, 200)
    """Files of the page and the documentation: forty people who load the page at once."""
    computing: Rate = Rate(20, 4)
    """Replays, scores and figures that one guest may have worked out."""
    computing_of_address: Rate = Rate(80, 10)
    """Less than forty times as much: one process works them out for everybody."""
    hints: Rate = Rate(15, 0.3)
    """Hints that one guest may ask for: a turn may have several decisions. Each takes 0.1 to 1 s."""
    hints_of_address: Rate = Rate(40, 2)
    """Guests are free to make, so this is what bounds somebody who asks for hints to keep the server busy."""
    chat: Rate = Rate(6, 0.25)
    """Lines that one guest writes to the chats of tables."""
    chat_of_address: Rate = Rate(60, 4)
    reports: Rate = Rate(10, 10 / DAY)
    """Lines of chats that one guest may report."""
    reports_of_address: Rate = Rate(20, 20 / DAY)
    """A thousand are kept at a time, so one address fills that after seven weeks."""
    identity: Rate = Rate(15, 0.1)
    """Codes and phrases that one guest may make, look at and enter, and devices that it may have kept and sign out."""
    identity_of_address: Rate = Rate(60, 0.2)
    """Forty people who fetch their phones at once. Each phrase takes 16 MB and some 50 ms to hash."""
    mail: Rate = Rate(10, 1 / 60)
    """Mails to confirm an address that one guest may ask for, also while the mail server is away."""
    mail_of_address: Rate = Rate(40, 1 / 900)
    """Forty people behind one address in the network."""
    mails_of_guest: int = 5
    """Mails to confirm an address that are sent for one guest on a day; these numbers are kept in the database."""
    mails_to_address: int = 3
    """Those that are sent to one mailbox on a day."""
    mails_to_address_a_month: int = 6
    mails: int = 300
    """Those that are sent on a day in all: what a stranger gets who has all addresses of a domain."""
    devices: int = 12
    """Devices that one guest has at a time."""
    devices_a_year: int = 60
    """Those among them that were signed out within a year."""
    history: Rate = Rate(40, 4)
    """Searches of one guest in its finished games."""
    history_of_address: Rate = Rate(160, 16)
    """Less than forty times as much: each search of some thousand games takes 10 to 40 ms of one processor."""
    ratings: Rate = Rate(30, 2)
    """Looks of one guest at ratings and leaderboards."""
    ratings_of_address: Rate = Rate(160, 16)
    people: Rate = Rate(30, 2)
    """Requests of one guest about the people with whom it has played."""
    people_of_address: Rate = Rate(160, 16)
    """Less than forty times as much: a list of some thousand games takes 10 to 40 ms of one processor."""
    answers: Rate = Rate(200, 0.02)
    """First answers of one guest to puzzles, each of which is kept: there are 183 at a time."""
    answers_of_address: Rate = Rate(400, 0.05)
    daily: Rate = Rate(40, 4)
    """Requests of one guest about the deals of days."""
    daily_of_address: Rate = Rate(240, 24)
    exports: int = 4
    """Files of all records of a guest for which games are read at a time."""
    exports_of_guest: int = 1
    """Such files that are being sent; readers may be slow."""
    exports_of_address: int = 16
    downloads_of_guest: int = 1
    """Files of all that is kept of a guest, at a time: one with 20,000 games has 15 MB."""
    downloads_of_address: int = 8
    analyses: int = 8
    """Finished games that are analysed at a time, by turns, in one process."""
    analyses_of_guest: int = 2
    analyses_of_address: int = 6
    ask_bytes: int = 4096
    body_bytes: int = 1 << 17
    """Six times the longest record of a game; in memory JSON may take thirty-five times its size."""
    waiting_work: int = 40
    """Replays, scores and figures that wait to be worked out, each with its body."""
    connections: int = 4096
    connections_of_guest: int = 32
    connections_of_address: int = 512
    """A club of forty behind one address, each with a dozen pages open."""
    sockets: int = 8064
    """Connections of all kinds: what the descriptors of the process allow."""
    sockets_of_address: int = 768
    """More than an address has at tables, for the requests besides."""
    head_seconds: float = 10.0
    """Within so many seconds the head of a request arrives, and the first one after connecting."""
    body_seconds: float = 60.0
    """Within so many seconds its body arrives."""
    taking_seconds: float = 30.0
    """Pause between two looks at what connections have taken: one that took nothing meanwhile is given up."""
    waiting_bytes_of_address: int = 16 * 1024 * 1024
    """Bytes that may wait at such a look for one address to take them."""
    head_bytes: int = 16 * 1024
    """The head of a request: its line and all its headers."""
    frames: Rate = Rate(120, 40)
    """Frames of one WebSocket, those without content among them."""
    frame_bytes: Rate = Rate(128 * 1024, 64 * 1024)
    """Bytes of one WebSocket."""
    connecting: Rate = Rate(400, 20)
    """Connections that one address may open: after a restart of the server a whole club comes back at once."""
    undos: int = 500
    """Moves that a seat may take back in a game: five in each of a hundred turns.

    Every game ends by its rules; only what is played and taken back again could make a journal grow for ever.
    """
    waiting_messages: int = 64
    """Messages that a slow connection may be behind before it is cut; it comes back for the gap by itself."""
    live_tables: int = 2048
    """Tables held in memory; the others are read again from their journals when somebody comes."""
    listed: int = 24
    """Tables that the start page lists."""
    listed_of_host: int = 3
    """Those of one host among them."""


def client_address_key(host: str) -> str:
    """Return what per-address limits count by: the address, or of IPv6 the 64 bits that a line has in common."""
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
    """Tokens for one who asks."""

    rate: Rate
    tokens: float = -1
    filled: float = field(default_factory=time.monotonic)

    def take(self, tokens: float = 1) -> bool:
        """Whether so many more may come now."""
        self._fill()
        if self.tokens < tokens:
            return False
        self.tokens -= tokens
        return True

    def wait(self) -> float:
        """Return after how many seconds one more may come, infinity if none ever may."""
        self._fill()
        missing = max(0.0, 1 - self.tokens)
        return missing / self.rate.per_second if self.rate.per_second else math.inf

    def charge(self, tokens: float) -> None:
        """Take so many away, as far as there are any."""
        self._fill()
        self.tokens = max(0.0, self.tokens - tokens)

    def _fill(self) -> None:
        moment = time.monotonic()
        if self.tokens < 0:
            self.tokens = self.rate.burst
        self.tokens = min(self.rate.burst, self.tokens + (moment - self.filled) * self.rate.per_second)
        self.filled = moment


class Buckets:
    """A bucket for each who asks; those that are full again are forgotten."""

    BOUND = 10_000
    SHARED = 200
    """Those who ask much of whom other nodes are told at a time."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._buckets: dict[str, Bucket] = {}
        self._mark: Callable[[str], str] | None = None
        self._spent: Counter[str] = Counter()
        """How much those have taken who ask much, since other nodes were told."""
        self._charged: dict[str, tuple[float, float]] = {}
        """How much was taken at other nodes until when, by marks, and is still to be counted here."""

    def take(self, who: str) -> bool:
        """Whether one more of this one may come now."""
        if who not in self._buckets:
            if len(self._buckets) >= self.BOUND:
                self._forget()
            self._buckets[who] = Bucket(self.rate)
        bucket = self._buckets[who]
        if self._charged and self._mark is not None:
            bucket.charge(self._owed(self._mark(who)))
            self._charged.pop(self._mark(who), None)
        taken = bucket.take()
        if taken and self._mark is not None and bucket.tokens < self.rate.burst / 2:
            self._spent[who] += 1
        return taken

    def wait(self, who: str) -> float:
        """Return after how many seconds one more of this one may come."""
        return self._buckets[who].wait() if who in self._buckets else 0.0

    def share(self, mark: Callable[[str], str]) -> None:
        """Count together with others, to whom `mark` hides who it is."""
        self._mark = mark

    def collect(self) -> dict[str, float]:
        """Return how much those have taken, by their marks, who have used up half of what they may at once."""
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

    def _forget(self) -> None:
        full = time.monotonic() - self.rate.burst / self.rate.per_second
        self._buckets = {who: bucket for who, bucket in self._buckets.items() if bucket.filled > full}
        while len(self._buckets) >= self.BOUND:
            del self._buckets[next(iter(self._buckets))]


class Sharing(Protocol):
    """Those with whom limits are counted together."""

    def share(self, name: str, buckets: Buckets) -> None:
        """Count together with the same buckets elsewhere."""


class Gate:
    """A bucket for each guest, and one for each address: who may make guests freely gains nothing by it."""

    def __init__(self, of_guest: Rate, of_address: Rate) -> None:
        self.guests: Buckets = Buckets(of_guest)
        self.addresses: Buckets = Buckets(of_address)

    def share(self, name: str, nodes: Sharing) -> None:
        """Count together with the same gate of other nodes."""
        nodes.share(f"{name} of guest", self.guests)
        nodes.share(f"{name} of address", self.addresses)

    def take(self, guest: str | None, address: str) -> bool:
        """Whether one more may come now. One who is no guest yet counts as its address."""
        return self.guests.take(guest or address) and self.addresses.take(address)

    def check(self, guest: str | None, address: str, message: str) -> None:
        """Take one more for somebody. Raises Refusal with the message, and how long to wait, if none may come now."""
        if not self.take(guest, address):
            wait = max(self.guests.wait(guest or address), self.addresses.wait(address))
            raise Refusal("busy", message, wait=wait)


class Places:
    """The connections that are open: in all, of each guest, and of each address."""

    def __init__(self, total: int, of_guest: int, of_address: int) -> None:
        self._limits = total, of_guest, of_address
        self._of_guest: Counter[str] = Counter()
        self._of_address: Counter[str] = Counter()
        self._total = 0

    @property
    def taken(self) -> int:
        """How many are held."""
        return self._total

    @contextlib.contextmanager
    def one(self, guest: str | None, address: str) -> Iterator[bool]:
        """Hold a place, if there is one; gives whether there is. One who is no guest yet counts as its address."""
        (total, of_guest, of_address), who = self._limits, guest or address
        if (
            self._total >= total
            or self._of_guest.get(who, 0) >= of_guest
            or self._of_address.get(address, 0) >= of_address
        ):
            yield False
            return
        self._total += 1
        self._of_guest[who] += 1
        self._of_address[address] += 1
        try:
            yield True
        finally:
            self._total -= 1
            _leave(self._of_guest, who)
            _leave(self._of_address, address)


def _leave(counts: Counter[str], who: str) -> None:
    counts[who] -= 1
    if not counts[who]:
        del counts[who]
