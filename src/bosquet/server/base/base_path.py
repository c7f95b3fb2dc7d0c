"""The folder of a host that a server or a site lies in: `/`, or as `/games/` beside other things."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from bosquet.core.errors import BosquetError, quoted

ROOT = "/"
FORM = re.compile(r"/(?:[A-Za-z0-9_-][A-Za-z0-9._~-]*/)*")
HOST = re.compile(r"(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::[0-9]+)?")


def read_base(text: str) -> str:
    """Return the folder that somebody named. Raises BosquetError."""
    if not FORM.fullmatch(text):
        raise BosquetError(f"--base {quoted(text)}: must begin and end with a slash, as /games/")
    return text


def read_address(text: str) -> tuple[str, str]:
    """Return the origin, empty where there is none, and the folder of an address. Raises BosquetError."""
    try:
        address = urlsplit(text)
        is_whole = address.scheme in ("http", "https") and address.port != 0 and HOST.fullmatch(address.netloc.lower())
    except ValueError:  # a port beyond 65535, or half a bracket
        is_whole = False
    origin = f"{address.scheme}://{address.netloc.lower()}" if is_whole else ""
    folder = text[len(origin) :]
    if not FORM.fullmatch(folder):
        raise BosquetError(f"--base {quoted(text)}: must be as /games/ or https://example.org/games/")
    return origin, folder


def in_folder(page: str, base: str) -> str:
    """Return an index.html whose addresses lead to a folder; built, they lead to the root of the host."""
    return page.replace('="/', f'="{base}')


class InFolder:
    """Takes the folder off the paths of requests, so the application knows nothing of it. Other paths are not found."""

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        path = scope.get("path", "")
        if scope["type"] == "lifespan" or path.startswith(self._base):
            below = scope if scope["type"] == "lifespan" else {**scope, "path": "/" + path.removeprefix(self._base)}
            await self._app(below, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        elif f"{path}/" == self._base:
            await RedirectResponse(self._base)(scope, receive, send)
        else:
            await PlainTextResponse(f"The games are at {self._base}\n", 404)(scope, receive, send)
