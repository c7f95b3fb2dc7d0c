"""How own pawns of `greedy` come to cells in Schlossgarten: walks without hits, one pawn after the other.

A walk is an array in `moves`. A stand is the cells of the three own pawns in one number, 6 bits for each.
"""

from __future__ import annotations

from itertools import permutations

from bosquet.core.state import Numbers
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from ..board import ARCHITECT, CELLS, GARDENER, KING, MOVE, NO_HIT, SITE_MASK, STEPS, State, element_at, subjects
from ..walking import foreign_pawns, move_action, one_step

TOO_FAR = 99
NOWHERE = 63
"""No cell: where a pawn need not go."""

# [set of pawns]: the orders in which they may walk, each filled up with NOWHERE
ORDERS = tuple(
    tuple(
        order + (NOWHERE,) * (3 - len(order))
        for order in [*permutations(kind for kind in range(3) if pawns >> kind & 1), *[()] * 6][:6]
    )
    for pawns in range(8)
)

# Where arrays begin in `moves`. Figures are first; there are at most 2 cards x 49 kings x 4 rotations of them.
WORKS = 400
WALKS = WORKS + CELLS + len(SITE_MASK)
"""The walks of the three pawns by themselves, then one that is looked at, see `write_walk`."""
WALK = 2 * CELLS
"""The length of a walk."""
ONE_WALK = WALKS + 3 * WALK
MARCH = ONE_WALK + WALK
"""The actions of a march."""

# --- Stands ------------------------------------------------------------------------


@kernel
def own_stand(state: State) -> int:
    """Return where the pawns of the seat to move stand."""
    first = 3 * state.seat
    return stand_of(state.pawn[first], state.pawn[first + GARDENER], state.pawn[first + ARCHITECT])


@kernel
def stand_of(king: int, gardener: int, architect: int) -> int:
    """Return three cells as one number."""
    return king | gardener << 6 | architect << 12


@kernel
def cell_in(stand: int, kind: int) -> int:
    """Return the cell of a pawn."""
    return stand >> 6 * kind & 63


@kernel
def moved(stand: int, kind: int, cell: int) -> int:
    """Return a stand with a pawn on another cell."""
    return stand & ~(63 << 6 * kind) | cell << 6 * kind


@kernel
def cells_in(stand: int) -> int:
    """Return the cells of the three pawns as a set."""
    return 1 << cell_in(stand, KING) | 1 << cell_in(stand, GARDENER) | 1 << cell_in(stand, ARCHITECT)


@kernel
def led_to(state: State, targets: int) -> int:
    """Return where the own pawns stand once those that have a target are there."""
    stand = own_stand(state)
    for kind in range(3):
        if cell_in(targets, kind) != NOWHERE:
            stand = moved(stand, kind, cell_in(targets, kind))
    return stand


@kernel
def subjects_in(targets: int) -> int:
    """Return which own subjects a figure has, as a mask of kinds."""
    return (cell_in(targets, GARDENER) != NOWHERE) << GARDENER | (cell_in(targets, ARCHITECT) != NOWHERE) << ARCHITECT


# --- Walking --------------------------------------------------------------------------------------------------------


@kernel
def march(state: State, targets: int, steps: int, moves: Numbers) -> int:
    """Write the actions that bring the own pawns to their targets within the steps; return how many, or -1."""
    own = own_stand(state)
    foreign = foreign_pawns(state)
    kings = subjects(state, KING)
    movers = 0
    for kind in range(3):
        if (cell_in(targets, kind) != NOWHERE) & (cell_in(targets, kind) != cell_in(own, kind)):
            movers |= 1 << kind
    for order in range(6):
        if (order > 0) & (ORDERS[movers][order][0] == NOWHERE):
            return -1
        stand = own
        left = steps
        n = 0
        for i in range(3):
            kind = ORDERS[movers][order][i]
            if (kind != NOWHERE) & (left >= 0):
                start = cell_in(stand, kind)
                cell = cell_in(targets, kind)
                write_walk(state, kind, start, foreign | cells_in(stand) & ~(1 << start), kings, moves, ONE_WALK)
                way = moves[ONE_WALK + cell]
                left = left - (way >> 6) if way >= 0 else -1
                if left >= 0:
                    n += write_steps(kind, cell, moves, MARCH + n)
                    stand = moved(stand, kind, cell)
        if left >= 0:
            return n
    return -1


@kernel
def write_own_walks(state: State, moves: Numbers) -> int:
    """Write the walk of each own pawn by itself, as if the others were away; return how many cells the king reaches."""
    kings = 0
    foreign = foreign_pawns(state)
    for kind in range(3):
        start = state.pawn[3 * state.seat + kind]
        n = write_walk(state, kind, start, foreign, subjects(state, KING), moves, WALKS + kind * WALK)
        if kind == KING:
            kings = n
    return kings


@kernel
def steps_in(moves: Numbers, kind: int, cell: int) -> int:
    """Return the steps of a pawn's own walk to a cell, `TOO_FAR` if the walk does not come there."""
    way = moves[WALKS + kind * WALK + cell]
    return way >> 6 if way >= 0 else TOO_FAR


@kernel
def write_walk(state: State, kind: int, start: int, blocked: int, kings: int, moves: Numbers, at: int) -> int:
    """Write every cell that a pawn can reach without hits, by fewest steps; return how many. 3.2-3.4

    The others stand still on `blocked`, of which it may not jump over `kings`. At `at` + cell is the number of steps
    and the cell before, -1 where it does not come; from `at` + CELLS on are the cells in the order they are reached.
    """
    seat = state.seat
    ground = state.up | state.own[seat]
    free = ground & ~blocked
    jumped = ground & blocked & ~kings
    for cell in range(CELLS):
        moves[at + cell] = -1
    moves[at + start] = start
    moves[at + CELLS] = start
    free &= ~(1 << start)
    begin = 0
    n = 1
    for steps in range(STEPS + 1):
        if (steps > 0) | (state.phase != MOVE) | (state.shifted >> kind & 1 == 0):
            for i in range(begin, n):
                cell = moves[at + CELLS + i]
                n = reach(moves, at, n, element_at(state, seat, cell) & free, steps, cell)
                free &= ~element_at(state, seat, cell)
        end = n
        for i in range(begin, end):
            cell = moves[at + CELLS + i]
            others = one_step(cell, element_at(state, seat, cell), jumped) & free
            n = reach(moves, at, n, others, steps + 1, cell)
            free &= ~others
        begin = end
    return n


@kernel
def reach(moves: Numbers, at: int, n: int, cells: int, steps: int, before: int) -> int:
    """Write cells that are reached for the first time into a walk of n cells; return how many it has then."""
    while cells:
        cell = lowest_bit(cells)
        cells &= cells - 1
        moves[at + cell] = steps << 6 | before
        moves[at + CELLS + n] = cell
        n += 1
    return n


@kernel
def write_steps(kind: int, cell: int, moves: Numbers, at: int) -> int:
    """Write the actions that bring a pawn to a cell of the walk that is looked at; return how many."""
    n = 0
    there = cell
    while moves[ONE_WALK + there] & 63 != there:
        there = moves[ONE_WALK + there] & 63
        n += 1
    for i in range(n - 1, -1, -1):
        moves[at + i] = move_action(kind, cell, NO_HIT)
        cell = moves[ONE_WALK + cell] & 63
    return n
