"""How a learned player of Topas alone chooses: it looks ahead over the cards that may come, by expectation.

Tables are valued by the network; what counts at the end is the lowest of the four columns, so points are turned into
what the lowest column should come to (`Stakes`). Integers only, no random numbers.
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field, Int64, Numbers, StateRecord
from bosquet.kernels.bits import count_bits, index, lowest_bit
from bosquet.kernels.jit import kernel

from ..rules import TURNS
from .column import (
    LEVELS,
    MOST_OPTIONS,
    Column,
    find_options,
    insert_option,
    option_points,
    put_card,
    survey,
    take_card,
)
from .learned_inputs import Network, value

MOST_POINTS = 128
"""More than a column has."""
TENTHS = 10 * MOST_POINTS
ERRORS = 41
"""Errors of a prediction that are told apart: -20 … 20 points."""
SURE = 1 << 15
"""The number 1 in chances."""


class Stakes(StateRecord):
    """What points of this column are worth, with what is known of predictions and columns."""

    errors: Annotated[list[int], Field("i4", TURNS * ERRORS)]  # [cards left, 20 + error]: chance that so much is missed
    reach: Annotated[list[int], Field("i4", MOST_POINTS)]  # [points]: chance that a column comes to them
    whole: Annotated[list[int], Field("i8", MOST_POINTS)]  # [points]: what this column's final points are worth
    worth: Annotated[list[int], Field("i8", TURNS * TENTHS)]  # [cards left, tenths of points]: the same for predictions
    scored: Int64  # points of this column so far, in hundredths
    # Where looking ahead is, [cards ahead]: see `mean_ahead`.
    unseen: Annotated[list[int], Field("i8", LEVELS)]
    left: Annotated[list[int], Field("i8", LEVELS)]
    gained: Annotated[list[int], Field("i8", LEVELS)]  # points since the root, in hundredths
    cards: Annotated[list[int], Field("i8", LEVELS)]  # that are still to be looked at
    looked_at: Annotated[list[int], Field("i8", LEVELS)]  # number of cards in all
    card: Annotated[list[int], Field("i8", LEVELS)]
    total: Annotated[list[int], Field("i8", LEVELS)]
    best: Annotated[list[int], Field("i8", LEVELS)]  # of the placements of the card that were tried
    tries: Annotated[list[int], Field("i8", LEVELS)]  # placements that are still to be tried


@kernel
def set_stakes(stakes: Stakes, points: int, lowest: int, others: int) -> None:
    """Compute what predictions are worth: with these points, a lowest finished column, and other columns to come."""
    stakes.scored = 100 * points
    total = 0
    for s in range(MOST_POINTS):
        if (s > 0) & (s <= lowest):
            chance = SURE
            for _ in range(others):
                chance = chance * stakes.reach[index(s)] >> 15
            total += chance
        stakes.whole[index(s)] = total
    for left in range(TURNS):
        for tenths in range(TENTHS):
            s = tenths // 10
            part = tenths % 10
            mean = 0
            for i in range(ERRORS):
                chance = stakes.errors[index(left * ERRORS + i)]
                if chance:
                    low = min(MOST_POINTS - 1, max(0, s + i - 20))
                    high = min(MOST_POINTS - 1, max(0, s + i - 19))
                    mean += chance * ((10 - part) * stakes.whole[index(low)] + part * stakes.whole[index(high)])
            stakes.worth[index(left * TENTHS + tenths)] = mean // 1000


@kernel
def worth_of(stakes: Stakes, hundredths: int, left: int) -> int:
    """Return the value of a predicted total, in hundredths of points, with a number of cards left."""
    total = min(100 * MOST_POINTS - 11, max(0, stakes.scored + hundredths))
    at = left * TENTHS + total // 10
    part = total % 10
    return (10 - part) * stakes.worth[index(at)] + part * stakes.worth[index(at + 1)]


@kernel
def rank_options(
    column: Column,
    network: Network,
    stakes: Stakes,
    card: int,
    unseen: int,
    left: int,
    gained: int,
    level: int,
    most: int,
) -> int:
    """Write the placements of a card into `column.options`, the most worth first; return how many.

    `column.option_keys` gets what they are worth as the network sees it; `gained` are points since the root, in
    hundredths.
    """
    tomorrow = min(left, 4)
    survey(column, tomorrow)
    n = find_options(column, card, level, most, tomorrow)
    base = level * MOST_OPTIONS
    for i in range(n):
        column.option_keys[index(base + i)] = gained + 100 * option_points(column, column.options[index(base + i)])
    for i in range(n):
        option = column.options[index(base + i)]
        points = column.option_keys[index(base + i)]
        if left:
            put_card(column, option)
            points += value(column, network, unseen, left)
            take_card(column)
        insert_option(column, base, i, worth_of(stakes, points, left), option)
    return n


@kernel
def points_now(column: Column, option: int) -> int:
    """Return what a placement scores, in hundredths."""
    survey(column, 0)
    return 100 * option_points(column, option)


@kernel
def choose_option(
    column: Column, network: Network, stakes: Stakes, card: int, unseen: int, left: int, plan: Numbers
) -> int:
    """Return the placement of a card that is worth most; `unseen` is without the card.

    The first of `plan` is how many placements the network ranks. Then follow, for looking ahead over one card, over
    two and so on, how many placements are left to compare, and three numbers for each card to come, see `mean_ahead`.
    It ends with a 0.
    """
    n = rank_options(column, network, stakes, card, unseen, left, 0, 0, plan[0])
    depth = 1
    at = 1
    while plan[index(at)] > 0:
        if depth > left:
            break
        n = min(n, plan[index(at)])
        for i in range(n):
            option = column.options[index(i)]
            scored = points_now(column, option)
            put_card(column, option)
            worth = mean_ahead(column, network, stakes, unseen, left, scored, depth, plan, at + 1)
            take_card(column)
            j = i
            while j > 0:
                if column.option_keys[index(j - 1)] >= worth:
                    break
                column.option_keys[index(j)] = column.option_keys[index(j - 1)]
                column.options[index(j)] = column.options[index(j - 1)]
                j -= 1
            column.option_keys[index(j)] = worth
            column.options[index(j)] = option
        at += 1 + 3 * depth
        depth += 1
    return int(column.options[0])


@kernel
def mean_ahead(
    column: Column,
    network: Network,
    stakes: Stakes,
    unseen: int,
    left: int,
    gained: int,
    depth: int,
    plan: Numbers,
    at: int,
) -> int:
    """Return the value of a table with a number of cards left: the mean over the next card, placed at its best.

    Looks ahead over `depth` cards, at most `left`. `plan` has three numbers for each, from `at` on: how many of its
    placements the network ranks, how many of these are tried with the cards that follow, and n if only every n-th
    unseen card is looked at.
    """
    level = 1
    enter(stakes, level, unseen, left, gained, plan[index(at + 2)], 0)
    while True:
        spot = at + 3 * (level - 1)
        base = level * MOST_OPTIONS
        if stakes.tries[index(level)] > 0:  # the next placement of the card at this level
            stakes.tries[index(level)] -= 1
            option = column.options[index(base + stakes.tries[index(level)])]
            scored = stakes.gained[index(level)] + points_now(column, option)
            put_card(column, option)
            level += 1
            after = stakes.unseen[index(level - 1)] ^ 1 << stakes.card[index(level - 1)]
            enter(
                stakes,
                level,
                after,
                stakes.left[index(level - 1)] - 1,
                scored,
                plan[index(spot + 5)],
                stakes.card[index(level - 1)],
            )
        elif stakes.cards[index(level)]:  # the next card
            stakes.total[index(level)] += stakes.best[index(level)]
            card = lowest_bit(stakes.cards[index(level)])
            stakes.cards[index(level)] &= stakes.cards[index(level)] - 1
            stakes.card[index(level)] = card
            after = stakes.unseen[index(level)] ^ 1 << card
            rest = stakes.left[index(level)] - 1
            n = rank_options(
                column, network, stakes, card, after, rest, stakes.gained[index(level)], level, plan[index(spot)]
            )
            if level == depth:
                stakes.best[index(level)] = column.option_keys[index(base)]
            else:
                stakes.best[index(level)] = 0
                stakes.tries[index(level)] = min(n, plan[index(spot + 1)])
        else:
            mean = (stakes.total[index(level)] + stakes.best[index(level)]) // stakes.looked_at[index(level)]
            if level == 1:
                return mean
            take_card(column)
            level -= 1
            stakes.best[index(level)] = max(stakes.best[index(level)], mean)


@kernel
def enter(stakes: Stakes, level: int, unseen: int, left: int, gained: int, every: int, shift: int) -> None:
    """Begin with the cards of a level: every n-th of the unseen ones, which ones depends on `shift`."""
    stakes.unseen[index(level)] = unseen
    stakes.left[index(level)] = left
    stakes.gained[index(level)] = gained
    stakes.total[index(level)] = 0
    stakes.best[index(level)] = 0
    stakes.tries[index(level)] = 0
    chosen = unseen
    if every > 1:
        chosen = 0
        turn = shift % min(every, count_bits(unseen))
        while unseen:
            if turn % every == 0:
                chosen |= unseen & -unseen
            turn += 1
            unseen &= unseen - 1
    stakes.cards[index(level)] = chosen
    stakes.looked_at[index(level)] = count_bits(chosen)
