"""Raw connections: how many there may be; those whose client stops reading are closed."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable, Collection
from typing import Any

import uvicorn
from uvicorn.protocols.utils import get_remote_addr

from bosquet.server.base.rate_limits import Slots, client_address_key
from bosquet.server.http.limits import HttpLimits, Limits

SEND_BUFFER = 128 * 1024
"""Bytes sent to one client and not read that the system keeps; Linux doubles it."""


class Transport:
    """The transport of a connection, which knows how much the client has read.

    What is written after it was closed is dropped: that is neither an error nor worth a line in the log.
    """

    def __init__(self, transport: asyncio.Transport, slots: contextlib.ExitStack, address: str) -> None:
        """Wrap the transport of an event loop; `slots` are given back at its end."""
        self.slots = slots
        self.address = address
        self.has_ended = False
        self.is_silent: Callable[[], bool] = lambda: True
        """Whether nothing is answered over it: it may give way to others."""
        # Called for each piece that is received or sent: not by way of `__getattr__`.
        self.is_closing: Callable[[], bool] = transport.is_closing
        self.get_protocol: Callable[[], asyncio.BaseProtocol] = transport.get_protocol
        self._transport = transport
        self._written = 0
        self._seen: int | None = None
        """How many bytes had been taken at the last look, if others were waiting then."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write something."""
        if not self.is_closing():
            self._written += len(data)
            self._transport.write(data)

    def abort(self) -> None:
        """End the connection now. Some loops fail where it has ended already."""
        if not self.has_ended:
            self._transport.abort()

    def give_way(self) -> bool:
        """End the connection if it is silent; return whether it was."""
        silent = self.is_silent()
        if silent:
            self.abort()
        return silent

    def takes_nothing(self) -> bool:
        """Return whether bytes are waiting, and the client has read none since the last call."""
        waiting = self._transport.get_write_buffer_size() + _unacknowledged(self._transport)
        taken, before = self._written - waiting, self._seen
        self._seen = taken if waiting else None
        return waiting > 0 and taken == before


class Sockets:
    """The raw connections of a server."""

    def __init__(self, limits: HttpLimits, proxies: Collection[str] = ()) -> None:
        """Hold no connection yet. Those of `proxies` are not counted by address."""
        self._proxies = frozenset(proxies)
        self._slots = Slots(limits.sockets, limits.sockets_of_address, limits.sockets_of_address)
        self._pause = limits.taking_seconds
        self._waiting_bytes = limits.waiting_bytes_of_address
        self._open: set[Transport] = set()
        self._next_look: asyncio.TimerHandle | None = None

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._open)

    def enter(self, transport: asyncio.Transport) -> Transport | None:
        """Count a connection, and return the transport to be used for it; None if there is no room for it.

        Where all slots are taken, a silent connection gives way: the oldest one of the address that has most.
        """
        client = get_remote_addr(transport)
        host = client[0] if client else ""
        # What comes by way of a proxy is from many addresses: each is one of its own here.
        address = f"{client}" if host in self._proxies else client_address_key(host)
        slots = contextlib.ExitStack()
        made = Transport(transport, slots, address)
        if not slots.enter_context(self._slots.one(None, address, made.give_way)):
            return None
        with contextlib.suppress(OSError):  # it is gone already
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._open.add(made)
        if self._next_look is None:
            self._look_later()
        return made

    def leave(self, transport: asyncio.BaseTransport | Transport) -> None:
        """Count a connection no more, if it was counted."""
        if isinstance(transport, Transport) and transport in self._open:
            self._open.discard(transport)
            transport.slots.close()
            transport.has_ended = True

    def _look_later(self) -> None:
        self._next_look = asyncio.get_running_loop().call_later(self._pause, self._look)

    def _look(self) -> None:
        """Close connections whose client reads nothing, or for which too much is waiting, and look again later."""
        self._next_look = None
        waiting: dict[str, list[tuple[int, Transport]]] = {}
        for transport in list(self._open):
            if transport.takes_nothing():
                transport.abort()
            elif size := transport.get_write_buffer_size():
                waiting.setdefault(transport.address, []).append((size, transport))
        for those in waiting.values():
            self._give_up_most(those)
        if self._open:
            self._look_later()

    def _give_up_most(self, waiting: list[tuple[int, Transport]]) -> None:
        """Close connections of an address, those first for which most is waiting, until it is within the bound."""
        total = sum(size for size, _ in waiting)
        for size, transport in sorted(waiting, key=lambda one: -one[0]):
            if total <= self._waiting_bytes:
                return
            total -= size
            transport.abort()


class BoundedConfig(uvicorn.Config):
    """The configuration of a server whose connections have bounds, as its protocols read it."""

    limits: Limits
    sockets: Sockets


def _unacknowledged(transport: asyncio.Transport) -> int:
    """Return how many bytes the system holds that the client has not read; 0 where it does not say."""
    if sys.platform == "linux":
        import fcntl
        import termios

        with contextlib.suppress(OSError, ValueError):  # it is closed
            held = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
            return int.from_bytes(held, sys.byteorder)
    return 0
