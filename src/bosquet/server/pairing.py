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

        Raises Refusal, also where nobody waits and no game was named that could be opened.
        """
        if wish.players is not None and wish.players < 2:
            raise Refusal("malformed", "alone nobody is looked for; players is 2 or more")
        new = None if wish.game is None else _new(wish.game, wish.players, wish.name)
        async with self._finding:
            for row, sitters in await self._registry.waiting_of(guest):
                if _fits(row, sitters, wish):
                    return await self._registry.current(row["id"])
            for row, sitters in reversed(await self._registry.offered_to(guest)):
                if not _fits(row, sitters, wish):
                    continue
                try:
                    table = await self._registry.current(row["id"])
                    await table.join(guest, tidy(wish.name), None)
                except Refusal:
                    continue  # the seat was taken meanwhile, or the host has gone
                return table
            if new is None:
                raise Refusal("not now", "nobody waits for anybody; name a game, and a table waits for others")
            return await self._registry.open(guest, new)


def _new(game: str, players: int | None, name: str) -> NewTable:
    """Return a table that waits for anybody. Raises Refusal."""
    try:
        if players is None:
            players = next(count for count in spec(game).options["players"] if count > 1)
        options = check_options(spec(game), {"players": players})
    except OptionError as error:
        raise Refusal("malformed", str(error)) from None
    seats = [SeatWish("me", name), *(SeatWish("friend") for _ in range(players - 1))]
    return NewTable(game=game, options=options, seats=seats, listed=True, assistance="plain")


def _fits(row: dict[str, Any], seats: list[dict[str, Any]], wish: FindTable) -> bool:
    """Return whether a table that waits is set as a new one would be for which somebody asks."""
    if wish.game not in (None, row["game"]) or wish.players not in (None, len(seats)):
        return False
    new = _new(row["game"], len(seats), wish.name)
    same = {"options": new.options, "assistance": new.assistance, "listed": True, "duel": None, "turn_days": None}
    box = spec(new.game).normalized_box(new.options, None)
    return same.items() <= row.items() and row["box"] == box and all(seat["bot"] is None for seat in seats)
