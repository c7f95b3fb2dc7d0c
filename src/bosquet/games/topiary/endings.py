"""The last turn of a game of Topiary, solved: every tile that may be taken, every hand that the others may hold.

Only the seat that moves last decides here, so no plans of others have to be guessed: what an action is worth is a plain
mean over all that the unseen tiles may be. What a tile in hand scores does not depend on the others with it (4.4), so
the hands of the others are counted by what their tiles score.
"""

from __future__ import annotations

from typing import Any

from bosquet.core.objective import Objective, value_of_lead
from bosquet.core.state import Numbers
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .rules import (
    FIRST_PUT,
    FIRST_TAKE,
    HAND,
    LINE,
    LINE_MASK,
    PASS,
    PUT,
    TAKE,
    VISITORS,
    State,
    hand_points,
    sights,
)

COUNTED = 3
"""Tiles in each hand that is counted."""
MOST_WORK = 6_000_000
"""Hands of others looked at, all ends of a turn together; beyond that the search goes on guessing."""


@kernel
def is_solvable(state: State) -> bool:
    """Return whether this is the last turn of two or three seats with few enough hands; a draft would tell of them.

    In a variant with hands of another size it is not.
    """
    placed = state.placed + 1 if state.phase == LINE else state.placed
    if (
        (HAND != COUNTED)
        | (state.draft != 0)
        | (state.players > 3)
        | (placed != state.players * VISITORS[state.players])
    ):
        return False
    return work(state, state.seat) <= MOST_WORK


@kernel
def work(state: State, viewer: int) -> int:
    """Return how many hands of the others a solution would look at."""
    unseen = count_bits(unseen_tiles(state, viewer))
    hands = 1
    left = unseen
    for seat in range(state.players):
        if seat != viewer:
            hands *= left * (left - 1) * (left - 2) // 6
            left -= HAND
    ends = HAND + 1
    if state.phase < PUT:
        tiles = 0
        if state.phase == TAKE:
            tiles = count_bits(LINE_MASK[state.line] & state.down)
        else:
            lines = state.free
            while lines:
                tiles += count_bits(LINE_MASK[lowest_bit(lines)] & state.down)
                lines &= lines - 1
        ends = 1 + tiles * unseen * (HAND + 1)
    return ends * hands


@kernel
def unseen_tiles(state: State, viewer: int) -> int:
    """Return the tiles that a seat does not see."""
    unseen = state.aside
    cells = state.down
    while cells:
        unseen |= 1 << state.tiles[lowest_bit(cells)]
        cells &= cells - 1
    for seat in range(state.players):
        if seat != viewer:
            unseen |= state.hand[seat]
    return unseen


@kernel
def solve(state: State, objective: Objective, found: Numbers, n: int, values: Any, workspace: Any) -> int:
    """Write what the mover gets by each of all n legal actions in `found`; return n, or 0 where that can't be told.

    `state` is left as it was.
    """
    if not is_solvable(state):
        return 0
    unseen = unseen_tiles(state, state.seat)
    for i in range(n):
        if state.phase == LINE:
            values[i] = value_of_line(state, objective, found[i], unseen)
        elif state.phase == PUT:
            values[i] = value_of_putting(state, objective, state.gap, found[i] - FIRST_PUT, unseen)
        elif found[i] == PASS:
            values[i] = value_now(state, objective, unseen)
        else:
            values[i] = value_of_taking(state, objective, found[i] - FIRST_TAKE, unseen)
    return n


@kernel
def value_of_line(state: State, objective: Objective, line: int, unseen: int) -> float:
    """Return the value with a visitor there, and then the best of passing and taking a tile."""
    seat = state.seat
    state.visitors[seat] |= 1 << line
    best = value_now(state, objective, unseen)
    cells = LINE_MASK[line] & state.down
    while cells:
        best = max(best, value_of_taking(state, objective, lowest_bit(cells), unseen))
        cells &= cells - 1
    state.visitors[seat] ^= 1 << line
    return best


@kernel
def value_of_taking(state: State, objective: Objective, cell: int, unseen: int) -> float:
    """Return the mean over all tiles that may lie on the cell, the best of the hand then put into the gap."""
    seat = state.seat
    below = state.tiles[cell]
    state.down ^= 1 << cell
    total = 0.0
    tiles = unseen
    while tiles:
        taken = tiles & -tiles
        tiles ^= taken
        state.hand[seat] |= taken
        best = 0.0
        hand = state.hand[seat]
        while hand:
            best = max(best, value_of_putting(state, objective, cell, lowest_bit(hand), unseen ^ taken))
            hand &= hand - 1
        total += best
        state.hand[seat] ^= taken
    state.down ^= 1 << cell
    state.tiles[cell] = below
    return total / count_bits(unseen)


@kernel
def value_of_putting(state: State, objective: Objective, cell: int, tile: int, unseen: int) -> float:
    """Return the value with this tile of the hand put on the cell."""
    seat = state.seat
    below = state.tiles[cell]
    state.hand[seat] ^= 1 << tile
    state.tiles[cell] = tile
    state.up |= 1 << cell
    value = value_now(state, objective, unseen)
    state.up ^= 1 << cell
    state.tiles[cell] = below
    state.hand[seat] ^= 1 << tile
    return value


@kernel
def value_now(state: State, objective: Objective, unseen: int) -> float:
    """Return what the mover gets if the game ends so, the mean over all hands of the others. 4.5"""
    seat = state.seat
    points, seen = sights(state, seat)
    hand = hand_points(state.hand[seat], seen)
    mine = standing(points + hand, hand, seat)
    rival = 1 if seat == 0 else 0
    if state.players == 2:
        return over_hands_of_last(state, objective, rival, mine, -1, unseen)
    return over_hands_of_two(state, objective, rival, state.players - seat - rival, mine, unseen)


@kernel
def standing(points: int, hand: int, seat: int) -> int:
    """Return what decides the game, as one number: points, then points of the hand, then the later seat. 4.5"""
    return (points << 8 | hand) << 2 | seat


@kernel
def over_hands_of_two(state: State, objective: Objective, rival: int, last: int, mine: int, unseen: int) -> float:
    """Return the mean over all hands of two rivals."""
    points, seen = sights(state, rival)
    total = 0.0
    hands = 0
    first = unseen
    while first:
        one = first & -first
        first ^= one
        second = first
        while second:
            two = second & -second
            second ^= two
            third = second
            while third:
                three = third & -third
                third ^= three
                held = one | two | three
                hand = hand_points(held, seen)
                theirs = standing(points + hand, hand, rival)
                total += over_hands_of_last(state, objective, last, mine, theirs, unseen ^ held)
                hands += 1
    return total / hands


@kernel
def over_hands_of_last(state: State, objective: Objective, rival: int, mine: int, best: int, unseen: int) -> float:
    """Return the mean over all hands of a rival; `best` is the standing of the other one, or -1."""
    points, seen = sights(state, rival)
    total = 0.0
    hands = 0
    first = unseen
    while first:
        one = first & -first
        first ^= one
        worth_one = hand_points(one, seen)
        second = first
        while second:
            two = second & -second
            second ^= two
            worth_two = worth_one + hand_points(two, seen)
            third = second
            while third:
                three = third & -third
                third ^= three
                hand = worth_two + hand_points(three, seen)
                theirs = max(best, standing(points + hand, hand, rival))
                lead = (mine >> 10) - (max(best >> 10, points + hand))
                total += value_of_lead(objective, 100 * lead, 1.0 if mine > theirs else 0.0)
                hands += 1
    return total / hands
