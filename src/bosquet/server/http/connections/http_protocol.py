"""HTTP below the application: how large a request may be, and how long it may take to arrive.

uvicorn parses HTTP; this subclass of its protocol adds the bounds that it leaves to a proxy. A client that exceeds one
is disconnected. Nothing here depends on what the application answers.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from h11 import LocalProtocolError
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from bosquet.server.http.connections.sockets import BoundedConfig
from bosquet.server.http.connections.websocket_protocol import BAD_REQUEST, SLICE, BoundedWebSocket

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as HttpProtocol
else:
    HttpProtocol = AutoHTTPProtocol

PIPELINED = 16
"""Requests of one connection that may wait for the answer to an earlier one."""
AHEAD_BYTES = 64 * 1024
"""Bytes of their bodies that may have arrived by then."""
BODY_TIMES = 8
"""How many bytes may arrive for each one that a body may have: chunks and their trailers need some, too."""
HEAD_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)
BODY_TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class BoundedHttp(HttpProtocol):
    """HTTP whose requests arrive within a time, with a head of bounded size."""

    config: BoundedConfig

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
        super().connection_made(cast(asyncio.Transport, counted or transport))
        if counted is None:
            transport.abort()
        else:
            counted.is_silent = self._is_silent
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
        """Check the bounds after bytes were received."""
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
        """Tell requests under way that the client has left."""
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
        if self.transport.get_protocol() is not self:
            return
        if self._is_silent():
            self._end(TOO_SLOW if self.cycle is None else b"")
        else:
            self._answering.keep_alive = False

    def _is_silent(self) -> bool:
        """Return whether nothing is being answered: a request, or its body, is waited for."""
        answering = self._answering
        if self.transport.get_protocol() is not self:
            return False
        return (
            answering is None or answering.response_complete or (answering.more_body and not answering.response_started)
        )

    def _end(self, answer: bytes) -> None:
        """Answer once more, if no other answer is under way, and hang up."""
        self._disarm()
        answering = self._answering
        if answering is None or answering.response_complete or not answering.response_started:
            self.transport.write(answer)
        self.transport.close()
        self._tell_left()
