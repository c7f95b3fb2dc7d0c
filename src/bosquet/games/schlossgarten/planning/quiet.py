"""Candidates without work: to stand still, or to walk towards a figure of the card that is kept."""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from ..board import (
    ARCHITECT,
    CARD,
    CELLS,
    GARDENER,
    KING,
    MOVE,
    ROTATIONS,
    State,
    figure_cell,
)
from ..constellations import OFFSETS
from ..walking import at_once, step_on
from .candidate import NO_CARD, NO_SITE, NO_TILE, PAWN_AT, cell_of, encode_candidate
from .works import BIAS, number_in
from .workspace import Workspace

QUIET_CANDIDATES = 4
"""Candidates without work, at most."""
FAR_STEP = 70
"""A step that a pawn is away from a figure, when a card is kept for it. In hundredths of a point."""
QUIET = -50
"""A turn without work."""
APART = tuple(
    tuple(max(abs(a % 7 - b % 7), abs(a // 7 - b // 7)) for b in range(CELLS)) for a in range(CELLS)
)  # steps on an empty board


@kernel
def keep_still(state: State, card: int) -> int:
    """Return the candidate to play a card (or NO_CARD) and do nothing."""
    first = 3 * state.seat
    king = state.pawn[first] + 0
    gardener = state.pawn[first + GARDENER] + 0
    architect = state.pawn[first + ARCHITECT] + 0
    return encode_candidate(card, king, gardener, architect, 0, NO_TILE, NO_SITE)


@kernel
def go_near(state: State, kind: int, cell: int, blocked: int, jumped: int, most: int) -> int:
    """Return the cell next to a goal that an own pawn reaches within the steps, with the steps: cell << 6 | steps."""
    free = (state.up | state.own[state.seat]) & ~blocked
    at = state.pawn[3 * state.seat + kind] + 0
    nearest = APART[at][cell]
    best = at << 6
    reached = at_once(state, kind, free)
    for steps in range(most + 1):
        cells = reached
        while cells:
            other = lowest_bit(cells)
            cells &= cells - 1
            if APART[other][cell] < nearest:
                nearest = APART[other][cell]
                best = other << 6 | steps
        reached = step_on(state, kind, reached, free, jumped)
    return best


@kernel
def approach(
    state: State, card: int, kept: int, steps: int, foreign: int, jumped: int, n: int, workspace: Workspace
) -> int:
    """Return the candidate to play a card (or NO_CARD) and to walk towards the best figure of the kept one."""
    first = 3 * state.seat
    own = state.own[state.seat]
    ground = (state.up | own) & ~foreign
    pattern = state.pattern[kept]
    best = -BIAS
    goal = 0
    for king in range(CELLS):
        if ground >> king & 1:
            for turn in range(ROTATIONS):
                gardener = figure_cell(king, turn, pattern // OFFSETS)
                architect = figure_cell(king, turn, pattern % OFFSETS)
                if (gardener >= 0) & (architect >= 0):
                    if (ground >> gardener & 1) & (ground >> architect & 1):
                        value = max(
                            value_at(GARDENER, gardener, n, workspace), value_at(ARCHITECT, architect, n, workspace)
                        )
                        value -= FAR_STEP * (
                            APART[state.pawn[first]][king]
                            + APART[state.pawn[first + GARDENER]][gardener]
                            + APART[state.pawn[first + ARCHITECT]][architect]
                        )
                        if value > best:
                            best = value
                            goal = king | gardener << 6 | architect << 12
    candidate = keep_still(state, card)
    if best == -BIAS:
        return candidate
    left = steps
    for kind in range(3):
        blocked = 0
        folk = 0
        for other in range(3):
            if other != kind:
                at = 1 << (cell_of(candidate, other))
                blocked |= at
                if other != KING:
                    folk |= at
        near = go_near(state, kind, goal >> 6 * kind & 63, foreign | blocked, jumped | folk & (state.up | own), left)
        left -= near & 63
        shift = PAWN_AT + 6 * kind
        candidate = candidate & ~(63 << shift) | near >> 6 << shift
    return candidate


@kernel
def value_at(worker: int, cell: int, n: int, workspace: Workspace) -> int:
    """Return the value of the best work of a worker on a cell."""
    rank = workspace.best_rank[CELLS * (worker - 1) + cell]
    if rank == n:
        return 0
    return workspace.work_value[number_in(workspace.ranked[rank])]


@kernel
def add_candidate(candidate: int, value: int, found: Numbers, heuristics: Numbers, n: int) -> int:
    """Add a candidate unless it is there already; return the new number of candidates."""
    for i in range(n):
        if found[i] == candidate:
            return n
    found[n] = candidate
    heuristics[n] = value
    return n + 1


@kernel
def add_quiet(
    state: State,
    steps: int,
    foreign: int,
    jumped: int,
    n: int,
    workspace: Workspace,
    found: Numbers,
    heuristics: Numbers,
    count: int,
) -> int:
    """Add the candidates without work, at most QUIET_CANDIDATES; return the new number of candidates."""
    hand = state.hand[state.seat]
    if state.phase == CARD:
        cards = hand
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            kept = hand ^ 1 << card
            if kept:
                candidate = approach(state, card, lowest_bit(kept), steps, foreign, jumped, n, workspace)
                count = add_candidate(candidate, QUIET, found, heuristics, count)
            count = add_candidate(keep_still(state, card), QUIET - 10, found, heuristics, count)
    elif state.phase == MOVE:
        if hand:
            candidate = approach(state, NO_CARD, lowest_bit(hand), steps, foreign, jumped, n, workspace)
            count = add_candidate(candidate, QUIET, found, heuristics, count)
        count = add_candidate(keep_still(state, NO_CARD), QUIET - 10, found, heuristics, count)
    else:
        count = add_candidate(keep_still(state, NO_CARD), 0, found, heuristics, count)
    return count
