"""The requests of guests about ratings: their own, and the leaderboards."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.limits import Gate, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.cookie import Guests
from bosquet.server.guests.devices import Devices
from bosquet.server.history import messages, ratings
from bosquet.server.history.ratings import KeptUp
from bosquet.server.table.registry import TableRegistry

WISH = msgspec.json.Decoder(messages.WishRating)
LONGEST = 32
"""Signs of the longest name of a game, and of the longest id of a table."""


class MyRatings:
    """The endpoints below `/api/ratings`."""

    def __init__(self, registry: TableRegistry, guests: Guests, devices: Devices, kept_up: KeptUp) -> None:
        self._store = registry.store
        self._guests = guests
        self._devices = devices
        self._kept_up = kept_up
        self._body_bytes = registry.limits.body_bytes
        self._asked = Gate(registry.limits.ratings, registry.limits.ratings_of_address)
        self._asked.share("ratings", registry.nodes)
        self._wishes = Gate(registry.limits.identity, registry.limits.identity_of_address)
        self._wishes.share("wishes", registry.nodes)

    async def shown(self, request: Request, guest: str) -> Response:
        """Send the guest's ratings and the leaderboards."""
        self._take(request)
        return json_answer(await ratings.shown(self._store, guest))

    async def wish(self, request: Request, guest: str) -> Response:
        """Turn the guest's ratings on or off."""
        ask = await read_json(request, WISH, self._body_bytes)
        if self._guests.of(request) is None:
            raise Refusal("not now", "this browser keeps no cookie, so nobody could be found again")
        self._wishes.check(guest, address_of(request), "changed often; wait a minute")
        here = self._guests.device_of(request)
        await self._devices.note(guest, here, request.headers.get("user-agent", ""))
        await ratings.wish(self._store, guest, here, ask.wanted)
        return Response(status_code=204)

    async def plotted(self, request: Request, guest: str) -> Response:
        """Send what the guest's last rated games changed."""
        self._take(request)
        return json_answer(await ratings.plotted(self._store, guest, self._named(request, "game")))

    async def of_game(self, request: Request, guest: str) -> Response:
        """Send what a game changed of the guest's rating; games that have just ended are rated before."""
        self._take(request)
        table = self._named(request, "table")
        await self._kept_up.rate(ratings.SOON)
        return json_answer(await ratings.of_game(self._store, guest, table))

    def _named(self, request: Request, what: str) -> str:
        """Return what a part of the address names. Raises Refusal."""
        name: str = request.path_params[what]
        if len(name) > LONGEST or "\0" in name:
            raise Refusal("malformed", f"{what}: there is no such one")
        return name

    def _take(self, request: Request) -> None:
        self._asked.check(
            self._guests.of(request), address_of(request), "too many looks at ratings at once; wait a moment"
        )
