"""Nodes in one loop, which share a database and a bus, and people at their tables."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple

from bosquet.server.http.app import create_app
from bosquet.server.http.limits import Limits
from bosquet.server.http.server import Server
from bosquet.server.nodes.redis_bus import RedisBus
from bosquet.server.table.actions.deal import Ready
from bosquet.server.table.actions.join import Join
from bosquet.server.table.actions.move import Play
from bosquet.server.table.messages import NewTable, SeatWish
from bosquet.server.table.table import Table
from tests.helpers.services import Postgresql, Redis
from tests.server.helpers.people import LOOSE

KEY = b"a key for tests"
SOON = 60.0
"""Seconds after which nothing may be stuck."""


class Services(NamedTuple):
    """What nodes share."""

    postgresql: Postgresql
    redis: Redis


class Ear:
    """A page at a table."""

    def __init__(self, guest: str) -> None:
        self.guest = guest
        self.address = "127.0.0.1"
        self.watching = False
        self.engine = False
        self.viewpoint: int | None = None
        self.number = 0
        self.state: dict[str, Any] = {}
        self.position: dict[str, Any] = {}
        self.reactions: list[str] = []
        self.refused: list[str] = []
        self.sent_off = False
        self.lines: list[str] = []

    def send_off(self) -> None:
        """Note that the connection is ended."""
        self.sent_off = True

    def send(self, message: bytes) -> None:
        told = json.loads(message)
        if told["type"] == "table":
            self.state = told
        elif told["type"] == "position":
            self.position = told
        elif told["type"] == "reacted":
            self.reactions.append(told["sign"])
        elif told["type"] == "chat":
            self.lines += [line["text"] for line in told["lines"]]
        elif told["type"] == "refused":
            self.refused.append(told["code"])


async def until(condition: Callable[[], object], seconds: float = SOON) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def node(
    database: str, bus: str, key: bytes = KEY, limits: Limits = LOOSE, processes: int = 1
) -> AsyncIterator[Server]:
    """Run a node meanwhile."""
    app = create_app(database, key, bus=RedisBus(bus), limits=limits, processes=processes, warm=False)
    async with app.router.lifespan_context(app):
        server: Server = app.state.server
        await until(lambda: server.services.nodes.bus.connected)
        yield server


def with_two_nodes(
    services: Services, story: Callable[[Server, Server], Awaitable[None]], limits: Limits = LOOSE
) -> None:
    """Run a story at two nodes."""

    async def run() -> None:
        database = services.postgresql.database()
        url = services.redis.url
        async with node(database, url, limits=limits) as first, node(database, url, limits=limits) as second:
            await until(lambda: first.services.nodes.others and second.services.nodes.others)
            await story(first, second)

    asyncio.run(run())


FOR_TWO = NewTable(
    game="topas",
    options={"players": 2},
    seats=[SeatWish(kind="me", name="Ann"), SeatWish(kind="friend")],
    pace="instant",
    listed=True,
)


async def seated(first: Server, second: Server, new: NewTable = FOR_TWO) -> tuple[Table, Table, Ear, Ear]:
    """Ann at the first node and Bea at the second, at one table whose game has begun."""
    here = await first.opener.open("ann", new)
    ann, bea = Ear("ann"), Ear("bea")
    await here.attach(ann)
    there = await second.registry.find(here.id)
    await there.do("bea", Join("Bea", here.session.invitation))
    await there.attach(bea)
    await here.do("ann", Ready(secrets.token_hex(16)))
    await there.do("bea", Ready(secrets.token_hex(16)))
    await until(lambda: ann.position and bea.position)
    return here, there, ann, bea


async def play(table: Table, ear: Ear) -> None:
    """Make the first move that a page is offered."""
    view = ear.position["view"]
    ask = Play(seat=ear.position["viewpoint"], number=ear.position["number"], move=view["moves"][0]["say"])
    await table.do(ear.guest, ask)
