"""Observations and action indices of Topiary.

The garden is 5 × 5 cells; row 0 is the south edge, column 0 the west edge. Seat 0 is the viewer's own.
"""

from __future__ import annotations

from bosquet.core.encoding import Part, clear, mark
from bosquet.core.state import Numbers, Options
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .notation import LINE_NAMES
from .rules import (
    ACTIONS,
    CELLS,
    DRAFT,
    FIRST_KEEP,
    GRID,
    HAND,
    KINDS,
    LEFTOVER,
    LINE_MASK,
    OVER,
    SIZES,
    TILES,
    TYPES,
    VISITORS,
    State,
    legal,
)

VERSION = 1

LINES = len(LINE_NAMES)
PHASES = 4

# Offsets of the parts whose position is the same for all options.
SIZE_PLANES = KINDS * CELLS
DOWN_PLANE = SIZE_PLANES + SIZES * CELLS
LINE_PLANE = DOWN_PLANE + CELLS
GAP_PLANE = LINE_PLANE + CELLS
FIRST_PHASE = GAP_PLANE + CELLS
REMOVED = FIRST_PHASE + PHASES
HAND_TILES = REMOVED + KINDS
FIRST_SEAT = HAND_TILES + TILES
A_SEAT = 3 + LINES + TILES


def layout(options: Options) -> tuple[Part, ...]:
    """Return the parts of an observation, in order."""
    players, square = options["players"], (GRID.width, GRID.width)
    parts = (
        Part("type", (KINDS, *square), f"1 where a face-up tile of the type lies; types {', '.join(TYPES)}", 1),
        Part("size", (SIZES, *square), f"1 where a face-up tile of the size lies; sizes 1 to {SIZES}", 1),
        Part("down", square, "1 where a tile lies face down", 1),
        Part("line", square, "1 on the cells of the line chosen in the running turn", 1),
        Part("gap", square, "1 where the tile was taken in the running turn", 1),
        Part("phase", (PHASES,), "1 at the decision that is due: draft, line, take, put", 1),
        Part("removed", (KINDS,), "1 at the type that is not in the game", 1),
        Part("hand", (TILES,), "1 for every tile in the own hand; tile = type × 5 + size - 1", 1),
        *(
            part
            for seat in range(players)
            for part in (
                Part(f"moves {seat}", (1,), "1 if this seat is to move", 1),
                Part(f"left {seat}", (1,), "visitors that it has not placed yet", VISITORS[players]),
                Part(f"hand size {seat}", (1,), "tiles in its hand", HAND + LEFTOVER),
                Part(f"visitors {seat}", (LINES,), "1 for every line with a visitor of it", 1),
                Part(f"put {seat}", (TILES,), "1 for every tile that it has put into the garden", 1),
            )
        ),
    )
    if options["draft"]:
        parts += (
            Part("passed", (TILES,), "1 for every tile that the viewer passed on in the draft", 1),
            Part("received", (TILES,), "1 for every tile that was passed to the viewer in the draft", 1),
        )
    return parts


def action_count(options: Options) -> int:
    """Return the size of the action space. Indices are the actions; those of the draft come last."""
    return ACTIONS if options["draft"] else FIRST_KEEP


def max_decisions(options: Options) -> int:
    """Return an upper bound on decisions: a line, a tile taken and a tile put per visitor, and the draft."""
    players: int = options["players"]
    return 3 * players * VISITORS[players] + (players if options["draft"] else 0)


def max_chance_events(options: Options) -> int:
    """Return 0: there is no chance event after the deal."""
    return 0


def min_points(options: Options) -> int:
    """Return 0: nothing costs points."""
    return 0


def max_points(options: Options) -> int:
    """Return an upper bound on points.

    Every visitor sees one tile of each size, all of one type, and every tile in hand scores the largest size but one.
    """
    of_a_visitor = SIZES * (SIZES + 1) // 2 + SIZES
    return VISITORS[options["players"]] * of_a_visitor + HAND * (SIZES - 1)


@kernel
def observe(state: State, viewer: int, out: Numbers) -> None:
    """Write the observation of a seat."""
    players = state.players
    clear(out, FIRST_SEAT + players * A_SEAT + (2 * TILES if state.draft else 0))
    cells = state.up
    while cells:
        cell = lowest_bit(cells)
        cells &= cells - 1
        tile = state.tiles[cell]
        out[tile // SIZES * CELLS + cell] = 1
        out[SIZE_PLANES + tile % SIZES * CELLS + cell] = 1
    mark(out, DOWN_PLANE, state.down)
    if state.line >= 0:
        mark(out, LINE_PLANE, LINE_MASK[state.line])
    if state.gap >= 0:
        out[GAP_PLANE + state.gap] = 1
    if state.phase != OVER:
        out[FIRST_PHASE + state.phase] = 1
    if state.removed >= 0:
        out[REMOVED + state.removed] = 1
    mark(out, HAND_TILES, state.hand[viewer])
    at = FIRST_SEAT
    for turn in range(players):
        seat = viewer + turn if viewer + turn < players else viewer + turn - players
        out[at] = 1 if state.seat == seat else 0
        out[at + 1] = VISITORS[players] - count_bits(state.visitors[seat])
        out[at + 2] = count_bits(state.hand[seat])
        mark(out, at + 3, state.visitors[seat])
        mark(out, at + 3 + LINES, state.put[seat])
        at += A_SEAT
    if state.draft:
        mark(out, at, state.passed[viewer])
        if (state.phase != DRAFT) | (viewer >= state.seat):
            mark(out, at + TILES, state.passed[viewer + 1])


@kernel
def index_of(state: State, action: int) -> int:
    """Return the action itself, which is its index."""
    return action


@kernel
def action_at(state: State, index: int) -> int:
    """Return the index itself, which is the action."""
    return index


@kernel
def is_concealed(state: State, action: int) -> bool:
    """Return whether the draft is on: other seats do not see which tiles are kept. 2.4"""
    return state.phase == DRAFT


@kernel
def private(state: State, seat: int) -> int:
    """Return the hand of a seat."""
    return state.hand[seat]


@kernel
def indices(state: State, moves: Numbers) -> int:
    """Write the index of every legal action; return their number."""
    return legal(state, moves)
