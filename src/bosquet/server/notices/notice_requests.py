"""The requests of guests about the notices that they get."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.rate_limits import Gate, address_of
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests.changes import Changes
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.notices.limits import NoticeLimits
from bosquet.server.notices.messages import QuietHours, SetMail, Subscribe, Unsubscribe
from bosquet.server.notices.notices import Notices
from bosquet.server.services import Services


class NoticeRequests:
    """The endpoints below `/api/me/notices`."""

    def __init__(
        self, services: Services, guests: GuestCookies, changes: Changes, notices: Notices, limits: NoticeLimits
    ) -> None:
        self._guests = guests
        self._changes = changes
        self._notices = notices
        self._asked = Gate.shared("mail", services.nodes, limits.mail, limits.mail_of_address)

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/me/notices", self.settings),
            Endpoint("/me/notices/subscribe", self.subscribe, "POST"),
            Endpoint("/me/notices/unsubscribe", self.unsubscribe, "POST"),
            Endpoint("/me/notices/quiet", self.set_quiet, "POST"),
            Endpoint("/me/notices/mail", self.give_address, "POST"),
            Endpoint("/me/notices/mail/remove", self.remove_address, "POST"),
        ]

    async def settings(self, request: Request, guest: str) -> Response:
        """Send which notices the guest gets."""
        return json_answer(await self._notices.settings(guest, self._guests.device_of(request)))

    async def subscribe(self, request: Request, guest: str) -> Response:
        """Send notices to this device from now on."""
        ask = await read_json(request, Subscribe)
        await self._notices.subscribe(guest, await self._changes.device(request, guest), ask)
        return Response(status_code=204)

    async def unsubscribe(self, request: Request, guest: str) -> Response:
        """Send no more notices to this device, or to none of the guest's; never refused for being asked often."""
        ask = await read_json(request, Unsubscribe)
        await self._notices.unsubscribe(guest, None if ask.all else self._guests.device_of(request))
        return Response(status_code=204)

    async def set_quiet(self, request: Request, guest: str) -> Response:
        """Change the guest's quiet hours."""
        ask = await read_json(request, QuietHours)
        await self._notices.set_quiet(guest, await self._changes.device(request, guest), ask)
        return Response(status_code=204)

    async def give_address(self, request: Request, guest: str) -> Response:
        """Ask by mail whether an address is the guest's."""
        ask = await read_json(request, SetMail)
        here = await self._changes.device(request, guest)
        self._asked.check(guest, address_of(request), "no more mails can be asked for today; try again tomorrow")
        await self._notices.give_address(guest, here, ask)
        return Response(status_code=204)

    async def remove_address(self, request: Request, guest: str) -> Response:
        """Send no more mail to the guest; never refused for being asked often."""
        await self._notices.mail.remove(guest)
        return Response(status_code=204)
