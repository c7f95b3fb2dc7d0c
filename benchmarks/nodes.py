"""Measures processor time of nodes, PostgreSQL, Redis and workers, for one node and for two.

`python -m benchmarks.nodes` measures, in one run on loopback: a move at tables whose two people are at different nodes
(if there are two), an idle connection, and a bot's decision by a worker. From that it calculates what more people need.
It starts its own PostgreSQL and Redis; all processes share the machine.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import multiprocessing
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import httpx2
import psycopg
import structlog
import typer
import uvloop
from picows import WSMsgType, WSTransport
from rich.console import Console
from rich.table import Table

import bosquet
from benchmarks.people import Player, Tally, Told, guests, open_table, percentiles, sit
from benchmarks.tables import LIMITS, cpu_seconds, rss_bytes
from bosquet import bots
from bosquet.core.installed import names
from bosquet.core.rng import Rng
from bosquet.core.view import View
from bosquet.server.compute.choosing import NotReady, choose
from bosquet.server.compute.compile_ahead import load_views
from bosquet.server.compute.work_queue import RemoteWorkers
from bosquet.server.host.run import run as run_server
from bosquet.server.http.app import create_app
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.nodes.redis_bus import RedisBus
from bosquet.server.store.databases import READING
from tests.helpers.services import Postgresql, Redis, postgresql, redis

KEY = b"a key for measurements"
SECONDS_A_MOVE = 20.0
"""Seconds between two moves of one person, in the model of what many people need."""
LOAD = 0.6
"""Share of a core that the model uses."""
PEOPLE = (1_000, 100_000, 1_000_000)
HEARTBEAT = 0.9
"""Seconds between two empty messages of a page (web/src/client/tableConnection.svelte.ts)."""
SETTLE = 1.0
"""Seconds between preparation and measurement."""

console = Console(stderr=True)


@dataclass
class House:
    """Nodes and what they share."""

    nodes: list[int]
    """Process ids of the nodes."""
    ports: list[int]
    postgresql: Postgresql
    url: str
    redis: Redis

    def cpu(self) -> dict[str, float]:
        """Processor time that each part has used so far, in seconds."""
        master = int((self.postgresql.folder / "data" / "postmaster.pid").read_text().split()[0])
        return {
            "nodes": sum(map(cpu_seconds, self.nodes)),
            "database": sum(map(cpu_seconds, [master, *children(master)])),
            "bus": cpu_seconds(self.redis.pid),
        }

    def stored(self) -> int:
        """Bytes of the database."""
        with psycopg.connect(self.url) as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        assert row is not None
        return int(row[0])


def children(pid: int) -> list[int]:
    """Processes that a process has started and that still run."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed]


def serve_node(database: str, bus: str, port: Any) -> None:
    """Load the compiled views, then run a node."""
    for name in names():
        load_views(name)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    app = create_app(database, KEY, bus=RedisBus(bus), limits=LIMITS, processes=0)
    listening = socket.create_server(("127.0.0.1", 0), backlog=4096)

    def started() -> None:
        port.value = listening.getsockname()[1]

    run_server(app, listening, started)


@contextmanager
def house(count: int) -> Iterator[House]:
    """Run a number of nodes meanwhile."""
    context = multiprocessing.get_context("spawn")
    with postgresql() as database, redis() as bus, ExitStack() as stack:
        url = database.database()
        nodes, ports = [], []
        for _ in range(count):
            port = context.Value("i", 0)
            process = context.Process(target=serve_node, args=(url, bus.url, port))
            process.start()
            stack.callback(process.join, 20)
            stack.callback(process.terminate)
            while not port.value:
                time.sleep(0.02)
            assert process.pid is not None
            nodes.append(process.pid)
            ports.append(port.value)
        yield House(nodes, ports, database, url, bus)


def players(ports: Sequence[int], game: str, tables: int, seconds: float, start: Any, out: Any) -> None:
    """Let two people play at each table, at different nodes if there are several."""

    async def run() -> Tally:
        tally = Tally()
        async with httpx2.AsyncClient(timeout=60) as http:
            bases = [f"http://127.0.0.1:{port}" for port in ports]
            laid = []
            for i in range(tables):
                cookies = await guests(http, bases[i % len(bases)])
                laid.append((await open_table(http, bases[i % len(bases)], game, cookies), cookies))
            await asyncio.to_thread(start.wait)
            until = time.perf_counter() + seconds
            await asyncio.gather(*(keep_on(http, i, one, until, tally) for i, one in enumerate(laid)))
        return tally

    async def keep_on(http: httpx2.AsyncClient, i: int, one: tuple[str, list[str]], until: float, tally: Tally) -> None:
        table, cookies = one
        while time.perf_counter() < until:
            seats = [(ports[(i + seat) % len(ports)], cookie) for seat, cookie in enumerate(cookies)]
            await asyncio.gather(*(sit(port, table, cookie, Player(tally, 0.0, until)) for port, cookie in seats))
            table = await open_table(http, f"http://127.0.0.1:{ports[i % len(ports)]}", game, cookies)

    out.put(uvloop.run(run()))


