"""Sends requests to push services. Browsers name their addresses, so none may lead into this network.

Only `https` on its usual port is used, and only addresses of the public internet. A name is looked up once, and the
address that was checked is the one that is connected to. Redirects are not followed, and only the head of an answer is
read.

Anybody can name a service that never answers. So the services of the usual browsers have slots of their own, and all
others share a few.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ipaddress
import socket
import ssl
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import SplitResult, urlsplit

import h11

from bosquet.server.notices.slots import SLOT_SECONDS, held

LONGEST = 1000
"""Characters of an endpoint."""
PORT = 443
SECONDS = 10.0
"""Seconds within which a push service must answer."""
SERVICES = ("fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com")
"""The push services of the usual browsers: these host names and their subdomains."""
SLOTS, SLOTS_OF_OTHERS = 32, 16
"""Messages that may be on their way at a time: to the usual services, and to all others together."""
LOOKUPS = 4
"""Host names that may be looked up at a time, for each of the two groups."""
HEAD_BYTES = 16 * 1024
"""The most that is read of an answer: its head, and what comes before that."""
INTERIM = 8
"""Interim answers (1xx) that may come first. Each takes time, and a service could send them without end."""
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""IPv6 addresses that stand for an IPv4 address."""
LOCAL = tuple(map(ipaddress.IPv6Network, ("64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96", "fec0::/10")))
"""IPv6 addresses of a network of one's own: those that stand for others (RFC 8215, RFC 2765, and a form that is no
longer in use), and those that were for a site (RFC 3879)."""


class UndeliveredError(Exception):
    """A message that could not be delivered: the reason."""


class Delivery:
    """Sends messages to push services."""

    def __init__(
        self,
        *,
        private: bool = False,
        context: ssl.SSLContext | None = None,
        services: Sequence[str] = SERVICES,
    ) -> None:
        """With `private`, addresses and ports of a private network are asked, too: for tests, and nothing else."""
        self._private = private
        self._context = context
        self._services = services
        self._usual, self._others = _Lane(SLOTS, "push-names"), _Lane(SLOTS_OF_OTHERS, "other-push-names")

    def accepts(self, endpoint: str) -> bool:
        """Return whether an address may be that of a push service, as far as it can be seen by itself."""
        return self._deliverable(endpoint) is not None

    async def send(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send a message; return the status of the answer. Raises UndeliveredError.

        Waiting for a slot counts as time without an answer only for services other than the usual ones.
        """
        url = self._deliverable(endpoint)
        if url is None or url.hostname is None:
            raise UndeliveredError("the address is not that of a push service")
        try:
            if self.is_usual(url.hostname):
                async with held(self._usual.slots, SLOT_SECONDS, SECONDS):
                    return await self._sent(self._usual, url, url.hostname, headers, body)
            async with asyncio.timeout(SECONDS), self._others.slots:
                return await self._sent(self._others, url, url.hostname, headers, body)
        except (OSError, ValueError, h11.ProtocolError) as error:  # what they say may come from the other end
            raise UndeliveredError(type(error).__name__) from None

    def is_usual(self, host: str) -> bool:
        """Return whether a host is one of the push services of the usual browsers."""
        return any(host == service or host.endswith(f".{service}") for service in self._services)

    def _deliverable(self, endpoint: str) -> SplitResult | None:
        """The parts of an address that is allowed."""
        if len(endpoint) > LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
            return None
        try:
            url = urlsplit(endpoint)
            port = url.port or PORT
            (url.hostname or "").encode("idna")  # as it is looked up
        except ValueError:
            return None
        if url.scheme != "https" or not url.hostname or "@" in url.netloc or url.fragment:
            return None
        return url if self._private or port == PORT else None

    async def _sent(self, lane: _Lane, url: SplitResult, host: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send a message; return the status of the answer."""
        address = await self._address(lane, host, url.port or PORT)
        if self._context is None:
            self._context = await asyncio.to_thread(ssl.create_default_context)  # reads the system's certificates
        reader, writer = await asyncio.open_connection(
            address, url.port or PORT, ssl=self._context, server_hostname=host, limit=HEAD_BYTES
        )
        try:
            connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_BYTES)
            target = (url.path or "/") + (f"?{url.query}" if url.query else "")
            known = {"host": url.netloc, "content-length": str(len(body)), "connection": "close"}
            request = h11.Request(method="POST", target=target, headers=list((known | dict(headers)).items()))
            for part in (request, h11.Data(data=body), h11.EndOfMessage()):
                writer.write(connection.send(part) or b"")
            await writer.drain()
            left, interim = HEAD_BYTES, 0
            while interim <= INTERIM:
                event = connection.next_event()
                if event is h11.NEED_DATA:
                    data = await reader.read(left)  # where nothing is left, this is the end of the connection
                    left -= len(data)
                    connection.receive_data(data)
                elif isinstance(event, h11.Response):
                    return event.status_code
                elif isinstance(event, h11.InformationalResponse):
                    interim += 1
                else:
                    break
            raise UndeliveredError("the connection ended without an answer")
        finally:
            writer.transport.abort()  # the rest of the answer is nobody's concern
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _address(self, lane: _Lane, host: str, port: int) -> str:
        """An address of a host; none if any of them is not one of the internet. Raises UndeliveredError, OSError."""
        look_up = functools.partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(lane.looking_up, look_up)
        addresses = [str(socket_address[0]) for *_, socket_address in found]
        if not addresses or not (self._private or all(map(is_public, addresses))):
            raise UndeliveredError("the address is not one of the internet")
        return addresses[0]


class _Lane:
    """What messages to some push services share: slots, and threads in which names are looked up."""

    def __init__(self, slots: int, name: str) -> None:
        self.slots = asyncio.Semaphore(slots)
        self.looking_up = ThreadPoolExecutor(LOOKUPS, name)


def is_public(text: str) -> bool:
    """Return whether an address is one that the internet reaches, also where it stands for another one."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:  # with the name of an interface
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if any(address in network for network in LOCAL):
            return False
        meant = address.ipv4_mapped or address.sixtofour
        if address in NAT64:
            meant = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if meant is not None:
            return meant.is_global and not meant.is_multicast
    return address.is_global and not address.is_multicast
