"""Nodes as processes, and pages that are connected to them and remember what they are told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, LiteralString

import psycopg
from websockets.asyncio.client import ClientConnection, connect

from bosquet.server.store.key import write_key
from tests.nodes.helpers.cluster import SOON, Services
from tests.nodes.helpers.players import ServedNode


class Page:
    """A page; it reads in the background, so that a connection that breaks breaks no test."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._told = asyncio.Event()
        self.told: list[dict[str, Any]] = []

    async def ask(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        await self._socket.send(json.dumps({"type": kind, **fields}))

    async def until(self, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait until the last message of some kind is one for which something holds, and return it."""
        async with asyncio.timeout(SOON):
            while True:
                last = {message["type"]: message for message in self.told}
                for message in last.values():
                    if holds(message):
                        return message
                self._told.clear()
                await self._told.wait()

    async def read(self) -> None:
        """Remember what is told, until the connection ends."""
        with contextlib.suppress(OSError):
            async for message in self._socket:
                self.told.append(json.loads(message))
                self._told.set()


@contextlib.asynccontextmanager
async def page(node: ServedNode, path: str, cookie: str) -> AsyncIterator[Page]:
    """Connect a page meanwhile."""
    url = f"ws://127.0.0.1:{node.port}{path}"
    async with connect(url, additional_headers={"cookie": cookie}) as socket:
        one = Page(socket)
        reading = asyncio.create_task(one.read())
        try:
            yield one
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)


class Served:
    """Nodes as processes with one database, one bus and one key, which can be killed and started again."""

    def __init__(self, folder: Path, services: Services) -> None:
        self.database = services.postgresql.database()
        self.nodes: list[ServedNode] = []
        self._folder = folder
        self._bus = services.redis.url
        write_key(folder / "key", b"k" * 32)

    def start(self) -> ServedNode:
        """Start one more node."""
        node = ServedNode(self._folder / secrets.token_hex(4), self.database, self._bus)
        self.nodes.append(node)
        return node

    def select(self, query: LiteralString, *values: str) -> Any:
        """Return the first row of a query; None where there is none."""
        with psycopg.connect(self.database) as connection:
            return connection.execute(query, values).fetchone()

    def write(self, statement: LiteralString, *values: str) -> None:
        """Change what is kept, past all nodes."""
        with psycopg.connect(self.database) as connection:
            connection.execute(statement, values)


def with_served_nodes(
    services: Services, story: Callable[[Served, ServedNode, ServedNode], Coroutine[Any, Any, None]]
) -> None:
    """Run a story at two nodes that are processes."""
    with TemporaryDirectory() as folder:
        served = Served(Path(folder), services)
        try:
            asyncio.run(story(served, served.start(), served.start()))
            for node in served.nodes:
                assert "Traceback" not in node.log.read_text()
        finally:
            for node in served.nodes:
                node.kill()
