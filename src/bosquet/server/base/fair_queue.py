"""A queue for what only few can have at a time, fair to addresses, and to the guests at each.

The next turn goes to the address that has used the least time in the last minutes, and there to the guest who has used
the least; work in two threads counts twice. People who wait come before bots. One address never occupies the last slot,
nor does work in several threads, which takes long. When too many wait, the address with most of them gives one up.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from typing import NamedTuple

from bosquet.server.base.refusals import Refusal

ASKING: ContextVar[str] = ContextVar("ASKING", default="")
"""The address for which something is done now; empty for the server itself."""
ASKING_GUEST: ContextVar[str | None] = ContextVar("ASKING_GUEST", default=None)
"""The guest for whom it is done; None for one who is no guest yet, and for the server itself."""
HALF_LIFE = 60.0
"""Seconds after which time that was used counts half."""
MOST = 1000
"""How many may have a turn or wait for one, unless something else is said; each holds memory, and a connection."""
FORGOTTEN = 0.01
"""Seconds of use below which an address or a guest is forgotten."""


class Asker(NamedTuple):
    """On whose behalf something is done."""

    guest: str
    address: str
    people: bool
    """Whether somebody waits for it."""
    threads: int = 1
    """In how many threads it is done."""

    @property
    def is_dear(self) -> bool:
        """Return whether it takes long, and more than one core."""
        return self.threads > 1


class _Waiting(NamedTuple):
    asker: Asker
    number: int
    turn: asyncio.Future[None]


class Used:
    """Seconds that each of many has used; what was used long ago counts little."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seconds: dict[str, float] = {}
        self._since = clock()

    def __getitem__(self, who: str) -> float:
        return self._seconds.get(who, 0.0)

    def add(self, who: str, seconds: float) -> None:
        """Count some more seconds."""
        self._fade()
        self._seconds[who] = self[who] + seconds

    def _fade(self) -> None:
        now = self._clock()
        if now - self._since > HALF_LIFE / 60:
            share = 0.5 ** ((now - self._since) / HALF_LIFE)
            faded = ((who, seconds * share) for who, seconds in self._seconds.items())
            self._seconds = {who: seconds for who, seconds in faded if seconds > FORGOTTEN}
            self._since = now


class FairQueue:
    """A queue for some slots, fair to addresses and to the guests at each."""

    def __init__(
        self, slots: Callable[[], int], most: float = MOST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take how many slots there are, and how many may have a turn or wait for one in all."""
        self._slots = slots
        self._most = most
        self._clock = clock
        self._waiting: list[_Waiting] = []
        self._running: Counter[str] = Counter()
        """How many slots each address occupies."""
        self._dear = 0
        """How many slots are occupied by what is dear."""
        self._by_address, self._by_guest = Used(clock), Used(clock)
        self._asked = 0

    @contextlib.asynccontextmanager
    async def one(self, guest: str | None, address: str) -> AsyncIterator[None]:
        """Have a turn for somebody who waits; one who is no guest yet counts as its address. Raises Refusal."""
        asker = Asker(guest or address, address, people=True)
        await self.begin(asker)
        begun = self._clock()
        try:
            yield
        finally:
            self.end(asker, self._clock() - begun)

    async def begin(self, asker: Asker) -> None:
        """Wait for a turn. One that is cancelled meanwhile leaves the queue. Raises Refusal."""
        if len(self._waiting) + self._running.total() >= self._most:
            self._make_room(asker.address)
        self._asked += 1
        waiting = _Waiting(asker, self._asked, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._start_next()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif not waiting.turn.cancelled() and waiting.turn.exception() is None:
                self.end(asker, 0.0)
            raise

    def end(self, asker: Asker, seconds: float) -> None:
        """End a turn that took some seconds."""
        self._running[asker.address] -= 1
        if not self._running[asker.address]:
            del self._running[asker.address]
        self._dear -= asker.is_dear
        self._by_address.add(asker.address, seconds * asker.threads)
        self._by_guest.add(asker.guest, seconds * asker.threads)
        self._start_next()

    def _make_room(self, address: str) -> None:
        """Give up the last request of the address with the most waiting, if this address has fewer. Raises Refusal."""
        waiting = Counter(one.asker.address for one in self._waiting)
        crowded, most = max(waiting.items(), key=lambda one: one[1], default=(address, 0))
        if most <= waiting[address] + 1:
            raise _too_many()
        given_up = next(one for one in reversed(self._waiting) if one.asker.address == crowded)
        self._waiting.remove(given_up)
        if not given_up.turn.done():
            given_up.turn.set_exception(_too_many())

    def _start_next(self) -> None:
        """Let those go on for whom there is a slot."""
        slots = self._slots()
        but_one = max(1, slots - 1)
        while self._waiting and self._running.total() < slots:
            full = {address for address, held in self._running.items() if held >= but_one}
            free = (one for one in self._waiting if one.asker.address not in full and not one.turn.done())
            if self._dear >= but_one:
                free = (one for one in free if not one.asker.is_dear)
            chosen = min(free, key=self._order, default=None)
            if chosen is None:
                return
            self._waiting.remove(chosen)
            self._running[chosen.asker.address] += 1
            self._dear += chosen.asker.is_dear
            chosen.turn.set_result(None)

    def _order(self, waiting: _Waiting) -> tuple[bool, float, float, int]:
        asker = waiting.asker
        return not asker.people, self._by_address[asker.address], self._by_guest[asker.guest], waiting.number


def _too_many() -> Refusal:
    return Refusal("busy", "many ask at once; try again in a moment")
