"""Measures a bound for Topas alone: the score of a beam search that knows the order of the cards.

    uv run python -m benchmarks.known_deck --deals 60 --width 1000

The deals are those of `bosquet simulate topas --players 1` with the same seed. A beam of one is greedy.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from typing import Any

import numpy as np

import bosquet
from bosquet.core.rng import derived_seed
from bosquet.core.state import Numbers
from bosquet.games.topas.rules import COLUMNS, HALVES, TURNS
from bosquet.games.topas.solitaire.column import (
    MOST_CELLS,
    MOST_OPTIONS,
    Column,
    clear_column,
    find_options,
    option_of,
    option_points,
    put_card,
    survey,
)
from bosquet.kernels.bits import index
from bosquet.kernels.jit import bind, kernel

MOST = 256
"""More points than a column has."""
CARDS = MOST_CELLS // 2


@kernel
def best_column(
    columns: Any, deck: Numbers, drawn: int, beam: Numbers, points: Numbers, found: Numbers, counts: Numbers, width: int
) -> int:
    """Return the most points of a column whose cards are known, as a beam of `width` tables finds them.

    `beam` has `CARDS` placements of each table, `points` its points; `found` has room for three numbers for each
    placement of each table.
    """
    column = columns[0]
    card = deck[index(drawn)]
    beam[0] = option_of(HALVES[card][0], 0, HALVES[card][1], 1)
    points[0] = 0
    size = 1
    for turn in range(1, TURNS + 1):
        n = 0
        for i in range(MOST):
            counts[i] = 0
        for table in range(size):
            clear_column(column)
            for i in range(turn):
                put_card(column, beam[index(CARDS * table + i)])
            survey(column, 0)
            for i in range(find_options(column, deck[index(drawn + turn)], 0, MOST_OPTIONS, 0)):
                option = column.options[index(i)]
                total = points[index(table)] + option_points(column, option)
                counts[index(total)] += 1
                found[index(3 * n)] = table
                found[index(3 * n + 1)] = option
                found[index(3 * n + 2)] = total
                n += 1
        size = keep(beam, points, found, counts, n, turn, width)
    best = 0
    for table in range(size):
        best = max(best, points[index(table)])
    return best


@kernel
def keep(beam: Numbers, points: Numbers, found: Numbers, counts: Numbers, n: int, turn: int, width: int) -> int:
    """Replace the beam by the `width` of n placements with most points; return its new size."""
    least = MOST - 1
    above = 0
    while (least > 0) & (above + counts[index(least)] <= width):
        above += counts[index(least)]
        least -= 1
    room = width - above  # for tables with `least` points
    size = 0
    base = CARDS * width
    for i in range(n):
        total = found[index(3 * i + 2)]
        if (total > least) | ((total == least) & (room > 0)):
            room -= total == least
            for j in range(turn):
                beam[index(base + CARDS * size + j)] = beam[index(CARDS * found[index(3 * i)] + j)]
            beam[index(base + CARDS * size + turn)] = found[index(3 * i + 1)]
            points[index(size)] = total
            size += 1
    for i in range(CARDS * size):
        beam[index(i)] = beam[index(base + i)]
    return size


def bound(width: int, deals: int, seed: int) -> list[list[int]]:
    """Return the columns of each deal."""
    columns = np.zeros(1, Column.dtype)
    beam = np.zeros(2 * width * CARDS, np.int64)
    points = np.zeros(width, np.int64)
    found = np.zeros(3 * width * MOST_OPTIONS, np.int64)
    counts = np.zeros(MOST, np.int64)
    search = bind(best_column)
    results = []
    for deal in range(deals):
        game = bosquet.new("topas", players=1, seed=derived_seed(seed, deal))
        state = game._state.copy()
        cards = [state.laid[0] >> 14, state.hand[0].bit_length() - 1, *state.deck[2:]]
        deck = np.array(cards, np.int64)
        results.append([search(columns, deck, 8 * i, beam, points, found, counts, width) for i in range(COLUMNS)])
    return results


def main() -> None:
    """Print a table with a row for each width."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--width", type=int, nargs="+", default=[1, 1000])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| tables in the beam | deals | mean of a column | lowest of four | 95 % | CPU s a deal |")
    print("|---|---|---|---|---|---|")
    for width in given.width:
        began = time.process_time()
        found = bound(width, given.deals, given.seed)
        lowest = [min(columns) for columns in found]
        mean = statistics.mean(points for columns in found for points in columns)
        spread = 1.96 * statistics.stdev(lowest) / math.sqrt(given.deals)
        seconds = (time.process_time() - began) / given.deals
        least = statistics.mean(lowest)
        print(f"| {width:,} | {given.deals} | {mean:.1f} | {least:.1f} | ±{spread:.1f} | {seconds:.2f} |")


if __name__ == "__main__":
    main()
