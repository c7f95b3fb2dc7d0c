"""Schlossgarten: its parts, its state, and what stands where on the board. Rulings: docs/rules/schlossgarten.md."""

from __future__ import annotations

from typing import Annotated

from bosquet.core.grid import HEADINGS, Grid
from bosquet.core.state import Field, Int8, Int16, Int64, Range, StateRecord
from bosquet.kernels.bits import index
from bosquet.kernels.jit import kernel

from .constellations import CARDS, MAX_WIDTH, OFFSETS, steps_of

# --- 1 Parts ---------------------------------------------------------------------------------------------------

LANDSCAPE = (1,) * 17 + (2,) * 16 + (3,) * 16  # 1.1

GRID = Grid(7)  # 1.2

CELLS = GRID.size

BOARD = (1 << CELLS) - 1

NEAR = tuple(
    sum(1 << near for step in HEADINGS.values() if (near := GRID.step(cell, *step)) >= 0) for cell in range(CELLS)
)

EDGE_NEAR = tuple(
    sum(1 << near for step in ((0, 1), (1, 0), (0, -1), (-1, 0)) if (near := GRID.step(cell, *step)) >= 0)
    for cell in range(CELLS)
)

PAWNS = "KGA"  # 1.3

KING, GARDENER, ARCHITECT = range(3)

ELEMENTS = 6  # per player: the gardener's of size 1, 2, 3, then the architect's

MAX_PLAYERS = 4

ROTATIONS = 4

STEPS = 5

WINNING_POINTS = 21  # 5.1

ROUND_LIMIT = 100  # 5.2

# 2.2: [players]: cells of king, gardener and architect of each seat.
SOUTH = ("d1", "c1", "e1")

WEST = ("a4", "a5", "a3")

NORTH = ("d7", "e7", "c7")

EAST = ("g4", "g3", "g5")

STARTS = tuple(
    tuple(GRID.cell_of[name] for edge in edges for name in edge) + (-1,) * (3 * (MAX_PLAYERS - len(edges)))
    for edges in ((), (), (SOUTH, NORTH), (SOUTH, WEST, NORTH), (SOUTH, WEST, NORTH, EAST))
)


