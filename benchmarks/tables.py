"""Measures the server while people play whole games on loopback, as fast as they can or slowly.

`uv run --group test python -m benchmarks.tables` measures moves per second, the time until a move is acknowledged (p50,
p99), the server's processor time, and its memory for each table. `--peer` also measures boardgame.io's server in the
same run (run `npm install` in benchmarks/boardgame_io first), `--bare` a server that writes and sends as much but plays
nothing. Server and people run in separate processes.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import structlog
import typer
import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks import bare_server
from benchmarks.people import Place, Tally, lay_tables, people, percentiles
from bosquet.core.installed import names
from bosquet.server.base.engines import engine_of
from bosquet.server.base.rate_limits import Rate
from bosquet.server.compute.compile_ahead import load_views
from bosquet.server.host.run import run as run_server
from bosquet.server.http.app import create_app
from bosquet.server.http.limits import Limits

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
TICKS = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = resource.getpagesize()

console = Console(stderr=True)


# --- our server ---


def serve(folder: str, port: Any) -> None:
    """Load the compiled views, then run the server as `bosquet serve` does, on any free port."""
    for name in names():
        load_views(name)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    app = create_app(f"sqlite:///{folder}/tables.db", secrets.token_bytes(32), limits=LIMITS, processes=1)
    listening = socket.create_server(("127.0.0.1", 0), backlog=4096)

    def started() -> None:
        port.value = listening.getsockname()[1]

    run_server(app, listening, started)


def serve_bare(folder: str, port: Any) -> None:
    """Run the server that plays nothing, on any free port."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=4096)

    def started() -> None:
        port.value = listening.getsockname()[1]

    bare_server.run(folder, LIMITS, listening, started)


@contextmanager
def our_server(serve: Callable[[str, Any], None] = serve) -> Iterator[tuple[int, int]]:
    """Run a server meanwhile; yield its process id and its port."""
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


def measure(
    pid: int,
    port: int,
    game: str,
    tables: int,
    seconds: float,
    pause: float,
    begin: Callable[[], None] = lambda: None,
    *,
    views: bool = False,
) -> dict[str, Any]:
    """Let people play; return what was measured. `begin` is called when the first tables are open.

    Their pages work out moves with the engine of the game, as ours do, or are sent `views`.
    """
    context = multiprocessing.get_context("spawn")
    out: Any = context.Queue()
    shares = [tables // CLIENT_PROCESSES + (i < tables % CLIENT_PROCESSES) for i in range(CLIENT_PROCESSES)]
    engine = None if views else engine_of(game)
    place = Place(port, game, pause, "" if engine is None else engine.hash)
    start = context.Barrier(sum(share > 0 for share in shares) + 1)
    processes = [context.Process(target=people, args=(place, share, seconds, start, out)) for share in shares if share]
    for process in processes:
        process.start()
    start.wait()
    begin()
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


def memory(pid: int, port: int, game: str, tables: int) -> dict[str, Any]:
    """Return the KiB for each table that is dealt and left, after as many others that cause what is allocated once."""
    uvloop.run(lay_tables(port, game, tables))
    before = rss_bytes(pid)
    uvloop.run(lay_tables(port, game, tables))
    return {
        "server": "bosquet",
        "game": game,
        "tables": tables,
        "kib_per_table": (rss_bytes(pid) - before) / tables / 1024,
    }


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process in seconds, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def rss_bytes(pid: int) -> int:
    """Return the resident memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES


# --- the peer ---


@contextmanager
def peer_server() -> Iterator[tuple[int, int]]:
    """Run boardgame.io's server with a game like Topas meanwhile; yield its process id and its port."""
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
    """Let people play at the peer; return what was measured."""
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
    resting: Annotated[int, typer.Option(help="Tables that are dealt and left, for the memory of one.")] = 1000,
    views: Annotated[bool, typer.Option(help="Send views, as to programs, instead of positions.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure the server of the tables."""
    rows = []
    counts = [int(count) for count in tables.split(",")]
    with our_server() as (pid, port):
        for game in games.split(","):
            for count in counts:
                rows.append(measure(pid, port, game, count, seconds, 0.0, views=views))
                console.print(rows[-1])
        if slow:
            rows.append(measure(pid, port, "topas", 1000, max(seconds, 30.0), 10.0))
            console.print(rows[-1])
    rests = []
    with our_server() as (pid, port):
        for game in games.split(","):
            rests.append(memory(pid, port, game, resting))
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
    """Print the figures as a table."""
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
