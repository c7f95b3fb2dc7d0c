"""The requests of guests about who they are: their name, their devices, and ways to other devices."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.legible import tidy
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests import messages
from bosquet.server.guests.changes import Changes
from bosquet.server.guests.cookie import GuestCookies, is_secure
from bosquet.server.guests.devices import Devices
from bosquet.server.guests.transfers import Transfers

SignOut = Callable[[str, int | None], None]
"""Ends the connections of a device of a guest, or of all its devices, here and at other nodes."""


class Me:
    """The endpoints below `/api/me` that are about the guest's identity."""

    def __init__(
        self,
        guests: GuestCookies,
        devices: Devices,
        transfers: Transfers,
        changes: Changes,
        sign_out: SignOut,
    ) -> None:
        self._guests = guests
        self._devices = devices
        self._transfers = transfers
        self._changes = changes
        self._sign_out = sign_out

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/me/identity", self.identity),
            Endpoint("/me/name", self.rename, "POST"),
            Endpoint("/me/transfer", self.make_code, "POST"),
            Endpoint("/me/transfer/look", self.look, "POST"),
            Endpoint("/me/transfer/claim", self.claim, "POST"),
            Endpoint("/me/phrase", self.make_phrase, "POST"),
            Endpoint("/me/recover", self.recover, "POST"),
            Endpoint("/me/revoke", self.revoke, "POST"),
        ]

    async def identity(self, request: Request, guest: str) -> Response:
        """Send who the guest is, with all its devices; from now on this one is kept as one of them."""
        here = self._guests.device_of(request)
        if self._guests.of(request) is not None and not await self._devices.is_noted(guest, here):
            await self._changes.device(request, guest)
        return json_answer(await self._transfers.identity(guest, here))

    async def rename(self, request: Request, guest: str) -> Response:
        """Call the guest something else."""
        ask = await read_json(request, messages.Rename)
        await self._transfers.rename(guest, await self._changes.device(request, guest), tidy(ask.name))
        return Response(status_code=204)

    async def make_code(self, request: Request, guest: str) -> Response:
        """Make a code for another device."""
        return json_answer(await self._transfers.make_code(guest, await self._changes.device(request, guest)), 201)

    async def look(self, request: Request, guest: str) -> Response:
        """Say whose device one becomes by a code."""
        ask = await read_json(request, messages.LookAtTransfer)
        self._changes.take(request)
        return json_answer(await self._transfers.look(ask.code, guest))

    async def claim(self, request: Request, guest: str) -> Response:
        """Let this device be one of the guest who made a code."""
        ask = await read_json(request, messages.ClaimTransfer)
        self._changes.take(request)
        agent = request.headers.get("user-agent", "")
        return await self._move(request, guest, await self._transfers.claim(ask.code, guest, agent, ask.give_up))

    async def make_phrase(self, request: Request, guest: str) -> Response:
        """Make a recovery phrase."""
        return json_answer(await self._transfers.make_phrase(guest, await self._changes.device(request, guest)), 201)

    async def recover(self, request: Request, guest: str) -> Response:
        """Let this device be one of the guest who made a phrase."""
        ask = await read_json(request, messages.Recover)
        self._changes.take(request)
        agent = request.headers.get("user-agent", "")
        return await self._move(request, guest, await self._transfers.recover(ask.phrase, guest, agent, ask.give_up))

    async def revoke(self, request: Request, guest: str) -> Response:
        """Sign another device of the guest out."""
        ask = await read_json(request, messages.Revoke)
        await self._devices.revoke(guest, await self._changes.device(request, guest), ask.device)
        self._sign_out(guest, ask.device)
        return Response(status_code=204)

    async def _move(self, request: Request, left: str, arrived: tuple[str, int]) -> Response:
        """Give a device the cookie of the guest to whom it belongs now, and end its connections as another guest."""
        guest, number = arrived
        before = self._guests.device_of(request)
        await self._devices.leave(left, before)
        self._sign_out(left, before)
        answer = Response(status_code=204)
        answer.headers["set-cookie"] = self._guests.cookie(guest, is_secure(request), number)
        return answer
