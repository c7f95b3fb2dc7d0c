"""The requests with which guests bring the games that they have played on their devices without a server."""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool

from starlette.requests import Request
from starlette.responses import Response

from bosquet.core.errors import BosquetError
from bosquet.server.base.bodies import json_answer, read_bytes, read_json, while_connected
from bosquet.server.base.rate_limits import Gate, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests.changes import Changes
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.guests.devices import Devices
from bosquet.server.history import brought_games
from bosquet.server.history.brought_reading import read_game
from bosquet.server.history.limits import HistoryLimits
from bosquet.server.history.messages import AskBrought, Brought, BroughtGame
from bosquet.server.services import Services


class Bringing:
    """The endpoints below `/api/history/brought`."""

    def __init__(self, services: Services, guests: GuestCookies, devices: Devices, limits: HistoryLimits) -> None:
        self._store = services.store
        self._compute = services.compute
        self._most = limits.most_brought
        self._asked = Gate.shared("asking for brought games", services.nodes, limits.history, limits.history_of_address)
        gate = Gate.shared("brought games", services.nodes, limits.brought, limits.brought_of_address)
        self._changes = Changes(guests, devices, gate, "many games at once; go on in some minutes")

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/history/brought", self.bring, "POST"),
            Endpoint("/history/brought/which", self.which, "POST", self._asked),
        ]

    async def which(self, request: Request, guest: str) -> Response:
        """Send which of some games the guest has brought."""
        ask = await read_json(request, AskBrought)
        return json_answer(Brought(await brought_games.had(self._store, guest, ask.games)))

    async def bring(self, request: Request, guest: str) -> Response:
        """Check a game that was played on a device, and keep it."""
        body = await read_bytes(request)
        device = await self._changes.device(request, guest)
        try:
            read = await while_connected(request, self._compute.in_turn(guest, address_of(request), read_game, body))
        except BosquetError as error:
            raise Refusal("malformed", str(error)) from None
        except BrokenProcessPool:
            raise Refusal("busy", "that was too much; try again") from None
        table_id, new = await brought_games.keep(self._store, guest, device, read, self._most)
        return json_answer(BroughtGame(table_id), 201 if new else 200)
