"""The notation of moves of Topiary, read by a kernel. Rulings 3.2, 3.3, 2.4."""

from __future__ import annotations

from bosquet.core.positions.position_reading import find, is_written, row_of
from bosquet.core.text.reading_moves import NO_MOVE, SPACE, no_move
from bosquet.core.text.writing import Text, begin_reason, end_reason, name, reason
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from .rules import FIRST_KEEP, FIRST_PUT, FIRST_TAKE, HAND, PASS, State
from .writing import CELL_TEXTS, LINE_TEXTS, TILE_TEXTS


@kernel
def read_move(state: State, text: Text, size: int) -> int:
    """Return the action of a notation, legal or not; if it is none, write why in its place and return NO_MOVE."""
    line = row_of(text, 0, size, LINE_TEXTS)
    if line >= 0:
        return line
    if is_written(text, 0, size, b"pass"):
        return PASS
    blank = find(text, 0, size, SPACE)
    if is_written(text, 0, blank, b"keep"):
        return read_keep(state, text, blank + 1, size)
    cell = row_of(text, blank + 1, size, CELL_TEXTS)
    if (cell >= 0) and is_written(text, 0, blank, b"take"):
        return FIRST_TAKE + cell
    tile = row_of(text, blank + 1, size, TILE_TEXTS)
    if (tile >= 0) and is_written(text, 0, blank, b"put"):
        return FIRST_PUT + tile
    return no_move(text)


@kernel
def read_keep(state: State, text: Text, start: int, size: int) -> int:
    """Return the action that keeps the tiles that are named from a place on. 2.4"""
    tiles, n, last, in_order = 0, 0, -1, 1
    while start <= size:
        stop = find(text, start, size, SPACE)
        tile = row_of(text, start, stop, TILE_TEXTS)
        if (tile < 0) | (n == HAND):
            return no_move(text)
        in_order &= tile > last
        tiles |= 1 << tile
        last = tile
        n += 1
        start = stop + 1
    if n != HAND:
        return no_move(text)
    text.end = 0
    if not in_order:
        reason(text, b"keep_order")
        return NO_MOVE
    hand = state.hand[state.seat]
    if tiles & ~hand:
        begin_reason(text, b"not_in_hand")
        name(text, b"tile", TILE_TEXTS, lowest_bit(tiles & ~hand))
        end_reason(text)
        return NO_MOVE
    places, place = 0, 0
    while hand:
        places |= (tiles >> lowest_bit(hand) & 1) << place
        hand &= hand - 1
        place += 1
    return FIRST_KEEP + places
