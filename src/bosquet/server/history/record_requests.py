"""Replays of records for games without an engine in the page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from bosquet.core.errors import BosquetError
from bosquet.server.base.bodies import read_bytes, while_connected
from bosquet.server.base.rate_limits import address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.compute.request_work import replayed
from bosquet.server.services import Services


class RecordRequests:
    """The endpoint that works out positions from the record in the body of a request."""

    def __init__(self, services: Services) -> None:
        self._compute = services.compute

    def routes(self) -> list[Endpoint]:
        """Return the address."""
        return [Endpoint("/replay", self.replay, "POST", anonymous=True)]

    async def replay(self, request: Request, guest: str) -> Response:
        """Send a record of a game without an engine, position by position."""
        body = await read_bytes(request)
        try:
            working = self._compute.work_out(request.state.known, address_of(request), replayed, body)
            answer = await while_connected(request, working)
        except BosquetError as error:
            raise Refusal("malformed", str(error)) from None
        return Response(answer, media_type="application/json")
