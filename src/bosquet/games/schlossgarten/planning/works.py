"""What the workers of Schlossgarten could dig and build this turn, ranked by heuristic value.

Values are in hundredths of a point.
"""

from __future__ import annotations

from bosquet.core.grid import HEADINGS
from bosquet.core.rng import draw
from bosquet.core.state import Numbers
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from ..board import (
    ARCHITECT,
    BOARD,
    BUILD,
    CELLS,
    ELEMENTS,
    FIRST_SITE,
    GARDENER,
    GRID,
    NEAR,
    SITE_MASK,
    SITE_SIZE,
    WINNING_POINTS,
    State,
    covered,
)
from ..rules import borders, gain_of, is_open, score
from ..walking import around
from .candidate import NO_TILE
from .workspace import Workspace

POINT = 100
COVERED = -20
"""A cell of others that is built over: they lose a point, but have an element at hand again."""
SPENT = (0, 55, 180, -100)
"""[size]: an element that is then not at hand. Two small ones are a step towards the large one, a middle one is not."""
AT_HAND = (0, 120, -40, 80)
"""[cells]: own elements that are built over and so at hand again."""
VICTORY = 10000
OPEN_MINE = (20, 50, 40, 30, 0)
"""An excavation left open, for each point of its tile, by the distance of the nearest own subject (4: farther)."""
OPEN_THEIRS = (0, 10, 10, 40, 30)
"""The same for the nearest subject of the others, to be taken off."""
BIAS = 1 << 20
"""Makes a value positive in a key: value + BIAS, ten bits of chance, twelve bits of the number that it ranks."""
NUMBER_BITS = 12
VALUE_AT = NUMBER_BITS + 10  # the first bit of value + BIAS


@kernel
def value_excavations(state: State, foreign: int, workspace: Workspace) -> None:
    """Write the value of leaving an excavation open, for each cell."""
    mine = 0
    theirs = 0
    for seat in range(state.players):
        folk = 1 << state.pawn[3 * seat + GARDENER] | 1 << state.pawn[3 * seat + ARCHITECT]
        if seat == state.seat:
            mine |= folk
        else:
            theirs |= folk
    for cell in range(CELLS):
        workspace.excavation_value[cell] = 0
    met_mine = 0
    met_theirs = 0
    for ring in range(len(OPEN_MINE)):
        fresh = mine & ~met_mine
        if ring == len(OPEN_MINE) - 1:
            fresh = BOARD & ~met_mine
        while fresh:
            cell = lowest_bit(fresh)
            fresh &= fresh - 1
            workspace.excavation_value[cell] += OPEN_MINE[ring] * state.landscape[cell]
        fresh = theirs & ~met_theirs
        if ring == len(OPEN_MINE) - 1:
            fresh = BOARD & ~met_theirs
        while fresh:
            cell = lowest_bit(fresh)
            fresh &= fresh - 1
            workspace.excavation_value[cell] -= OPEN_THEIRS[ring] * state.landscape[cell]
        met_mine = mine
        met_theirs = theirs
        mine = around(mine)
        theirs = around(theirs)
    while foreign:
        workspace.excavation_value[lowest_bit(foreign)] = -BIAS  # no digging there now
        foreign &= foreign - 1


@kernel
def list_elements(state: State, workspace: Workspace) -> None:
    """Write which element lies on each cell."""
    for cell in range(CELLS):
        workspace.element[cell] = 0
    for i in range(ELEMENTS * state.players):
        if state.element[i] >= 0:
            element = SITE_MASK[state.element[i]]
            cells = element
            while cells:
                workspace.element[lowest_bit(cells)] = element
                cells &= cells - 1


@kernel
def list_works(state: State, foreign: int, rng_state: Numbers, workspace: Workspace) -> int:
    """Rank all works that the others' pawns allow, ties by chance; return how many. 4.3-4.6"""
    n = 0
    if state.phase != BUILD:
        tiles = state.up & ~foreign
        while tiles:
            cell = lowest_bit(tiles)
            tiles &= tiles - 1
            workspace.work_value[cell] = workspace.excavation_value[cell]
            workspace.places[cell] = NEAR[cell]
            workspace.tile_to_dig[cell] = cell
            workspace.ranked[n] = key_of(workspace.excavation_value[cell], cell, rng_state)
            n += 1
    own = state.own[state.seat]
    built = covered(state)
    missing = WINNING_POINTS - score(state, state.seat)
    for size in range(1, 4):
        first = ELEMENTS * state.seat + size - 1
        if (state.element[first] < 0) | (state.element[first + 3] < 0):
            for site in range(FIRST_SITE[size], FIRST_SITE[size + 1]):
                cells = SITE_MASK[site]
                fresh = cells & state.up
                if is_open(state, cells, built, foreign):
                    now = (fresh == 0) | (state.phase != BUILD)
                    if now and whole(cells & built, cells, workspace) and borders(state, cells, built):
                        work = CELLS + site
                        workspace.places[work] = SITE_NEAR[site] if state.each_works else workplaces(site, fresh)
                        workspace.tile_to_dig[work] = NO_TILE
                        if fresh:
                            workspace.tile_to_dig[work] = lowest_bit(fresh)
                        gain = gain_of(state, cells, built)
                        closed = 0
                        tiles = cells & ~built & ~fresh
                        while tiles:
                            closed += workspace.excavation_value[lowest_bit(tiles)]
                            tiles &= tiles - 1
                        value = POINT * gain + COVERED * count_bits(cells & built & ~own) - closed
                        value += AT_HAND[count_bits(cells & own)] - SPENT[size]
                        if gain >= missing:
                            value += VICTORY
                        workspace.work_value[work] = value
                        workspace.ranked[n] = key_of(value, work, rng_state)
                        n += 1
    sort_down(workspace.ranked, n)
    return n


