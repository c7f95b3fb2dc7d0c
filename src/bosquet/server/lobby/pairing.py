"""Pairing: gives a guest who wants to play with anybody a seat at a fitting open table, or opens one."""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakValueDictionary

from bosquet.core.errors import OptionError
from bosquet.core.installed import spec
from bosquet.core.spec import check_options
from bosquet.server.base.refusals import Refusal, Unreadable
from bosquet.server.lobby.messages import FindTable
from bosquet.server.lobby.open_tables import OpenTables
from bosquet.server.table.actions.join import Join
from bosquet.server.table.messages import NewTable, SeatWish
from bosquet.server.table.session import Session
from bosquet.server.table.table import Table
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.registry import TableRegistry


class Pairing:
    """Finds tables for guests who want to play with anybody.

    Two who ask at one node meet. If they ask at the same moment at two nodes, each may open a table; who comes next is
    seated at the older one.
    """

    def __init__(self, opener: TableOpener, registry: TableRegistry, open_tables: OpenTables) -> None:
        self._opener = opener
        self._registry = registry
        self._open_tables = open_tables
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By guests."""
        self._opening = asyncio.Lock()

    async def find(self, guest: str, wish: FindTable) -> Table:
        """Return the table where a guest has a seat now: one they wait at, one of somebody else, or a new one.

        Raises Refusal, also where nobody waits and no game was named that could be opened.
        """
        if wish.players is not None and wish.players < 2:
            raise Refusal("malformed", "players: must be 2 or more")
        new = None if wish.game is None else _new(wish.game, wish.players, wish.name)
        # One after another, so that no guest gets two seats.
        async with self._asking.setdefault(guest, asyncio.Lock()):
            for row, sitters in await self._open_tables.waiting_of(guest):
                if _is_fit(row, sitters, wish):
                    return await self._registry.current(row["id"])
            while True:
                looked_at = self._fitting(guest, wish)
                table = await self._joined(guest, wish)
                if table is not None:
                    return table
                if new is None:
                    raise Refusal("not now", "there is no open table; choose a game to open one")
                async with self._opening:  # nothing is read meanwhile: that waits for others of the same address
                    if looked_at.issuperset(self._fitting(guest, wish)):
                        return await self._opener.open(guest, new)

    def _fitting(self, guest: str, wish: FindTable) -> set[str]:
        """Return the tables of this node that fit, and where others have seats for a guest."""
        return set(self._open_tables.fitting(guest, lambda session: _fits(session, wish)))

    async def _joined(self, guest: str, wish: FindTable) -> Table | None:
        """Return the table of others where a guest has got a seat, the oldest first that fits. Raises Refusal."""
        offered = await self._open_tables.offered_to(guest, lambda session: _fits(session, wish))
        for row, sitters in reversed(offered):
            if not _is_fit(row, sitters, wish):
                continue
            try:
                table = await self._registry.current(row["id"])
                await table.do(guest, Join(wish.name))
            except Refusal:
                continue  # the seat was taken meanwhile, or the host has gone
            return table
        return None


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


def _is_fit(row: dict[str, Any], seats: list[dict[str, Any]], wish: FindTable) -> bool:
    """Return whether a table, as it is kept, fits; one that can't be read does not."""
    try:
        return _fits(Session.read(row, seats), wish)
    except Unreadable:
        return False


def _fits(session: Session, wish: FindTable) -> bool:
    """Return whether a table that waits is set as a new one would be for which somebody asks."""
    seats = len(session.chairs)
    if wish.game not in (None, session.name) or wish.players not in (None, seats) or seats < 2:
        return False
    new = _new(session.name, seats, wish.name)
    return (
        (session.options, session.assistance) == (new.options, new.assistance)
        and session.box == spec(new.game).normalized_box(new.options, None)
        and session.listed
        and session.duel is None
        and session.slow is None
        and session.clock is None
        and all(chair.bot is None for chair in session.chairs)
    )
