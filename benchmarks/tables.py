"""How fast the server of the tables is: people who play whole games at loopback, as fast as they can or slowly.

`uv run --group load python -m benchmarks.tables` measures moves a second, how long a move takes to be acknowledged
(p50, p99), the server's processor time, and its memory for each table. With `--peer` it measures boardgame.io's server
in the same run (`npm ci` in benchmarks/boardgame_io first), with `--bare` one that writes and sends as much and plays
nothing. Server and people run in processes of their own. The people's connections are compiled (picows), so that they
take little of the two processors.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import multiprocessing
import os
import random
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import httpx2
import msgspec
import structlog
import typer
import uvloop
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect
from rich.console import Console
from rich.table import Table

from benchmarks import bare_server
from bosquet.games import names
from bosquet.server.app import create_app
from bosquet.server.limits import Limits, Rate
from bosquet.server.serve import run as run_server
from bosquet.server.warm_views import load

BASELINE = Path(__file__).with_name("boardgame_io")
ANY = Rate(1e9, 1e9)
LIMITS = Limits(
    asks=ANY,
    asks_of_address=ANY,
    opened=ANY,
    opened_of_address=ANY,
    opened_a_day=ANY,
    opened_a_day_of_address=ANY,
    requests=ANY,
    requests_of_address=ANY,
    computing=ANY,
    computing_of_address=ANY,
    connections=100_000,
    connections_of_guest=100_000,
    connections_of_address=100_000,
    connecting=ANY,
    sockets=100_000,
    sockets_of_address=100_000,
    live_tables=20_000,
)
CLIENT_PROCESSES = 2
OPENING = 20
"""Tables that one process opens at a time, before anybody plays."""
OPENING_SECONDS = 60.0
TICKS = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = resource.getpagesize()

console = Console(stderr=True)


class Move(msgspec.Struct):
    """What a player needs of a move."""

    say: str


class View(msgspec.Struct):
    """What a player needs of a view."""

    over: bool = False
    moves: list[Move] = []


class Told(msgspec.Struct):
    """What a player needs of a message."""

    type: str
    phase: str = ""
    number: int = 0
    viewpoint: int | None = None
    view: View = msgspec.field(default_factory=View)


TOLD = msgspec.json.Decoder(Told)


@dataclass
class Tally:
    """What the people of one process met."""

    moves: int = 0
    games: int = 0
    waits: list[float] = field(default_factory=list)


# --- our server ---


def serve(folder: str, port: Any) -> None:
    """Run the server as `bosquet serve` does, on any free port, once what it compiles is there."""
    for name in names():
        load(name)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    app = create_app(f"sqlite:///{folder}/tables.db", secrets.token_bytes(32), limits=LIMITS, processes=1)
    listening = socket.create_server(("127.0.0.1", 0), backlog=4096)

    def started() -> None:
        port.value = listening.getsockname()[1]

    run_server(app, listening, started)


def serve_bare(folder: str, port: Any) -> None:
    """Run the server that plays nothing."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=4096)

    def started() -> None:
        port.value = listening.getsockname()[1]

    bare_server.run(folder, LIMITS, listening, started)


