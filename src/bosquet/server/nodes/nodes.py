"""The side of this node: sends messages to the other nodes, hears theirs, and knows which nodes live.

Everything here may lag behind by a second or two, and is lost with the bus; the database decides what has happened.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from typing import Protocol

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.background import failures_logged
from bosquet.server.base.messages import Shown
from bosquet.server.base.rate_limits import Buckets
from bosquet.server.nodes.bus import (
    Beat,
    Bus,
    Changed,
    Here,
    Message,
    Present,
    Reacted,
    Revoked,
    TableMessage,
    WhoIsThere,
    Working,
)
from bosquet.server.nodes.connected import Connected

BEAT_SECONDS = 1.0
DEAD = 5.0
"""Seconds without a beat after which a node counts as gone, and all who were connected to it as away."""
GREETED = 100
"""Tables that are said to be here before what waits is sent."""
INVITING = 100
"""Tables that a node may say to have free seats, or to be there to watch."""
LOOK_SECONDS = 2.0
"""Seconds between two looks into the database while the bus is lost."""
LOOK_ANYWAY_SECONDS = 8.0
"""Seconds between two looks while it is not: another node may have lost it, and nobody hears what that one does."""

log: FilteringBoundLogger = structlog.get_logger()


class Follower(Protocol):
    """A table of this node to which somebody is connected."""

    @property
    def id(self) -> str:
        """Its id."""

    def hear(self, message: TableMessage) -> None:
        """Take over what another node says of it."""

    def greet(self) -> None:
        """Tell the other nodes who is connected to it, and ask them."""

    def repeat_change(self) -> None:
        """Tell the other nodes again how far it is: what they were told before may have been lost."""

    def lose(self, node: str) -> None:
        """Another node is gone."""

    def lose_all(self) -> None:
        """Nothing is heard of other nodes any more."""


class _Other:
    """Another node."""

    def __init__(self, heard: float) -> None:
        self.heard = heard
        self.inviting: list[str] = []
        self.watched: dict[str, int] = {}
        self.draining = False


class Nodes:
    """A node, and what it knows of the others."""

    def __init__(self, bus: Bus, key: bytes, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the bus, and the key that signs the cookies of guests, which is the same at all nodes."""
        self.bus = bus
        self.id: str = secrets.token_hex(6)
        self._key = key
        self._clock = clock
        self._others: dict[str, _Other] = {}
        self._followers: dict[str, Follower] = {}
        self._followed: Counter[str] = Counter()
        """How often each of them is followed."""
        self._workers: dict[str, tuple[float, dict[str, int]]] = {}
        """When each worker was heard, and how many jobs of each kind it does at a time."""
        self._gates: dict[str, Buckets] = {}
        self.draining = False
        """Whether this node is about to end: others, if there are any, take its people over."""
        self._opened = 0.0
        self._closing = False
        self._strangers: dict[str, float] = {}
        """Nodes with another key, and when each was heard last."""
        self.hear_revoked: Callable[[str, int | None], None] = lambda mark, device: None
        """Called when a device of the guest with a mark was signed out at another node, or all its devices."""
        self.hear_here: Callable[[Sequence[str]], None] = lambda marks: None
        """Called when another node says which guests are here, by their marks."""
        self._came_to_strangers = False
        """Whether there were nodes with another key when this one came."""

    @property
    def alone(self) -> bool:
        """Whether there can be no other node."""
        return self.bus.alone

    @property
    def others(self) -> Collection[str]:
        """Return the other nodes that are there."""
        return self._others.keys()

    @property
    def is_needed(self) -> bool:
        """Return whether no other node would go on if this one ended."""
        return all(other.draining for other in self._others.values())

    @property
    def key_is_accepted(self) -> bool:
        """Return whether this node has the key of those that were there when it came, as far as any are there."""
        now = self._clock()
        self._strangers = {node: heard for node, heard in self._strangers.items() if now - heard < DEAD}
        return not self._strangers or bool(self._others) or not self._came_to_strangers

    @contextlib.asynccontextmanager
    async def open(
        self,
        inviting: Callable[[], list[str]],
        watched: Callable[[], dict[str, int]],
        read_changed: Callable[[Iterable[Follower]], Awaitable[None]],
    ) -> AsyncIterator[None]:
        """Be a node meanwhile.

        `inviting` gives the tables of this node that have seats for anybody, `watched` those for anybody to watch and
        how many do. `read_changed` has those of some tables read that differ from the database, which is needed when
        messages may have been lost.
        """
        if self.alone:
            yield
            return
        missed = asyncio.Event()
        self._opened = self._clock()
        await self.bus.open(self._hear, missed.set)
        beating, looking = (
            asyncio.create_task(self._beat(inviting, watched)),
            asyncio.create_task(self._keep_up(read_changed, missed)),
        )
        try:
            yield
        finally:
            self._closing = True
            missed.set()
            beating.cancel()
            await asyncio.gather(beating, looking, return_exceptions=True)
            self.bus.publish(Beat(self.id, self.mark(""), leaving=True))
            await self.bus.close()

    # --- tables ---

    async def follow(self, table: Follower) -> bool:
        """Hear of a table from now on; return whether it may have changed before. Each call needs an `unfollow`."""
        if self.alone:
            return False
        first = table.id not in self._followers
        self._followers[table.id] = table
        self._followed[table.id] += 1
        await self.bus.follow(table.id)
        if first:
            table.greet()
        return first

    def unfollow(self, table: Follower) -> None:
        """Take one `follow` back; with the last, this node hears of the table no longer."""
        if self.alone:
            return
        self._followed[table.id] -= 1
        if not self._followed[table.id]:
            del self._followed[table.id], self._followers[table.id]
            self.bus.unfollow(table.id)
            table.lose_all()

    def follows(self, table: str) -> bool:
        """Return whether this node hears of what happens to a table elsewhere, or nothing can happen elsewhere."""
        return self.alone or (table in self._followers and self.bus.connected)

    def publish_change(self, table: str, number: int, *, more: bool) -> None:
        """Say that something of a table was committed."""
        self.bus.publish(Changed(self.id, table, number, more))

    def publish_presence(self, table: str, connected: Connected) -> None:
        """Say who is connected to a table here."""
        self.bus.publish(Present(self.id, table, sorted(connected.guests), connected.watchers, sorted(connected.marks)))

    def publish_reaction(self, table: str, seat: int, reaction: Shown) -> None:
        """Tell the other nodes of a reaction."""
        self.bus.publish(Reacted(self.id, table, seat, reaction))

    def publish_revoked(self, guest: str, device: int | None) -> str:
        """Say that a device of a guest was signed out, or all of them; return the mark of the guest."""
        mark = self.mark(guest)
        self.bus.publish(Revoked(self.id, mark, device))
        return mark

    def publish_here(self, guests: Iterable[str]) -> None:
        """Tell the other nodes which guests are here; the caller leaves out guests who do not want it."""
        self.bus.publish(Here(self.id, [self.mark(guest) for guest in guests]))

    def ask_presence(self, table: str) -> None:
        """Ask who is connected to a table elsewhere."""
        self.bus.publish(WhoIsThere(self.id, table))

    def leads(self, others: Collection[str]) -> bool:
        """Return whether this node lets bots move at a table to which people are connected at some others, too.

        Nodes that hear of each other come to the same answer. Others do it twice, and the database takes one move.
        """
        return not self.bus.connected or all(self.id < other for other in others)

    def inviting_elsewhere(self) -> list[str]:
        """Return the tables of other nodes that have seats for anybody."""
        return [table for other in self._others.values() for table in other.inviting]

    def slots(self, kind: str) -> int:
        """Return how many jobs of a kind all workers do at a time."""
        now = self._clock()
        return sum(slots.get(kind, 0) for heard, slots in self._workers.values() if now - heard < DEAD)

    def watched_elsewhere(self) -> dict[str, int]:
        """Return the tables of other nodes for anybody to watch, and how many do."""
        found: dict[str, int] = {}
        for other in self._others.values():
            for table, watchers in other.watched.items():
                found[table] = max(watchers, found.get(table, 0))
        return found

    # --- limits ---

    def share(self, name: str, buckets: Buckets) -> None:
        """Count together with the other nodes what heavy users of these buckets have taken."""
        if not self.alone:
            self._gates[name] = buckets
            buckets.share(self.mark)

    def mark(self, who: str) -> str:
        """Return a text that tells guests and addresses apart; without the key nobody can guess whose it is."""
        return hashlib.blake2b(who.encode(), digest_size=12, key=self._key).hexdigest()

    # --- messages ---

    def _hear(self, message: Message) -> None:
        if message.node == self.id:
            return
        if isinstance(message, Beat):
            self._hear_beat(message)
        elif isinstance(message, Working):
            self._workers[message.node] = self._clock(), message.slots
        elif isinstance(message, Revoked):
            self.hear_revoked(message.guest, message.device)
        elif isinstance(message, Here):
            self.hear_here(message.guests)
        elif message.table in self._followers:
            if isinstance(message, Present):
                self._others.setdefault(message.node, _Other(self._clock()))  # one that never beats dies, too
            self._followers[message.table].hear(message)

    def _hear_beat(self, beat: Beat) -> None:
        if beat.key != self.mark(""):
            if not self._strangers:
                log.error("another node has another key, so its guests are strangers here; give all nodes one --key")
            self._strangers[beat.node] = self._clock()
            self._came_to_strangers |= self._clock() - self._opened < DEAD
            return
        if beat.leaving:
            self._lose(beat.node)
            return
        other = self._others.setdefault(beat.node, _Other(0.0))
        other.heard, other.inviting, other.draining = self._clock(), beat.inviting[:INVITING], beat.draining
        other.watched = dict(itertools.islice(beat.watched.items(), INVITING))
        for name, spent in beat.spent.items():
            if name in self._gates:
                self._gates[name].charge(spent)

    def _lose(self, node: str) -> None:
        if self._others.pop(node, None) is not None:
            for table in list(self._followers.values()):
                table.lose(node)

    async def _beat(self, inviting: Callable[[], list[str]], watched: Callable[[], dict[str, int]]) -> None:
        """Say that this node is there, and notice who is not, until cancelled."""
        while True:
            with failures_logged("this node could not say that it is there; it tries again"):
                spent = {name: taken for name, buckets in self._gates.items() if (taken := buckets.collect())}
                beat = Beat(self.id, self.mark(""), inviting(), spent, self.draining, watched=watched())
                self.bus.publish(beat)
            await asyncio.sleep(BEAT_SECONDS)
            with failures_logged("who is connected at a node that is gone could not be told"):
                self._forget_the_silent()

    def _forget_the_silent(self) -> None:
        """Count workers and nodes as gone that have not been heard for long enough."""
        now = self._clock()
        self._workers = {node: one for node, one in self._workers.items() if now - one[0] < DEAD}
        if self.bus.connected:
            for node in [node for node, other in self._others.items() if now - other.heard > DEAD]:
                log.warning("a node is gone", node=node)
                self._lose(node)

    async def _keep_up(
        self, read_changed: Callable[[Iterable[Follower]], Awaitable[None]], missed: asyncio.Event
    ) -> None:
        """Compare tables with the database now and then, and at once when messages were `missed`, until the end."""
        looked = self._clock()
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await missed.wait()
            if self._closing:
                return
            if not missed.is_set() and self.bus.connected and self._clock() - looked < LOOK_ANYWAY_SECONDS:
                continue
            looked = self._clock()
            if missed.is_set():
                missed.clear()
                now = self._clock()
                for other in self._others.values():
                    other.heard = now  # it had no chance to be heard
                for i, table in enumerate(list(self._followers.values())):
                    with failures_logged("a table could not be compared with other nodes"):
                        table.greet()
                        table.repeat_change()
                    if i % GREETED == GREETED - 1:
                        await asyncio.sleep(0)  # so that it is sent
            with failures_logged("tables could not be compared with the database; the next try is in some seconds"):
                await read_changed(list(self._followers.values()))
