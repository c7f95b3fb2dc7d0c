"""The requests of guests about themselves: their name, devices and ways to others; what is kept, and to erase it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bosquet.server.base.bodies import file_answer, json_answer, read_json
from bosquet.server.base.limits import Gate, Places, address_of
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests import messages
from bosquet.server.guests.cookie import Guests, is_secure
from bosquet.server.guests.devices import Devices
from bosquet.server.guests.transfers import Transfers
from bosquet.server.http import privacy
from bosquet.server.notices.messages import QuietHours, SetMail, Subscribe, Unsubscribe
from bosquet.server.notices.notices import Notices
from bosquet.server.table.display_names import tidy
from bosquet.server.table.registry import TableRegistry

RENAME = msgspec.json.Decoder(messages.Rename)
LOOK = msgspec.json.Decoder(messages.LookAtTransfer)
CLAIM = msgspec.json.Decoder(messages.ClaimTransfer)
RECOVER = msgspec.json.Decoder(messages.Recover)
REVOKE = msgspec.json.Decoder(messages.Revoke)
SUBSCRIBE = msgspec.json.Decoder(Subscribe)
UNSUBSCRIBE = msgspec.json.Decoder(Unsubscribe)
GIVE_ADDRESS = msgspec.json.Decoder(SetMail)
QUIET = msgspec.json.Decoder(QuietHours)

SignOut = Callable[[str, int | None], None]
"""Ends the connections of a device of a guest, or of all its devices, here and at other nodes."""


class Me:
    """The endpoints below `/api/me`."""

    def __init__(
        self, registry: TableRegistry, guests: Guests, devices: Devices, notices: Notices, sign_out: SignOut
    ) -> None:
        self._registry = registry
        self._notices = notices
        self._guests = guests
        self._devices = devices
        self._transfers = Transfers(registry.store, devices)
        self._sign_out = sign_out
        self._limit = registry.limits.body_bytes
        self._asked = Gate(registry.limits.identity, registry.limits.identity_of_address)
        self._asked.share("identity", registry.nodes)
        limits = registry.limits
        self._mail = Gate(limits.mail, limits.mail_of_address)
        self._mail.share("mail", registry.nodes)
        self._downloads = Places(limits.connections, limits.downloads_of_guest, limits.downloads_of_address)
        self._writing_down = asyncio.Lock()

    async def kept(self, request: Request, guest: str) -> Response:
        """Send all that is kept of the guest, as a file."""
        here = self._guests.device_of(request)
        with self._downloads.one(guest, address_of(request)) as free:
            if not free:
                raise Refusal("busy", "this is written down already; wait a moment")
            async with self._writing_down:  # thousands of games take seconds
                identity = await self._transfers.identity(guest, here)
                kept = await privacy.kept(self._registry, guest, identity, await self._notices.kept(guest, here))
                file = await asyncio.to_thread(lambda: msgspec.json.format(ENCODER.encode(kept)))
        return file_answer(file, "application/json", "bosquet.json")

    async def erase(self, request: Request, guest: str) -> Response:
        """Erase the guest, who is a new one from then on."""
        await privacy.erase(self._registry, guest)
        await self._notices.erase(guest)
        await self._transfers.erase(guest)
        self._sign_out(guest, None)
        return self._become(request, Response(status_code=204), self._guests.fresh())

    async def identity(self, request: Request, guest: str) -> Response:
        """Send who the guest is, with all its devices; from now on this one is kept as one of them."""
        here = self._guests.device_of(request)
        if self._guests.of(request) is not None and not await self._devices.is_noted(guest, here):
            await self._noted(request, guest)
        return json_answer(await self._transfers.identity(guest, here))

    async def rename(self, request: Request, guest: str) -> Response:
        """Call the guest something else."""
        ask = await read_json(request, RENAME, self._limit)
        await self._transfers.rename(guest, await self._noted(request, guest), tidy(ask.name))
        return Response(status_code=204)

    async def make_code(self, request: Request, guest: str) -> Response:
        """Make a code for another device."""
        return json_answer(await self._transfers.make_code(guest, await self._noted(request, guest)), 201)

    async def look(self, request: Request, guest: str) -> Response:
        """Say whose device one becomes by a code."""
        ask = await read_json(request, LOOK, self._limit)
        self._take(request)
        return json_answer(await self._transfers.look(ask.code, guest))

    async def claim(self, request: Request, guest: str) -> Response:
        """Let this device be one of the guest who made a code."""
        ask = await read_json(request, CLAIM, self._limit)
        self._take(request)
        agent = request.headers.get("user-agent", "")
        return await self._move(request, guest, await self._transfers.claim(ask.code, guest, agent, ask.give_up))

    async def make_phrase(self, request: Request, guest: str) -> Response:
        """Make a recovery phrase."""
        return json_answer(await self._transfers.make_phrase(guest, await self._noted(request, guest)), 201)

    async def recover(self, request: Request, guest: str) -> Response:
        """Let this device be one of the guest who made a phrase."""
        ask = await read_json(request, RECOVER, self._limit)
        self._take(request)
        agent = request.headers.get("user-agent", "")
        return await self._move(request, guest, await self._transfers.recover(ask.phrase, guest, agent, ask.give_up))

    async def revoke(self, request: Request, guest: str) -> Response:
        """Sign another device of the guest out."""
        ask = await read_json(request, REVOKE, self._limit)
        await self._devices.revoke(guest, await self._noted(request, guest), ask.device)
        self._sign_out(guest, ask.device)
        return Response(status_code=204)

    async def notices(self, request: Request, guest: str) -> Response:
        """Send which notices the guest gets."""
        return json_answer(await self._notices.settings(guest, self._guests.device_of(request)))

    async def subscribe(self, request: Request, guest: str) -> Response:
        """Send notices to this device from now on."""
        ask = await read_json(request, SUBSCRIBE, self._limit)
        await self._notices.subscribe(guest, await self._noted(request, guest), ask)
        return Response(status_code=204)

    async def unsubscribe(self, request: Request, guest: str) -> Response:
        """Send no more notices to this device, or to none of the guest's; never refused for being asked often."""
        ask = await read_json(request, UNSUBSCRIBE, self._limit)
        await self._notices.unsubscribe(guest, None if ask.all else self._guests.device_of(request))
        return Response(status_code=204)

    async def set_quiet(self, request: Request, guest: str) -> Response:
        """Change the guest's quiet hours."""
        ask = await read_json(request, QUIET, self._limit)
        await self._notices.set_quiet(guest, await self._noted(request, guest), ask)
        return Response(status_code=204)

    async def give_address(self, request: Request, guest: str) -> Response:
        """Ask by mail whether an address is the guest's."""
        ask = await read_json(request, GIVE_ADDRESS, self._limit)
        here = await self._noted(request, guest)
        self._mail.check(guest, address_of(request), "no more mails can be asked for today; try again tomorrow")
        await self._notices.give_address(guest, here, ask)
        return Response(status_code=204)

    async def remove_address(self, request: Request, guest: str) -> Response:
        """Send no more mail to the guest; never refused for being asked often."""
        await self._notices.mail.remove(guest)
        return Response(status_code=204)

    async def _noted(self, request: Request, guest: str) -> int:
        """Return the device that asks for a change, which is kept from now on. Raises Refusal."""
        if self._guests.of(request) is None:
            raise Refusal("not now", "this browser keeps no cookie, so nobody could be found again")
        self._take(request)
        here = self._guests.device_of(request)
        await self._devices.note(guest, here, request.headers.get("user-agent", ""))
        return here

    async def _move(self, request: Request, left: str, arrived: tuple[str, int]) -> Response:
        """Give a device the cookie of the guest to whom it belongs now, and end what it has open as another one."""
        guest, number = arrived
        before = self._guests.device_of(request)
        await self._devices.leave(left, before)
        self._sign_out(left, before)
        return self._become(request, Response(status_code=204), guest, number)

    def _become(self, request: Request, answer: Response, guest: str, number: int = 0) -> Response:
        answer.headers["set-cookie"] = self._guests.cookie(guest, is_secure(request), number)
        return answer

    def _take(self, request: Request) -> None:
        self._asked.check(self._guests.of(request), address_of(request), "too many tries at once; wait a minute")
