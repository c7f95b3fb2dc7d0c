"""What can be tried in Topas where it is not shown what is legal, and why a move is illegal."""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.core.text.writing import (
    Text,
    begin_reason,
    begin_text,
    end_reason,
    end_text,
    name,
    put,
    put_number,
    reason,
    texts,
)
from bosquet.kernels.jit import kernel

from .rules import (
    COLOUR,
    COLOURS,
    DECK,
    EAST,
    GEMS,
    HALVES,
    HAND,
    LAY,
    NORTH,
    PLACES,
    ROW_LIMIT,
    SOUTH,
    SQUARES,
    STEP,
    WEST,
    State,
    card_of,
    half_fits,
    heading_of,
    is_covered,
    neighbour,
    run,
    square,
    square_of,
)
from .writing import CARD_TEXTS, put_square, write_cell

AROUND = 2
"""A card may be tried so far from the table."""
MAX_ATTEMPTS = HAND * 4 * 34**2
"""Width and height of a table come to 59 squares at most."""
HALF_TEXTS = texts("", *(f"{COLOURS[half // 3]}{half % 3 + 1}" for half in range(3 * len(COLOURS))))


@kernel
def attempts(state: State, moves: Numbers) -> int:
    """Write every card in hand, around the table, in its four turns, legal or not; return how many there are."""
    n = 0
    if state.phase != LAY:
        return n
    west, east = state.left - AROUND, state.right + AROUND
    south, north = state.bottom - AROUND, state.top + AROUND
    for card in range(DECK):
        if state.hand[state.seat] >> card & 1:
            for y in range(south, north + 1):
                for x in range(west, east + 1):
                    for heading in range(4):
                        is_out = ((heading == NORTH) & (y == north)) | ((heading == EAST) & (x == east))
                        is_out |= ((heading == SOUTH) & (y == south)) | ((heading == WEST) & (x == west))
                        if (not is_out) & (n < MAX_ATTEMPTS):
                            moves[n] = card * PLACES + heading * SQUARES + square(x, y)
                            n += 1
    return n


@kernel
def write_reason(state: State, action: int, out: Text) -> None:
    """Write why an action is not legal now. 3.1, 3.2"""
    card, at = card_of(action), square_of(action)
    beside = neighbour(at, heading_of(action))
    if state.hand[state.seat] >> card & 1 == 0:
        begin_reason(out, b"not_in_hand")
        name(out, b"card", CARD_TEXTS, card)
        end_reason(out)
    elif is_covered(state, at):
        write_covered(state, at, out)
    elif is_covered(state, beside):
        write_covered(state, beside, out)
    elif not half_fits(state, HALVES[card][0], at):
        write_long_row(state, HALVES[card][0], at, out)
    elif not half_fits(state, HALVES[card][1], beside):
        write_long_row(state, HALVES[card][1], beside, out)
    else:
        reason(out, b"apart")


@kernel
def write_covered(state: State, at: int, out: Text) -> None:
    """Write that a square is taken."""
    begin_reason(out, b"covered")
    write_cell(state, at, b"cell", out)
    end_reason(out)


@kernel
def write_long_row(state: State, half: int, at: int, out: Text) -> None:
    """Write which row half of a card on a square would make too long; of two rows the longer one. 3.2"""
    begin_reason(out, b"long_row")
    name(out, b"half", HALF_TEXTS, half)
    write_cell(state, at, b"cell", out)
    begin_text(out, b"limit")
    put_number(out, ROW_LIMIT)
    end_text(out)
    way = NORTH
    if row_gems(state, half, at, STEP[EAST]) > row_gems(state, half, at, STEP[NORTH]):
        way = EAST
    begin_text(out, b"row")
    put_row_squares(state, half, at, STEP[way], out)
    end_text(out)
    end_reason(out)


@kernel
def row_gems(state: State, half: int, at: int, step: int) -> int:
    """Return the gems of the row, in one direction, of half of a card that lies on a square. 3.3"""
    back, _ = run(state, COLOUR[half], at, -step)
    ahead, _ = run(state, COLOUR[half], at, step)
    return GEMS[half] + back + ahead


@kernel
def put_row_squares(state: State, half: int, at: int, step: int, out: Text) -> None:
    """Write the squares of that row as they are."""
    _, start = run(state, COLOUR[half], at, -step)
    _, end = run(state, COLOUR[half], at, step)
    cell = (start + step) & (SQUARES - 1)
    while cell != end:
        put_square(state, cell, out)
        cell = (cell + step) & (SQUARES - 1)
        if cell != end:
            put(out, b" ")
