"""Opening a review, what it is about, and the WebSocket over which its pages hear of each other."""

from __future__ import annotations

import contextlib

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from bosquet.core.errors import BosquetError
from bosquet.server.base.bodies import json_answer, read_bytes, while_connected
from bosquet.server.base.fair_queue import ASKING
from bosquet.server.base.origins import is_same_origin
from bosquet.server.base.problems import deny
from bosquet.server.base.rate_limits import Buckets, Gate, Slots, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.reviews import kept
from bosquet.server.reviews.connection import CROWDED, Connection
from bosquet.server.reviews.last_shown import LastShown
from bosquet.server.reviews.limits import ReviewLimits
from bosquet.server.reviews.messages import ReviewOpened
from bosquet.server.reviews.reading import read_finished
from bosquet.server.reviews.room import Rooms
from bosquet.server.services import Services


class ReviewRequests:
    """The addresses below `/api/reviews`."""

    def __init__(self, services: Services, guests: GuestCookies, limits: ReviewLimits, connecting: Buckets) -> None:
        """Take the buckets in which the connections that an address opens are counted, those at tables among them."""
        self._services = services
        self._guests = guests
        self._limits = limits
        self._connecting = connecting
        self._last = LastShown(services.store)
        self.writing = self._last.writing
        """Writes in the background what is shown."""
        self._rooms = Rooms(services.nodes, self._last)
        self._opened = Gate.shared("reviews", services.nodes, limits.reviews, limits.reviews_of_address)
        self._signals = Gate(limits.signals, limits.signals_of_address)
        self._shown = Gate(limits.places, limits.places_of_address)
        self._slots = Slots(limits.reviewers, limits.reviewers_of_guest, limits.reviewers_of_address)
        services.metrics.watch("reviewers", "Pages in reviews", lambda: self._slots.taken)

    def routes(self) -> list[Endpoint | WebSocketRoute]:
        """Return the addresses."""
        return [
            Endpoint("/reviews", self.open, "POST"),
            Endpoint("/reviews/{review}", self.look, anonymous=True),
            WebSocketRoute("/reviews/{review}/live", self.live),
        ]

    async def open(self, request: Request, guest: str) -> Response:
        """Check the record of a finished game, and open a review of it."""
        known, address = request.state.known, address_of(request)
        body = await read_bytes(request)
        self._opened.check(known, address, "you opened many reviews; open the next one later")
        try:
            working = self._services.compute.work_out(known, address, read_finished, body)
            record = await while_connected(request, working)
        except BosquetError as error:
            raise Refusal("malformed", str(error)) from None
        return json_answer(ReviewOpened(await kept.keep(self._services.store, guest, record)), 201)

    async def look(self, request: Request, guest: str) -> Response:
        """Send the game that a review is about."""
        return json_answer(await kept.find(self._services.store, request.path_params["review"]))

    async def live(self, socket: WebSocket) -> None:
        """Take part in a review."""
        with contextlib.suppress(WebSocketDisconnect):  # it left before it was answered
            await self._live(socket)

    async def _live(self, socket: WebSocket) -> None:
        if not is_same_origin(socket):
            await deny(socket, "wrong origin", "this page is not of this server")
            return
        guest, address, review = self._guests.of(socket), address_of(socket), socket.path_params["review"]
        ASKING.set(address)
        here: list[Connection] = []

        def give_way() -> bool:
            for connection in here:
                connection.end(CROWDED)
            return bool(here)

        with self._slots.one(guest, address, give_way) as free:
            if not free or not self._connecting.take(address):
                await socket.close(*CROWDED)
                return
            try:
                place = await self._last.find(review)
            except Refusal as refusal:
                await deny(socket, refusal.code, str(refusal))
                return
            who, gates = guest or address, (self._signals, self._shown)
            connection = Connection(socket, who, address, self._services, *gates, self._limits)
            if self._rooms.count(review) >= self._limits.people_of_review:
                await connection.turn_away()
                return
            here.append(connection)
            await connection.run(self._rooms, review, place)
