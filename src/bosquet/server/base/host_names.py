"""The names that the server answers to.

A site may point a name of its own at another machine (DNS rebinding); its page then has the same origin as the server
there, which may be meant for that machine alone. So a server that knows its names answers to no others.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

BAD_REQUEST = 400
MISDIRECTED = 421
HOST = re.compile(r"(?P<name>\[[^\[\]]*\]|[^:\[\]]*)(:\d*)?")


def names_of(host: str, named: Collection[str]) -> frozenset[str] | None:
    """Return the names of a server that listens at `host`; None for any, as nobody knows what a machine is called."""
    if not named and host != "localhost" and not is_loopback(host):
        return None
    return frozenset({"localhost", *(name.lower() for name in named)})


class Names:
    """Refuses requests under another name, or under two names at once. Addresses in digits are not names."""

    def __init__(self, app: ASGIApp, names: frozenset[str] | None) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        hosts = [] if scope["type"] == "lifespan" else HTTPConnection(scope).headers.getlist("host")
        if len(hosts) > 1:  # a proxy may have gone by the other one
            await PlainTextResponse("A request has one Host header.\n", BAD_REQUEST)(scope, receive, send)
        elif scope["type"] == "lifespan" or self._knows("".join(hosts)):
            await self._app(scope, receive, send)
        else:
            said = "This server is not called that. If it is to be, start it with: bosquet serve --name NAME\n"
            await PlainTextResponse(said, MISDIRECTED)(scope, receive, send)

    def _knows(self, host: str) -> bool:
        name = name_in(host)
        return self._names is None or name in self._names or is_address(name)


def is_address(name: str) -> bool:
    """Return whether a name is an address in digits."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def name_in(host: str) -> str:
    """Return the name in a Host header, without port and brackets; empty if there is none."""
    found = HOST.fullmatch(host)
    return "" if found is None else found["name"].strip("[]").lower().removesuffix(".")


def is_loopback(host: str) -> bool:
    """Return whether an address is one of this machine alone."""
    return is_address(host) and ipaddress.ip_address(host).is_loopback
