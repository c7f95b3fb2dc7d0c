"""WebSockets below the application: how many frames and bytes a client may send, and the end of silent connections.

uvicorn parses WebSockets; this subclass of its protocol adds the bounds that it leaves to a proxy.
"""

from __future__ import annotations

import struct
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from bosquet.server.base.rate_limits import Bucket
from bosquet.server.base.websockets import ABNORMAL_CLOSURE, INVALID_TEXT, POLICY_VIOLATION, SEND_NOW
from bosquet.server.http.connections.sockets import BoundedConfig

SLICE = 1024
"""Bytes that are parsed before the bounds are checked again: what arrives at once may be a quarter of a megabyte."""
FRAGMENTS = 64
"""Frames that one WebSocket message may consist of."""
WAITING = 4
"""Messages that may wait for the application before nothing more is read; uvicorn stops and begins for each one."""
FINAL_TEXT = 0x81
"""First byte of a frame that is a whole text message."""
SIZE_OF_16_BITS, SIZE_OF_64_BITS = 126, 127
"""What stands in place of a size that follows, in two bytes or in eight."""
SWITCHING = 101
BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


def _frame(message: bytes) -> bytes:
    """Return a text message as one frame of a server, which is neither masked nor compressed (RFC 6455, 5.2)."""
    size = len(message)
    if size < SIZE_OF_16_BITS:
        head = struct.pack("!BB", FINAL_TEXT, size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", FINAL_TEXT, SIZE_OF_16_BITS, size)
    else:
        head = struct.pack("!BBQ", FINAL_TEXT, SIZE_OF_64_BITS, size)
    return head + message


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose client may send a bounded number of frames and bytes, and must answer pings."""

    config: BoundedConfig

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._frames_left = Bucket(self.config.limits.frames)
        self._bytes_left = Bucket(self.config.limits.frame_bytes)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and tell the application if the client did not close it."""
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
        self.transport.write(_frame(message))
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
        received, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            content = received.decode() if self.curr_msg_data_type == "text" else received
        except UnicodeDecodeError:
            self._end(INVALID_TEXT, "not UTF-8")
            return
        message: Any = {"type": "websocket.receive", self.curr_msg_data_type: content}
        self.queue.put_nowait(message)
        if self.queue.qsize() > WAITING and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

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
        """End a connection whose client is silent, without waiting until it has read what was sent."""
        super().keepalive_timeout()
        self.transport.abort()

    def handle_parser_exception(self) -> None:
        """Hang up after bytes that are no frame, also before the handshake is answered."""
        if self.handshake_complete:
            super().handle_parser_exception()
        else:
            self._refuse()

    def eof_received(self) -> None:
        """Disconnect a client that ended without a close frame, at once: what it has not read would delay that."""
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
