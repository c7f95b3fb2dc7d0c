"""One WebSocket of a page at a table: does or refuses what the page asks, and sends it messages in order.

`connections.py` accepts WebSockets and has all of them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection
from types import TracebackType

import msgspec
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect
from structlog.typing import FilteringBoundLogger

from bosquet.core.errors import BosquetError
from bosquet.server.base.engines import engine_of
from bosquet.server.base.messages import ENCODER, Code, Why
from bosquet.server.base.rate_limits import Bucket
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.websockets import (
    NORMAL_CLOSURE,
    NORMAL_DISCONNECT,
    POLICY_VIOLATION,
    SEND_NOW,
    SERVICE_RESTART,
    TRY_AGAIN_LATER,
)
from bosquet.server.compute.compute import Compute
from bosquet.server.guests.cookie import SUBPROTOCOL
from bosquet.server.services import Services
from bosquet.server.table import messages
from bosquet.server.table.actions import ASKS
from bosquet.server.table.actions.send_away import SENT_AWAY
from bosquet.server.table.limits import TableLimits
from bosquet.server.table.table import Table
from bosquet.server.tables.gates import Gates
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.registry import TableRegistry

BEHIND = TRY_AGAIN_LATER, "a slow connection"
CROWDED = TRY_AGAIN_LATER, "too many connections"
ELSEWHERE = SERVICE_RESTART, "another node goes on"
SIGNED_OUT = POLICY_VIOLATION, "this device was signed out"
SENT_OFF = POLICY_VIOLATION, SENT_AWAY
FLOODING = "too many messages"

log: FilteringBoundLogger = structlog.get_logger()


def _never(message: bytes) -> bool:
    """Send nothing at once: where the connection can't do that."""
    return False


class Refusing:
    """Tells a page of a refusal in its block. A class, since a generator takes five times as long for each move."""

    def __init__(self, page: Connection) -> None:
        self._page = page

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        match error:
            case None:
                return False
            case Refusal():
                self._page.refuse(error.code, str(error), error.why, error.wait)
            case BosquetError():
                self._page.refuse("not now", str(error))
            case msgspec.DecodeError() | UnicodeError() | RecursionError():
                self._page.refuse("malformed", f"not a message of this table: {error}")
            case _:
                return False
        return True


