"""How pawns walk: steps, jumps, shifts and hits, for one pawn and for all cells that it may have reached. 3.2-3.5

The rules, the search, hints, reachable figures and `greedy` all walk by this module.
"""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.kernels.bits import lowest_bit, write_members
from bosquet.kernels.jit import kernel

from .board import (
    ARCHITECT,
    BEHIND,
    BOARD,
    CELLS,
    ELEMENTS,
    FIRST_STEP,
    GARDENER,
    GRID,
    KING,
    NEAR,
    NO_HIT,
    SITE_MASK,
    State,
    element_at,
    pawns,
)

FAR = 9
"""More steps than a turn has."""
TO_NEXT_REFUGE, TO_NEXT_CELL = 1, 1 << 6
"""Differences of two actions (`move_action`) that differ by one in the refuge, in the cell."""

# --- The moves of a pawn ---------------------------------------------------------------------------------------------


@kernel
def one_step(cell: int, home: int, hurdles: int) -> int:
    """Return the cells a step or a jump away, occupied or not: a pawn steps out of `home`, its element. 3.2, 3.4

    `hurdles` are the subjects that it may jump.
    """
    reach = NEAR[cell] & ~home
    over = NEAR[cell] & hurdles
    while over:
        to = BEHIND[cell][lowest_bit(over)]
        over &= over - 1
        if to >= 0:
            reach |= 1 << to
    return reach


@kernel
def pawn_moves(state: State, kind: int, occupied: int, folk: int, hittable: int, moves: Numbers, n: int) -> int:
    """Write the steps, jumps, hits and shifts of one pawn of the seat to move; return the new end of `moves`.

    `occupied` are the cells with a pawn, `folk` those with a subject, `hittable` those with a subject that may be hit.
    """
    seat = state.seat
    cell = state.pawn[3 * seat + kind]
    ground = state.up | state.own[seat]  # 3.2
    home = element_at(state, seat, cell)
    targets = 0
    if state.shifted >> kind & 1 == 0:
        targets = home & ~occupied  # 3.3
    if state.steps:
        own_folk = 1 << state.pawn[3 * seat + GARDENER] | 1 << state.pawn[3 * seat + ARCHITECT]
        reach = one_step(cell, home, folk & ground)
        targets |= reach & ground & ~occupied
        hits = reach & hittable & ~own_folk  # 3.5
        while hits:
            n = write_hits(state, kind, lowest_bit(hits), occupied, moves, n)
            hits &= hits - 1
    return write_members(moves, n, targets, move_action(kind, 0, NO_HIT), TO_NEXT_CELL)


@kernel
def write_hits(state: State, kind: int, cell: int, occupied: int, moves: Numbers, n: int) -> int:
    """Write the hits of the subject on a cell, one for each free cell of its owner's elements. 3.5"""
    for seat in range(state.players):
        if (state.pawn[3 * seat + GARDENER] == cell) | (state.pawn[3 * seat + ARCHITECT] == cell):
            refuges = state.own[seat] & ~occupied
            n = write_members(moves, n, refuges, move_action(kind, cell, 0), TO_NEXT_REFUGE)
    return n


@kernel
def move_action(kind: int, cell: int, refuge: int) -> int:
    """Return the action that moves a pawn to a cell; a subject hit there goes to `refuge` (or NO_HIT)."""
    return FIRST_STEP + (kind << 12 | cell << 6 | refuge)


def step_of(action: int) -> tuple[int, int, int]:
    """Return kind of pawn, cell, and refuge of the subject hit (or NO_HIT) of a step, jump, hit or shift."""
    code = action - FIRST_STEP
    return code >> 12, code >> 6 & 63, code & 63


@kernel
def move_pawn(state: State, action: int) -> None:
    """Apply a step, jump, hit or shift. 3.2-3.5"""
    code = action - FIRST_STEP
    refuge = code & 63
    cell = code >> 6 & 63
    kind = code >> 12
    pawn = 3 * state.seat + kind
    if element_at(state, state.seat, state.pawn[pawn]) >> cell & 1:
        state.shifted |= 1 << kind
    else:
        state.steps -= 1
        state.shifted &= ~(1 << kind)
    if refuge != NO_HIT:
        for other in range(3 * state.players):
            if state.pawn[other] == cell:
                state.pawn[other] = refuge
    state.pawn[pawn] = cell


