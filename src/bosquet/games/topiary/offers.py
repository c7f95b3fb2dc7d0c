"""The moves of a view of Topiary as JSON, written by kernels: the bytes that `msgspec` makes of `view`."""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel
from bosquet.kernels.text import put, put_number, texts

from .notation import LINE_NAMES, TILE_NAMES
from .rules import (
    DRAFT,
    FIRST_KEEP,
    FIRST_PUT,
    FIRST_TAKE,
    GRID,
    LINE,
    LINE_CELLS,
    LINE_LENGTH,
    LINES,
    PASS,
    PUT,
    SIZES,
    State,
    hand_points,
    legal,
    score,
    seen_by,
    sees,
    visitor_points,
)

BYTES = 1 << 15
"""Room for all moves: each takes fewer than 300 bytes."""
FIELDS = ("moves",)

WORDS = texts(
    "[",
    "]",
    ",",
    '"',
    '],"blocked":{',
    '":"',
    '},"points":',
    ',"bonus":',
    "}}",
    '{"say":"pass","kind":"pass","cells":[],"points":0}',
    '{"say":"take ',
    '","kind":"take","cells":["',
    '"]}',
    '{"say":"put ',
    '","kind":"put","piece":"',
    '","cells":["',
    '"],"points":',
    "}",
    '{"say":"keep',
    '","kind":"keep","cells":[],"kept":[',
    "]}",
    " ",
    '{"say":"pass","kind":"pass","cells":[]}',
)
(
    OPEN,
    CLOSE,
    COMMA,
    QUOTE,
    BLOCKED,
    BY,
    SIGHT_POINTS,
    BONUS,
    END_LINE,
    PASSED,
    TAKE,
    TAKEN,
    END_TAKE,
    PUT_TILE,
    PIECE,
    INTO,
    PUT_POINTS,
    END_PUT,
    KEEP,
    KEPT,
    END_KEEP,
    SPACE,
    PASSED_PLAINLY,
) = range(23)
CELL_TEXTS = texts(*GRID.names)
TILE_TEXTS = texts(*TILE_NAMES)
_LINES = [
    f'{{"say":"{name}","kind":"line","cells":['
    + ",".join(f'"{GRID.names[cell]}"' for cell in GRID.ray(*LINES[line]))
    + f'],"heading":"{LINES[line][1]}"'
    for line, name in enumerate(LINE_NAMES)
]
LINE_STARTS = texts(*(text + ',"points":' for text in _LINES))
PLAIN_LINES = texts(*(text + "}" for text in _LINES))
SIGHT_STARTS = texts(*(f',"sight":{{"line":"{name}","seen":[' for name in LINE_NAMES))


@kernel
def write_offers(state: State, assisted: int, moves: Numbers, out: Numbers, ends: Numbers) -> int:
    """Write every legal action into `moves`, and the moves as JSON into `out`; return the number of actions.

    Points and sights of the moves are written only where `assisted` is not 0. `ends` gets where the text ends.
    """
    n = legal(state, moves)
    at = put(out, 0, WORDS, OPEN)
    seen = seen_by(state, state.seat) if state.phase == LINE else 0
    points = score(state, state.seat) if state.phase == PUT else 0
    for i in range(n):
        action = moves[i]
        if i:
            at = put(out, at, WORDS, COMMA)
        if state.phase == LINE:
            if assisted:
                at = write_line(state, action, seen, out, at)
            else:
                at = put(out, at, PLAIN_LINES, action)
        elif state.phase == PUT:
            at = write_put(state, action - FIRST_PUT, points, assisted, out, at)
        elif state.phase == DRAFT:
            at = write_keep(state, action - FIRST_KEEP, out, at)
        elif action == PASS:
            at = put(out, at, WORDS, PASSED if assisted else PASSED_PLAINLY)
        else:
            at = put(out, at, WORDS, TAKE)
            at = put(out, at, CELL_TEXTS, action - FIRST_TAKE)
            at = put(out, at, WORDS, TAKEN)
            at = put(out, at, CELL_TEXTS, action - FIRST_TAKE)
            at = put(out, at, WORDS, END_TAKE)
    at = put(out, at, WORDS, CLOSE)
    ends[0] = at
    return n


