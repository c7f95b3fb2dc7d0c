"""Connections below the application: how many there may be, how long a request takes, how much a WebSocket sends.

uvicorn parses HTTP and WebSockets; these subclasses of its protocols add the bounds that it leaves to a proxy. A client
that exceeds one is disconnected. Nothing here depends on what the application answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import uvicorn
from h11 import LocalProtocolError
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from bosquet.server.base.limits import Bucket
from bosquet.server.base.websockets import ABNORMAL_CLOSURE, INVALID_TEXT, POLICY_VIOLATION, SEND_NOW
from bosquet.server.http.limits import Limits
from bosquet.server.http.sockets import Sockets

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as HttpProtocol
else:
    HttpProtocol = AutoHTTPProtocol

SLICE = 1024
"""Bytes that are parsed before the bounds are checked again: what arrives at once may be a quarter of a megabyte."""
PIPELINED = 16
"""Requests of one connection that may wait for the answer to an earlier one."""
AHEAD_BYTES = 64 * 1024
"""Bytes of their bodies that may have arrived by then."""
BODY_TIMES = 8
"""How many bytes may arrive for each one that a body may have: chunks and their trailers need some, too."""
FRAGMENTS = 64
"""Frames that one WebSocket message may consist of."""
SWITCHING = 101
PING_SECONDS = 4.0
"""Pause between two pings of a WebSocket."""
PONG_SECONDS = 10.0
"""Within so many seconds one is answered. So the others at a table learn after 14 at most who has no network."""
HEAD_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)
BODY_TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Config(uvicorn.Config):
    """Configuration of a server whose connections have bounds."""

    def __init__(self, app: Any, limits: Limits, proxies: Collection[str] = (), **settings: Any) -> None:
        """Take the settings of uvicorn. Connections of `proxies` are not counted by address."""
        super().__init__(
            Cancellable(app),
            http=BoundedHttp,
            ws=BoundedWebSocket,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PONG_SECONDS,
            **settings,
        )
        self.limits = limits
        self.sockets = Sockets(limits, proxies)


class Cancellable:
    """An application that may be cancelled: a server that ends does so, and nobody is left who would hear of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection; uvicorn would log a traceback if it were cancelled."""
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] == "lifespan":
                raise


class BoundedHttp(HttpProtocol):
    """HTTP whose requests arrive within a time, with a head of bounded size."""

    config: Config

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._head_bytes = 0
        self._body_bytes = 0
        self._started: Any = None
        """The request that was started last; the one that arrived last may still wait for it."""
        self._known: object = None
        """The request whose head arrived last."""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or end it where there are too many."""
        counted = self.config.sockets.enter(transport)
        super().connection_made(counted or transport)
        if counted is None:
            transport.abort()
        else:
            self._arm(self.config.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and tell the request that is being answered, also if it is not the last one."""
        self._disarm()
        self.config.sockets.leave(self.transport)
        super().connection_lost(exc)
        self._tell_left()

    def eof_received(self) -> None:
        """Take a client that sends nothing more for one that has left; what is written already is still sent."""
        self._tell_left()

    def data_received(self, data: bytes) -> None:
        """Parse what arrived, as far as it is within the bounds."""
        for start in range(0, len(data), SLICE):
            piece = data[start : start + SLICE]
            if self.transport.is_closing():
                return
            protocol = self.transport.get_protocol()
            if protocol is not self:  # it is a WebSocket by now
                if isinstance(protocol, BoundedWebSocket):
                    protocol.data_received(piece)
                continue
            super().data_received(piece)
            self._check(len(piece))

    def _check(self, received: int) -> None:
        """Check the bounds after so many bytes."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._disarm()
            return
        cycle, limits = self.cycle, self.config.limits
        if cycle is not self._known:  # a head is complete
            self._known, self._head_bytes, self._body_bytes = cycle, 0, 0
            self._disarm()
            if sum(len(name) + len(value) for name, value in cycle.scope["headers"]) > limits.head_bytes:
                self._end(HEAD_TOO_LARGE)
            elif cycle.more_body:
                self._arm(limits.body_seconds)
        elif cycle is None or not cycle.more_body:  # a head goes on
            self._head_bytes += received
            if self._head_bytes > limits.head_bytes + SLICE:
                self._end(HEAD_TOO_LARGE)
            elif self._deadline is None:
                self._arm(limits.head_seconds)
        else:  # a body goes on, or what follows one that was answered before its end
            self._body_bytes += received
            if self._body_bytes > BODY_TIMES * limits.body_bytes:
                self._end(BODY_TOO_LARGE)
        if cycle is not None and not cycle.more_body and not self._head_bytes:
            self._disarm()
        if len(getattr(self, "pipeline", ())) > PIPELINED or self._bytes_ahead() > AHEAD_BYTES:
            self.transport.abort()
        elif self._answering is not None and not self._answering.more_body:
            self.flow.resume_reading()  # or nobody would hear that the client leaves

    @property
    def _answering(self) -> Any:
        """The request that is being answered, or was last."""
        return self.cycle if self._started is None else self._started

    def _start_asgi_task(self, cycle: Any, *given: Any) -> None:
        """Begin to answer a request; the slower parser does that without this."""
        self._started = cycle
        super()._start_asgi_task(cycle, *given)

    def _bytes_ahead(self) -> int:
        """Return how much has arrived behind the request that is being answered."""
        if hasattr(self, "pipeline"):
            return sum(len(cycle.body) for cycle, _ in self.pipeline)
        return len(self.conn.trailing_data[0])  # type: ignore[attr-defined]

    def _tell_left(self) -> None:
        """Let nobody work or wait for a client that has left."""
        for cycle in (self._answering, self.cycle):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        self.flow.resume_writing()

    def handle_events(self) -> None:
        """Handle what the slower parser found; what it says only then is a fault of the client, too."""
        try:
            super().handle_events()  # type: ignore[misc]
        except LocalProtocolError:
            self._end(b"")

    def on_response_complete(self) -> None:
        """Begin with the next request, whose head may have arrived long ago."""
        super().on_response_complete()
        self._check(0)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, unless that would be in the middle of an answer."""
        self._end(BAD_REQUEST)

    def shutdown(self) -> None:
        """End, after an answer that is under way."""
        answering = self._answering
        if answering is None or answering.response_complete:
            self.transport.close()
        else:
            answering.keep_alive = False

    def on_url(self, url: bytes) -> None:
        """Take a piece of the address, which is copied with each."""
        if len(self.url) + len(url) > self.config.limits.head_bytes:
            self._end(HEAD_TOO_LARGE)
        elif not self.transport.is_closing():
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; those after a body are dropped, for nobody reads them."""
        cycle = self.cycle
        if cycle is None or self.headers is not cycle.scope["headers"]:
            super().on_header(name, value)

    def handle_websocket_upgrade(self, *given: Any) -> None:
        """Become a WebSocket, unless an earlier request is not answered: that would wait for ever."""
        cycle = self.cycle
        if (cycle is not None and not cycle.response_complete) or len(getattr(self, "pipeline", ())) > 0:
            self.transport.abort()
        else:
            super().handle_websocket_upgrade(*given)

    def timeout_keep_alive_handler(self) -> None:
        """Hang up after a pause, without what the parser would say of it."""
        self.transport.close()

    def _arm(self, seconds: float) -> None:
        self._disarm()
        self._deadline = self.loop.call_later(seconds, self._late)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        """End a connection whose request did not arrive in time, but not before an answer that is under way."""
        self._deadline = None
        answering = self._answering
        if self.transport.get_protocol() is not self:
            return
        if answering is None or answering.response_complete or (answering.more_body and not answering.response_started):
            self._end(TOO_SLOW if self.cycle is None else b"")
        else:
            answering.keep_alive = False

    def _end(self, answer: bytes) -> None:
        """Answer once more, if no other answer is under way, and hang up."""
        self._disarm()
        answering = self._answering
        if answering is None or answering.response_complete or not answering.response_started:
            self.transport.write(answer)
        self.transport.close()
        self._tell_left()


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that sends a bounded number of frames and bytes, and ends when its other end is silent."""

    config: Config

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._frames_left = Bucket(self.config.limits.frames)
        self._bytes_left = Bucket(self.config.limits.frame_bytes)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and tell the application if the other end did not take leave."""
        self.config.sockets.leave(self.transport)
        if self.conn.close_rcvd is None:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": ABNORMAL_CLOSURE})
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what arrived, as far as it is within the bounds."""
        for start in range(0, len(data), SLICE):
            piece = data[start : start + SLICE]
            if self.transport.is_closing():
                return
            if not self._bytes_left.take(len(piece)):
                self._end(POLICY_VIOLATION, "too many bytes at once")
                return
            super().data_received(piece)
            if self.conn.handshake_exc is not None and not self.handshake_complete:  # uvicorn waits for ever
                self._refuse()
                return

    def handle_events(self) -> None:
        """Handle the frames that were parsed, if there are not too many."""
        if not self._frames_left.take(len(self.conn.events)) or len(self.frames) > FRAGMENTS:
            self._end(POLICY_VIOLATION, "too many frames at once")
        else:
            super().handle_events()

    def handle_connect(self, event: Request) -> None:
        """Begin, and offer the application a shorter way to send."""
        if any(
            name.lower().startswith("sec-websocket") and not value.isascii()
            for name, value in event.headers.raw_items()
        ):
            self._refuse()
            return
        try:
            super().handle_connect(event)
        except UnicodeError:  # a header that is not ASCII
            self._refuse()
            return
        if self.response.status_code == SWITCHING:
            self.scope["state"][SEND_NOW] = self.send_now

    def send_now(self, message: bytes) -> bool:
        """Send a text message; return whether it was sent, not if it must wait or the connection is about to end."""
        ready = self.writable.is_set() and self.handshake_complete and not self.transport.is_closing()
        if not ready or self.conn.state is not State.OPEN:
            return False
        self.conn.send_text(message)
        self.transport.writelines(self.conn.data_to_send())
        return True

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; one that is no UTF-8 ends the connection without a traceback in the log.

        An empty one is answered by an empty one, also while the application is busy: browsers can't send pings.
        """
        if not any(self.frames):
            self.frames = []
            if self.conn.state is State.OPEN and not self.close_sent:
                self.conn.send_text(b"")
                self.transport.write(b"".join(self.conn.data_to_send()))
            return
        if self.curr_msg_data_type == "text":
            try:
                self.frames = [b"".join(self.frames)]
                self.frames[0].decode()
            except UnicodeDecodeError:
                self._end(INVALID_TEXT, "not UTF-8")
                return
        super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:
        """Send what the application says. A refused handshake is complete, too, which uvicorn misses.

        Nothing is said over a connection that is being closed: to uvicorn, what follows would be a fault of ours.
        """
        await self.writable.wait()
        if self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def keepalive_timeout(self) -> None:
        """End a connection whose other end is silent, without waiting until it takes what was sent."""
        super().keepalive_timeout()
        self.transport.abort()

    def handle_parser_exception(self) -> None:
        """Hang up after bytes that are no frame, also before the handshake is answered."""
        if self.handshake_complete:
            super().handle_parser_exception()
        else:
            self._refuse()

    def eof_received(self) -> None:
        """Hang up after an end without leave: at once, for what is still to be taken would hold up the news of it."""
        if self.handshake_complete and not self.close_sent:
            self.transport.abort()

    def shutdown(self) -> None:
        """Say that the server ends, where that can be said."""
        if self.handshake_complete and not self.close_sent and self.conn.state is not State.OPEN:
            self.stop_keepalive()
            self.transport.close()
        else:
            super().shutdown()

    def _refuse(self) -> None:
        """Answer that there will be no WebSocket, and hang up; the application finds nobody there."""
        self.handshake_complete = self.close_sent = self.disconnected = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": ABNORMAL_CLOSURE})
        self.transport.write(BAD_REQUEST)
        self.transport.close()

    def _end(self, code: int, reason: str) -> None:
        """Say why, and hang up."""
        if not self.handshake_complete:
            self._refuse()
        elif not self.close_sent:
            self.conn.fail(code, reason)
            self.handle_parser_exception()
        else:
            self.transport.abort()
