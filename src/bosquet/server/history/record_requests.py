"""The requests that have the body of a request worked out: replays, and scores of real games."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from bosquet.core.errors import BosquetError
from bosquet.server.base.bodies import read_bytes, while_connected
from bosquet.server.base.limits import address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.compute.request_work import counted, replayed
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.services import Services


class RecordRequests:
    """The endpoints that work something out of the body of a request."""

    def __init__(self, services: Services, guests: GuestCookies) -> None:
        self._compute = services.compute
        self._limit = services.limits.body_bytes
        self._guests = guests

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/replay", self.replay, "POST", anonymous=True),
            Endpoint("/score", self.score, "POST", anonymous=True),
        ]

    async def replay(self, request: Request, guest: str) -> Response:
        """Send a record, position by position."""
        return await self._worked_out(request, replayed)

    async def score(self, request: Request, guest: str) -> Response:
        """Send the score of a real game."""
        return await self._worked_out(request, counted)

    async def _worked_out(self, request: Request, work: Callable[[bytes], bytes]) -> Response:
        known = self._guests.of(request)
        body = await read_bytes(request, self._limit)
        try:
            working = self._compute.work_out(known, address_of(request), work, body)
            answer = await while_connected(request, working)
        except BosquetError as error:
            raise Refusal("malformed", str(error)) from None
        return Response(answer, media_type="application/json")
