"""The offers of a view of Topas as JSON, written by kernels: the bytes that `msgspec` makes of `view`."""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel
from bosquet.kernels.text import put, put_number, texts

from .rules import (
    COLOUR,
    COLOURS,
    GEMS,
    HALVES,
    HEADINGS,
    LAST,
    NAMES,
    SPAN,
    SQUARES,
    STEP,
    State,
    card_of,
    east_of,
    heading_of,
    legal,
    neighbour,
    north_of,
    points_of,
    run,
    square,
    square_of,
)

BYTES = 1 << 21
"""Room for every list of offers: 4 KiB for each square next to a table, five times what any needs."""
FIELDS = ("moves", "forbidden")

WORDS = texts(
    '{"say":"',
    "@",
    '","piece":"',
    '{"piece":"',
    '","cells":[',
    '],"heading":"',
    '","heading":"',
    '","points":',
    ',"rows":[',
    "]}",
    '{"colour":"',
    '","gems":',
    ',"cells":[',
    '],"row":',
    "}",
    "[",
    ",",
    "]",
    '"',
    '"}',
)
(
    SAY,
    AT,
    PIECE,
    FIRST_PIECE,
    CELLS,
    HEADING,
    HEADING_NEXT,
    POINTS,
    ROWS,
    END_ROWS,
    ROW,
    ROW_GEMS,
    ROW_CELLS,
    FORBIDDEN_ROW,
    END,
    OPEN,
    COMMA,
    CLOSE,
    QUOTE,
    END_HEADING,
) = range(20)
CARD_TEXTS = texts(*NAMES)
HEADING_TEXTS = texts(*HEADINGS)
COLOUR_TEXTS = texts(*COLOURS)
COORDINATES = texts(*(str(number) for number in range(-SPAN, SPAN + 1)))


@kernel
def write_offers(state: State, assisted: int, moves: Numbers, out: Numbers, ends: Numbers) -> int:
    """Write every legal action into `moves`, and each of `FIELDS` as JSON into `out`; return the number of actions.

    Points and rows of the moves are written only where `assisted` is not 0. `ends` gets where each of the texts ends;
    the next one begins there.
    """
    n = legal(state, moves)
    at = put(out, 0, WORDS, OPEN)
    for i in range(n):
        if i:
            at = put(out, at, WORDS, COMMA)
        at = write_move(state, moves[i], assisted, out, at)
    at = put(out, at, WORDS, CLOSE)
    ends[0] = at
    at = put(out, at, WORDS, OPEN)
    if n:
        at = write_forbidden(state, out, at)
    at = put(out, at, WORDS, CLOSE)
    ends[1] = at
    return n


@kernel
def write_move(state: State, action: int, assisted: int, out: Numbers, at: int) -> int:
    """Write a placement, and its rows unless `assisted` is 0."""
    first = square_of(action)
    second = neighbour(first, heading_of(action))
    card = card_of(action)
    at = put(out, at, WORDS, SAY)
    at = put(out, at, CARD_TEXTS, card)
    at = put(out, at, WORDS, AT)
    at = write_name(state, first, out, at)
    at = put(out, at, HEADING_TEXTS, heading_of(action))
    at = put(out, at, WORDS, PIECE)
    at = put(out, at, CARD_TEXTS, card)
    at = put(out, at, WORDS, CELLS)
    at = write_cell(state, first, out, at)
    at = put(out, at, WORDS, COMMA)
    at = write_cell(state, second, out, at)
    at = put(out, at, WORDS, HEADING)
    at = put(out, at, HEADING_TEXTS, heading_of(action))
    if not assisted:
        return put(out, at, WORDS, END_HEADING)
    at = put(out, at, WORDS, POINTS)
    at = put_number(out, at, points_of(state, action))
    at = put(out, at, WORDS, ROWS)
    rows = at
    on = first
    for half in HALVES[card]:
        for way in range(2):
            if gems_beside(state, half, on, STEP[way]):
                if at > rows:
                    at = put(out, at, WORDS, COMMA)
                at = write_row(state, half, on, STEP[way], out, at)
        on = second
    return put(out, at, WORDS, END_ROWS)


