"""Measures what the options of Schlossgarten change in games of bots: length, points and the first seat's advantage.

Usage: python -m benchmarks.options [--games 400] [--bot level4] [--players 2] [--workers 2]

Every option set plays the same deals. A turn is the turn of one seat. In brackets are 95 % intervals.
"""

from __future__ import annotations

import argparse
import json
from statistics import fmean
from typing import Any

import numpy as np

from bosquet.lab.matches import Match, outcomes
from bosquet.lab.ratings import mean, share

OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"work": "each"},
    {"overbuild": "elements"},
    {"work": "each", "overbuild": "elements"},
)


def measured(options: dict[str, Any], bot: str, games: int, workers: int | None) -> str:
    """Return a line of the table."""
    match = Match("schlossgarten", options, [bot], seed=1).checked()
    turns, points, first = [], [], []
    for outcome in outcomes(match, games, workers):
        moves = json.loads(outcome.record)["moves"]
        turns.append(sum(move.startswith("card") for move in moves))
        points.append(fmean(outcome.scores))
        first.append((0 in outcome.winners) / len(outcome.winners))
    wins = share(np.array(first))
    named = ", ".join(f"`{name}` {value}" for name, value in options.items() if name != "players") or "the defaults"
    shown = " | ".join(
        f"{one.value:.1f} [{one.low:.1f}, {one.high:.1f}]" for one in map(mean, map(np.array, (turns, points)))
    )
    return f"| {named} | {shown} | {100 * wins.value:.1f} % [{100 * wins.low:.1f}, {100 * wins.high:.1f}] |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--bot", default="level4")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--workers", type=int, default=None)
    given = parser.parse_args()
    print(f"{given.games} games of {given.bot}, {given.players} players")
    print("| options | turns in a game | points of a seat | wins of seat 0 |\n|---|---|---|---|")
    for options in OPTIONS:
        print(measured({"players": given.players, **options}, given.bot, given.games, given.workers), flush=True)


if __name__ == "__main__":
    main()
