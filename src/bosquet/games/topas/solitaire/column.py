"""A column of Topas alone as a learned player looks at it: a small table where cards are laid and taken up again.

A column has at most 16 halves, so 32 by 32 squares hold it: the square x, y is 32 y + x, modulo 1024. The rules number
theirs in the same way, 64 y + x, so that steps in both lead to the same squares.
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field, Int64, StateRecord
from bosquet.kernels.bits import index
from bosquet.kernels.jit import kernel

from ..rules import (
    COLOUR,
    GEMS,
    HALF_KINDS,
    HALVES,
    ROW_LIMIT,
    TURNS,
    State,
    card_of,
    heading_of,
    neighbour,
    square_of,
)
from ..search import COVERED, PROSPECT

WIDTH = 32
GRID = WIDTH * WIDTH
WAYS = (WIDTH, 1, -WIDTH, -1)
"""Steps north, east, south and west, as the headings of the rules."""
MOST_CELLS = 2 * TURNS + 2
MOST_EDGES = 2 * MOST_CELLS + 4
MOST_OPTIONS = 32
LEVELS = 5
"""Lists of placements: of the card in hand, of up to three cards to come, and pairs of squares."""
PAIRS = (LEVELS - 1) * MOST_OPTIONS
"""Where the pairs begin, see `learned_inputs.describe_edges`."""
NO_FIT = -(1 << 20)


class Column(StateRecord):
    """A table with what `survey` found out about it, and the placements that are being tried."""

    cells: Annotated[list[int], Field("i1", GRID)]  # [square]: a half, 0 if empty
    laid: Annotated[list[int], Field("i2", MOST_CELLS)]  # squares with a half, in order
    count: Int64
    slot: Annotated[list[int], Field("i1", GRID)]  # [square]: 1 + its index in `edge`, 0 if it is not there
    edge: Annotated[list[int], Field("i2", MOST_EDGES)]  # empty squares next to a half
    edges: Int64
    lines: Annotated[list[int], Field("i8", MOST_EDGES)]  # [edge]: gems beside it, 4 bits at 8 × colour + 4 × way
    points: Annotated[list[int], Field("i8", MOST_EDGES * HALF_KINDS)]  # [edge, half]: what it scores, or NO_FIT
    keys: Annotated[list[int], Field("i8", MOST_EDGES * HALF_KINDS)]  # [edge, half]: how good it looks
    options: Annotated[list[int], Field("i8", LEVELS * MOST_OPTIONS)]  # [level, i]: placements, the best-looking first
    option_keys: Annotated[list[int], Field("i8", LEVELS * MOST_OPTIONS)]
    wanted: Annotated[list[int], Field("i8", MOST_EDGES)]  # [edge]: unseen cards that score most there
    missed: Annotated[list[int], Field("i8", MOST_EDGES)]  # [edge]: points that they lose elsewhere, in all
    inputs: Annotated[list[int], Field("i4", 128)]  # of the network, see `learned_inputs`
    hidden: Annotated[list[int], Field("i8", 64)]


@kernel
def read_column(state: State, column: Column) -> None:
    """Take over the table of a state."""
    clear_column(column)
    for i in range(state.turn + 1):
        action = state.laid[i]
        card = card_of(action)
        at = square_of(action)
        put(column, HALVES[card][0], small_square(at))
        put(column, HALVES[card][1], small_square(neighbour(at, heading_of(action))))


@kernel
def small_square(at: int) -> int:
    """Return the square of a column for a square of the rules, which is at most 16 squares from 0,0."""
    return (at >> 6 & 31) << 5 | (at & 31)


@kernel
def clear_column(column: Column) -> None:
    """Take up all cards."""
    for i in range(column.count):
        column.cells[column.laid[i]] = 0
    column.count = 0


@kernel
def put(column: Column, half: int, at: int) -> None:
    """Lay a half."""
    column.cells[index(at)] = half
    column.laid[index(column.count)] = at
    column.count += 1


@kernel
def put_card(column: Column, option: int) -> None:
    """Make a placement."""
    put(column, option >> 20 & 15, option & (GRID - 1))
    put(column, option >> 24 & 15, option >> 10 & (GRID - 1))


@kernel
def take_card(column: Column) -> None:
    """Take back the last placement."""
    for _ in range(2):
        column.count -= 1
        column.cells[index(column.laid[index(column.count)])] = 0


@kernel
def option_of(half: int, at: int, other: int, beside: int) -> int:
    """Return a placement as a number: a half at a square, the other half at the square beside it."""
    return other << 24 | half << 20 | beside << 10 | at


# --- what every square would score ---


@kernel
def survey(column: Column, tomorrow: int) -> None:
    """List the empty squares next to the table, with what each half scores there and how good that looks.

    `tomorrow` is how much the cards to come count, in quarters.
    """
    for i in range(column.edges):
        column.slot[index(column.edge[index(i)])] = 0
    edges = 0
    for i in range(column.count):
        at = column.laid[index(i)]
        for way in range(4):
            beside = (at + WAYS[way]) & (GRID - 1)
            if (column.cells[index(beside)] == 0) & (column.slot[index(beside)] == 0):
                column.edge[index(edges)] = beside
                edges += 1
                column.slot[index(beside)] = edges
    column.edges = edges
    for i in range(edges):
        rate_edge(column, i, tomorrow)


@kernel
def rate_edge(column: Column, i: int, tomorrow: int) -> None:
    """Write what every half scores on one empty square. 3.2, 3.3"""
    at = column.edge[index(i)]
    lines = 0
    for way in range(4):
        step = WAYS[way]
        beside = (at + step) & (GRID - 1)
        half = column.cells[index(beside)]
        if half > 0:
            colour = COLOUR[half]
            gems = 0
            while (half > 0) & (COLOUR[half] == colour):
                gems += GEMS[half]
                beside = (beside + step) & (GRID - 1)
                half = column.cells[index(beside)]
            lines += gems << (8 * colour + 4 * (way & 1))
    column.lines[index(i)] = lines
    covered = 0
    rest = lines
    while rest:
        covered += COVERED[rest & 15]
        rest >>= 4
    for half in range(1, HALF_KINDS):
        gems = GEMS[half]
        one = lines >> 8 * COLOUR[half] & 15
        two = lines >> (8 * COLOUR[half] + 4) & 15
        points = 0
        if one:
            points += one + gems if one + gems <= ROW_LIMIT else NO_FIT
        if two:
            points += two + gems if two + gems <= ROW_LIMIT else NO_FIT
        points = max(points, NO_FIT)
        column.points[index(HALF_KINDS * i + half)] = points
        column.keys[index(HALF_KINDS * i + half)] = (
            100 * points + tomorrow * (PROSPECT[gems][one] + PROSPECT[gems][two] + covered) // 4
        )


@kernel
def find_options(column: Column, card: int, level: int, most: int, tomorrow: int) -> int:
    """Write the best-looking placements of a card, the best first; return how many. After `survey`."""
    first = HALVES[card][0]
    second = HALVES[card][1]
    n = 0
    for i in range(column.edges):
        at = column.edge[index(i)]
        for way in range(4):
            beside = (at + WAYS[way]) & (GRID - 1)
            if column.cells[index(beside)] == 0:
                key = column.keys[index(HALF_KINDS * i + first)]
                slot = column.slot[index(beside)]
                if slot > 0:
                    key += column.keys[index(HALF_KINDS * (slot - 1) + second)]
                    n = keep_option(column, level, n, most, key, option_of(first, at, second, beside))
                else:
                    n = keep_option(
                        column,
                        level,
                        n,
                        most,
                        key + tomorrow * 2 * PROSPECT[GEMS[second]][0] // 4,
                        option_of(first, at, second, beside),
                    )
                    key = column.keys[index(HALF_KINDS * i + second)] + tomorrow * 2 * PROSPECT[GEMS[first]][0] // 4
                    n = keep_option(column, level, n, most, key, option_of(second, at, first, beside))
    return n


@kernel
def keep_option(column: Column, level: int, n: int, most: int, key: int, option: int) -> int:
    """Put a placement into the list of a level, in falling order of the keys; return its new length, at most `most`."""
    if key < NO_FIT // 2:
        return n
    base = level * MOST_OPTIONS
    if n == most:
        if key <= column.option_keys[index(base + n - 1)]:
            return n
        n -= 1
    insert_option(column, base, n, key, option)
    return n + 1


@kernel
def insert_option(column: Column, base: int, n: int, key: int, option: int) -> None:
    """Put a placement among the n before it, which are in falling order of their keys; `base` is where they begin."""
    i = n
    while i > 0:
        if column.option_keys[index(base + i - 1)] >= key:
            break
        column.option_keys[index(base + i)] = column.option_keys[index(base + i - 1)]
        column.options[index(base + i)] = column.options[index(base + i - 1)]
        i -= 1
    column.option_keys[index(base + i)] = key
    column.options[index(base + i)] = option


@kernel
def option_points(column: Column, option: int) -> int:
    """Return what a placement scores. After `survey`."""
    at = column.slot[index(option & (GRID - 1))]
    beside = column.slot[index(option >> 10 & (GRID - 1))]
    points = 0
    if at > 0:
        points += column.points[index(HALF_KINDS * (at - 1) + (option >> 20 & 15))]
    if beside > 0:
        points += column.points[index(HALF_KINDS * (beside - 1) + (option >> 24 & 15))]
    return points
