"""The requests of guests for the tables of the start page, and for a seat at any table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests.here_now import HereNow
from bosquet.server.lobby.house_table import HouseTable
from bosquet.server.lobby.messages import FindTable
from bosquet.server.lobby.open_tables import OpenTables
from bosquet.server.lobby.pairing import Pairing
from bosquet.server.table.messages import Opened
from bosquet.server.tables.gates import Gates


class LobbyRequests:
    """The endpoints below `/api/lobby`."""

    def __init__(
        self,
        open_tables: OpenTables,
        pairing: Pairing,
        gates: Gates,
        here_now: HereNow,
        house: HouseTable,
    ) -> None:
        self._open_tables = open_tables
        self._pairing = pairing
        self._gates = gates
        self._here_now = here_now
        self._house = house

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/lobby", self.lobby),
            Endpoint("/lobby/find", self.find, "POST"),
            Endpoint("/lobby/bots", self.watch_bots, "POST"),
        ]

    async def lobby(self, request: Request, guest: str) -> Response:
        """Send the waiting tables, and the guest's own."""
        self._here_now.saw(guest)
        return json_answer(await self._open_tables.shown(guest))

    async def watch_bots(self, request: Request, guest: str) -> Response:
        """Send a table of bots to watch; it is opened when there is none."""
        table = await self._house.find(lambda: self._gates.take_opening(request, guest))
        return json_answer(Opened(table=table))

    async def find(self, request: Request, guest: str) -> Response:
        """Take a seat at a table that waits for anybody, or open one."""
        wish = await read_json(request, FindTable)
        self._gates.take_opening(request, guest)
        table = await self._pairing.find(guest, wish)
        return json_answer(Opened(table=table.id))
