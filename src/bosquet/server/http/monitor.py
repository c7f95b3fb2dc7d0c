"""Health, readiness and metrics, for the operator of a server.

They are served on a socket of their own (`bosquet serve --monitor`), never at the address of the page.
"""

from __future__ import annotations

import asyncio
import json

from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bosquet.server.base.metrics import Metrics
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.store.store import Store

ANSWER_WITHIN = 2.0
"""Seconds within which the store has to answer."""


class Monitor:
    """How one application is."""

    def __init__(self, store: Store, nodes: Nodes, metrics: Metrics) -> None:
        self.metrics = metrics
        self._store = store
        self._nodes = nodes

    def application(self) -> Starlette:
        """Return the application that answers questions about the other one."""
        return Starlette(
            routes=[
                Route("/healthz", self.alive),
                Route("/readyz", self.ready),
                Route("/metrics", self.exposition),
            ]
        )

    async def alive(self, request: Request) -> Response:
        """Answer as long as the event loop runs."""
        return PlainTextResponse("alive\n")

    async def ready(self, request: Request) -> Response:
        """Say whether visitors should be sent here: the store answers, the key is right, and this is not the end.

        Without the bus a node is slower to hear of others, and goes on: if all nodes were not ready then, nobody would
        be served.
        """
        checks = {
            "store": await self._store_answers(),
            "bus": self._nodes.bus.connected,
            "key": self._nodes.key_is_accepted,
            "draining": self._nodes.draining,
        }
        good = checks["store"] and checks["key"] and not self._nodes.draining
        return Response(json.dumps(checks) + "\n", 200 if good else 503, media_type="application/json")

    async def exposition(self, request: Request) -> Response:
        """Send the metrics."""
        return Response(self.metrics.exposition(), media_type=CONTENT_TYPE_LATEST)

    async def _store_answers(self) -> bool:
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                await self._store.ping()
        except (SQLAlchemyError, OSError, TimeoutError):
            return False
        return True