def measure_moves(one: House, game: str, tables: int, seconds: float) -> dict[str, Any]:
    """Let people play as fast as they can, and return what a move costs."""
    context = multiprocessing.get_context("spawn")
    out: Any = context.Queue()
    start = context.Barrier(2)
    process = context.Process(target=players, args=(one.ports, game, tables, seconds, start, out))
    process.start()
    start.wait()
    before, begin, size = one.cpu(), time.perf_counter(), one.stored()
    tally: Tally = out.get()
    elapsed, after = time.perf_counter() - begin, one.cpu()
    process.join()
    return {
        "nodes": len(one.nodes),
        "game": game,
        "tables": tables,
        "moves_per_s": tally.moves / elapsed,
        **{f"{part}_ms_per_move": 1000 * (after[part] - before[part]) / tally.moves for part in before},
        "stored_bytes_per_move": (one.stored() - size) / tally.moves,
        **percentiles(sorted(tally.waits)),
    }


def measure_idle(one: House, game: str, tables: int, seconds: float) -> dict[str, Any]:
    """Let people sit at tables whose game has begun and do nothing, and return what a connection costs."""

    async def run() -> tuple[dict[str, float], float, int, int]:
        tally = Tally()
        empty = sum(map(rss_bytes, one.nodes))
        async with httpx2.AsyncClient(timeout=60) as http:
            sitting = []
            for i in range(tables):
                base = f"http://127.0.0.1:{one.ports[i % len(one.ports)]}"
                cookies = await guests(http, base)
                table = await open_table(http, base, game, cookies)
                sitting += [
                    asyncio.create_task(
                        sit(one.ports[(i + seat) % len(one.ports)], table, cookie, Idle(tally, 0.0, 1e9))
                    )
                    for seat, cookie in enumerate(cookies)
                ]
            await asyncio.sleep(SETTLE)
            before, begin = one.cpu(), time.perf_counter()
            await asyncio.sleep(seconds)
            after, elapsed = one.cpu(), time.perf_counter() - begin
            full = sum(map(rss_bytes, one.nodes))
            if any(task.done() for task in sitting):
                raise RuntimeError("a connection of somebody who does nothing was lost")
            for task in sitting:
                task.cancel()
            await asyncio.gather(*sitting, return_exceptions=True)
        used = {part: (after[part] - before[part]) / elapsed for part in before}
        return used, full - empty, len(sitting), empty

    used, taken, connections, empty = uvloop.run(run())
    return {
        "nodes": len(one.nodes),
        "game": game,
        "connections": connections,
        **{f"{part}_ms_per_connection_s": 1000 * used[part] / connections for part in used},
        "kib_per_connection": taken / 1024 / connections,
        "mib_empty": empty / len(one.nodes) / 2**20,
    }


class Idle(Player):
    """Somebody who makes ready and then does nothing, with a page that shows it is there."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Send an empty message now and then, as a page does."""
        asyncio.get_running_loop().call_later(HEARTBEAT, self._beat, transport)

    def see(self, transport: WSTransport, told: Told) -> None:
        """Do nothing."""

    def _beat(self, transport: WSTransport) -> None:
        if not transport.is_disconnected:
            transport.send(WSMsgType.TEXT, b"")
            self.on_ws_connected(transport)


