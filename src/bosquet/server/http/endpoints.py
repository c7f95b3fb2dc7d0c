"""Makes routes of the endpoints of all wings: identifies the guest, sets the cookie, bounds the rate."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from bosquet.server.base.fair_queue import ASKING, ASKING_GUEST
from bosquet.server.base.origins import is_cross_site
from bosquet.server.base.problems import problem
from bosquet.server.base.rate_limits import Gate, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests.cookie import GuestCookies, is_secure
from bosquet.server.guests.devices import Devices
from bosquet.server.http.limits import Limits
from bosquet.server.services import Services


class Endpoints:
    """Makes routes of endpoints."""

    def __init__(self, services: Services, guests: GuestCookies, devices: Devices, limits: Limits) -> None:
        self._refusals = services.metrics.refusals
        self._guests = guests
        self._devices = devices
        self._body_bytes = limits.body_bytes
        self._requests = Gate.shared("requests", services.nodes, limits.requests, limits.requests_of_address)

    def routes(self, found: Iterable[Endpoint | BaseRoute]) -> list[BaseRoute]:
        """Return the routes of endpoints, below `/api` where they are not at the root of the site."""
        api: list[BaseRoute] = []
        root: list[BaseRoute] = []
        for one in [*found, Endpoint("/{rest:path}", _nothing, anonymous=True)]:
            if isinstance(one, BaseRoute):
                api.append(one)
            else:
                route = Route(one.path, self._answering(one), methods=[one.method])
                (root if one.root else api).append(route)
        return [Mount("/api", routes=api), *root]

    def _answering(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        """Return what answers a request: a guest gets a cookie, and a refusal becomes an answer."""

        async def answer(request: Request) -> Response:
            ASKING.set(address_of(request))
            request.state.body_bytes = self._body_bytes
            request.state.known = known = self._guests.of(request)
            ASKING_GUEST.set(known)
            guest = known or self._guests.fresh()
            try:
                await self._check(endpoint, request, known)
                made = await endpoint.answer(request, guest)
            except Refusal as refusal:
                self._refusals.labels(refusal.code).inc()
                made = problem(refusal.code, str(refusal))
                if refusal.code in ("revoked", "erased"):
                    made.headers["set-cookie"] = self._guests.cookie(self._guests.fresh(), is_secure(request))
            except ClientDisconnect:
                made = Response(status_code=400)  # nobody hears it
            self.keep_guest(request, made, guest)
            self._guests.tell(request, made)
            made.headers["cache-control"] = "no-store"
            return made

        return answer

    async def _check(self, endpoint: Endpoint, request: Request, known: str | None) -> None:
        """Check that a request may be made at an endpoint, by a guest who is `known` or new. Raises Refusal."""
        device = self._guests.device_of(request)
        # By devices: one that was signed out must not use up what the others may ask.
        who = known and f"{known}.{device}"
        self._requests.check(who, address_of(request))
        if request.method != "GET" and not endpoint.any_site and is_cross_site(request):
            raise Refusal("wrong origin", "this page is not of this server")
        if known is not None and not endpoint.anonymous:
            await self._devices.check(known, device)
        if endpoint.gate is not None:
            endpoint.gate.check(known, address_of(request))

    def keep_guest(self, request: Request, answer: Response, guest: str | None = None) -> None:
        """Give a browser without a cookie, or with an old one, the cookie of its guest; by default of a new guest.

        A request from another site's page may lack a cookie that the browser has: that cookie must not be replaced.
        """
        if "set-cookie" in answer.headers or not self._guests.is_due(request):
            return
        if not is_cross_site(request):
            kept = guest or self._guests.of(request) or self._guests.fresh()
            device = self._guests.device_of(request)
            answer.headers["set-cookie"] = self._guests.cookie(kept, is_secure(request), device)


async def _nothing(request: Request, guest: str) -> Response:
    raise Refusal("not found", "there is nothing at this address")
