"""A second socket in the local network, for as long as the host of a table wants it.

A server that one person starts listens on loopback. If that person asks for it, the server also listens at the
machine's address in the local network, until they end that or the server ends. Requests at that address can't open or
close it. Only a browser on this machine can, at the first address and under a name of loopback.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from typing import Protocol

import structlog
from starlette.requests import HTTPConnection
from structlog.typing import FilteringBoundLogger

from bosquet.core.errors import BosquetError
from bosquet.server.base.host_names import is_loopback, name_in

log: FilteringBoundLogger = structlog.get_logger()

ELSEWHERE = ("203.0.113.1", 9)
"""An address that belongs to nobody (RFC 5737): the way there begins at our address in the local network."""
PROXIED = "forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"
"""Headers of proxies, which may send us requests of anybody."""
BACKLOG = 512


class Listener(Protocol):
    """A server that can listen on further sockets."""

    async def add(self, listening: socket.socket) -> None:
        """Serve what comes to a socket, too, within the same bounds."""

    def remove(self, listening: socket.socket) -> None:
        """Close a socket, and end the connections that came to it."""


class LocalNetwork:
    """The second socket of a server."""

    def __init__(self, wanted: str | None = None) -> None:
        """Listen at an address that is wanted; by default it is found out."""
        self._wanted = wanted
        self._listener: Listener | None = None
        self._first: tuple[str, int] | None = None
        self._second: socket.socket | None = None

    def attach(self, listener: Listener, first: socket.socket) -> None:
        """Take the server, and the socket of loopback on which it listens already."""
        self._listener = listener
        self._first = first.getsockname()[:2]

    @property
    def address(self) -> str | None:
        """Where others find the page; None where it is closed to them."""
        if self._second is None:
            return None
        host, port = self._second.getsockname()
        return f"http://{host}:{port}"

    def is_offered_to(self, connection: HTTPConnection) -> bool:
        """Whether a request comes from a page of ours in a browser on this machine, and from no proxy."""
        host = connection.headers.get("host", "")
        name = name_in(host)
        return (
            self._first is not None
            and tuple(connection.scope.get("server") or ()) == self._first
            and connection.client is not None
            and is_loopback(connection.client.host)
            and (name == "localhost" or is_loopback(name))
            and connection.headers.get("sec-fetch-site", "same-origin") == "same-origin"
            and connection.headers.get("origin", f"http://{host}") == f"http://{host}"
            and not any(header in connection.headers for header in PROXIED)
        )

    async def open(self) -> None:
        """Let others in. Raises BosquetError where this machine is in no private network, or can't listen there."""
        if self._second is not None or self._listener is None or self._first is None:
            return
        address = self._wanted or _private_address()
        if address is None:
            raise BosquetError("this machine has no address in a private network")
        second = _listen(address, self._first[1])
        try:
            await self._listener.add(second)
        except BaseException:
            second.close()
            raise
        self._second = second
        log.info("open to the local network", address=self.address)

    def close(self) -> None:
        """Stop listening there, and end the connections that came that way."""
        if self._second is not None and self._listener is not None:
            log.info("closed to the local network", address=self.address)
            self._listener.remove(self._second)
            self._second = None


def _private_address() -> str | None:
    """The address of this machine in its private network. An address that the whole internet reaches is none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)  # sends nothing
        own = ipaddress.IPv4Address(probe.getsockname()[0])
        if own.is_private and not own.is_loopback and not own.is_unspecified:
            return str(own)
    return None


def _listen(address: str, port: int) -> socket.socket:
    """A socket that listens at the same port, or at any that is free. Raises BosquetError."""
    problem: OSError | None = None
    for candidate in (port, 0):
        try:
            return socket.create_server((address, candidate), backlog=BACKLOG)
        except OSError as error:
            problem = error
    raise BosquetError(f"{address}: can't listen there: {problem}")
