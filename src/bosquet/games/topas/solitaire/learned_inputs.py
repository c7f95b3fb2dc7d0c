"""The learned value of a table of Topas alone: what its column will still score, as a function of the cards unseen.

A network for each number of cards left, with one hidden layer and integers only. With one card left the value is exact:
the mean of what each unseen card scores at best.
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field, StateRecord
from bosquet.kernels.bits import count_bits, index, lowest_bit
from bosquet.kernels.jit import kernel
from bosquet.learning.network import INPUT_ONE, output

from ..rules import COLOUR, GEMS, HALF_KINDS, HALVES, TURNS
from .column import (
    GRID,
    MOST_OPTIONS,
    PAIRS,
    WAYS,
    Column,
    find_options,
    option_points,
    put_card,
    survey,
    take_card,
)

INPUTS = 115
HIDDEN = 24
NETWORKS = TURNS
"""[cards left]; those for 0 and 1 are not used."""

BEST, HALF_BEST, LINES, CROSSINGS, ROWS, COUNTS, RIVALRY = 0, 45, 72, 86, 93, 107, 113
"""Where each group of inputs begins."""


class Network(StateRecord):
    """The weights."""

    first: Annotated[list[int], Field("i2", NETWORKS * INPUTS * HIDDEN)]  # [left, input, hidden]
    first_bias: Annotated[list[int], Field("i4", NETWORKS * HIDDEN)]
    second: Annotated[list[int], Field("i2", NETWORKS * HIDDEN)]
    second_bias: Annotated[list[int], Field("i4", NETWORKS)]


@kernel
def value(column: Column, network: Network, unseen: int, left: int) -> int:
    """Return the expected points of the cards left, in hundredths. `unseen` is the set of cards that may come."""
    if left == 0:
        return 0
    survey(column, 0)
    base = describe(column, unseen)
    if left == 1:
        return base
    return left * base + output(network, column, left, INPUTS, HIDDEN)


@kernel
def describe(column: Column, unseen: int) -> int:
    """Write the inputs of the network; return the mean of what the next card scores at best, in hundredths.

    To be called after `survey`. The inputs are shares of the unseen cards, or of their halves, so
    that colours are treated alike.
    """
    for i in range(INPUTS):
        column.inputs[index(i)] = 0
    n = count_bits(unseen)
    # How many unseen cards have each half, and each colour.
    for half in range(HALF_KINDS):
        column.hidden[index(half)] = 0
    cards = unseen
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        column.hidden[index(HALVES[card][0])] += 1
        column.hidden[index(HALVES[card][1])] += 1
    pairs = describe_edges(column, n)
    describe_rows(column, n)
    for half in range(1, HALF_KINDS):
        share = column.hidden[index(half)]
        for rank in range(3):
            best = min(10, column.hidden[index(16 + 3 * (half - 1) + rank)] >> 8)
            for t in range(2, best + 1):
                column.inputs[index(HALF_BEST + 9 * rank + t - 2)] += share
        column.inputs[index(COUNTS + 2 + GEMS[half])] += share
    for i in range(HALF_BEST, LINES):
        column.inputs[index(i)] = column.inputs[index(i)] * INPUT_ONE // (2 * n)
    for i in range(COUNTS + 3, COUNTS + 6):
        column.inputs[index(i)] = column.inputs[index(i)] * INPUT_ONE // (2 * n)
    total = describe_cards(column, unseen, pairs)
    for i in range(BEST + 3, HALF_BEST):
        column.inputs[index(i)] = column.inputs[index(i)] * INPUT_ONE // n
    for rank in range(3):
        column.inputs[index(BEST + rank)] = column.inputs[index(BEST + rank)] * INPUT_ONE // (8 * n)
    column.inputs[index(COUNTS)] = 8 * n
    column.inputs[index(COUNTS + 1)] = 8 * column.edges
    column.inputs[index(COUNTS + 2)] = 8 * pairs
    return 100 * total // n


@kernel
def describe_edges(column: Column, n: int) -> int:
    """Count the lines beside the empty squares, find the three best squares of each half, and list pairs of squares.

    Pairs are empty squares beside each other that both touch the table; returns how many. They are listed in
    `column.options`, which has room for more than there can be.
    """
    for i in range(16, 52):
        column.hidden[index(i)] = 0
    pairs = 0
    for i in range(column.edges):
        at = column.edge[index(i)]
        free = 0
        for way in range(4):
            beside = (at + WAYS[way]) & (GRID - 1)
            if column.cells[index(beside)] == 0:
                slot = column.slot[index(beside)]
                if slot == 0:
                    free = 1
                elif (way < 2) & (pairs < MOST_OPTIONS):
                    column.options[index(PAIRS + pairs)] = i << 8 | (slot - 1)
                    pairs += 1
        lines = column.lines[index(i)]
        for colour in range(4):
            both = lines >> 8 * colour & 255
            if both:
                first = 3 * colour + 1
                share = (
                    (column.hidden[index(first)] + column.hidden[index(first + 1)] + column.hidden[index(first + 2)])
                    * INPUT_ONE
                    // (2 * n)
                )
                one = both & 15
                two = both >> 4
                if one:
                    column.inputs[index(LINES + 2 * min(one, 7) - 2 + free)] += share
                if two:
                    column.inputs[index(LINES + 2 * min(two, 7) - 2 + free)] += share
                if (one > 0) & (two > 0):
                    column.inputs[index(CROSSINGS + min(one + two, 8) - 2)] += share
                if free:
                    for half in range(first, first + 3):
                        keep_best(column, 16 + 3 * (half - 1), column.points[index(HALF_KINDS * i + half)] << 8 | i)
    return pairs


@kernel
def keep_best(column: Column, at: int, points: int) -> None:
    """Put a number into a list of the three greatest, in falling order."""
    if points > column.hidden[index(at + 2)]:
        if points > column.hidden[index(at + 1)]:
            column.hidden[index(at + 2)] = column.hidden[index(at + 1)]
            if points > column.hidden[index(at)]:
                column.hidden[index(at + 1)] = column.hidden[index(at)]
                column.hidden[index(at)] = points
            else:
                column.hidden[index(at + 1)] = points
        else:
            column.hidden[index(at + 2)] = points


@kernel
def describe_rows(column: Column, n: int) -> None:
    """Count the rows on the table (of one half, too) by their gems and open ends."""
    for i in range(column.count):
        at = column.laid[index(i)]
        half = column.cells[index(at)]
        colour = COLOUR[half]
        first = 3 * colour + 1
        share = (
            (column.hidden[index(first)] + column.hidden[index(first + 1)] + column.hidden[index(first + 2)])
            * INPUT_ONE
            // (2 * n)
        )
        for way in range(2):
            before = column.cells[index((at - WAYS[way]) & (GRID - 1))]
            if (before == 0) | (COLOUR[before] != colour):
                gems = 0
                beside = at
                end = half
                while (end > 0) & (COLOUR[end] == colour):
                    gems += GEMS[end]
                    beside = (beside + WAYS[way]) & (GRID - 1)
                    end = column.cells[index(beside)]
                ends = (before == 0) + (end == 0)
                if ends:
                    column.inputs[index(ROWS + 2 * gems - 3 + ends)] += share


@kernel
def describe_cards(column: Column, unseen: int, pairs: int) -> int:
    """Count what the unseen cards score at their three best places that share no square; return the sum of the best."""
    total = 0
    n = 0
    for i in range(column.edges):
        column.wanted[index(i)] = 0
        column.missed[index(i)] = 0
    while unseen:
        card = lowest_bit(unseen)
        unseen &= unseen - 1
        n += 1
        first = HALVES[card][0]
        second = HALVES[card][1]
        for i in range(pairs):
            pair = column.options[index(PAIRS + i)]
            one = HALF_KINDS * (pair >> 8)
            two = HALF_KINDS * (pair & 255)
            column.option_keys[index(PAIRS + i)] = max(
                column.points[index(one + first)] + column.points[index(two + second)],
                column.points[index(one + second)] + column.points[index(two + first)],
            )
        taken = 0
        most = 0
        place = 0
        for rank in range(3):
            best = 0
            where = 0
            for i in range(3):
                free = column.hidden[index(16 + 3 * (first - 1) + i)]
                if (free >> 8 > best) & (taken >> (free & 255) & 1 == 0):
                    best = free >> 8
                    where = 1 << (free & 255)
                free = column.hidden[index(16 + 3 * (second - 1) + i)]
                if (free >> 8 > best) & (taken >> (free & 255) & 1 == 0):
                    best = free >> 8
                    where = 1 << (free & 255)
            for i in range(pairs):
                points = column.option_keys[index(PAIRS + i)]
                if points > best:
                    pair = column.options[index(PAIRS + i)]
                    squares = 1 << (pair >> 8) | 1 << (pair & 255)
                    if squares & taken == 0:
                        best = points
                        where = squares
            taken |= where
            column.inputs[index(BEST + rank)] += best
            for t in range(3, min(best, 16) + 1):
                column.inputs[index(BEST + 3 + 14 * rank + t - 3)] += 1
            if rank == 0:
                most = best
                place = where
            elif rank == 1:
                while place:
                    edge = lowest_bit(place)
                    place &= place - 1
                    column.wanted[index(edge)] += 1
                    column.missed[index(edge)] += most - best
        total += most
    rivalry = 0
    crowd = 0
    for i in range(column.edges):
        rivalry += column.wanted[index(i)] * column.missed[index(i)]
        crowd += column.wanted[index(i)] * column.wanted[index(i)]
    column.inputs[index(RIVALRY)] = rivalry * INPUT_ONE // (n * n)
    column.inputs[index(RIVALRY + 1)] = crowd * INPUT_ONE // (n * n)
    return total


# --- looking ahead ---


@kernel
def best_with_card(column: Column, network: Network, card: int, unseen: int, left: int, level: int, most: int) -> int:
    """Return what a card and `left` more should score, in hundredths; `unseen` is without the card.

    The placements that look best are tried.
    """
    tomorrow = min(left, 4)
    survey(column, tomorrow)
    n = find_options(column, card, level, most, tomorrow)
    base = level * MOST_OPTIONS
    for i in range(n):
        column.option_keys[index(base + i)] = 100 * option_points(column, column.options[index(base + i)])
    best = NOTHING
    for i in range(n):
        points = column.option_keys[index(base + i)]
        if left:
            put_card(column, column.options[index(base + i)])
            points += value(column, network, unseen, left)
            take_card(column)
        best = max(best, points)
    return best


NOTHING = -1


@kernel
def expected_value(column: Column, network: Network, unseen: int, left: int, level: int, most: int) -> int:
    """Return the expected points of the cards left, in hundredths: the mean over the next card, placed at its best."""
    total = 0
    cards = unseen
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        total += best_with_card(column, network, card, unseen ^ 1 << card, left - 1, level, most)
    return total // count_bits(unseen)
