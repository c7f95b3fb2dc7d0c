"""The requests of guests about ratings: their own, and the leaderboards."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.rate_limits import Gate
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests.changes import Changes
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.guests.devices import Devices
from bosquet.server.guests.limits import GuestLimits
from bosquet.server.history import messages, ratings
from bosquet.server.history.limits import HistoryLimits
from bosquet.server.history.rater import SOON, Rater
from bosquet.server.services import Services

LONGEST = 32
"""Characters of the longest name of a game, and of the longest id of a table."""


class MyRatings:
    """The endpoints below `/api/ratings`."""

    def __init__(
        self,
        services: Services,
        guests: GuestCookies,
        devices: Devices,
        rater: Rater,
        limits: HistoryLimits,
        wish_limits: GuestLimits,
    ) -> None:
        """Take `wish_limits`, by which changes of the wish for a rating are counted."""
        self._store = services.store
        self._rater = rater
        self._asked = Gate.shared("ratings", services.nodes, limits.ratings, limits.ratings_of_address)
        wishes = Gate.shared("wishes", services.nodes, wish_limits.identity, wish_limits.identity_of_address)
        self._changes = Changes(guests, devices, wishes, "changed often; wait a minute")

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/ratings", self.shown, gate=self._asked),
            Endpoint("/ratings/wish", self.wish, "POST"),
            Endpoint("/ratings/plot/{game}", self.plotted, gate=self._asked),
            Endpoint("/ratings/table/{table}", self.of_game, gate=self._asked),
        ]

    async def shown(self, request: Request, guest: str) -> Response:
        """Send the guest's ratings and the leaderboards."""
        return json_answer(await ratings.shown(self._store, guest))

    async def wish(self, request: Request, guest: str) -> Response:
        """Turn the guest's ratings on or off."""
        ask = await read_json(request, messages.WishRating)
        await ratings.wish(self._store, guest, await self._changes.device(request, guest), ask.wanted)
        return Response(status_code=204)

    async def plotted(self, request: Request, guest: str) -> Response:
        """Send what the guest's last rated games changed."""
        return json_answer(await ratings.plotted(self._store, guest, self._named(request, "game")))

    async def of_game(self, request: Request, guest: str) -> Response:
        """Send what a game changed of the guest's rating; games that have just ended are rated before."""
        table = self._named(request, "table")
        await self._rater.rate(SOON)
        return json_answer(await ratings.of_game(self._store, guest, table))

    def _named(self, request: Request, what: str) -> str:
        """Return what a part of the address names. Raises Refusal."""
        name: str = request.path_params[what]
        if len(name) > LONGEST or "\0" in name:
            raise Refusal("malformed", f"{what}: there is no such one")
        return name
