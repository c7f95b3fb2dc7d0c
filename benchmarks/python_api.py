"""Measures `legal()` and `view()` from Python, uncached.

python -m benchmarks.python_api [--games 20]
"""

from __future__ import annotations

import argparse
import statistics
import time

import bosquet

MOST_MOVES = 100


def measured(name: str, games: int) -> tuple[list[float], list[float]]:
    """Return the seconds of each `legal()` and each `view()` in random games: the first calls after a move."""
    legal, view = [], []
    for seed in range(games):
        game, rng = bosquet.new(name, seed=seed), bosquet.Rng(seed)
        while not game.over and len(game.moves) < MOST_MOVES:
            begin = time.perf_counter()
            moves = game.legal()
            middle = time.perf_counter()
            game.view(game.seat)
            view.append(time.perf_counter() - middle)
            legal.append(middle - begin)
            game.play(rng.choice(moves))
    return legal, view


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    games = parser.parse_args().games
    for name in bosquet.GAMES:
        legal, view = measured(name, games)
        print(
            f"{name:<14} legal() {1e6 * statistics.median(legal):7.1f} µs, largest tenth "
            f"{1e6 * statistics.quantiles(legal, n=10)[-1]:7.1f} µs; view() {1e6 * statistics.median(view):8.1f} µs"
        )


if __name__ == "__main__":
    main()
