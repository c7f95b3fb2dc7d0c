"""Measures what the choices of `learned` in Topas alone lose, judged by looking further ahead.

    uv run python -m benchmarks.looking_ahead --deals 12 --ahead 0 1 2 3

`learned` plays the deals of `bosquet simulate topas --players 1` with the same seed. Where two of the compared numbers
of cards choose differently, looking three cards ahead over every unseen card judges each choice. Losses against the
best choice are in points of the lowest column.
"""

from __future__ import annotations

import argparse
import math
import statistics
from typing import Any

import numpy as np

import bosquet
from bosquet.core.rng import derived_seed
from bosquet.core.state import Numbers
from bosquet.games.topas.rules import TURNS
from bosquet.games.topas.solitaire.column import Column, put_card, take_card
from bosquet.games.topas.solitaire.learned import PLANS, Player, read_state, stored_weights, unseen_cards
from bosquet.games.topas.solitaire.learned_inputs import Network
from bosquet.games.topas.solitaire.lookahead import SURE, Stakes, choose_option, mean_ahead, points_now
from bosquet.kernels.bits import index, lowest_bit
from bosquet.kernels.jit import bind, kernel
from bosquet.learning.network import filled

JUDGE = (4, 2, 1, 3, 2, 1, 3, 0, 1)
"""As in `lookahead.mean_ahead`: placements that are ranked, those that are tried, and 1 for every card."""
POINT = SURE * SURE // 10
"""What a point is worth in `lookahead.mean_ahead`."""


@kernel
def judge_choices(
    states: Any, columns: Any, networks: Any, stakes: Any, plans: Any, chosen: Numbers, worth: Numbers, judge: Any
) -> None:
    """Write what the choice of each plan is worth into `worth`; zeros where all choose the same. `chosen` is room."""
    state = states[0]
    column = columns[0]
    read_state(state, column, stakes[0])
    card = lowest_bit(state.hand[0])
    unseen = unseen_cards(state)
    left = TURNS - 1 - state.turn
    differ = False
    for i in range(len(plans)):
        worth[index(i)] = 0
        chosen[index(i)] = choose_option(column, networks[0], stakes[0], card, unseen, left, plans[i])
        differ |= chosen[index(i)] != chosen[0]
    if not differ:
        return
    for i in range(len(plans)):
        scored = points_now(column, chosen[index(i)])
        put_card(column, chosen[index(i)])
        worth[index(i)] = mean_ahead(column, networks[0], stakes[0], unseen, left, scored, min(left, 3), judge, 0)
        take_card(column)


def lost_by_deal(ahead: list[int], deals: int, seed: int) -> list[list[float]]:
    """Return what the choices lose in each deal: [number of cards ahead, deal], in points."""
    records = [filled(kind, stored_weights(), jit=True) for kind in (Column, Network, Stakes)]
    plans = np.zeros((len(ahead), max(map(len, PLANS))), np.int64)
    for row, cards in zip(plans, ahead, strict=True):
        row[: len(PLANS[cards])] = PLANS[cards]
    chosen, worth = np.zeros(len(ahead), np.int64), np.zeros(len(ahead), np.int64)
    judge, player, compare = np.array(JUDGE, np.int64), Player(1), bind(judge_choices)
    lost = []
    for deal in range(deals):
        game = bosquet.new("topas", players=1, seed=derived_seed(seed, deal))
        state = game._state.copy()
        total = np.zeros(len(ahead))
        while not game.over:
            if state.turn < TURNS - 1:  # the last card is placed where it scores most
                compare(state.pack(), *records, plans, chosen, worth, judge)
                total += (worth.max() - worth) / POINT
            game.play(game.spec.notation.to_notation(state, player.choose(state)))
            state = game._state.copy()
        lost.append(total)
    return np.array(lost).T.tolist()


def main() -> None:
    """Print a table with a row for each number of cards ahead."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=12)
    parser.add_argument("--ahead", type=int, nargs="+", default=[0, 1, 2, 3])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| cards ahead | deals | lost a deal, points | 95 % |")
    print("|---|---|---|---|")
    for cards, lost in zip(given.ahead, lost_by_deal(given.ahead, given.deals, given.seed), strict=True):
        spread = 1.96 * statistics.stdev(lost) / math.sqrt(given.deals)
        print(f"| {cards} | {given.deals} | {statistics.mean(lost):.2f} | ±{spread:.2f} |")


if __name__ == "__main__":
    main()
