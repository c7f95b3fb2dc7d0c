"""Candidates of Schlossgarten that begin with a hit: one pawn goes and hits, and then the pawns walk as in any turn.

For each subject that can be hit one refuge is considered, the one farthest from the others of its seat. A turn that
hits and does no work is no candidate.
"""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from ..board import ARCHITECT, GARDENER, KING, SITE_MASK, State, pawns
from ..walking import foreign_pawns, hurdles, steps_to
from .candidate import NO_SITE, encode_hit, hits_of, hitter_of, refuge_of, site_of
from .choices import list_choices, measure
from .marches import can_walk
from .quiet import APART
from .stands import refuges
from .works import VALUE_AT, number_in
from .workspace import Workspace

HIT_DEPTH = 1
"""Works of one worker in one stand that are looked at after a hit."""

FARTHER = 20
"""A step that a subject is sent away from its king or from the other subject. In hundredths of a point."""


@kernel
def steps_to_hit(state: State, hitter: int, cell: int, steps: int) -> int:
    """Return the steps of an own pawn to the subject on a cell, all others standing still; FAR if more than `steps`."""
    others = pawns(state) & ~(1 << state.pawn[3 * state.seat + hitter] | 1 << cell)
    return steps_to(state, hitter, cell, others, hurdles(state, others), steps)


@kernel
def distance_to_others(state: State, pawn: int, cell: int) -> int:
    """Return how far a subject on a cell would be from its king and from the other subject, together."""
    king = state.pawn[pawn // 3 * 3 + KING] + 0
    partner = state.pawn[pawn // 3 * 3 + GARDENER + ARCHITECT - pawn % 3] + 0
    return APART[king][cell] + APART[partner][cell]


@kernel
def farthest_refuge(state: State, pawn: int) -> int:
    """Return where a subject of another seat is farthest from the others of its seat. 3.5"""
    cells = refuges(state, pawn // 3)
    best = lowest_bit(cells)
    while cells:
        cell = lowest_bit(cells)
        cells &= cells - 1
        if distance_to_others(state, pawn, cell) > distance_to_others(state, pawn, best):
            best = cell
    return best


@kernel
def put(state: State, hitter: int, hitter_cell: int, pawn: int, pawn_cell: int, shifted: int) -> None:
    """Put an own pawn and another seat's subject on these cells, to make a hit or to take it back. 3.3, 3.5"""
    state.pawn[3 * state.seat + hitter] = hitter_cell
    state.pawn[pawn] = pawn_cell
    state.shifted = shifted


@kernel
def add_hits(state: State, steps: int, choices: int, n: int, rng_state: Numbers, workspace: Workspace) -> int:
    """Add the choices that begin with a hit; return the new number of choices. `state` is left as it was.

    Overwrites the distances in `workspace`.
    """
    for seat in range(state.players):
        if seat != state.seat and refuges(state, seat):
            for kind in range(GARDENER, ARCHITECT + 1):
                pawn = 3 * seat + kind
                if state.up >> state.pawn[pawn] & 1:
                    refuge = farthest_refuge(state, pawn)
                    for hitter in range(3):
                        choices = add_hit(state, steps, hitter, pawn, refuge, choices, n, rng_state, workspace)
    return choices


@kernel
def add_hit(
    state: State,
    steps: int,
    hitter: int,
    pawn: int,
    refuge: int,
    choices: int,
    n: int,
    rng_state: Numbers,
    workspace: Workspace,
) -> int:
    """Add the choices that begin with this hit; return the new number of choices."""
    cell = state.pawn[pawn] + 0
    start = state.pawn[3 * state.seat + hitter] + 0
    shifted = state.shifted + 0
    left = steps - steps_to_hit(state, hitter, cell, steps)
    if left < 0:
        return choices
    gain = FARTHER * (distance_to_others(state, pawn, refuge) - distance_to_others(state, pawn, cell))
    put(state, hitter, cell, pawn, refuge, shifted & ~(1 << hitter))
    foreign = foreign_pawns(state)
    measure(state, left, foreign, hurdles(state, foreign), workspace)
    end = list_choices(state, left, foreign, HIT_DEPTH, choices, n, rng_state, workspace)
    for i in range(choices, end):
        candidate = workspace.choices[i]
        if site_of(candidate) == NO_SITE or SITE_MASK[site_of(candidate)] >> refuge & 1 == 0:
            workspace.choices[choices] = candidate | encode_hit(hitter, pawn, refuge)
            key = workspace.choice_keys[i]
            workspace.choice_keys[choices] = key - number_in(key) + choices + gain * (1 << VALUE_AT)
            choices += 1
    put(state, hitter, start, pawn, cell, shifted)
    return choices


@kernel
def can_walk_after_hit(state: State, candidate: int, wins: bool, steps: int) -> bool:
    """Return whether the own pawns can walk to their places after the hit. `state` is left as it was."""
    hitter = hitter_of(candidate)
    pawn = lowest_bit(hits_of(candidate))
    cell = state.pawn[pawn] + 0
    start = state.pawn[3 * state.seat + hitter] + 0
    shifted = state.shifted + 0
    left = steps - steps_to_hit(state, hitter, cell, steps)
    put(state, hitter, cell, pawn, refuge_of(candidate), shifted & ~(1 << hitter))
    foreign = foreign_pawns(state)
    walks = can_walk(state, candidate, wins, left, foreign, hurdles(state, foreign))
    put(state, hitter, start, pawn, cell, shifted)
    return walks
