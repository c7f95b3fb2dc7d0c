"""Measures the memory of `bosquet` in all its processes: idle, and while one person plays against the strongest level.

`python -m benchmarks.memory` starts a server for each row, as `bosquet` alone does but for the browser, with a cache
that has everything compiled. PSS counts a page that several processes share once; RSS counts it in each of them. Both
are read from `/proc`, so it runs on Linux only. It also says how long the first moves take.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from bosquet.core.installed import names

LEVEL = "level6"
TICKS = os.sysconf("SC_CLK_TCK")
LOOK_SECONDS = 2.0
WAIT_SECONDS = 180.0
IDLE_SHARE = 0.05
"""Share of a core that an idle server takes less than."""


class Sum(NamedTuple):
    """The memory of a process and all that it started, in MB, and their number."""

    pss: float
    rss: float
    processes: int


class Server(NamedTuple):
    """A server that runs."""

    pid: int
    port: int
    started: float
    """Seconds from its start to its first answer."""


@contextlib.contextmanager
def served() -> Iterator[Server]:
    """Run `bosquet serve` meanwhile, with a data folder of its own."""
    with tempfile.TemporaryDirectory() as data, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        begin = time.perf_counter()
        command = [sys.executable, "-m", "bosquet", "serve", "--no-browser", "--port", str(port), "--data", data]
        with open(Path(data) / "log", "w+") as log, subprocess.Popen(command, stderr=log) as process:
            try:
                while True:
                    with contextlib.suppress(OSError):
                        asked(port, "/api/lobby")
                        break
                    if process.poll() is not None:
                        sys.exit(f"the server ended: {Path(data, 'log').read_text()}")
                    time.sleep(0.01)
                yield Server(process.pid, port, time.perf_counter() - begin)
            finally:
                process.terminate()
                process.wait(20)


def asked(port: int, path: str, cookie: str = "", body: Any = None) -> tuple[Any, str]:
    """Return the answer to a request, and the cookie that it sets."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"cookie": cookie, "content-type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer), (answer.headers["set-cookie"] or "").partition(";")[0]


def family(pid: int) -> list[int]:
    """Return a process and all that it started."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def memory(pid: int) -> Sum:
    """Return what a process and all that it started take."""
    pss = rss = 0.0
    members = family(pid)
    for member in members:
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{member}/smaps_rollup").read_text()
            kib = {key: int(value) for key, value in re.findall(r"^(Pss|Rss):\s+(\d+)", text, re.MULTILINE)}
            pss += kib["Pss"] * 1024 / 1e6
            rss += kib["Rss"] * 1024 / 1e6
    return Sum(pss, rss, len(members))


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process, all that it started and what of that has ended."""
    ticks = 0
    for member in family(pid):
        with contextlib.suppress(OSError):
            ticks += sum(map(int, Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / TICKS


def settle(pid: int) -> None:
    """Wait until nothing goes on in a server, and nothing is compiled."""
    used = -1.0
    while used < 0 or workers(pid) or cpu_seconds(pid) - used > IDLE_SHARE * LOOK_SECONDS:
        used = cpu_seconds(pid)
        time.sleep(LOOK_SECONDS)


def workers(pid: int) -> int:
    """Return how many worker processes a server has; another one keeps the books of `multiprocessing`."""
    count = 0
    for member in family(pid):
        with contextlib.suppress(OSError):
            count += b"spawn_main" in Path(f"/proc/{member}/cmdline").read_bytes()
    return count


def heard(page: Connection, kind: str) -> Any:
    """Return the next message of a kind."""
    while (told := json.loads(page.recv(WAIT_SECONDS)))["type"] != kind:
        if told["type"] == "refused":
            sys.exit(f"the server refused: {told['message']}")
    return told


def play(server: Server, game: str, decisions: int, thought: float) -> dict[str, Any]:
    """Play the first decisions of a game, `thought` seconds each; return times and the most memory that was seen."""
    _, cookie = asked(server.port, "/api/lobby")
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": LEVEL}]
    begin = time.perf_counter()
    body = {"game": game, "options": {"players": 2}, "seats": seats, "pace": "instant"}
    table = asked(server.port, "/api/tables", cookie, body)[0]["table"]
    most, waits = Sum(0.0, 0.0, 0), []
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/live"
    with connect(url, additional_headers={"cookie": cookie}) as page:
        page.send(json.dumps({"type": "ready", "nonce": secrets.token_hex(16)}))
        position = heard(page, "position")
        first = time.perf_counter() - begin
        for _ in range(decisions):
            since = time.perf_counter()
            waits_for_bot = not position["view"]["moves"]
            while not (position["view"]["moves"] or position["view"]["over"]):
                position = heard(page, "position")
            if waits_for_bot:
                waits.append(time.perf_counter() - since)
            most = max(most, memory(server.pid))
            if position["view"]["over"]:
                break
            time.sleep(thought)
            move = position["view"]["moves"][-1]["say"]
            page.send(
                json.dumps({"type": "play", "seat": position["viewpoint"], "number": position["number"], "move": move})
            )
            position = heard(page, "position")
    times = {"first_bot_s": waits[0], "later_bot_s": max(waits[1:], default=0.0)} if waits else {}
    return {**most._asdict(), "first_position_s": first, **times}


def run(
    games: Annotated[str, typer.Option(help="Games, with commas.")] = ",".join(names()),
    decisions: Annotated[int, typer.Option(help="Decisions of the person at each table.")] = 12,
    thought: Annotated[float, typer.Option(help="Seconds that the person thinks about each.")] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure the memory of a server that one person plays at."""
    with served() as server:  # compiles what is missing
        settle(server.pid)
        for game in filter(None, games.split(",")):
            play(server, game, 2, 0.0)
    rows: list[dict[str, Any]] = []
    with served() as server:
        rows.append({"what": "at the first answer", **memory(server.pid)._asdict(), "started_s": server.started})
        settle(server.pid)
        rows.append({"what": "idle", **memory(server.pid)._asdict()})
    for game in filter(None, games.split(",")):
        with served() as server:
            settle(server.pid)
            rows.append({"what": f"{game} against {LEVEL}", **play(server, game, decisions, thought)})
    for row in rows:
        figures = ", ".join(f"{key} {value:.2f}" for key, value in row.items() if key.endswith("_s"))
        told = f"{row['what']:28} {row['pss']:6.0f} MB PSS {row['rss']:6.0f} MB RSS {row['processes']:3} processes"
        print(json.dumps(row) if as_json else f"{told}  {figures}".rstrip(), flush=True)


if __name__ == "__main__":
    typer.run(run)
