"""The tables that the start page lists: those that wait for players, a guest's own, and those it is invited to."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from bosquet.server.base.refusals import Unreadable
from bosquet.server.guests import people
from bosquet.server.lobby import invitations
from bosquet.server.lobby.limits import LobbyLimits
from bosquet.server.lobby.messages import Invited, Lobby, Watched
from bosquet.server.services import Services
from bosquet.server.table.messages import Waiting
from bosquet.server.table.session import Session
from bosquet.server.table.table import Table
from bosquet.server.tables.outlines import invites, is_barred, outline_of
from bosquet.server.tables.registry import TableRegistry
from bosquet.server.tables.slow_tables import slow_inviting


class OpenTables:
    """Lists tables for guests."""

    def __init__(self, services: Services, registry: TableRegistry, limits: LobbyLimits) -> None:
        self._store = services.store
        self._nodes = services.nodes
        self._registry = registry
        self._limits = limits

    async def shown(self, guest: str) -> Lobby:
        """Return what the start page lists for a guest. Raises Refusal."""
        mine = await self._tables_of(guest, self._limits.listed)
        return Lobby(
            waiting=self._outlines(await self.offered_to(guest), guest),
            mine=self._outlines(mine, guest),
            invitations=await self._invitations(guest),
            watched=await self._watched_by(guest),
        )

    async def _tables_of(self, guest: str, limit: int) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """The last tables of a guest, as they are kept. Raises Refusal."""
        return await self._store.read_tables(await self._store.tables_of(guest, limit))

    async def waiting_of(self, guest: str) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Return the last tables of a guest where the game has not begun, as they are kept. Raises Refusal."""
        mine = await self._tables_of(guest, self._limits.listed)
        return [one for one in mine if one[0]["phase"] == "waiting"]

    async def offered_to(
        self, guest: str, fits: Callable[[Session], bool] = lambda _: True
    ) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Return tables where a guest may take a free seat, as they are kept, the last first. Raises Refusal.

        As many are looked at as are listed; of the tables of this node those that fit.
        """
        limit = self._limits.listed
        inviting = self.fitting(guest, fits)
        elsewhere = [table for table in self._nodes.inviting_elsewhere() if table not in inviting]
        slow = await slow_inviting(self._store, limit // 2)
        kept = await self._store.read_tables(list(dict.fromkeys(inviting[:limit] + elsewhere + slow)))
        waiting = [one for one in kept if invites(*one, guest)]
        apart = await people.apart(self._store, guest, {row["host"] for row, _ in waiting if row["host"] is not None})
        waiting = [one for one in waiting if one[0]["host"] not in apart]
        declined = await invitations.declined(self._store, guest, [row["id"] for row, _ in waiting])
        waiting = [one for one in waiting if one[0]["id"] not in declined]
        waiting.sort(key=lambda one: str(one[0]["opened"]), reverse=True)
        return waiting[:limit]

    def fitting(self, guest: str, fits: Callable[[Session], bool]) -> list[str]:
        """Return the tables of this node that fit and have seats for anybody, without those where a guest sits."""
        here = (table for table in self._inviting() if fits(table.session))
        return [table.id for table in here if not table.session.seats_of(guest)]

    async def _invitations(self, guest: str) -> list[Invited]:
        """What a guest is invited to: tables with a free seat."""
        hosts = await invitations.open_ones(self._store, guest)
        found = []
        for row, seats in await self._store.read_tables(list(hosts)):
            host = hosts[row["id"]]
            if is_barred(row, guest) or all(seat["guest"] is not None or seat["bot"] is not None for seat in seats):
                continue
            called = next((seat["name"] for seat in seats if seat["guest"] == host), None)
            for outline in self._outlines([(row, seats)], guest):
                if not outline.mine:
                    found.append(Invited(called or await people.name_of(self._store, guest, host), outline))
        return found

    def watched(self) -> dict[str, int]:
        """Return the tables of this node that most people watch, of those that anybody may watch, and how many do."""
        watched = (
            table
            for table in self._registry.held()
            if table.session.is_delayed and any(table.attendance.is_here(chair.guest) for chair in table.session.chairs)
        )
        most = heapq.nlargest(self._limits.listed, watched, key=lambda table: table.attendance.watchers)
        return {table.id: table.attendance.watchers for table in most}

    async def _watched_by(self, guest: str) -> list[Watched]:
        """What others play for anybody to watch, where nobody of them and the guest has blocked the other."""
        watched = self._nodes.watched_elsewhere() | self.watched()
        most = sorted(watched, key=lambda table: -watched[table])[: self._limits.listed]
        kept = await self._store.read_tables(most)
        concerned = {row["id"]: {row["host"], *(seat["guest"] for seat in seats)} - {None} for row, seats in kept}
        apart = await people.apart(self._store, guest, set().union(*concerned.values()) - {guest})
        found = []
        for row, seats in kept:
            if row["phase"] == "playing" and not is_barred(row, guest):
                if not concerned[row["id"]] & {guest, *apart}:
                    found += [Watched(one, watched[one.table]) for one in self._outlines([(row, seats)], guest)]
        return found[: self._limits.watched]

    def inviting(self) -> list[str]:
        """The last tables of this node that have seats for anybody, whose host is here or was a moment ago."""
        return [table.id for table in self._inviting()][: self._limits.listed]

    def _inviting(self) -> Iterator[Table]:
        """The tables that have seats for anybody: those whose host is connected, then the others, the last first.

        Of one host not more than some, so that nobody hides the tables of the others.
        """
        # A table whose host is here, or was a moment ago, is in memory; those held latest are the last ones.
        found = [table for table in self._registry.held() if table.session.listed and table.invites]
        found.sort(key=lambda table: not table.attendance.is_here(table.session.host))
        hosts = Counter[str | None]()
        for table in found:
            hosts[table.session.host] += 1
            if hosts[table.session.host] <= self._limits.listed_of_host:
                yield table

    def _outlines(self, found: list[tuple[dict[str, Any], list[dict[str, Any]]]], guest: str) -> list[Waiting]:
        """What the lobby tells of some tables, without those that can't be read."""
        outlines = []
        for row, seats in found:
            try:
                outlines.append(outline_of(row, seats, guest))
            except Unreadable as error:
                self._registry.note_unreadable(row["id"], error)
        return outlines
