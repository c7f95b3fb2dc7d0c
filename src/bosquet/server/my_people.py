"""The requests of guests about the people with whom they have played."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bosquet.server import messages, people
from bosquet.server.bodies import json_answer, read_json
from bosquet.server.guests import Guests
from bosquet.server.limits import Gate, address_of
from bosquet.server.registry import TableRegistry

BLOCK = msgspec.json.Decoder(messages.BlockPerson)


class MyPeople:
    """The endpoints below `/api/people`."""

    def __init__(self, registry: TableRegistry, guests: Guests) -> None:
        self._store = registry.store
        self._guests = guests
        self._body_bytes = registry.limits.body_bytes
        self._asked = Gate(registry.limits.people, registry.limits.people_of_address)
        self._asked.share("people", registry.nodes)

    async def listed(self, request: Request, guest: str) -> Response:
        """Send the people with whom the guest has played."""
        self._take(request)
        return json_answer(await people.listed(self._store, guest))

    async def block(self, request: Request, guest: str) -> Response:
        """Block somebody, or do so no longer."""
        ask = await read_json(request, BLOCK, self._body_bytes)
        self._take(request)
        await people.block(self._store, guest, ask.person, ask.blocked)
        return Response(status_code=204)

    def _take(self, request: Request) -> None:
        self._asked.check(
            self._guests.of(request), address_of(request), "too many requests about people at once; wait a moment"
        )
