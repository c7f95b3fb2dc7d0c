"""How `greedy` plays Topiary: the most points at once; a tile is taken where one in hand would gain most."""

from __future__ import annotations

from bosquet.core.rng import below
from bosquet.core.state import Numbers
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from .rules import (
    FIRST_PUT,
    FIRST_TAKE,
    LINE,
    PASS,
    PUT,
    TAKE,
    State,
    hand_points,
    legal,
    score,
    seen_by,
    sees,
    visitor_points,
)


@kernel
def greedy_action(state: State, rng_state: Numbers, moves: Numbers) -> int:
    """Return the action that scores most now, one of the best at random. Overwrites `moves`, advances `rng_state`.

    Reads nothing that is hidden from the seat to move.
    """
    seen = seen_by(state, state.seat)
    now = score(state, state.seat)
    most = -1000
    ties = 0
    for i in range(legal(state, moves)):
        action = moves[i]
        value = 0  # of a pass, and of every choice in the draft
        if state.phase == LINE:
            fresh = sees(state, action)
            value = visitor_points(fresh) + hand_points(state.hand[state.seat], seen | fresh)
        elif state.phase == PUT:
            value = points_with(state, state.gap, action - FIRST_PUT) - now
        elif (state.phase == TAKE) & (action != PASS):
            value = most_with(state, action - FIRST_TAKE) - now
        if value > most:
            most = value
            ties = 0
        if value == most:
            moves[ties] = action
            ties += 1
    return moves[below(rng_state, ties)]


@kernel
def most_with(state: State, cell: int) -> int:
    """Return what the mover would score with its best tile on a cell. The tile that it takes there counts nothing."""
    most = 0
    hand = state.hand[state.seat]
    while hand:
        most = max(most, points_with(state, cell, lowest_bit(hand)))
        hand &= hand - 1
    return most


@kernel
def points_with(state: State, cell: int, tile: int) -> int:
    """Return what the mover would score with a tile of its hand face up on a cell. `state` is left as it was."""
    seat = state.seat
    hand = state.hand[seat]
    up = state.up
    lying = state.tiles[cell]
    state.hand[seat] = hand & ~(1 << tile)
    state.up = up | 1 << cell
    state.tiles[cell] = tile
    points = score(state, seat)
    state.hand[seat] = hand
    state.up = up
    state.tiles[cell] = lying
    return points
