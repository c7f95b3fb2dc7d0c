"""Who is here now, among guests who let their fellow players see it.

A guest is here with a page open at a table, or if it was on the start page or the page of fellow players a moment ago.
That is in memory only. Each node tells the others now and then who is there, by marks, and only of guests who want to
be seen. That wish is read from the database, at that node and wherever it is shown. So what is shown may be a minute
old, but a guest who does not want to be seen any more is hidden at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence

import sqlalchemy as sa

from bosquet.server.base.background import failures_logged, in_background
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.store.schema import shown
from bosquet.server.store.store import Conflict, Store

HERE_SECONDS = 60.0
"""Seconds for which somebody counts as here who was seen."""
TELL_SECONDS = 15.0
"""Between two times that the other nodes are told."""
MOST = 10_000
"""Guests who are remembered at a node, and as many of other nodes, those who were seen last."""
TOLD = 1000
"""Guests of whom a node tells the others at a time, those who were seen last."""
AT_A_TIME = 500
"""Guests of whom the database is asked at a time."""


class HereNow:
    """Knows who was seen at this node and at others."""

    def __init__(
        self,
        store: Store,
        nodes: Nodes,
        connected: Callable[[], Iterable[str]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`connected` gives the guests who have a page open at a table."""
        self._store = store
        self._nodes = nodes
        self._connected = connected
        self._clock = clock
        self._seen: OrderedDict[str, float] = OrderedDict()
        self._elsewhere: OrderedDict[str, float] = OrderedDict()
        """When guests were told of by other nodes, by their marks."""
        nodes.hear_here = self._hear

    def saw(self, guest: str) -> None:
        """Remember that a guest is here now."""
        _remember(self._seen, guest, self._clock())

    async def among(self, guests: Collection[str]) -> set[str]:
        """Return those of some guests who are here and want it to be seen. Raises Refusal."""
        self._see_connected()
        since = self._clock() - HERE_SECONDS
        here = [guest for guest in guests if self._last(guest) > since]
        return await self._wish_it(here)

    def _last(self, guest: str) -> float:
        """Return when a guest was seen last."""
        never = float("-inf")
        elsewhere = self._elsewhere.get(self._nodes.mark(guest), never) if self._elsewhere else never
        return max(self._seen.get(guest, never), elsewhere)

    def _see_connected(self) -> None:
        for guest in self._connected():
            self.saw(guest)

    def _hear(self, marks: Sequence[str]) -> None:
        now = self._clock()
        for mark in marks[:TOLD]:
            _remember(self._elsewhere, mark, now)

    async def _wish_it(self, guests: Sequence[str]) -> set[str]:
        """Return those of some guests who want to be seen. Raises Refusal."""
        found: set[str] = set()
        for i in range(0, len(guests), AT_A_TIME):
            query = sa.select(shown.c.guest).where(shown.c.guest.in_(guests[i : i + AT_A_TIME]))
            found |= {row.guest for row in await self._store.select(query)}
        return found

    @contextlib.asynccontextmanager
    async def telling(self) -> AsyncIterator[None]:
        """Tell the other nodes in the background meanwhile, if there can be any."""
        if self._nodes.alone:
            yield
            return
        async with in_background(self._run()):
            yield

    async def _run(self) -> None:
        while True:
            with failures_logged("the other nodes could not be told who is here"):
                await self.tell()
            await asyncio.sleep(TELL_SECONDS)

    async def tell(self) -> None:
        """Tell the other nodes who is here and wants it to be seen. Raises Refusal."""
        self._see_connected()
        since = self._clock() - TELL_SECONDS * 2
        here = [guest for guest, seen in reversed(self._seen.items()) if seen > since]
        wishing = await self._wish_it(here)
        if wishing:
            self._nodes.publish_here([guest for guest in here if guest in wishing][:TOLD])


def _remember(seen: OrderedDict[str, float], who: str, now: float) -> None:
    seen[who] = now
    seen.move_to_end(who)
    while len(seen) > MOST:
        seen.popitem(last=False)


# --- what guests want ---


async def is_shown(store: Store, guest: str) -> bool:
    """Return whether a guest wants to be seen. Raises Refusal."""
    return bool(await store.select(sa.select(shown.c.guest).where(shown.c.guest == guest)))


async def show(store: Store, guest: str, wanted: bool) -> None:
    """Let a guest's fellow players see that they are here, or no longer. Raises Refusal."""
    if not wanted:
        await erase(store, guest)
        return
    with contextlib.suppress(Conflict):  # they are already
        await store.write(sa.insert(shown).values(guest=guest))


async def erase(store: Store, guest: str) -> None:
    """Forget what a guest wants. Raises Refusal."""
    await store.write(sa.delete(shown).where(shown.c.guest == guest))
