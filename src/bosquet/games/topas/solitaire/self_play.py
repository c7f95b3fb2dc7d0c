"""Self-play of Topas alone, for training: columns played by the learned value, with what their tables are worth.

Every function is a kernel. `columns` and `networks` hold one record each; `deck` has room for all cards.
"""

from __future__ import annotations

from typing import Any

from bosquet.core.rng import below, shuffle
from bosquet.core.state import Numbers
from bosquet.kernels.bits import index
from bosquet.kernels.jit import kernel

from ..rules import COLUMNS, DECK, HALVES, TURNS
from .column import Column, clear_column, find_options, option_of, option_points, put_card, survey, take_card
from .learned_inputs import INPUTS, Network, describe, expected_value, value

WIDTH = 12
"""Placements that are compared by their values."""
SPREAD = 8
"""A sample is the table after one placement in this number."""
TARGET_WIDTH = 5
"""Placements of each unseen card that are compared for a target."""
LABELS = 3
"""Numbers of a sample besides its inputs: cards left, the exact value with one card left, the target."""


@kernel
def make_samples(
    columns: Any, networks: Any, rng_state: Numbers, deck: Numbers, inputs: Numbers, labels: Numbers, samples: int
) -> None:
    """Play columns by the learned value and write samples: `inputs` flat and `labels` flat, see `LABELS`.

    The target of a table is what it is worth after one more card: the mean over the cards that may come, each placed
    where points and learned value are the most. Advances `rng_state`.
    """
    column = columns[0]
    network = networks[0]
    n = 0
    while n < samples:
        unseen, drawn = start_column(column, deck, rng_state, 8 * below(rng_state, COLUMNS))
        for left in range(TURNS - 1, 1, -1):
            card = deck[index(drawn)]
            drawn += 1
            unseen ^= 1 << card
            chosen, found = choose_placement(column, network, card, unseen, left)
            if n < samples:
                put_card(column, column.options[index(below(rng_state, min(found, SPREAD)))])
                target = expected_value(column, network, unseen, left, 1, TARGET_WIDTH)
                survey(column, 0)
                labels[index(LABELS * n)] = left
                labels[index(LABELS * n + 1)] = describe(column, unseen)
                labels[index(LABELS * n + 2)] = target
                for i in range(INPUTS):
                    inputs[index(INPUTS * n + i)] = column.inputs[index(i)]
                take_card(column)
                n += 1
            put_card(column, chosen)


@kernel
def start_column(column: Column, deck: Numbers, rng_state: Numbers, drawn: int) -> tuple[int, int]:
    """Shuffle the cards and lay the first after `drawn`; return what `lay_first` does."""
    for card in range(DECK):
        deck[card] = card
    shuffle(rng_state, deck, DECK)
    return lay_first(column, deck, drawn)


@kernel
def lay_first(column: Column, deck: Numbers, drawn: int) -> tuple[int, int]:
    """Clear the table and lay the first card; return the set of those after it, and the index of the next."""
    clear_column(column)
    card = deck[drawn]
    put_card(column, option_of(HALVES[card][0], 0, HALVES[card][1], 1))
    unseen = 0
    for i in range(drawn + 1, DECK):
        unseen |= 1 << deck[i]
    return unseen, drawn + 1


@kernel
def choose_placement(column: Column, network: Network, card: int, unseen: int, left: int) -> tuple[int, int]:
    """Return the placement with the most points and learned value, and how many were compared (in `column.options`)."""
    tomorrow = min(left, 4)
    survey(column, tomorrow)
    found = find_options(column, card, 0, WIDTH, tomorrow)
    for i in range(found):
        column.option_keys[index(i)] = 100 * option_points(column, column.options[index(i)])
    best = -1
    chosen = 0
    for i in range(found):
        option = column.options[index(i)]
        put_card(column, option)
        total = column.option_keys[index(i)] + value(column, network, unseen, left)
        take_card(column)
        if total > best:
            best = total
            chosen = option
    return chosen, found


@kernel
def lay(column: Column, network: Network, card: int, unseen: int, left: int) -> int:
    """Lay a card by points and learned value; return the points that it scores."""
    chosen, _ = choose_placement(column, network, card, unseen, left)
    survey(column, 0)
    points = option_points(column, chosen)
    put_card(column, chosen)
    return points


@kernel
def play_deals(columns: Any, networks: Any, rng_state: Numbers, deck: Numbers, totals: Numbers, deals: int) -> None:
    """Play whole deals by points and learned value alone; write the points of each column into `totals`."""
    column = columns[0]
    network = networks[0]
    for deal in range(deals):
        for card in range(DECK):
            deck[card] = card
        shuffle(rng_state, deck, DECK)
        for table in range(COLUMNS):
            unseen, drawn = lay_first(column, deck, 8 * table)
            total = 0
            for left in range(TURNS - 1, -1, -1):
                card = deck[index(drawn)]
                drawn += 1
                unseen ^= 1 << card
                total += lay(column, network, card, unseen, left)
            totals[index(COLUMNS * deal + table)] = total


@kernel
def predict(columns: Any, networks: Any, rng_state: Numbers, deck: Numbers, predictions: Numbers, games: int) -> None:
    """Play columns by points and learned value; write the totals predicted with 0 … 6 cards left, in hundredths."""
    column = columns[0]
    network = networks[0]
    for game in range(games):
        unseen, drawn = start_column(column, deck, rng_state, 8 * below(rng_state, COLUMNS))
        total = 0
        for left in range(TURNS - 1, -1, -1):
            card = deck[index(drawn)]
            drawn += 1
            unseen ^= 1 << card
            total += 100 * lay(column, network, card, unseen, left)
            predictions[index(TURNS * game + left)] = total + value(column, network, unseen, left)
