"""Two nodes under load, while one of the things that they need breaks: nothing that was acknowledged is lost.

`python -m tests.nodes.test_faults MINUTES` does the same again and again.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.error import HTTPError

import psycopg
import pytest

from bosquet.server.store.key import write_key
from tests.helpers.services import LEAVES_CONNECTIONS, Line, Postgresql, Redis, postgresql, redis
from tests.nodes.helpers.players import Player, ServedNode, playing

pytestmark = [pytest.mark.slow, *LEAVES_CONNECTIONS]
TABLES = 4
GAME = "schlossgarten"
"""Played at random it takes several hundred moves."""
BEFORE = 2.0
"""Seconds of play before a fault."""
STUCK = 10.0
"""Seconds after a fault within which every table goes on."""


class House(NamedTuple):
    """Two nodes and all that they need."""

    postgresql: Postgresql
    database: str
    redis: Redis
    line: Line
    """From the first node to Redis."""
    store_line: Line
    """From the first node to PostgreSQL."""
    nodes: list[ServedNode]


@contextlib.contextmanager
def house(services: tuple[Postgresql, Redis], *options: str) -> Iterator[House]:
    """Run two nodes meanwhile."""
    server, bus = services
    with TemporaryDirectory() as folder:
        write_key(Path(folder) / "key", b"k" * 32)
        database, line, store_line = server.database(), Line(bus.port), Line(server.port)
        through = database.replace(str(server.port), str(store_line.port))
        nodes: list[ServedNode] = []
        try:
            nodes.append(ServedNode(Path(folder) / "a", through, f"redis://127.0.0.1:{line.port}", *options))
            nodes.append(ServedNode(Path(folder) / "b", database, bus.url, *options))
            yield House(server, database, bus, line, store_line, nodes)
            for node in nodes:
                assert "Traceback" not in node.log.read_text()
        finally:
            for node in nodes:
                node.kill()
            line.close()
            store_line.close()


@pytest.fixture(scope="module")
def services() -> Iterator[tuple[Postgresql, Redis]]:
    with postgresql("max_connections=40", "superuser_reserved_connections=0") as server, redis() as bus:
        yield server, bus


async def node_is_killed(house: House) -> None:
    house.nodes[0].kill()


async def redis_is_emptied(house: House) -> None:
    house.redis.stop()
    await asyncio.sleep(4)
    house.redis.start()


async def postgresql_is_restarted(house: House) -> None:
    await asyncio.to_thread(house.postgresql.stop)
    await asyncio.sleep(1)
    await asyncio.to_thread(house.postgresql.start)


async def line_to_redis_is_cut(house: House) -> None:
    house.line.cut()
    await asyncio.sleep(6)
    house.line.mend()


async def line_to_postgresql_is_cut(house: House) -> None:
    house.store_line.cut()
    await asyncio.sleep(6)
    house.store_line.mend()


async def connections_are_used_up(house: House) -> None:
    taken: list[Any] = []
    end = time.monotonic() + 4
    while time.monotonic() < end:
        try:
            taken.append(await psycopg.AsyncConnection.connect(house.database, autocommit=True))
        except psycopg.OperationalError:
            own = ",".join(str(one.info.backend_pid) for one in taken)
            others = f"backend_type = 'client backend' AND pid NOT IN ({own})"
            await taken[0].execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}".encode())
            await asyncio.sleep(0.05)
    for one in taken:
        await one.close()


FAULTS: list[Callable[[House], Awaitable[None]]] = [
    node_is_killed,
    redis_is_emptied,
    postgresql_is_restarted,
    line_to_redis_is_cut,
    line_to_postgresql_is_cut,
    connections_are_used_up,
]


async def survive(house: House, fault: Callable[[House], Awaitable[None]]) -> list[Player]:
    """Let people play, break something, check that nothing is lost or stuck, and return the people."""
    pairs = [(Player(house.nodes, i % 2), Player(house.nodes, (i + 1) % 2)) for i in range(TABLES)]
    tables = [open_for_two(house, *pair) for pair in pairs]
    people = [(player, table) for pair, table in zip(pairs, tables, strict=True) for player in pair]
    async with playing([player.play(table) for player, table in people]):
        await wait_for(lambda: all(player.number > 0 for player, _ in people), 20)
        await asyncio.sleep(BEFORE)
        await fault(house)
        before = {table: max(player.number for player in pair) for pair, table in zip(pairs, tables, strict=True)}
        with contextlib.suppress(TimeoutError):
            await wait_for(
                lambda: all(player.over or player.number > before[table] + 1 for player, table in people), STUCK
            )
        stuck = [
            (table, before[table], player.number, player.at, player.refused)
            for player, table in people
            if not player.over and player.number <= before[table] + 1
        ]
        assert not stuck, [node.log.read_text() for node in house.nodes]
    acknowledged = 0
    async with await psycopg.AsyncConnection.connect(house.database) as connection:
        for player, table in people:
            query = b"SELECT number, text FROM journal WHERE table_id = %s AND kind = 'move'"
            kept: dict[int, str] = dict(await (await connection.execute(query, (table,))).fetchall())
            acknowledged += len(player.made)
            lost = {number: move for number, move in player.made.items() if kept.get(number) != move}
            assert not lost, f"acknowledged and not kept: {lost}"
    assert acknowledged > 5 * TABLES
    return [player for player, _ in people]


def open_for_two(house: House, first: Player, second: Player) -> str:
    """Open a table, at which both sit, and return its id."""
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "friend"}]
    new = {"game": GAME, "options": {"players": 2}, "seats": seats, "pace": "instant", "listed": True}
    here, there = house.nodes[first.at], house.nodes[second.at]
    table: str = here.ask("/api/tables", new, first.cookie)[0]["table"]
    kept, _ = here.ask("/api/lobby", cookie=first.cookie)
    assert table in [one["table"] for one in kept["mine"]]
    with psycopg.connect(house.database) as connection:
        row = connection.execute("SELECT invitation FROM tables WHERE id = %s", (table,)).fetchone()
    assert row is not None
    there.ask(f"/api/tables/{table}/join", {"name": "Bea", "invitation": row[0]}, second.cookie)
    return table


async def wait_for(condition: Callable[[], bool], seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_nothing_acknowledged_is_lost_and_no_table_is_stuck(
    services: tuple[Postgresql, Redis], fault: Callable[[House], Awaitable[None]]
) -> None:
    with house(services) as one:
        asyncio.run(survive(one, fault))


def test_people_of_a_node_that_is_told_to_end_go_on_at_another(services: tuple[Postgresql, Redis]) -> None:
    async def told(house: House) -> None:
        house.nodes[0].terminate()
        await asyncio.sleep(1)
        with pytest.raises(HTTPError, match="503"):
            house.nodes[0].ask("/readyz", at=house.nodes[0].monitor)
        await asyncio.sleep(2)

    with house(services, "--drain", "4") as one:
        people = asyncio.run(survive(one, told))
        one.nodes[0].wait()
        assert 1012 in [code for player in people for code in player.closed]
        assert {player.at for player in people} == {1}


def main(minutes: float) -> None:
    """Have one fault after the other until the time is up."""
    end = time.monotonic() + 60 * minutes
    with postgresql("max_connections=40", "superuser_reserved_connections=0") as server, redis() as bus:
        for i in range(10**6):
            if time.monotonic() > end:
                break
            fault = FAULTS[i % len(FAULTS)]
            begin = time.monotonic()
            with house((server, bus)) as one:
                asyncio.run(survive(one, fault))
            print(f"{i + 1}: {fault.__name__}, survived ({time.monotonic() - begin:.0f} s)", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