def _sites() -> list[tuple[int, ...]]:
    """Return all sites of elements: cells, dominoes and L-shapes, the cells of each ordered by column, then row. 1.3"""
    shapes = [[(0, 0)], [(0, 0), (1, 0)], [(0, 0), (0, 1)]]
    square = [(0, 0), (1, 0), (0, 1), (1, 1)]
    shapes += [[cell for cell in square if cell != left_out] for left_out in square]
    sites = []
    for shape in shapes:
        for cell in range(CELLS):
            cells = [GRID.step(cell, *step) for step in shape]
            if min(cells) >= 0:
                sites.append(tuple(sorted(cells, key=lambda c: (c % GRID.width, c // GRID.width))))
    return sites


def quarters(east: int, north: int, turns: int) -> tuple[int, int]:
    """Return an offset rotated clockwise by this many quarter turns."""
    for _ in range(turns):
        east, north = north, -east
    return east, north


SITES = _sites()

SITE_MASK = tuple(sum(1 << cell for cell in site) for site in SITES)

SITE_SIZE = tuple(len(site) for site in SITES)

FIRST_SITE = (0, 0, 49, 49 + 84, len(SITES))  # [size]: first site of this size

# 4.1: a figure is looked up on the board with a margin as wide as a subject may stand from its king.
MARGIN = MAX_WIDTH - 1

BROAD = GRID.width + 2 * MARGIN

PLACE = tuple((cell // GRID.width + MARGIN) * BROAD + cell % GRID.width + MARGIN for cell in range(CELLS))

CELL_AT = tuple(PLACE.index(place) if place in PLACE else -1 for place in range(BROAD * BROAD))  # [place]: cell, or -1

# [turn][offset from the king, see `constellations`]: the difference of the places
FROM_KING = tuple(
    tuple(north * BROAD + east for i in range(OFFSETS) for east, north in [quarters(*steps_of(i), turn)])
    for turn in range(ROTATIONS)
)

# 3.4: the cell behind a neighbouring cell, or -1.
BEHIND = tuple(
    tuple(
        GRID.step(over, over % 7 - cell % 7, over // 7 - cell // 7) if NEAR[cell] >> over & 1 else -1
        for over in range(CELLS)
    )
    for cell in range(CELLS)
)

OVER_ELEMENTS, OVER_BORDERING = 1, 2  # 4.4: `overbuild` with the values elements and bordering

CARD, MOVE, WORK, BUILD, PILE, OVER = range(6)


class State(StateRecord):
    """A state of Schlossgarten.

    Sets of cells and cards are bit masks; cards are numbered from 0. One list holds the pawns of all seats, another one
    their elements.
    """

    players: Int8
    each_works: Int8  # option `work`: 1 if each own subject of a figure may work
    overbuild: Int8  # option `overbuild`: its place in `rules.OPTIONS`
    seat: Int8
    phase: Annotated[Int8, Range(0, OVER)]
    turn: Int16  # turns ended so far
    played: Annotated[Int8, Range(-1, CARDS - 1)]  # card of the current turn, or -1
    steps: Int8  # steps left
    shifted: Annotated[Int8, Range(0, 7)]  # mask of pawns that may not shift again
    worker: Annotated[
        Int8, Range(-1, ARCHITECT)
    ]  # subject that has dug in the current turn, or -1; if `each_works`, the other may build
    pile_at: Annotated[Int8, Range(0, CARDS)]  # next card of `pile`
    pile_end: Annotated[Int8, Range(0, CARDS)]
    pattern: Annotated[list[int], Field("i2", CARDS)]  # [card], see `pattern_of`; set before the deal
    tiles: Annotated[list[int], Field("i1", 3)]  # [value - 1]: number of landscape tiles; set before the deal
    start: Annotated[list[int], Field("i1", 3 * MAX_PLAYERS)]  # as `pawn`, at the start; set before the deal
    landscape: Annotated[list[int], Field("i1", CELLS), Range(0, 3)]  # [cell]: value of its tile
    pile: Annotated[
        list[int], Field("i1", CARDS), Range(0, CARDS - 1)
    ]  # as shuffled last; cards before `pile_at` have been drawn
    pawn: Annotated[list[int], Field("i1", 3 * MAX_PLAYERS), Range(-1, CELLS - 1)]  # [3 × seat + kind]: cell
    element: Annotated[
        list[int], Field("i2", ELEMENTS * MAX_PLAYERS), Range(-1, len(SITES) - 1)
    ]  # [6 × seat + 3 × (worker - 1) + size - 1]: site, or -1
    tile_points: Annotated[list[int], Field("i2", MAX_PLAYERS)]  # [seat]: sum of the values of its tiles
    up: Int64  # cells whose tile lies value up
    dug: Int64  # excavations
    discard: Int64  # cards played since the last shuffle
    held_over: Int64  # cards that were in hands at the last shuffle
    hand: Annotated[list[int], Field("i8", MAX_PLAYERS)]  # [seat]: cards
    may_hold: Annotated[list[int], Field("i8", MAX_PLAYERS)]  # [seat]: candidates for the card held at a shuffle, or 0
    own: Annotated[list[int], Field("i8", MAX_PLAYERS)]  # [seat]: cells of its elements
    kept: Annotated[list[int], Field("i8", MAX_PLAYERS)]  # [seat]: cells whose tiles it keeps


MAX_MOVES = 2048

STOP = CARDS

END = STOP + 1

FIRST_STEP = END + 1

FIRST_DIG = FIRST_STEP + (3 << 12)  # a move is 2 bits of pawn, 6 of cell, 6 of refuge

FIRST_BUILD = FIRST_DIG + 2 * CELLS

ACTIONS = FIRST_BUILD + 2 * len(SITES)

NO_HIT = 63

# --- What stands where ------------------------------------------------------------------------------------------


@kernel
def figure_cell(king: int, turn: int, offset: int) -> int:
    """Return the cell at an offset from a king on a card rotated by quarter turns, or -1 off the board. 4.1"""
    return CELL_AT[index(PLACE[king] + FROM_KING[turn][offset])]


@kernel
def pawns(state: State) -> int:
    """Return the cells with a pawn."""
    cells = 0
    for i in range(3 * state.players):
        cells |= 1 << state.pawn[i]
    return cells


@kernel
def subjects(state: State, kind: int) -> int:
    """Return the cells with a subject of this kind, of any seat."""
    cells = 0
    for seat in range(state.players):
        cells |= 1 << state.pawn[3 * seat + kind]
    return cells


@kernel
def element_at(state: State, seat: int, cell: int) -> int:
    """Return all cells of the seat's element that covers a cell, or 0 if there is none."""
    if state.own[seat] >> cell & 1:
        for i in range(ELEMENTS * seat, ELEMENTS * (seat + 1)):
            site = state.element[i]
            if site >= 0:
                if SITE_MASK[site] >> cell & 1:
                    return SITE_MASK[site]
    return 0


@kernel
def covered(state: State) -> int:
    """Return the cells that are covered by elements of any seat."""
    cells = 0
    for seat in range(state.players):
        cells |= state.own[seat]
    return cells
