"""One WebSocket of a page in a review: passes on or refuses what the page says, and sends it messages in order.

`review_requests.py` accepts WebSockets, and `room.py` has those of one review.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from bosquet.server.base.legible import tidy
from bosquet.server.base.messages import ENCODER, Code
from bosquet.server.base.rate_limits import Bucket, Gate
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.websockets import POLICY_VIOLATION, TRY_AGAIN_LATER
from bosquet.server.guests.cookie import SUBPROTOCOL
from bosquet.server.reviews.limits import ReviewLimits
from bosquet.server.reviews.messages import AskReview, LeadReview, PointReview, ShowReview
from bosquet.server.reviews.room import Room, Rooms
from bosquet.server.services import Services
from bosquet.server.table.messages import Refused

ASK: msgspec.json.Decoder[AskReview] = msgspec.json.Decoder(AskReview)
BEHIND = TRY_AGAIN_LATER, "a slow connection"
CROWDED = TRY_AGAIN_LATER, "too many connections"
FULL = TRY_AGAIN_LATER, "this review is full"
"""Pages know the reason."""
FLOODING = POLICY_VIOLATION, "too many messages"


class Connection:
    """One page in one review."""

    def __init__(
        self,
        socket: WebSocket,
        guest: str,
        address: str,
        services: Services,
        signals: Gate,
        places: Gate,
        limits: ReviewLimits,
    ) -> None:
        self.key = f"{services.nodes.id}/{secrets.token_hex(8)}"
        self._socket = socket
        self._who = guest, address
        self._refusals = services.metrics.refusals
        self._signals = signals
        self._places = places
        self._most_bytes = limits.signal_bytes
        self._warnings = Bucket(limits.signal_warnings)
        self._out: asyncio.Queue[bytes | None] = asyncio.Queue(limits.waiting_signals)
        """What is to be sent; None ends the connection."""
        self._end: tuple[int, str] | None = None
        """Code and reason with which it is closed now."""

    def send(self, message: bytes) -> None:
        """Send a message soon. A page that does not keep up is cut off; it comes back and hears how things stand."""
        try:
            self._out.put_nowait(message)
        except asyncio.QueueFull:
            self.end(BEHIND)

    def end(self, why: tuple[int, str]) -> None:
        """Close it soon, without what waits to be sent."""
        self._end = self._end or why
        while not self._out.empty():
            self._out.get_nowait()
        self._out.put_nowait(None)

    async def turn_away(self) -> None:
        """Close the connection of a page that finds too many others, so that it learns why."""
        await self._accept()
        await self._socket.close(*FULL)

    async def run(self, rooms: Rooms, review: str, place: dict[str, Any] | None) -> None:
        """Serve the page until it goes, or has to. Takes what was shown last in the review."""
        await self._accept()
        sender = asyncio.create_task(self._send())
        try:
            room = await rooms.enter(review, self, place)
            try:
                await self._hear(room)
            finally:
                rooms.leave(room, self)
        except WebSocketDisconnect:
            pass
        finally:
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sender

    async def _accept(self) -> None:
        await self._socket.accept(SUBPROTOCOL if SUBPROTOCOL in self._socket.scope.get("subprotocols", ()) else None)

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has gone
            while (message := await self._out.get()) is not None:
                await self._socket.send_text(message.decode())
            await self._socket.close(*(self._end or BEHIND))

    async def _hear(self, room: Room) -> None:
        """Do what the page says until it is gone."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if self._end is not None:
                continue
            if self._signals.take(*self._who):
                self._do(room, message.get("text") or message.get("bytes") or b"")
            elif self._warnings.take():
                self._refuse("busy", "too many messages at once; wait a moment")
            else:
                self.end(FLOODING)

    def _do(self, room: Room, text: str | bytes) -> None:
        """Pass on what a page says, or say why not."""
        try:
            if len(text) > self._most_bytes:
                raise Refusal("too large", f"a message is at most {self._most_bytes} bytes")
            asked = ASK.decode(text)
            if not isinstance(asked, PointReview) and not self._places.take(*self._who):
                raise Refusal("busy", "too much is shown at once; wait a moment")
            match asked:
                case LeadReview(name, place):
                    room.lead(self, tidy(name), place)
                case ShowReview(place):
                    room.show(self, place)
                case PointReview(name, cell):
                    room.point(self, tidy(name), cell)
        except Refusal as refusal:
            self._refuse(refusal.code, str(refusal))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._refuse("malformed", f"not a message of a review: {error}")

    def _refuse(self, code: Code, message: str) -> None:
        self._refusals.labels(code).inc()
        self.send(ENCODER.encode(Refused(code=code, message=message)))
