"""The configuration of uvicorn for this server: bounded connections, whose requests may be cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from bosquet.server.http.connections.http_protocol import BoundedHttp
from bosquet.server.http.connections.sockets import BoundedConfig, Sockets
from bosquet.server.http.connections.websocket_protocol import BoundedWebSocket
from bosquet.server.http.limits import Limits

PING_SECONDS = 3.0
"""Pause between two pings of a WebSocket. The proxies of `deploy/` give one up that is silent for five seconds."""
PONG_SECONDS = 10.0
"""Seconds within which a ping must be answered. So others at a table know after 13 at most who has no network."""


class Config(BoundedConfig):
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
    """An application whose requests may be cancelled, as a server does that ends."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection; uvicorn would log a traceback if it were cancelled."""
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] == "lifespan":
                raise
