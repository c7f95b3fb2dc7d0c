"""Measures where the server's processor time goes while people play: microseconds of each step, for one move.

`uv run --group test python -m benchmarks.steps` looks at the stack of the server after each millisecond of processor
time, or as often as the system lets it, while people play as in `benchmarks.tables`. A step is the innermost of the
functions in `STEPS` that are running. The threads that write to the database and read from it have clocks of their own;
the other steps share what is left.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from benchmarks import tables
from benchmarks.tables import measure, our_server

PERIOD = 0.001
RESULT = "BOSQUET_STEPS"
"""Names the file into which the process of the server writes what it has seen."""
STEPS: dict[tuple[str, str], str] = {
    ("websocket_protocol.py", "data_received"): "frames received",
    ("connection.py", "run"): "limits, parsing, locks",
    ("__init__.py", "decide"): "deciding: the move is parsed and played",
    ("journal.py", "write"): "handing over to the journal",
    ("session.py", "apply"): "applying",
    ("game.py", "view_json"): "views",
    ("broadcast.py", "sheet"): "score sheet",
    ("table.py", "_tell"): "messages",
    ("websocket_protocol.py", "send_now"): "sending",
    ("http_protocol.py", "data_received"): "HTTP",
    ("applications.py", "__call__"): "HTTP",
    ("table_requests.py", "open"): "opening a table",
    ("table_requests.py", "join"): "opening a table",
    ("deal.py", "decide"): "opening a table",
    ("table.py", "attach"): "opening a table",
    ("table.py", "detach"): "leaving a table",
    ("rater.py", "_run"): "rating",
}
OTHER = "event loop, and the rest"
THREADS = {"writer": "writing", "reader": "reading"}
"""Steps by the first word of the threads that have clocks of their own."""
TOGETHER = "together"


class Sampler:
    """Counts steps after each period of processor time."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._started: dict[str, float] = {}
        signal.signal(signal.SIGPROF, self._look)

        signal.signal(signal.SIGUSR1, self._start)

    def _start(self, number: int, frame: FrameType | None) -> None:
        """Begin to count: the first tables are open."""
        self._started = _used()
        signal.setitimer(signal.ITIMER_PROF, PERIOD, PERIOD)

    def _look(self, number: int, frame: FrameType | None) -> None:
        while frame is not None:
            step = STEPS.get((Path(frame.f_code.co_filename).name, frame.f_code.co_name))
            if step is not None:
                self._seen[step] += 1
                return
            frame = frame.f_back
        self._seen[OTHER] += 1

    def write(self, to: Path) -> None:
        """Write what was counted, and the share of the threads that write and read."""
        used = {kind: seconds - self._started.get(kind, 0.0) for kind, seconds in _used().items()}
        shares = {kind: used[kind] / used[TOGETHER] for kind in THREADS.values()}
        partial = to.with_suffix(".partial")
        partial.write_text(json.dumps({"seen": dict(self._seen), "shares": shares}))
        partial.replace(to)


def _used() -> dict[str, float]:
    """Return the seconds of processor time that this process has used, and those of its threads by step."""
    used = {TOGETHER: time.process_time(), **dict.fromkeys(THREADS.values(), 0.0)}
    for thread in threading.enumerate():
        kind = THREADS.get(thread.name.split()[0])
        if thread.ident is not None and kind is not None:
            used[kind] += time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    return used


def serve(folder: str, port: Any) -> None:
    """Run the server of `benchmarks.tables`; write twice a second which steps were seen."""
    sampler, result = Sampler(), Path(os.environ[RESULT])

    def follow() -> None:
        while True:
            time.sleep(0.5)
            sampler.write(result)

    threading.Thread(target=follow, daemon=True).start()
    tables.serve(folder, port)


def run(
    games: Annotated[str, typer.Option(help="Games, with commas.")] = "topas,topiary",
    count: Annotated[int, typer.Option("--tables", help="Busy tables at once.")] = 100,
    seconds: Annotated[float, typer.Option(help="How long people play.")] = 10.0,
) -> None:
    """Measure the steps of a move."""
    shown = Table(title="Microseconds of processor time for one move")
    shown.add_column("step")
    found: dict[str, dict[str, float]] = {}
    for game in games.split(","):
        shown.add_column(game, justify="right")
        found[game] = _measured(game, count, seconds)
    steps = {step: None for one in found.values() for step in sorted(one, key=lambda step: -one[step])}
    for step in steps:
        shown.add_row(step, *(f"{one.get(step, 0.0):.0f}" for one in found.values()))
    shown.add_row(TOGETHER, *(f"{sum(one.values()):.0f}" for one in found.values()))
    Console().print(shown)


def _measured(game: str, count: int, seconds: float) -> dict[str, float]:
    """Return the microseconds of each step for one move of a game."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "steps"
        os.environ[RESULT] = str(result)
        with our_server(serve) as (pid, port):
            begin = partial(os.kill, pid, signal.SIGUSR1)
            move = 1e6 / measure(pid, port, game, count, seconds, 0.0, begin)["moves_per_cpu_s"]
        told = json.loads(result.read_text())
    samples, threads = sum(told["seen"].values()), told["shares"]
    own = 1 - sum(threads.values())
    shares = {step: own * number / samples for step, number in told["seen"].items()} | threads
    return {step: move * share for step, share in shares.items()}


if __name__ == "__main__":
    typer.run(run)