@contextmanager
def our_server(serve: Callable[[str, Any], None] = serve) -> Iterator[tuple[int, int]]:
    """A running server: its process and its port."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        port = context.Value("i", 0)
        process = context.Process(target=serve, args=(folder, port))
        process.start()
        try:
            while not port.value:
                time.sleep(0.02)
            assert process.pid is not None
            yield process.pid, port.value
        finally:
            process.terminate()
            process.join(20)


class Player(WSListener):  # type: ignore[misc]  # compiled, without types
    """One seat of one table. What it does at a position can be another thing in a subclass."""

    def __init__(self, tally: Tally, pause: float, until: float) -> None:
        """Take how many seconds a player thinks, on average, and when the time is over."""
        self.tally = tally
        self.pause = pause
        self.until = until
        self.asked = 0.0

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Make ready where the table waits for it, and see positions."""
        if frame.msg_type != WSMsgType.TEXT:
            return
        told = TOLD.decode(frame.get_payload_as_memoryview())
        if told.type == "table" and told.phase == "waiting":
            say(transport, {"type": "ready", "nonce": secrets.token_hex(16)})
        elif told.type == "position":
            self.see(transport, told)

    def see(self, transport: WSTransport, told: Told) -> None:
        """Play until the game or the time is over."""
        if self.asked:
            self.tally.waits.append(time.perf_counter() - self.asked)
            self.tally.moves += 1
            self.asked = 0.0
        if told.view.over or time.perf_counter() > self.until:
            self.tally.games += told.view.over and told.viewpoint == 0
            leave(transport)
        elif told.view.moves:
            move = random.choice(told.view.moves).say
            ask = {"type": "play", "seat": told.viewpoint, "number": told.number, "move": move}
            if self.pause:
                asyncio.get_running_loop().call_later(random.uniform(0, 2 * self.pause), self._ask, transport, ask)
            else:
                self._ask(transport, ask)

    def _ask(self, transport: WSTransport, ask: dict[str, Any]) -> None:
        self.asked = time.perf_counter()
        say(transport, ask)


def say(transport: WSTransport, message: dict[str, Any]) -> None:
    """Send a message."""
    transport.send(WSMsgType.TEXT, msgspec.json.encode(message))


def leave(transport: WSTransport) -> None:
    """Close a connection as a page does."""
    transport.send_close(WSCloseCode.OK)
    transport.disconnect()


async def guests(http: httpx2.AsyncClient, base: str) -> list[str]:
    """The cookies of two people."""
    cookies = []
    for _ in range(2):
        answer = await http.get(f"{base}/api/lobby", headers={"cookie": ""})
        cookies.append(answer.headers["set-cookie"].split(";")[0])
        http.cookies.clear()
    return cookies


async def open_table(http: httpx2.AsyncClient, base: str, game: str, cookies: list[str]) -> str:
    """Open a table of two people, who both sit down."""
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "friend"}]
    body = {"game": game, "options": {"players": 2}, "seats": seats, "listed": True}
    answer = await http.post(f"{base}/api/tables", json=body, headers={"cookie": cookies[0]})
    table: str = answer.json()["table"]
    await http.post(f"{base}/api/tables/{table}/join", json={"name": "Bea"}, headers={"cookie": cookies[1]})
    return table


async def sit(port: int, table: str, cookie: str, player: Player) -> None:
    """One person at a table until the game is over, or the time and a moment more."""
    url = f"ws://127.0.0.1:{port}/api/tables/{table}/live"
    transport, _ = await ws_connect(lambda: player, url, extra_headers={"cookie": cookie}, max_frame_size=1 << 22)
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(transport.wait_disconnected(), player.until - time.perf_counter() + 5)
    finally:
        leave(transport)


async def keep_playing(http: httpx2.AsyncClient, place: Place, first: tuple[str, list[str]], tally: Tally) -> None:
    """One table after the other, until the time is over."""
    table, cookies = first
    while True:
        await asyncio.gather(
            *(sit(place.port, table, cookie, Player(tally, place.pause, place.until)) for cookie in cookies)
        )
        if time.perf_counter() > place.until:
            return
        table = await open_table(http, place.base, place.game, cookies)


