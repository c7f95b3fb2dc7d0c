"""A table of bots to watch while there is no game between people.

It is opened when somebody asks, and its bots move only while somebody is there (`Table.goes_on`). It belongs to no
guest: it is in no list and no history, and it is never rated.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from bosquet.core import installed
from bosquet.server.base.refusals import Refusal
from bosquet.server.table.messages import NewTable, SeatWish
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.registry import GONE_CODES, TableRegistry

BOT = "level2"
"""Takes some milliseconds for a move."""


class HouseTable:
    """The table of bots of this node: one at a time, which everybody watches who asks."""

    def __init__(self, opener: TableOpener, registry: TableRegistry, fresh_guest: Callable[[], str]) -> None:
        """Take what makes a guest whom nobody is: the host."""
        self._opener = opener
        self._registry = registry
        self._fresh_guest = fresh_guest
        self._table: str | None = None
        self._opening = asyncio.Lock()

    async def find(self, check: Callable[[], None]) -> str:
        """Return the id of the table; when its game is over, `check` allows another one or raises. Raises Refusal."""
        known = self._table
        if known is not None and await self._is_played(known):
            return known
        async with self._opening:  # nothing is read meanwhile: that waits for others of the same address
            if self._table is None or self._table == known:
                check()
                game = random.choice(installed.names())
                players = min(installed.spec(game).options["players"], key=lambda count: abs(count - 2))
                seats = [SeatWish(kind="bot", bot=BOT)] * players
                new = NewTable(game=game, options={"players": players}, seats=seats, pace="human")
                self._table = (await self._opener.open(self._fresh_guest(), new)).id
            return self._table

    async def _is_played(self, table: str) -> bool:
        """Return whether a game goes on at a table. Raises Refusal."""
        try:
            return (await self._registry.current(table)).session.phase == "playing"
        except Refusal as refusal:
            if refusal.code not in GONE_CODES:
                raise
            return False
