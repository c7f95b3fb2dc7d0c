"""Devices of a guest at two nodes: the database decides who claims a code, and a device is signed out at both."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.devices import added
from bosquet.server.guests.transfers import Transfers
from bosquet.server.http.app import create_app
from bosquet.server.http.server import Server
from bosquet.server.nodes import nodes
from bosquet.server.nodes.redis_bus import RedisBus
from tests.helpers.services import LEAVES_CONNECTIONS
from tests.nodes.helpers.cluster import KEY, Services, until
from tests.server.helpers.people import LOOSE

pytestmark = [pytest.mark.slow, *LEAVES_CONNECTIONS]


class Open:
    """A connection that is open."""

    def __init__(self, guest: str, device: int) -> None:
        self.guest, self.device, self.ended = guest, device, False

    def sign_out(self) -> None:
        self.ended = True


def at_two_nodes(services: Services, story: Callable[[Server, Server], Awaitable[None]]) -> None:
    """Run a story at two nodes."""

    @contextlib.asynccontextmanager
    async def node(database: str) -> AsyncIterator[Server]:
        app = create_app(database, KEY, bus=RedisBus(services.redis.url), limits=LOOSE, processes=1, warm=False)
        async with app.router.lifespan_context(app):
            server: Server = app.state.server
            await until(lambda: server.services.nodes.bus.connected)
            yield server

    async def run() -> None:
        database = services.postgresql.database()
        async with node(database) as first, node(database) as second:
            await until(lambda: first.services.nodes.others and second.services.nodes.others)
            await story(first, second)

    asyncio.run(run())


def ways(server: Server) -> Transfers:
    return Transfers(server.services.store, server.devices)


def connect(server: Server, *connections: Open) -> None:
    server.connections._connected |= set(connections)  # type: ignore[arg-type]


async def outcomes(*tries: Awaitable[Any]) -> list[str]:
    """What becomes of several tries at once: the code of a refusal, or nothing."""
    ended = await asyncio.gather(*tries, return_exceptions=True)
    assert all(isinstance(one, Refusal) or not isinstance(one, BaseException) for one in ended), ended
    return sorted(one.code if isinstance(one, Refusal) else "" for one in ended)


def test_the_database_decides_who_was_first(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        await claimed_once(first, second)
        await nothing_outlives_its_device(first, second)
        await one_of_two_is_left(first, second)
        await nobody_arrives_at_one_who_is_erased(first, second)

    at_two_nodes(services, story)


async def claimed_once(first: Server, second: Server) -> None:
    """Of claims of one code at two nodes one counts."""
    await first.devices.note("ann", 0, "")
    for i in range(5):
        code = (await ways(first).make_code("ann", 0)).code
        claims = [ways(one).claim(code, f"guest {i} {n}", "", False) for n, one in enumerate([first, second] * 2)]
        assert await outcomes(*claims) == ["", "no code", "no code", "no code"]
    assert len(await second.devices.rows("ann")) == 6


async def nothing_outlives_its_device(first: Server, second: Server) -> None:
    """What a device does while another node signs it out does not outlive it."""
    for i in range(8):
        guest, store = f"ann {i}", first.services.store
        await first.devices.note(guest, 0, "")
        await store.write(added(guest, 5, ""))
        doing = ways(second).make_code(guest, 5) if i % 2 else ways(second).make_phrase(guest, 5)
        ended = await outcomes(first.devices.revoke(guest, 0, 5), doing)
        assert ended in ([""] * 2, ["", "stale"])
        kept = await ways(first).identity(guest, 0)
        assert (kept.phrase, kept.transfer) == (None, None)
        assert [one.revoked is None for one in kept.devices] == [True, False]


async def one_of_two_is_left(first: Server, second: Server) -> None:
    """Of two devices that sign each other out one is left."""
    await first.devices.note("bea", 0, "")
    await first.services.store.write(added("bea", 5, ""))
    ended = await outcomes(first.devices.revoke("bea", 0, 5), second.devices.revoke("bea", 5, 0))
    assert ended in (["", "stale"], ["", "unavailable"])
    assert sum(row["revoked"] is None for row in await first.devices.rows("bea")) == 1


async def nobody_arrives_at_one_who_is_erased(first: Server, second: Server) -> None:
    """Of a guest who is erased while a device of it arrives at another node nothing is left."""
    for i in range(8):
        guest = f"cid {i}"
        await first.devices.note(guest, 0, "")
        code = (await ways(first).make_code(guest, 0)).code
        ended = await outcomes(ways(first).erase(guest), ways(second).claim(code, "dan", "", False))
        assert ended in ([""] * 2, ["", "no code"])
        assert await first.devices.rows(guest) == []


def test_a_device_is_signed_out_at_both_nodes(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(nodes, "LOOK_ANYWAY_SECONDS", 1.0)

    async def story(first: Server, second: Server) -> None:
        store = first.services.store
        await first.devices.note("ann", 0, "")
        for number in (5, 6):
            await store.write(added("ann", number, ""))
        phone, laptop, other, late = Open("ann", 5), Open("ann", 0), Open("bea", 0), Open("ann", 6)
        connect(second, phone, laptop, other, late)
        await first.devices.revoke("ann", 0, 5)
        first.connections.sign_out("ann", 5)
        with pytest.raises(Refusal, match="signed out"):
            await second.devices.check("ann", 5)  # at once, whatever the bus does
        await until(lambda: phone.ended)
        assert [one.ended for one in (laptop, other, late)] == [False] * 3
        # Nobody was told, as where the bus has lost it: the database is looked into now and then.
        await first.devices.revoke("ann", 0, 6)
        await until(lambda: late.ended)
        assert [one.ended for one in (laptop, other)] == [False] * 2

    at_two_nodes(services, story)
