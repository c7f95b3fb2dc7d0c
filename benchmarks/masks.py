"""Measures steps of batches with masks and with lists of legal actions only, on one thread and on two.

    uv run python -m benchmarks.masks [--seconds 1.5] [--rounds 3]

The four kinds alternate. Prints medians, in thousands of uniformly random steps per second.
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import product

import bosquet
from bosquet.core.installed import spec

SIZES = (256, 4096)
WARM = 20
"""Steps before the clock starts."""
BETWEEN = 10
"""Steps between two looks at the clock."""


def rate(game: str, n: int, masks: bool, threads: int, seconds: float) -> float:
    """Return how many thousand games are stepped a second."""
    with bosquet.batch(game, n, seed=1, threads=threads, masks=masks, players=2) as batch:
        for _ in range(WARM):
            batch.step(batch.sample())
        steps, begun = 0, time.perf_counter()
        while (taken := time.perf_counter() - begun) < seconds:
            for _ in range(BETWEEN):
                batch.step(batch.sample())
            steps += BETWEEN
    return steps * n / taken / 1000


def main() -> None:
    """Measure all games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    kinds = list(product((True, False), (1, 2)))
    print("| game | games | masks, one thread | lists, one thread | masks, two threads | lists, two threads |")
    print("|---|---|---|---|---|---|")
    for game, n in product(bosquet.GAMES, SIZES):
        rates: dict[tuple[bool, int], list[float]] = {kind: [] for kind in kinds}
        for _, (masks, threads) in product(range(given.rounds), kinds):
            rates[masks, threads].append(rate(game, n, masks, threads, given.seconds))
        found = {kind: statistics.median(one) for kind, one in rates.items()}
        cells = [f"{found[masks, threads]:,.0f}" for threads in (1, 2) for masks in (True, False)]
        print(f"| {spec(game).title} | {n} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
