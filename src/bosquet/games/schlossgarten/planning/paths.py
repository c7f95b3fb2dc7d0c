"""The actions of a candidate: how the pawns walk to their places, and what is done there.

All that is computed is in one array of numbers, whose parts the constants below name. A stand is where the pawns are
after some of the moves, as one integer: the cells of the own pawns, which of them have shifted, which subjects are
still to be hit, and the steps left. A subject that was hit is where the candidate sends it.
"""

from __future__ import annotations

from itertools import permutations

from bosquet.core.state import Numbers
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from ..board import (
    ARCHITECT,
    CARD,
    CELLS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    FIRST_STEP,
    GARDENER,
    MAX_MOVES,
    MOVE,
    NO_HIT,
    SITE_MASK,
    STEPS,
    STOP,
    State,
    pawns,
    subjects,
)
from ..rules import play_card, standing
from ..walking import FAR, at_once, foreign_pawns, move_pawn, pawn_moves, step_on
from .candidate import (
    NO_CARD,
    NO_SITE,
    NO_TILE,
    card_of,
    cell_of,
    digger_of,
    hits_of,
    hitter_of,
    refuge_of,
    site_of,
    tile_of,
    worker_of,
)

ORDERS = tuple(permutations(range(3)))
ALL_KINDS = 3
"""In the place of a kind of pawn: all three."""

# Parts of the array, after the actions:
SENT = 32  # [3 × seat + kind]: the cell where a subject that is hit goes, -1 for the others
HITTER = 44  # the own pawn that makes the hit before any other walks, -1 where any may
HOMING = 48  # [CELLS × kind + cell]: the least steps of an own pawn from there to its place
MOVES = HOMING + 3 * CELLS
STANDS = MOVES + MAX_MOVES
MOST_STANDS = 1 << 14
ORIGINS = STANDS + MOST_STANDS  # [stand]: the stand before it, and the move from there
TABLE = ORIGINS + MOST_STANDS  # a hash table: 1 + the stand, or 0
TABLE_BITS = 15
ACTIONS_ROOM = TABLE + (1 << TABLE_BITS)

SHIFTED_AT, HITS_AT, STEPS_AT = 18, 21, 33
PLACES = (1 << SHIFTED_AT) - 1
WITHOUT_STEPS = (1 << STEPS_AT) - 1
MOVE_BITS = 20


@kernel
def write_actions(states: list[State], candidate: int, found: Numbers) -> int:
    """Write the legal actions, in order, by which a candidate is made in `states[0]`; overwrites `states[1]`.

    Returns how many; 0 if the pawns can't walk to their places. They walk one after the other, in the order that takes
    fewest moves; if no order leads there, or somebody is to be hit, they take turns.
    """
    states[1] = states[0]
    state = states[1]
    n = 0
    if card_of(candidate) != NO_CARD:
        found[n] = card_of(candidate)
        n += 1
    if state.phase == CARD:
        play_card(state, card_of(candidate))
    walks = state.phase == MOVE
    stands = find_refuges(state, candidate, found)
    if walks:
        end = march(states, candidate, found, n)
        if end < 0:
            return 0
        found[end] = STOP
        n = end + 1
    tile, site = tile_of(candidate), site_of(candidate)
    if tile != NO_TILE:
        found[n] = FIRST_DIG + (digger_of(candidate) - 1) * CELLS + tile
        n += 1
    if site != NO_SITE:
        found[n] = FIRST_BUILD + (worker_of(candidate) - 1) * len(SITE_MASK) + site
        n += 1
    elif (not walks) or stands:
        found[n] = END
        n += 1
    return n


# --- Where everybody ends up ---------------------------------------------------------------------------------------