@kernel
def write_line(state: State, line: int, seen: int, out: Numbers, at: int) -> int:
    """Write the placement of a visitor with what it would see; the other visitors of its seat have `seen` tiles."""
    tiles = sees(state, line)
    hand = state.hand[state.seat]
    points = visitor_points(tiles)
    at = put(out, at, LINE_STARTS, line)
    at = put_number(out, at, points + hand_points(hand, seen | tiles) - hand_points(hand, seen))
    at = put(out, at, SIGHT_STARTS, line)
    at, sizes = write_seen(state, line, out, at)
    at = put(out, at, WORDS, BLOCKED)
    at = write_blocked(state, line, out, at)
    at = put(out, at, WORDS, SIGHT_POINTS)
    at = put_number(out, at, points)
    at = put(out, at, WORDS, BONUS)
    at = put_number(out, at, points - sizes)
    return put(out, at, WORDS, END_LINE)


@kernel
def write_seen(state: State, line: int, out: Numbers, at: int) -> tuple[int, int]:
    """Write the cells whose tiles a visitor sees; return where that ends, and the sum of the sizes. 4.2"""
    sizes = 0
    tallest = -1
    for i in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][i]
        size = state.tiles[cell] % SIZES
        if (state.up >> cell & 1) & (size > tallest):
            if tallest >= 0:
                at = put(out, at, WORDS, COMMA)
            at = write_cell(cell, out, at)
            tallest = size
            sizes += size + 1
    return at, sizes


@kernel
def write_blocked(state: State, line: int, out: Numbers, at: int) -> int:
    """Write the cells of the tiles that a visitor does not see, each with the cell of the tile that hides it. 4.2"""
    begin = at
    tallest = -1
    by = 0
    for i in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][i]
        if state.up >> cell & 1:
            if state.tiles[cell] % SIZES > tallest:
                tallest = state.tiles[cell] % SIZES
                by = cell
            else:
                if at > begin:
                    at = put(out, at, WORDS, COMMA)
                at = put(out, at, WORDS, QUOTE)
                at = put(out, at, CELL_TEXTS, cell)
                at = put(out, at, WORDS, BY)
                at = put(out, at, CELL_TEXTS, by)
                at = put(out, at, WORDS, QUOTE)
    return at


@kernel
def write_put(state: State, tile: int, points: int, assisted: int, out: Numbers, at: int) -> int:
    """Write the putting of a tile into the gap; `points` is the score of its seat before."""
    at = put(out, at, WORDS, PUT_TILE)
    at = put(out, at, TILE_TEXTS, tile)
    at = put(out, at, WORDS, PIECE)
    at = put(out, at, TILE_TEXTS, tile)
    at = put(out, at, WORDS, INTO)
    at = put(out, at, CELL_TEXTS, state.gap)
    if not assisted:
        return put(out, at, WORDS, END_TAKE)
    at = put(out, at, WORDS, PUT_POINTS)
    at = put_number(out, at, score_with(state, tile) - points)
    return put(out, at, WORDS, END_PUT)


@kernel
def score_with(state: State, tile: int) -> int:
    """Return what the seat to move scores with a tile of its hand in the gap."""
    seat = state.seat
    before = int(state.tiles[state.gap])
    state.hand[seat] ^= 1 << tile
    state.tiles[state.gap] = tile
    state.up ^= 1 << state.gap
    points = score(state, seat)
    state.up ^= 1 << state.gap
    state.tiles[state.gap] = before
    state.hand[seat] ^= 1 << tile
    return points


@kernel
def write_keep(state: State, places: int, out: Numbers, at: int) -> int:
    """Write what is kept in the draft: the tiles at these places of the hand. 2.4"""
    at = put(out, at, WORDS, KEEP)
    for word in range(2):
        if word:
            at = put(out, at, WORDS, KEPT)
        begin = at
        hand = state.hand[state.seat]
        rest = places
        while rest:
            if rest & 1:
                if word:
                    if at > begin:
                        at = put(out, at, WORDS, COMMA)
                    at = put(out, at, WORDS, QUOTE)
                    at = put(out, at, TILE_TEXTS, lowest_bit(hand))
                    at = put(out, at, WORDS, QUOTE)
                else:
                    at = put(out, at, WORDS, SPACE)
                    at = put(out, at, TILE_TEXTS, lowest_bit(hand))
            rest >>= 1
            hand &= hand - 1
    return put(out, at, WORDS, END_KEEP)


@kernel
def write_cell(cell: int, out: Numbers, at: int) -> int:
    """Write the name of a cell in quotes."""
    at = put(out, at, WORDS, QUOTE)
    at = put(out, at, CELL_TEXTS, cell)
    return put(out, at, WORDS, QUOTE)