class Connection:
    """One page at one table."""

    def __init__(
        self,
        socket: WebSocket,
        guest: str,
        device: int,
        address: str,
        table: Table,
        opener: TableOpener,
        registry: TableRegistry,
        services: Services,
        gates: Gates,
        limits: TableLimits,
        since: int,
        *,
        watching: bool = False,
        engines: Collection[str] = (),
    ) -> None:
        """Take a page that has position `since`; one that is `watching` sees no hand, also not of its guest.

        `engines` are the hashes of the engines that it has, none for a page that wants views.
        """
        self.watching = watching
        self.guest = guest
        self.device = device
        self.address = address
        self.viewpoint: int | None = None
        self.number = since
        engine = engine_of(table.session.name)
        self.engine = engine is not None and engine.hash in engines
        self._has_another_engine = engine is not None and bool(engines) and not self.engine
        self._socket = socket
        self.table = table
        self.compute: Compute = services.compute
        self.gates = gates
        self._opener = opener
        self._registry = registry
        self._refusals = services.metrics.refusals
        self._ask_bytes = limits.ask_bytes
        self._warnings = Bucket(limits.warnings)
        self._send_now: Callable[[bytes], bool] = socket.scope.get("state", {}).get(SEND_NOW, _never)
        self._out: asyncio.Queue[bytes | None] = asyncio.Queue(limits.waiting_messages)
        """What must wait until the page takes it; None ends the connection."""
        self._sender: asyncio.Task[None] | None = None
        """Sends what waits. As long as there is one, nothing overtakes it."""
        self._accepted = False
        self._end = BEHIND
        """Code and reason with which it is closed."""

    def send(self, message: bytes) -> None:
        """Send a message soon. A page that does not keep up is cut off; it comes back for what it missed."""
        if self._sender is None and self._send_now(message):
            return
        try:
            self._send_later(message)
        except asyncio.QueueFull:
            self.table.drop(self)
            self._out.get_nowait()
            self._send_later(None)

    def _send_later(self, message: bytes | None) -> None:
        self._out.put_nowait(message)
        self._begin_sending()

    def _begin_sending(self) -> None:
        if self._accepted and self._sender is None and not self._out.empty():
            self._sender = asyncio.create_task(self._send())

    def send_away(self) -> None:
        """Have the page connect to another node, after what waits to be sent."""
        self._end = ELSEWHERE
        with contextlib.suppress(asyncio.QueueFull):  # one that is behind is cut anyway
            self._send_later(None)

    def sign_out(self) -> None:
        """End the connection, for its device was signed out."""
        self._end_now(SIGNED_OUT)

    def send_off(self) -> None:
        """End the connection, for the host has sent its guest away."""
        self._end_now(SENT_OFF)

    def end_crowded(self) -> None:
        """End the connection, for the server is full and its address has most."""
        self._end_now(CROWDED)

    def _end_now(self, why: tuple[int, str]) -> None:
        """Do and tell nothing more."""
        self._end = why
        self.table.drop(self)
        while not self._out.empty():
            self._out.get_nowait()
        self._send_later(None)

    async def run(self) -> None:
        """Serve the page until it goes."""
        spoken = SUBPROTOCOL if SUBPROTOCOL in self._socket.scope.get("subprotocols", ()) else None
        await self._socket.accept(spoken)
        self._accepted = True
        self._begin_sending()
        lost = False
        try:
            try:
                if self._has_another_engine:
                    self.tell(messages.Renew())
                await self.table.attach(self)
            except Refusal as refusal:
                await self._socket.close(TRY_AGAIN_LATER, str(refusal))
                return
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect" or self._end in (SIGNED_OUT, SENT_OFF, CROWDED):
                    lost = message.get("code", NORMAL_CLOSURE) not in NORMAL_DISCONNECT
                    break
                if not self.gates.asks.take(self.guest, self.address):
                    if not self._warnings.take():
                        await self._socket.close(POLICY_VIOLATION, FLOODING)
                        break
                    self.refuse("busy", "too many messages at once; wait a moment")
                    continue
                await self._answer(message.get("text") or message.get("bytes") or b"")
        except WebSocketDisconnect:
            pass
        finally:
            self.table.detach(self)
            if lost and not self.watching:
                self.table.tell_lost(self.guest)
            if self._sender is not None:
                self._sender.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await self._sender

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while not self._out.empty():
                message = self._out.get_nowait()
                if message is None:
                    await self._socket.close(*self._end)
                    return
                await self._socket.send_text(message.decode())
            self._sender = None

    async def _answer(self, text: str | bytes) -> None:
        """Do what is asked, or say why not."""
        with self.refusing():
            if len(text) > self._ask_bytes:
                raise Refusal("too large", f"a message is at most {self._ask_bytes} bytes")
            ask = ASKS.decode(text)
            if self.watching and not ask.on_screens:
                raise Refusal("not yours", "this screen is for all; play on a page of your own")
            await ask.answer(self)

    def refusing(self) -> Refusing:
        """Tell the page of a refusal in the block, instead of raising it."""
        return Refusing(self)

    def refuse(self, code: Code, message: str, why: Why | None = None, wait: float | None = None) -> None:
        """Tell the page why something is not done."""
        self._refusals.labels(code).inc()
        self.tell(messages.Refused(code=code, message=message, why=why, wait=wait))

    def tell(self, message: messages.Tell) -> None:
        """Send a message to this page alone."""
        self.send(ENCODER.encode(message))

    async def rematch(self) -> None:
        """Open a table for the same people. Raises Refusal."""
        self.gates.take_quota(self.guest, self.address)
        await self._opener.rematch(self.guest, self.table)

    async def offer_again(self) -> None:
        """Have the finished table before this one offer another game, for this one was closed. Raises Refusal."""
        await self._registry.offer_again(self.table.id, self.table.session.previous)
