"""Requests that change something about a guest: which of its devices asks, and how often."""

from __future__ import annotations

from starlette.requests import Request

from bosquet.server.base.rate_limits import Gate, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.guests.devices import Devices

NO_COOKIE = "this browser keeps no cookie, so nobody could be found again"


class Changes:
    """Counts such requests, and notes the devices that send them."""

    def __init__(
        self, guests: GuestCookies, devices: Devices, gate: Gate, busy: str = "too many tries at once; wait a minute"
    ) -> None:
        """Take the gate that counts them, and what is said where it is closed."""
        self._guests = guests
        self._devices = devices
        self._gate = gate
        self._busy = busy

    def take(self, request: Request) -> None:
        """Count one more request. Raises Refusal."""
        self._gate.check(self._guests.of(request), address_of(request), self._busy)

    async def device(self, request: Request, guest: str) -> int:
        """Return the device that asks for a change, of which something is kept from now on. Raises Refusal."""
        if self._guests.of(request) is None:
            raise Refusal("not now", NO_COOKIE)
        self.take(request)
        here = self._guests.device_of(request)
        await self._devices.note(guest, here, request.headers.get("user-agent", ""))
        return here