@kernel
def whole(touched: int, cells: int, workspace: Workspace) -> bool:
    """Return whether the elements on the touched cells lie wholly inside a site and are smaller. 4.4"""
    while touched:
        element = workspace.element[lowest_bit(touched)]
        if (element & ~cells != 0) | (element == cells):
            return False
        touched &= touched - 1
    return True


@kernel
def key_of(value: int, number: int, rng_state: Numbers) -> int:
    """Return a key that sorts by value, then by chance, and ends with the number it stands for. Steps `rng_state`."""
    return (value + BIAS) << VALUE_AT | (draw(rng_state) & 1023) << NUMBER_BITS | number


@kernel
def number_in(key: int) -> int:
    """Return the number that a key stands for."""
    return key & (1 << NUMBER_BITS) - 1


@kernel
def value_in(key: int) -> int:
    """Return the value by which a key sorts."""
    return (key >> VALUE_AT) - BIAS


@kernel
def sort_down(keys: Numbers, n: int) -> None:
    """Sort n numbers, the greatest first (Shell)."""
    gap = 40
    while gap:
        for i in range(gap, n):
            key = keys[i]
            at = i
            while at >= gap and keys[at - gap] < key:
                keys[at] = keys[at - gap]
                at -= gap
            keys[at] = key
        if gap > 13:
            gap = 13
        elif gap > 4:
            gap = 4
        elif gap > 1:
            gap = 1
        else:
            gap = 0


@kernel
def can_do(state: State, worker: int, work: int) -> bool:
    """Return whether a worker has the element that a work needs. 4.4"""
    if work < CELLS:
        return True
    size = SITE_SIZE[work - CELLS]
    return state.element[ELEMENTS * state.seat + 3 * (worker - 1) + size - 1] < 0


@kernel
def write_best_ranks(state: State, n: int, workspace: Workspace) -> None:
    """Write for each worker and place the rank of the best work from there, n if there is none."""
    for i in range(2 * CELLS):
        workspace.best_rank[i] = n
    for worker in range(GARDENER, ARCHITECT + 1):
        todo = BOARD
        for rank in range(n):
            work = number_in(workspace.ranked[rank])
            places = workspace.places[work] & todo
            if places and can_do(state, worker, work):
                todo &= ~places
                while places:
                    workspace.best_rank[CELLS * (worker - 1) + lowest_bit(places)] = rank
                    places &= places - 1
                if todo == 0:
                    break


@kernel
def next_work(
    state: State, worker: int, cell: int, diggers: int, stand: int, rank: int, n: int, workspace: Workspace
) -> int:
    """Return the next rank, from `rank` on, of a work for a worker on a cell that no own pawn of a stand blocks.

    `diggers` are the cells of the subjects that may dig for it.
    """
    while rank < n:
        work = number_in(workspace.ranked[rank])
        tile = workspace.tile_to_dig[work]
        if workspace.places[work] >> cell & 1 and (tile == NO_TILE or NEAR[tile] & diggers != 0):
            cells = 1 << work
            if work >= CELLS:
                cells = SITE_MASK[work - CELLS]
            if cells & stand == 0 and can_do(state, worker, work):
                return rank
        rank += 1
    return n


SITE_NEAR = tuple(
    sum(
        1 << cell
        for cell in range(CELLS)
        if not mask >> cell & 1
        and any(mask >> near & 1 for step in HEADINGS.values() if (near := GRID.step(cell, *step)) >= 0)
    )
    for mask in SITE_MASK
)


@kernel
def workplaces(site: int, fresh: int) -> int:
    """Return where a worker may stand to build on a site; its cell in `fresh`, if any, is to be dug first. 4.3, 4.4"""
    if fresh:
        return NEAR[lowest_bit(fresh)] & ~SITE_MASK[site]
    return SITE_NEAR[site]
