"""The requests of links in mails: they need a code of the mail, and no cookie."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bosquet.server.base.bodies import read_bytes, read_json
from bosquet.server.base.rate_limits import Gate, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests.limits import GuestLimits
from bosquet.server.notices import messages
from bosquet.server.notices.mail_addresses import MailAddresses
from bosquet.server.services import Services

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
FORM_BYTES = 4096
ONE_CLICK = (b"List-Unsubscribe", b"One-Click")
"""What a mail program sends to an address of the header `List-Unsubscribe` (RFC 8058): a field and its value."""


class MailRequests:
    """The endpoints to which links in mails lead."""

    def __init__(self, services: Services, addresses: MailAddresses, limits: GuestLimits) -> None:
        self._addresses = addresses
        self._asked = Gate.shared("mail codes", services.nodes, limits.identity, limits.identity_of_address)

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/mail/confirm", self.confirm, "POST", anonymous=True),
            Endpoint("/mail/stop/{token}", self.stop, "POST", anonymous=True, any_site=True, root=True),
        ]

    async def confirm(self, request: Request, guest: str) -> Response:
        """Send mail to the address to which a code was sent."""
        ask = await read_json(request, messages.ConfirmMail)
        self._asked.check(None, address_of(request), "too many tries at once; wait a minute")
        await self._addresses.confirm(ask.code)
        return Response(status_code=204)

    async def stop(self, request: Request, guest: str) -> Response:
        """Send no more mail: at the press of a button in a mail program, or on our page."""
        body = await read_bytes(request, FORMS, FORM_BYTES)
        if not all(part in body for part in ONE_CLICK):
            raise Refusal("malformed", "must be a form with List-Unsubscribe=One-Click")
        await self._addresses.stop(request.path_params["token"])
        return PlainTextResponse("No more mail is sent.\n")
