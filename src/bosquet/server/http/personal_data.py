"""The endpoints at which guests download and erase what is kept of them, collected from all wings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bosquet.server.base.bodies import file_answer
from bosquet.server.base.fair_queue import FairQueue
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.rate_limits import Slots, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint, Wing
from bosquet.server.guests.changes import Changes
from bosquet.server.guests.cookie import GuestCookies, is_secure
from bosquet.server.guests.me import SignOut
from bosquet.server.http.messages import Kept


class PersonalData:
    """Shows guests what is kept of them, and erases it."""

    def __init__(
        self,
        wings: Callable[[], Sequence[Wing]],
        guests: GuestCookies,
        changes: Changes,
        sign_out: SignOut,
        slots: Slots,
    ) -> None:
        """Take a function that returns the wings, lowest first, and the slots for downloads."""
        self._wings = wings
        self._guests = guests
        self._changes = changes
        self._sign_out = sign_out
        self._slots = slots
        self._turns = FairQueue(lambda: 2)  # one address has one of them, however slowly what it reads comes

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [Endpoint("/me", self.download), Endpoint("/me/erase", self.erase_me, "POST")]

    async def download(self, request: Request, guest: str) -> Response:
        """Send all that is kept of the guest, as a file."""
        address = address_of(request)
        with self._slots.one(guest, address) as free:
            if not free:
                raise Refusal("busy", "this is written down already; wait a moment")
            async with self._turns.one(guest, address):  # thousands of games take seconds
                found = await self.kept(guest, self._guests.device_of(request))
                file = await asyncio.to_thread(lambda: msgspec.json.format(ENCODER.encode(found)))
        return file_answer(file, "application/json", "bosquet.json")

    async def erase_me(self, request: Request, guest: str) -> Response:
        """Erase the guest, and give the browser a new one. Nothing is kept of a guest without a cookie."""
        if self._guests.of(request) is not None:
            self._changes.take(request)
            await self.erase(guest)
            self._sign_out(guest, None)
        answer = Response(status_code=204)
        answer.headers["set-cookie"] = self._guests.cookie(self._guests.fresh(), is_secure(request))
        return answer

    async def kept(self, guest: str, device: int) -> Kept:
        """Return all that the database has about a guest, as one of its devices sees it. Raises Refusal."""
        found = [await wing.kept(guest, device) for wing in self._wings() if wing.kept is not None]
        return Kept(**{field: value for one in found for field, value in one.items()})

    async def erase(self, guest: str) -> None:
        """Erase a guest. Raises Refusal.

        The highest wing goes first: what it keeps of a guest may be looked up by what a lower one keeps.
        """
        for wing in reversed(self._wings()):
            if wing.erase is not None:
                await wing.erase(guest)