def measure_bots(one: House, bot: str, count: int) -> dict[str, Any]:
    """Have a worker choose moves of a bot early in games of Topas, and return what one costs."""
    command = [sys.executable, "-m", "bosquet", "worker", "--bus", one.redis.url, "--processes", "1", "--kind", "bots"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    views = []
    for seed in range(8):
        game, rng = bosquet.new("topas", players=2, seed=seed), Rng(seed)
        for _ in range(6):
            game.play(bots.make("random").choose(game.view(game.seat), rng))
        views.append(game.view(game.seat, moves=bots.reads_moves(bot, game.name)))

    async def run() -> tuple[dict[str, float], float]:
        nodes = Nodes(RedisBus(one.redis.url), KEY)
        async with nodes.open(list, dict, _nothing):
            remote = RemoteWorkers(one.redis.url, "bots", nodes)
            remote.open()
            while not nodes.slots("bots"):
                await asyncio.sleep(0.1)
            for view in views:  # what it compiles is there then
                await ready(remote, bot, view)
            before, begin = parts(), time.perf_counter()
            for i in range(count // 4):
                await asyncio.gather(*(remote.run(choose, bot, views[(i + k) % 8], "salt") for k in range(4)))
            after, elapsed = parts(), time.perf_counter() - begin
            remote.close()
        return {part: after[part] - before[part] for part in before}, elapsed

    def parts() -> dict[str, float]:
        return {
            "thinking": sum(map(cpu_seconds, children(process.pid))),
            "worker": cpu_seconds(process.pid),
            "bus": cpu_seconds(one.redis.pid),
            "asking": cpu_seconds(os.getpid()),
        }

    try:
        used, elapsed = uvloop.run(run())
    finally:
        process.terminate()
        process.wait(20)
    made = count // 4 * 4
    return {"bot": bot, "per_s": made / elapsed, **{f"{part}_ms": 1000 * used[part] / made for part in used}}


async def ready(remote: RemoteWorkers, bot: str, view: View) -> None:
    """Have a worker choose a move, as soon as it has compiled what it needs."""
    while True:
        try:
            await remote.run(choose, bot, view, "salt")
            return
        except NotReady:
            await asyncio.sleep(0.1)


def model(rows: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Calculate what many people at tables need, from what was measured with two nodes, the dearest game first."""
    move = max((row for row in rows["moves"] if row["nodes"] == 2), key=lambda row: float(row["nodes_ms_per_move"]))
    idle = next(row for row in rows["idle"] if row["nodes"] == 2)

    def cores(part: str, people: int) -> float:
        moves = people / SECONDS_A_MOVE * move[f"{part}_ms_per_move"]
        return float(moves + people * max(0.0, idle[f"{part}_ms_per_connection_s"])) / 1000 / LOAD

    calculated = []
    for people in PEOPLE:
        nodes = math.ceil(cores("nodes", people))
        calculated.append(
            {
                "people": people,
                "moves_per_s": people / SECONDS_A_MOVE,
                "nodes": nodes,
                "database_cores": cores("database", people),
                "database_connections": nodes * (READING + 1),
                "bus_cores": cores("bus", people),
                "nodes_gib": (nodes * idle["mib_empty"] + people * idle["kib_per_connection"] / 1024) / 1024,
                "stored_gib_a_day": people / SECONDS_A_MOVE * 86400 * move["stored_bytes_per_move"] / 2**30,
            }
        )
    return calculated


async def _nothing(tables: Any) -> None:
    pass


def run(
    games: Annotated[str, typer.Option(help="Games, with commas.")] = "topas,topiary",
    tables: Annotated[int, typer.Option(help="Busy tables.")] = 50,
    idle: Annotated[int, typer.Option(help="Tables at which nobody does anything.")] = 500,
    seconds: Annotated[float, typer.Option(help="How long each row is measured.")] = 10.0,
    players: Annotated[str, typer.Option("--bots", help="Bots of a worker, with commas.")] = "level2,level6",
    decisions: Annotated[int, typer.Option(help="Decisions of each bot.")] = 80,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure one node and two."""
    rows: dict[str, list[dict[str, Any]]] = {"moves": [], "idle": [], "bots": []}
    for count in (1, 2):
        with house(count) as one:
            for game in games.split(","):
                rows["moves"].append(measure_moves(one, game, tables, seconds))
                console.print(rows["moves"][-1])
            rows["idle"].append(measure_idle(one, games.split(",")[0], idle, seconds))
            console.print(rows["idle"][-1])
            if count == 1:
                for bot in players.split(","):
                    rows["bots"].append(measure_bots(one, bot, decisions))
                    console.print(rows["bots"][-1])
    rows["model"] = model(rows)
    if as_json:
        sys.stdout.write(json.dumps(rows) + "\n")
        return
    for title, measured in rows.items():
        table = Table(*measured[0], title=title)
        for row in measured:
            table.add_row(*(f"{value:.2f}" if isinstance(value, float) else str(value) for value in row.values()))
        Console().print(table)


if __name__ == "__main__":
    typer.run(run)
