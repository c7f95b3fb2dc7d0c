"""Measures what choosing by rollouts would gain over the choices of `learned` in Topas alone.

    uv run python -m benchmarks.rollouts --deals 6 --rollouts 4000

`learned:ahead=2` plays the deals of `bosquet simulate topas --players 1` with the same seed. In every position,
rollouts compare its best-looking placements: they play the column to its end by points and learned value, with the
unseen cards in random orders that are the same for all placements. One half of the orders chooses, the other measures
the gain in points of the lowest column, and vice versa, so that noise does not count as a gain.
"""

from __future__ import annotations

import argparse
import math
import statistics
from typing import Any

import numpy as np

import bosquet
from bosquet.core.rng import below, derived_seed, seed_rng
from bosquet.core.state import Numbers
from bosquet.games.topas.rules import DECK, TURNS
from bosquet.games.topas.solitaire.column import Column, option_points, put_card, survey, take_card
from bosquet.games.topas.solitaire.learned import PLANS, Player, read_state, stored_weights, unseen_cards
from bosquet.games.topas.solitaire.learned_inputs import Network
from bosquet.games.topas.solitaire.lookahead import MOST_POINTS, SURE, Stakes, choose_option
from bosquet.games.topas.solitaire.self_play import choose_placement
from bosquet.kernels.bits import count_bits, index, lowest_bit
from bosquet.kernels.jit import bind, kernel
from bosquet.learning.network import filled

AHEAD = 2


@kernel
def roll_out(column: Column, network: Network, option: int, deck: Numbers, unseen: int, left: int) -> int:
    """Return what a placement and the first cards of a deck score; the column is left as it was."""
    survey(column, 0)
    total = option_points(column, option)
    put_card(column, option)
    for drawn in range(left):
        card = deck[index(drawn)]
        unseen ^= 1 << card
        chosen, _ = choose_placement(column, network, card, unseen, left - 1 - drawn)
        survey(column, 0)
        total += option_points(column, chosen)
        put_card(column, chosen)
    for _ in range(left + 1):
        take_card(column)
    return int(total)


@kernel
def compare_placements(
    states: Any, columns: Any, networks: Any, stakes: Any, plan: Any, options: Any, worth: Any, deck: Any, rng: Any
) -> None:
    """Write what the best-looking placements are worth in each rollout into `worth`, [placement, rollout].

    Overwrites `options` and `deck`. Advances `rng`.
    """
    state, column, network = states[0], columns[0], networks[0]
    read_state(state, column, stakes[0])
    unseen = unseen_cards(state)
    left = TURNS - 1 - state.turn
    choose_option(column, network, stakes[0], lowest_bit(state.hand[0]), unseen, left, plan)
    for i in range(len(options)):
        options[i] = column.options[index(i)]
    for rollout in range(worth.shape[1]):
        rest = unseen
        for i in range(count_bits(unseen)):
            deck[i] = lowest_bit(rest)
            rest &= rest - 1
        for i in range(left):
            j = i + below(rng, count_bits(unseen) - i)
            deck[i], deck[j] = deck[j], deck[i]
        for i in range(len(options)):
            scored = stakes[0].points // 100 + roll_out(column, network, options[i], deck, unseen, left)
            worth[i, rollout] = stakes[0].whole[index(min(scored, MOST_POINTS - 1))]


def gained_by_deal(deals: int, rollouts: int, placements: int, seed: int) -> list[float]:
    """Return what choosing by rollouts gains in each deal, in points of the lowest column."""
    records = [filled(kind, stored_weights(), jit=True) for kind in (Column, Network, Stakes)]
    compare, player, plan = bind(compare_placements), Player(AHEAD), np.array(PLANS[AHEAD], np.int64)
    options, deck = np.zeros(placements, np.int64), np.zeros(DECK, np.int64)
    worth, rng = np.zeros((placements, 2 * rollouts), np.int64), np.array(seed_rng(seed), np.int64)
    gained = []
    for deal in range(deals):
        game = bosquet.new("topas", players=1, seed=derived_seed(seed, deal))
        total = 0.0
        while not game.over:
            state = game._state.copy()
            if state.turn < TURNS - 1:  # the last card is placed where it scores most
                compare(state.pack(), *records, plan, options, worth, deck, rng)
                halves = worth[:, :rollouts].mean(1) / SURE, worth[:, rollouts:].mean(1) / SURE
                for chooses, says in (halves, halves[::-1]):
                    total += (says[chooses.argmax()] - says[0]) / 2
            game.play(game.spec.notation.to_notation(state, player.choose(state)))
        gained.append(float(total))
    return gained


def main() -> None:
    """Print the gain of a deal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=6)
    parser.add_argument("--rollouts", type=int, default=4000)
    parser.add_argument("--placements", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    gained = gained_by_deal(given.deals, given.rollouts, given.placements, given.seed)
    spread = 1.96 * statistics.stdev(gained) / math.sqrt(given.deals)
    print("| deals | placements | rollouts of each | gained a deal, points | 95 % |")
    print("|---|---|---|---|---|")
    print(f"| {given.deals} | {given.placements} | {given.rollouts} | {statistics.mean(gained):+.2f} | ±{spread:.2f} |")


if __name__ == "__main__":
    main()