@kernel
def gems_beside(state: State, half: int, on: int, step: int) -> int:
    """Return the gems of the row through a half on a square in one direction and its opposite, its own left out."""
    ahead, _ = run(state, COLOUR[half], on, step)
    back, _ = run(state, COLOUR[half], on, -step)
    return ahead + back


@kernel
def write_row(state: State, half: int, on: int, step: int, out: Numbers, at: int) -> int:
    """Write the row through a half on a square in one direction and its opposite."""
    ahead, end = run(state, COLOUR[half], on, step)
    back, start = run(state, COLOUR[half], on, -step)
    at = put(out, at, WORDS, ROW)
    at = put(out, at, COLOUR_TEXTS, COLOUR[half])
    at = put(out, at, WORDS, ROW_GEMS)
    at = put_number(out, at, GEMS[half] + ahead + back)
    at = put(out, at, WORDS, ROW_CELLS)
    cell = (start + step) & (SQUARES - 1)
    at = write_cell(state, cell, out, at)
    cell = (cell + step) & (SQUARES - 1)
    while cell != end:
        at = put(out, at, WORDS, COMMA)
        at = write_cell(state, cell, out, at)
        cell = (cell + step) & (SQUARES - 1)
    return put(out, at, WORDS, END_ROWS)


@kernel
def write_cell(state: State, on: int, out: Numbers, at: int) -> int:
    """Write the name of a square in quotes."""
    at = put(out, at, WORDS, QUOTE)
    at = write_name(state, on, out, at)
    return put(out, at, WORDS, QUOTE)


@kernel
def write_name(state: State, on: int, out: Numbers, at: int) -> int:
    """Write the name of a square. 1.2"""
    at = put(out, at, COORDINATES, east_of(state, on) + SPAN)
    at = put(out, at, WORDS, COMMA)
    return put(out, at, COORDINATES, north_of(state, on) + SPAN)


@kernel
def write_forbidden(state: State, out: Numbers, at: int) -> int:
    """Write every placement of a card in hand that would make a row with too many gems. 3.2"""
    begin = at
    for y in range(state.bottom - 1, state.top + 2):
        columns = state.shut_rows[y & LAST]
        while columns:
            on = square(state.west + lowest_bit(columns), y)
            columns &= columns - 1
            hand = state.hand[state.seat] if state.squares[on] < 0 else 0
            while hand:
                card = lowest_bit(hand)
                hand &= hand - 1
                for place in range(2):
                    if GEMS[HALVES[card][place]] > 3 - (-state.squares[on] >> 2 * COLOUR[HALVES[card][place]] & 3):
                        at = write_forbidden_half(state, card, place, on, out, at, begin)
    return at


@kernel
def write_forbidden_half(state: State, card: int, place: int, on: int, out: Numbers, at: int, begin: int) -> int:
    """Write the placements of a card with its first or second half on a square where that has too many gems."""
    half = HALVES[card][place]
    longest = STEP[0]
    if gems_beside(state, half, on, STEP[1]) > gems_beside(state, half, on, STEP[0]):
        longest = STEP[1]
    for heading in range(4):
        first = (on - STEP[heading]) & (SQUARES - 1) if place else on
        second = on if place else neighbour(on, heading)
        if (state.squares[first] <= 0) & (state.squares[second] <= 0):
            if at > begin:
                at = put(out, at, WORDS, COMMA)
            at = put(out, at, WORDS, FIRST_PIECE)
            at = put(out, at, CARD_TEXTS, card)
            at = put(out, at, WORDS, HEADING_NEXT)
            at = put(out, at, HEADING_TEXTS, heading)
            at = put(out, at, WORDS, CELLS)
            at = write_cell(state, first, out, at)
            at = put(out, at, WORDS, COMMA)
            at = write_cell(state, second, out, at)
            at = put(out, at, WORDS, FORBIDDEN_ROW)
            at = write_row(state, half, on, longest, out, at)
            at = put(out, at, WORDS, END)
    return at
