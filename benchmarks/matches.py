"""Measures games of `simulate` through views and without: the same games, by turns in one process.

    python -m benchmarks.matches [--seconds 4]

Times are processor time, since other programs may run on the machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bosquet.core.rng import derived_seed
from bosquet.lab.compiled_play import CompiledPlay, plays
from bosquet.lab.matches import Match

SEED = 1
BATCH = 20
"""Games without views for each one through views."""
MATCHES: list[tuple[str, int, Sequence[str]]] = [
    ("topiary", 2, ["random"]),
    ("topiary", 2, ["greedy"]),
    ("topiary", 2, ["level3"]),
    ("topas", 1, ["greedy"]),
    ("topas", 2, ["random"]),
    ("topas", 2, ["greedy"]),
    ("topas", 2, ["level3"]),
    ("schlossgarten", 2, ["random"]),
    ("schlossgarten", 2, ["level3"]),
]


def measured(match: Match, seconds: float) -> tuple[float, float]:
    """Return the processor seconds of a game through views, and of one without."""
    player = CompiledPlay(match.game, match.options, match.bots)
    player.play(derived_seed(match.seed, 0))  # compiles
    match.play(0)
    spent, games = [0.0, 0.0], 0
    while sum(spent) < seconds:
        begun = time.process_time()
        match.play(games)
        between = time.process_time()
        for index in range(BATCH):
            player.play(derived_seed(match.seed, BATCH * games + index))
        spent[0] += between - begun
        spent[1] += time.process_time() - between
        games += 1
    return spent[0] / games, spent[1] / games / BATCH


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="processor time for each row")
    seconds = parser.parse_args().seconds
    table = Table("game", "seats", "bots", "ms a game, views", "without", "ratio", "100,000 games, core seconds")
    for game, players, names in MATCHES:
        assert plays(game, names)
        match = Match(game, {"players": players}, names, SEED).checked()
        views, without = measured(match, seconds)
        row = [f"{1000 * views:.1f}", f"{1000 * without:.3f}", f"{views / without:.0f}", f"{100_000 * without:.0f}"]
        table.add_row(game, str(players), names[0], *row)
    Console().print(table)


if __name__ == "__main__":
    main()