@kernel
def find_refuges(state: State, candidate: int, found: Numbers) -> bool:
    """Write where the subjects go that are hit, so that the figure stands and the site is free, -1 for the others. 3.5

    Returns whether a figure stands where the candidate leads, so that the work has to be ended. `state` is left as it
    was.
    """
    hits = hits_of(candidate)
    for pawn in range(12):
        found[SENT + pawn] = -1
    taken = pawns(state)
    before = stand_of(state, 0)
    for kind in range(3):
        state.pawn[3 * state.seat + kind] = cell_of(candidate, kind)
    workers = 1 << worker_of(candidate) | 1 << digger_of(candidate)
    if (hits != 0) & (refuge_of(candidate) >= 0):
        left = hits
        while left:
            found[SENT + lowest_bit(left)] = refuge_of(candidate)
            left &= left - 1
    elif hits:
        choose_refuges(state, hits, taken | SITE_MASK[site_of(candidate)], workers, found)
    for pawn in range(12):
        found[MOVES + pawn] = state.pawn[pawn]
        if found[SENT + pawn] >= 0:
            state.pawn[pawn] = found[SENT + pawn]
    stands = standing(state) != 0
    for pawn in range(12):
        state.pawn[pawn] = found[MOVES + pawn]
    put_own(state, before)
    return stands


