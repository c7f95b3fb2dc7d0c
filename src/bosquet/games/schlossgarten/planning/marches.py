"""Whether the pawns of a candidate can walk to their places, one after the other; `paths` says by which moves."""

from __future__ import annotations

from itertools import permutations

from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from ..board import KING, State, pawns
from ..walking import at_once, hurdles, step_on, steps_to
from .candidate import cell_of

ORDERS = tuple(permutations(range(3)))


@kernel
def walkable(state: State, candidate: int, steps: int, foreign: int, jumped: int) -> bool:
    """Return whether the own pawns can walk to their places one after the other, in one order or another.

    `jumped` are the subjects of the others that may be jumped.
    """
    first = 3 * state.seat
    ground = state.up | state.own[state.seat]
    for order in range(len(ORDERS)):
        left = steps
        arrived = 0
        for i in range(3):
            kind = ORDERS[order][i]
            cell = cell_of(candidate, kind)
            if cell != state.pawn[first + kind]:
                blocked = 0
                folk = 0
                for other in range(3):
                    if other != kind:
                        at = state.pawn[first + other] + 0
                        if arrived >> other & 1:
                            at = cell_of(candidate, other)
                        blocked |= 1 << at
                        if other != KING:
                            folk |= 1 << at
                left -= steps_to(state, kind, cell, foreign | blocked, jumped | folk & ground, left)
                if left < 0:
                    break
            arrived |= 1 << kind
        if left >= 0:
            return True
    return False


@kernel
def walkable_after_wait(state: State, candidate: int, steps: int, foreign: int, jumped: int) -> bool:
    """Return whether the own pawns can walk to their places when one of them first makes way by a step.

    It takes long, so it is for candidates that win. `state` is left as it was.
    """
    first = 3 * state.seat
    everybody = pawns(state)
    free = (state.up | state.own[state.seat]) & ~everybody
    shifted = state.shifted + 0
    over = hurdles(state, everybody)
    for kind in range(3):
        at = state.pawn[first + kind] + 0
        start = at_once(state, kind, free)
        waits = step_on(state, kind, start, free, over & ~(1 << at)) & ~start
        state.shifted |= 1 << kind  # perhaps it has: no matter
        found = False
        while (waits != 0) & (not found):
            state.pawn[first + kind] = lowest_bit(waits)
            waits &= waits - 1
            found = walkable(state, candidate, steps - 1, foreign, jumped)
        state.pawn[first + kind] = at
        state.shifted = shifted
        if found:
            return True
    return False


@kernel
def can_walk(state: State, candidate: int, wins: bool, steps: int, foreign: int, jumped: int) -> bool:
    """Return whether the own pawns can walk to their places, as far as it is looked into."""
    if walkable(state, candidate, steps, foreign, jumped):
        return True
    return wins and steps > 0 and walkable_after_wait(state, candidate, steps, foreign, jumped)
