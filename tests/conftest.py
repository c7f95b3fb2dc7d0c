"""The quick run and the whole run.

`pytest` runs a part of every kind of test within minutes: tests marked `slow` are left out, and rules and bots run as
plain Python except in tests marked `compiled`. `pytest --everything` runs all, compiled wherever it can be. So does
a choice by a marker (`-m`) or by the name of a test (`file.py::name`). `pytest --rest` runs what a
quick run has left out: slow tests, and those that find more where rules and bots are compiled.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from bosquet.kernels.jit import SWITCH, available

# Compiled rules run with bounds checking in the tests; numba reads this when it is first imported.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
# Tests start many processes, which would compile each module that they import anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

HERE = Path(__file__).parent
# What differs is shown where helpers compare, too.
pytest.register_assert_rewrite(*(f"tests.{folder.parent.name}.helpers" for folder in HERE.glob("*/helpers")))
EVERYTHING = "--everything"
REST = "--rest"
PLAIN_IS_ENOUGH = {"benchmarks", "bots", "browser", "contract", "deploy", "differential", "docs", "edges", "engine"}
PLAIN_IS_ENOUGH |= {"foreign", "lab", "nodes", "rulings", "search", "server", "studies", "terminal"}
"""Folders whose quick tests see the same of plain rules as of compiled ones, unless they are marked `compiled`."""
NOT_COVERED = {"benchmarks", "browser", "deploy", "differential", "docs", "foreign", "lab", "nodes", "studies"}
"""Folders whose tests are not watched with `--cov`: that takes minutes there, and shows few lines of rules."""
LEFT_OUT = pytest.StashKey[int]()
"""How many tests were left out of the quick run."""
PLAIN = pytest.StashKey[bool]()
"""Whether compiling was turned off here, for the quick run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(EVERYTHING, action="store_true", help="run slow tests too, and compile wherever it can be")
    parser.addoption(REST, action="store_true", help="run what a quick run leaves out or runs as plain Python only")


def pytest_xdist_auto_num_workers() -> int:
    """Return three workers for two processors: a test waits a fifth of its time, for a browser, a server or a clock."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return processors * 3 // 2


def is_quick(config: pytest.Config) -> bool:
    """Whether slow tests are left out."""
    named = any("::" in argument for argument in config.args)
    return not (config.getoption(EVERYTHING) or config.getoption(REST) or config.option.markexpr or named)


def quick_was_enough(item: pytest.Item) -> bool:
    """Whether a quick run has shown all that a test can show."""
    marked = item.get_closest_marker("slow") or item.get_closest_marker("compiled")
    return not marked and item.path.relative_to(HERE).parts[0] in PLAIN_IS_ENOUGH


def runs_elsewhere(config: pytest.Config) -> bool:
    """Whether this process only hands out tests to workers (pytest-xdist)."""
    return not hasattr(config, "workerinput") and config.getoption("dist", "no") != "no"


def pytest_configure(config: pytest.Config) -> None:
    # A run in the background ignores Ctrl-C, and so would the programs that tests start and interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.stash[LEFT_OUT] = 0
    config.stash[PLAIN] = is_quick(config) and not runs_elsewhere(config) and SWITCH not in os.environ
    if config.stash[PLAIN]:
        os.environ[SWITCH] = "0"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage in what is collected: all of it stays, and to search it takes a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("no_cov"):  # pytest-cov cannot pause what it does not measure
        for item in items:
            if item.path.relative_to(HERE).parts[0] in NOT_COVERED:
                item.add_marker("no_cover")
    if is_quick(config):
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        config.stash[LEFT_OUT] = len(slow)
        config.hook.pytest_deselected(items=slow)
    elif config.getoption(REST):
        done = [item for item in items if quick_was_enough(item)]
        items[:] = [item for item in items if not quick_was_enough(item)]
        config.hook.pytest_deselected(items=done)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Compile in a test marked `compiled`."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("compiled") and item.config.stash[PLAIN]:
            patch.delenv(SWITCH)
        return (yield)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("compiled") and not available():
        pytest.skip("compiling is turned off (BOSQUET_JIT=0) or numba is absent")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """Say at the very end what was left out; a worker tells the process that started it."""
    config = session.config
    if hasattr(config, "workerinput"):
        config.workeroutput["left_out"] = config.stash[LEFT_OUT]  # type: ignore[attr-defined]
    result = yield
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if is_quick(config) and reporter and not hasattr(config, "workerinput"):
        reporter.write_line(
            f"The quick run left out {config.stash[LEFT_OUT]} slow tests and compiled the rules in a few only. "
            f"All of them: uv run pytest {EVERYTHING}"
        )
    return result


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear from a worker how many tests it left out: each worker collects all of them."""
    output = getattr(node, "workeroutput", None) or {}
    node.config.stash[LEFT_OUT] = output.get("left_out", 0)


@pytest.fixture
def collected() -> Generator[None]:
    """Collect what libraries leave behind when a loop ends where it was left, not in a later test."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
