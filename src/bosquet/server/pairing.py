"""Pairing: somebody who wants to play with anybody gets a seat at a table that waits for just that, or opens one."""

from __future__ import annotations

import asyncio
from typing import Any

from bosquet.core.errors import OptionError
from bosquet.core.spec import check_options
from bosquet.games import spec
from bosquet.server.display_names import tidy
from bosquet.server.events import Refusal
from bosquet.server.messages import FindTable, NewTable, SeatWish
from bosquet.server.registry import TableRegistry
from bosquet.server.table import Table


class Pairing:
    """Finds tables for those who want to play with anybody.

    Two who ask at one node meet. If they ask at the same moment at two nodes, each may open a table; who comes next is
    seated at the older one.
    """

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._finding = asyncio.Lock()

    async def find(self, guest: str, wish: FindTable) -> Table:
        """Return the table where a guest has a seat now: one they wait at, one of somebody else, or a new one.

        Raises Refusal.
        """
        try:
            options = check_options(spec(wish.game), {"players": wish.players})
        except OptionError as error:
            raise Refusal("malformed", str(error)) from None
        if wish.players < 2:
            raise Refusal("malformed", "alone nobody is looked for; players is 2 or more")
        seats = [SeatWish("me", wish.name), *(SeatWish("friend") for _ in range(wish.players - 1))]
        new = NewTable(game=wish.game, options=options, seats=seats, listed=True, assistance="plain")
        async with self._finding:
            for row, sitters in await self._registry.waiting_of(guest):
                if _is_same(row, sitters, new):
                    return await self._registry.current(row["id"])
            for row, sitters in reversed(await self._registry.offered_to(guest)):
                if not _is_same(row, sitters, new):
                    continue
                try:
                    table = await self._registry.current(row["id"])
                    await table.join(guest, tidy(wish.name), None)
                except Refusal:
                    continue  # the seat was taken meanwhile, or the host has gone
                return table
            return await self._registry.open(guest, new)


def _is_same(row: dict[str, Any], seats: list[dict[str, Any]], new: NewTable) -> bool:
    """Return whether a waiting table is set as the new one would be."""
    same = {"game": new.game, "options": new.options, "assistance": new.assistance, "listed": True}
    plain = row["duel"] is None and row["turn_days"] is None and row["box"] == _box(new)
    return plain and same.items() <= row.items() and all(seat["bot"] is None for seat in seats)


def _box(new: NewTable) -> dict[str, Any] | None:
    return spec(new.game).normalized_box(new.options, None)
