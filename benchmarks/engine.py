"""Measures the engines of the games in Chromium, and their search beside the compiled one in Python.

    python -m benchmarks.engine [--game topas] [--seconds 3] [--decisions 20]

Bytes are those of the module (rules, views and search together) and of all weights of learned values, of which a game
takes one file, and what `gzip -9` makes of them. `load` is from the
start of a worker to its loaded engine, `compile` the part in which the browser compiles, with the module in its cache;
`view` writes the view of the seat to move after the deal with all moves, `parse` reads it in JavaScript. A decision is
one of the first of a game in which all seats are that level, as the page asks a worker for it. Simulations a second are
those of the quickest of many equal searches of the first decision, by turns with Python, on one thread each: on a busy
machine the others are interrupted. The last line says how busy it was.
"""

from __future__ import annotations

import argparse
import gzip
import math
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

import bosquet
from bosquet.bots import levels
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.search import Search, Settings
from bosquet.server.base.engines import weights_of
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.engine.helpers.node import has_engine, module_of
from tests.engine.helpers.questions import SECRET, settings_of
from tests.engine.helpers.site import call, site, source_of

REPEAT = 9
"""How often a module is loaded."""
TURNS = 6
"""How often Python and the engine are measured by turns."""
SIMULATIONS = 100
NONCES = ("1", "2")


class InPage:
    """The engine of a game with two players in a page."""

    def __init__(self, page: Page, game: str) -> None:
        self._page = page
        self._source = source_of(game)
        self._deal = {"options": {"players": 2}, "secret": SECRET, "nonces": NONCES}

    def call(self, function: str, *arguments: object) -> Any:
        """Return what a function of the page gives for the engine, a game and more."""
        return self._page.evaluate(call(function, self._source, self._deal, *arguments))


def speed_in_python(game: str, seconds: float) -> float:
    """Return simulations a second of the same search in Python, compiled: the quickest one."""
    spec = bosquet.spec(game)
    view = fair.deal(spec, {"players": 2}, SECRET, NONCES).view(0)
    state = spec.view.determinize(view, Rng("0"))
    search = Search(Settings(simulations=SIMULATIONS))
    search.search_from(game, state, Rng("0"))  # compiles
    least, end = math.inf, time.perf_counter() + seconds
    while (begin := time.perf_counter()) < end:
        search.search_from(game, state, Rng("0"))
        least = min(least, time.perf_counter() - begin)
    return SIMULATIONS / least


def measured(page: Page, game: str, seconds: float, most: int) -> list[tuple[str, str]]:
    """Return what was measured of a game, and the figure, by rows."""
    code = module_of(game).read_bytes()
    weights = [one.sent for one in weights_of(game)]
    engine = InPage(page, game)
    times = engine.call("times", REPEAT)
    rows = [
        ("module, bytes", f"{len(code):,}"),
        ("module, bytes gzipped", f"{len(gzip.compress(code, 9)):,}"),
        ("weights, bytes", f"{sum(len(sent.content) for sent in weights):,}"),
        ("weights, bytes gzipped", f"{sum(len(sent.compressed) for sent in weights):,}"),
        ("memory, MB", f"{times['memory'] / 1e6:.1f}"),
        ("load, ms", f"{times['load']:.1f}"),
        ("compile, ms", f"{times['compile']:.1f}"),
        ("view, ms", f"{times['view']:.4f}"),
        ("parse, ms", f"{times['parse']:.4f}"),
    ]
    for level in range(1, levels.COUNT + 1):
        taken = engine.call("decisions", settings_of(levels.settings(game, level)), most)
        figures = f"{statistics.median(taken):.1f} / {max(taken):.1f}"
        rows.append((f"decision of level{level}, ms, median / most", figures))
    speeds = []
    for _ in range(TURNS):
        there = speed_in_python(game, seconds / TURNS)
        speeds.append((engine.call("speed", SIMULATIONS, seconds / TURNS), there))
    here, there = (max(column) for column in zip(*speeds, strict=True))
    return [
        *rows,
        ("simulations a second", f"{here:,.0f}"),
        ("of those in Python", f"{here / there:.2f} of {there:,.0f}"),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=bosquet.GAMES, action="append")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--decisions", type=int, default=20)
    given = parser.parse_args()
    games = [game for game in given.game or bosquet.GAMES if has_engine(game)]
    with (
        tempfile.TemporaryDirectory() as folder,
        site(Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.goto(address)
        table = [measured(page, game, given.seconds, given.decisions) for game in games]
        version = browser.version
        browser.close()
    print(f"{'Chromium ' + version:44}" + "".join(f"{game:>20}" for game in games))
    for row in zip(*table, strict=True):
        print(f"{row[0][0]:44}" + "".join(f"{figure:>20}" for _, figure in row))
    print(f"load of the machine, mean of 5 minutes: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