# --- All cells that a pawn may have reached --------------------------------------------------------------------------

WEST_EDGE = sum(1 << cell for cell in range(CELLS) if cell % GRID.width == 0)
EAST_EDGE = WEST_EDGE << GRID.width - 1


@kernel
def around(cells: int) -> int:
    """Return the cells of a set and their neighbours."""
    row = cells | (cells & ~EAST_EDGE) << 1 | (cells & ~WEST_EDGE) >> 1
    return (row | row << 7 | row >> 7) & BOARD


@kernel
def beside(cells: int) -> int:
    """Return the neighbours of a set of cells; its own cells only where they are neighbours of each other."""
    row = (cells & ~EAST_EDGE) << 1 | (cells & ~WEST_EDGE) >> 1
    wide = cells | row
    return (row | wide << 7 | wide >> 7) & BOARD


@kernel
def behind(cells: int, hurdles: int) -> int:
    """Return the cells that are reached by jumping over a hurdle from one of these cells. 3.4"""
    reached = 0
    while hurdles:
        hurdle = lowest_bit(hurdles)
        hurdles &= hurdles - 1
        runs = NEAR[hurdle] & cells
        while runs:
            to = BEHIND[lowest_bit(runs)][hurdle]
            runs &= runs - 1
            if to >= 0:
                reached |= 1 << to
    return reached


@kernel
def foreign_pawns(state: State) -> int:
    """Return the cells of the others' pawns."""
    cells = pawns(state)
    for kind in range(3):
        cells &= ~(1 << state.pawn[3 * state.seat + kind])
    return cells


@kernel
def hurdles(state: State, blocked: int) -> int:
    """Return the subjects among the pawns on some cells that the seat to move may jump. 3.4"""
    kings = 0
    for seat in range(state.players):
        kings |= 1 << state.pawn[3 * seat + KING]
    return blocked & ~kings & (state.up | state.own[state.seat])


@kernel
def with_shifts(state: State, cells: int, free: int) -> int:
    """Return some cells, and those to which a pawn there can shift. 3.3"""
    seat = state.seat
    if cells & state.own[seat]:
        for i in range(ELEMENTS * seat, ELEMENTS * (seat + 1)):
            if state.element[i] >= 0:
                element = SITE_MASK[state.element[i]]
                if cells & element:
                    cells |= element & free
    return cells


@kernel
def at_once(state: State, kind: int, free: int) -> int:
    """Return where an own pawn can be without a step: where it stands, and where it can shift. 3.3"""
    cells = 1 << state.pawn[3 * state.seat + kind]
    if state.shifted >> kind & 1 == 0:
        cells = with_shifts(state, cells, free)
    return cells


@kernel
def step_on(state: State, kind: int, reached: int, free: int, jumped: int) -> int:
    """Return the cells that an own pawn reaches with one step more, those it has reached included. 3.2-3.4

    `free` are the cells it may enter, `jumped` those with a subject that it may jump.
    """
    beyond = around(reached)
    jumps = behind(reached, beyond & jumped)
    if state.shifted >> kind & 1:
        start = state.pawn[3 * state.seat + kind]
        if reached == 1 << start:  # it has shifted and can't again
            beyond &= ~element_at(state, state.seat, start)
    beyond |= jumps
    return reached | with_shifts(state, beyond & free, free)


@kernel
def steps_to(state: State, kind: int, cell: int, blocked: int, jumped: int, most: int) -> int:
    """Return the steps of an own pawn to a cell, the others standing still on `blocked`; FAR if more than `most`."""
    free = (state.up | state.own[state.seat]) & ~blocked
    reached = at_once(state, kind, free)
    for steps in range(most + 1):
        if reached >> cell & 1:
            return steps
        reached = step_on(state, kind, reached, free, jumped)
    return FAR
