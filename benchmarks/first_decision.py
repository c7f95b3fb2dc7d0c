"""Measures how long a fresh process takes to the first decision of the strongest level, with an empty and a warm cache.

    python -m benchmarks.first_decision [--repeat 3] [--game topas]

Each process is pinned to one core (on Linux). Seconds run from its start to the move and include imports, and compiling
or loading kernels. On a machine with other load, compare the CPU seconds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

import bosquet

LEVEL = "level6"
DECISION = """
import os, sys, time
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import bosquet
from bosquet import bots

view = bosquet.new(sys.argv[1], seed=1, players=2).view(0)
bots.make(sys.argv[2]).choose(view, bosquet.Rng(1))
print(time.process_time())
"""


class Taken(NamedTuple):
    """What a process took."""

    seconds: float
    cpu: float


def decide(game: str, cache: str, bot: str = LEVEL) -> Taken:
    """Make the first decision of a game in a separate process."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", DECISION, game, bot]
    begin = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment | {"NUMBA_CACHE_DIR": cache}
    ) as run:
        assert run.stdout is not None
        said = run.stdout.readline()
        return Taken(time.perf_counter() - begin, float(said))


def main() -> None:
    """Print the table: the median of the repetitions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--game", choices=bosquet.GAMES, action="append")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        decide("topas", cache, "greedy")  # Python writes its own bytecode
    print(f"{'first decision of ' + LEVEL:28} {'empty cache':>12} {'CPU':>7} {'warm cache':>12} {'CPU':>7}  seconds")
    for game in given.game or bosquet.GAMES:
        cold, warm = [], []
        for _ in range(given.repeat):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(decide(game, cache))
                warm += [decide(game, cache) for _ in range(3)]
        figures = [statistics.median(column) for taken in (cold, warm) for column in zip(*taken, strict=True)]
        print(f"{game:28} {figures[0]:12.1f} {figures[1]:7.1f} {figures[2]:12.2f} {figures[3]:7.2f}", flush=True)


if __name__ == "__main__":
    main()