@dataclass
class Place:
    """Where people play, what, how slowly, and until when."""

    port: int
    game: str
    pause: float
    until: float = 0.0

    @property
    def base(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"


def people(place: Place, tables: int, seconds: float, start: Any, out: Any) -> None:
    """The people of one process: they open so many tables, wait for the others, and play for so many seconds."""

    async def run() -> Tally:
        tally = Tally()
        limit = asyncio.Semaphore(OPENING)

        async def opened() -> tuple[str, list[str]]:
            async with limit:
                cookies = await guests(http, place.base)
                return await open_table(http, place.base, place.game, cookies), cookies

        limits = httpx2.Limits(max_connections=OPENING)
        async with httpx2.AsyncClient(timeout=120, limits=limits) as http:
            laid = await asyncio.gather(*(opened() for _ in range(tables)))
            await asyncio.to_thread(start.wait)
            place.until = time.perf_counter() + seconds
            await asyncio.gather(*(keep_playing(http, place, one, tally) for one in laid))
        return tally

    out.put(uvloop.run(run()))


def measure(pid: int, port: int, game: str, tables: int, seconds: float, pause: float) -> dict[str, Any]:
    """Let people play, and say how it went."""
    context = multiprocessing.get_context("spawn")
    out: Any = context.Queue()
    shares = [tables // CLIENT_PROCESSES + (i < tables % CLIENT_PROCESSES) for i in range(CLIENT_PROCESSES)]
    place = Place(port, game, pause)
    start = context.Barrier(sum(share > 0 for share in shares) + 1)
    processes = [context.Process(target=people, args=(place, share, seconds, start, out)) for share in shares if share]
    for process in processes:
        process.start()
    start.wait()
    before, started = cpu_seconds(pid), time.perf_counter()
    tallies: list[Tally] = [out.get() for _ in processes]
    elapsed, used = time.perf_counter() - started, cpu_seconds(pid) - before
    for process in processes:
        process.join()
    waits = sorted(wait for tally in tallies for wait in tally.waits)
    moves = sum(tally.moves for tally in tallies)
    return {
        "server": "bosquet",
        "game": game,
        "tables": tables,
        "pause_s": pause,
        "moves_per_s": moves / elapsed,
        "moves_per_cpu_s": moves / used if used else 0.0,
        "server_load": used / elapsed,
        "games": sum(tally.games for tally in tallies),
        **percentiles(waits),
    }


def percentiles(waits: list[float]) -> dict[str, float]:
    """The middle and the slowest of some sorted times, in milliseconds."""
    if not waits:
        return {"p50_ms": 0.0, "p99_ms": 0.0}
    return {f"p{p}_ms": 1000 * waits[min(len(waits) - 1, len(waits) * p // 100)] for p in (50, 99)}


async def lay_tables(port: int, game: str, tables: int) -> None:
    """Deal many tables and leave them."""
    limit = asyncio.Semaphore(50)
    base = f"http://127.0.0.1:{port}"

    async def one() -> None:
        async with limit:
            cookies = await guests(http, base)
            table = await open_table(http, base, game, cookies)
            until = time.perf_counter() + OPENING_SECONDS
            await asyncio.gather(*(sit(port, table, cookie, Visitor(Tally(), 0.0, until)) for cookie in cookies))

    async with httpx2.AsyncClient(timeout=120) as http:
        await asyncio.gather(*(one() for _ in range(tables)))


class Visitor(Player):
    """Somebody who sees the deal, and goes."""

    def see(self, transport: WSTransport, told: Told) -> None:
        """Go."""
        leave(transport)


def memory(pid: int, port: int, game: str, tables: int) -> dict[str, Any]:
    """KiB for each table that is dealt and left alone; some tables first, so that what is needed once is there."""
    uvloop.run(lay_tables(port, game, 100))
    before = rss_bytes(pid)
    uvloop.run(lay_tables(port, game, tables))
    return {
        "server": "bosquet",
        "game": game,
        "tables": tables,
        "kib_per_table": (rss_bytes(pid) - before) / tables / 1024,
    }


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used, its children apart."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def rss_bytes(pid: int) -> int:
    """Memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES


# --- the peer ---


@contextmanager
def peer_server() -> Iterator[tuple[int, int]]:
    """boardgame.io's server with a game like Topas: its process and its port."""
    environment = os.environ | {"NODE_ENV": "production"}
    process = subprocess.Popen(["node", "server.mjs"], cwd=BASELINE, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        while line and not line.startswith("port "):
            line = process.stdout.readline()
        yield process.pid, int(line.split()[1])
    finally:
        process.terminate()
        process.wait(20)


def measure_peer(pid: int, port: int, tables: int, seconds: float) -> dict[str, Any]:
    """Let people play at the peer, and say how it went."""
    shares = [tables // CLIENT_PROCESSES + (i < tables % CLIENT_PROCESSES) for i in range(CLIENT_PROCESSES)]
    before, started = cpu_seconds(pid), time.perf_counter()
    commands = [["node", "people.mjs", str(port), str(share), str(seconds)] for share in shares if share]
    clients = [subprocess.Popen(command, cwd=BASELINE, stdout=subprocess.PIPE, text=True) for command in commands]
    tallies = [json.loads(client.communicate(timeout=seconds + 120)[0]) for client in clients]
    elapsed, used = time.perf_counter() - started, cpu_seconds(pid) - before
    moves = sum(tally["moves"] for tally in tallies)
    return {
        "server": "boardgame.io",
        "game": "like Topas",
        "tables": tables,
        "pause_s": 0.0,
        "moves_per_s": moves / elapsed,
        "moves_per_cpu_s": moves / used if used else 0.0,
        "server_load": used / elapsed,
        "games": sum(tally["games"] for tally in tallies),
        **percentiles(sorted(wait / 1000 for tally in tallies for wait in tally["waits"])),
    }


# --- the run ---


def run(
    games: Annotated[str, typer.Option(help="Games, with commas.")] = "topas,topiary",
    tables: Annotated[str, typer.Option(help="Busy tables at once, with commas.")] = "1,100,1000",
    seconds: Annotated[float, typer.Option(help="How long each row is measured.")] = 10.0,
    peer: Annotated[bool, typer.Option(help="Measure boardgame.io, too.")] = False,
    bare: Annotated[bool, typer.Option(help="Measure a server that plays nothing, too.")] = False,
    slow: Annotated[bool, typer.Option(help="Also 1000 tables with a move in ten seconds each.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure the server of the tables."""
    rows = []
    counts = [int(count) for count in tables.split(",")]
    with our_server() as (pid, port):
        for game in games.split(","):
            for count in counts:
                rows.append(measure(pid, port, game, count, seconds, 0.0))
                console.print(rows[-1])
        if slow:
            rows.append(measure(pid, port, "topas", 1000, max(seconds, 30.0), 10.0))
            console.print(rows[-1])
    rests = []
    with our_server() as (pid, port):
        for game in games.split(","):
            rests.append(memory(pid, port, game, 1000))
            console.print(rests[-1])
    if peer:
        with peer_server() as (pid, port):
            for count in counts:
                rows.append(measure_peer(pid, port, count, seconds))
                console.print(rows[-1])
    if bare:
        with our_server(serve_bare) as (pid, port):
            for count in counts:
                rows.append(measure(pid, port, "topas", count, seconds, 0.0) | {"server": "bare"})
                console.print(rows[-1])
    if as_json:
        sys.stdout.write(json.dumps({"rows": rows, "memory": rests}) + "\n")
    else:
        show(rows, rests)


def show(rows: list[dict[str, Any]], rests: list[dict[str, Any]]) -> None:
    """The figures as a table."""
    shown = Table(title="Moves at the server of the tables", title_justify="left")
    for name in ("server", "game", "tables", "pause", "moves/s", "moves/s of its core", "load", "p50 ms", "p99 ms"):
        shown.add_column(name, justify="left" if name in ("server", "game") else "right")
    for row in rows:
        cells = [f"{row[key]:,.0f}" for key in ("moves_per_s", "moves_per_cpu_s")]
        cells += [f"{row['server_load']:.2f}", f"{row['p50_ms']:.1f}", f"{row['p99_ms']:.1f}"]
        shown.add_row(row["server"], row["game"], str(row["tables"]), f"{row['pause_s']:.0f} s", *cells)
    out = Console()
    out.print(shown)
    for rest in rests:
        out.print(f"{rest['game']}: {rest['kib_per_table']:.1f} KiB a table at rest")


if __name__ == "__main__":
    typer.run(run)