@kernel
def choose_refuges(state: State, hits: int, taken: int, workers: int, found: Numbers) -> None:
    """Write the first cells of their owners' elements to which the subjects can be sent, so that the figure stands.

    All combinations are tried in order; -1 is left where none fits. `state` is left as it was.
    """
    # MOVES + pawn: the cell before; MOVES + 16 + i: the pawn; MOVES + 32 + i: cells that are left for it
    count = 0
    while hits:
        pawn = lowest_bit(hits)
        hits &= hits - 1
        found[MOVES + 16 + count] = pawn
        found[MOVES + pawn] = state.pawn[pawn]
        count += 1
    at = 0
    found[MOVES + 32] = state.own[found[MOVES + 16] // 3] & ~taken
    while at >= 0:
        cells = found[MOVES + 32 + at]
        pawn = found[MOVES + 16 + at]
        if cells == 0:
            state.pawn[pawn] = found[MOVES + pawn]
            at -= 1
            continue
        cell = lowest_bit(cells)
        found[MOVES + 32 + at] = cells & (cells - 1)
        state.pawn[pawn] = cell
        is_free = True
        for i in range(at):
            if state.pawn[found[MOVES + 16 + i]] == cell:
                is_free = False
        if not is_free:
            continue
        if at + 1 < count:
            at += 1
            found[MOVES + 32 + at] = state.own[found[MOVES + 16 + at] // 3] & ~taken
        elif standing(state) & workers == workers:
            for i in range(count):
                pawn = found[MOVES + 16 + i]
                found[SENT + pawn] = state.pawn[pawn]
                state.pawn[pawn] = found[MOVES + pawn]
            return


# --- How they walk there -------------------------------------------------------------------------------------------


@kernel
def march(states: list[State], candidate: int, found: Numbers, n: int) -> int:
    """Write the moves of the pawns after n actions; return the end, -1 if they can't walk to their places.

    `states[1]` is the position when they begin, and where they are in the end.
    """
    state = states[1]
    start = stand_of(state, hits_of(candidate))
    for pawn in range(12):
        if found[SENT + pawn] < 0:
            start &= ~(1 << HITS_AT + pawn)  # nobody knows where to send it
    if hits_of(candidate) == 0:
        best, shortest = -1, 0
        for order in range(len(ORDERS)):
            end = march_in(states, candidate, order, start, found, n)
            if (end >= 0) & ((best < 0) | (end < shortest)):
                best, shortest = order, end
        if best >= 0:
            return march_in(states, candidate, best, start, found, n)
    put(states, start, found)
    write_homing(state, candidate, found)
    end = march_together(states, candidate, start, -1, found, n)
    if (end < 0) & (refuge_of(candidate) >= 0):  # there may be more ways than there is room for
        end = march_together(states, candidate, start, hitter_of(candidate), found, n)
    return end


@kernel
def march_together(states: list[State], candidate: int, start: int, hitter: int, found: Numbers, n: int) -> int:
    """Write the moves of the pawns, in any order; return the end, -1 if there are none or too many ways.

    The pawn `hitter`, if it is not -1, makes the hit before any other walks.
    """
    found[HITTER] = hitter
    put(states, start, found)
    goal = cell_of(candidate, 0) | cell_of(candidate, 1) << 6 | cell_of(candidate, 2) << 12
    return walk(states, start, ALL_KINDS, WITHOUT_STEPS, WITHOUT_STEPS & ~(7 << SHIFTED_AT), goal, found, n)


@kernel
def march_in(states: list[State], candidate: int, order: int, start: int, found: Numbers, n: int) -> int:
    """Write the moves of the pawns, one pawn after the other; return the end, -1 if the steps do not suffice."""
    put(states, start, found)
    for i in range(3):
        kind = ORDERS[order][i]
        cells = 63 << 6 * kind
        goal = cell_of(candidate, kind) << 6 * kind
        n = walk(states, stand_of(states[1], 0), kind, cells, cells, goal, found, n)
        if n < 0:
            return -1
    return n


@kernel
def walk(states: list[State], start: int, kind: int, key: int, aim: int, goal: int, found: Numbers, n: int) -> int:
    """Write the moves from a stand, by fewest steps, then fewest moves; return the end, -1 if there are none.

    It is to lead to a stand with the bits `goal` in `aim`. Stands with the same bits in `key` count as the same. The
    pawns are put where they are then.
    """
    for i in range(1 << TABLE_BITS):
        found[TABLE + i] = 0
    add_stand(start, -1, 0, key, found, 0)
    first, end = 0, 1
    while first < end:
        at = first
        while at < end:  # grows by shifts, which are free
            if found[STANDS + at] & aim == goal:
                put(states, found[STANDS + at], found)
                return write_path(at, found, n)
            end = expand(states, at, kind, key, 0, found, end)
            at += 1
        last = end
        for before in range(first, last):
            end = expand(states, before, kind, key, 1, found, end)
        first = last
    return -1


@kernel
def expand(states: list[State], at: int, kind: int, key: int, steps: int, found: Numbers, end: int) -> int:
    """Add the stands that a move from a stand leads to, a shift or one that takes a step; return how many there are."""
    state = states[1]
    stand = found[STANDS + at]
    put(states, stand, found)
    left = state.steps + 0
    if kind == ALL_KINDS:
        n = list_useful(states, stand, found)
    else:
        folk = subjects(state, GARDENER) | subjects(state, ARCHITECT)
        n = pawn_moves(state, kind, pawns(state), folk, 0, found, MOVES)
    for i in range(MOVES, n):
        put(states, stand, found)
        move_pawn(state, found[i])
        if left - state.steps == steps:
            end = add_stand(stand_of(state, still_to_hit(states, stand)), at, found[i], key, found, end)
    return end


@kernel
def write_path(at: int, found: Numbers, n: int) -> int:
    """Write the moves that led to a stand after n actions; return the end."""
    length = 0
    before = found[ORIGINS + at] >> MOVE_BITS
    while before >= 0:
        length += 1
        before = found[ORIGINS + before] >> MOVE_BITS
    for i in range(length - 1, -1, -1):
        found[n + i] = found[ORIGINS + at] & (1 << MOVE_BITS) - 1
        at = found[ORIGINS + at] >> MOVE_BITS
    return n + length


@kernel
def list_useful(states: list[State], stand: int, found: Numbers) -> int:
    """Write the moves from a stand from which the pawns may still come to their places; return the end.

    Of the hits those are left out that the candidate does not make, or that send a subject elsewhere.
    """
    state = states[1]
    missing = 0
    for kind in range(3):
        missing += found[HOMING + CELLS * kind + state.pawn[3 * state.seat + kind]]
    if missing > state.steps:
        return MOVES
    occupied = pawns(state)
    folk = subjects(state, GARDENER) | subjects(state, ARCHITECT)
    hittable = 0
    left = stand >> HITS_AT & 4095
    while left:
        hittable |= 1 << state.pawn[lowest_bit(left)]
        left &= left - 1
    n = MOVES
    for kind in range(3):
        if (found[HITTER] < 0) | (hittable == 0) | (found[HITTER] == kind):
            n = pawn_moves(state, kind, occupied, folk, hittable & state.up, found, n)
    kept = MOVES
    for i in range(MOVES, n):
        refuge = found[i] - FIRST_STEP & 63
        if (refuge == NO_HIT) or is_wanted(state, stand, found[i] - FIRST_STEP >> 6 & 63, refuge, found):
            found[kept] = found[i]
            kept += 1
    return kept


@kernel
def is_wanted(state: State, stand: int, cell: int, refuge: int, found: Numbers) -> bool:
    """Return whether a subject on a cell is still to be hit, and to be sent to this refuge."""
    left = stand >> HITS_AT & 4095
    while left:
        pawn = lowest_bit(left)
        left &= left - 1
        if (state.pawn[pawn] == cell) & (found[SENT + pawn] == refuge):
            return True
    return False


@kernel
def write_homing(state: State, candidate: int, found: Numbers) -> None:
    """Write the least steps of each own pawn from each cell to its place, as if it could jump wherever it likes.

    `state` is left as it was.
    """
    hit = 0
    left = hits_of(candidate)
    while left:
        hit |= 1 << state.pawn[lowest_bit(left)]
        left &= left - 1
    ground = state.up | state.own[state.seat]
    free = ground & ~(foreign_pawns(state) & ~hit)
    before = stand_of(state, 0)
    for kind in range(3):
        state.pawn[3 * state.seat + kind] = cell_of(candidate, kind)
    state.shifted = 0
    for kind in range(3):
        for cell in range(CELLS):
            found[HOMING + CELLS * kind + cell] = FAR
        reached = 0
        for steps in range(STEPS + 1):
            beyond = step_on(state, kind, reached, free, ground) if steps else at_once(state, kind, free)
            fresh = beyond & ~reached
            while fresh:
                found[HOMING + CELLS * kind + lowest_bit(fresh)] = steps
                fresh &= fresh - 1
            reached = beyond
    put_own(state, before)


# --- Stands --------------------------------------------------------------------------------------------------------


@kernel
def stand_of(state: State, hits: int) -> int:
    """Return the stand of the pawns, with the subjects that are still to be hit."""
    first = 3 * state.seat
    cells = state.pawn[first] | state.pawn[first + 1] << 6 | state.pawn[first + 2] << 12
    return cells | state.shifted << SHIFTED_AT | hits << HITS_AT | state.steps << STEPS_AT


@kernel
def put_own(state: State, stand: int) -> None:
    """Put the own pawns where they stand, with the steps that are left."""
    for kind in range(3):
        state.pawn[3 * state.seat + kind] = stand >> 6 * kind & 63
    state.shifted = stand >> SHIFTED_AT & 7
    state.steps = stand >> STEPS_AT


@kernel
def put(states: list[State], stand: int, found: Numbers) -> None:
    """Put all pawns where they stand."""
    state = states[1]
    for pawn in range(3 * state.players):
        state.pawn[pawn] = states[0].pawn[pawn]
        if (found[SENT + pawn] >= 0) & (stand >> HITS_AT + pawn & 1 == 0):
            state.pawn[pawn] = found[SENT + pawn]
    put_own(state, stand)


@kernel
def still_to_hit(states: list[State], stand: int) -> int:
    """Return which of the subjects to be hit at a stand are still where they were."""
    hits = 0
    left = stand >> HITS_AT & 4095
    while left:
        pawn = lowest_bit(left)
        left &= left - 1
        if states[1].pawn[pawn] == states[0].pawn[pawn]:
            hits |= 1 << pawn
    return hits


@kernel
def add_stand(stand: int, before: int, move: int, key: int, found: Numbers, n: int) -> int:
    """Add a stand to n others, unless one counts as the same or there is no room; return how many there are."""
    word = stand & key
    at = (word ^ word >> 15) * 40503 >> 4 & (1 << TABLE_BITS) - 1
    while found[TABLE + at]:
        if (found[STANDS + found[TABLE + at] - 1] ^ stand) & key == 0:
            return n
        at = (at + 1) & (1 << TABLE_BITS) - 1
    if n == MOST_STANDS:
        return n
    found[TABLE + at] = n + 1
    found[STANDS + n] = stand
    found[ORIGINS + n] = before << MOVE_BITS | move
    return n + 1
