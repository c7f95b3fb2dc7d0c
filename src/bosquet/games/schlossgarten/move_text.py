"""The notation of moves of Schlossgarten, read by a kernel. Ruling 6."""

from __future__ import annotations

from bosquet.core.positions.position_reading import find, is_written, row_of
from bosquet.core.text.reading_moves import SPACE, no_move
from bosquet.core.text.writing import Text, texts
from bosquet.kernels.jit import kernel

from .board import CELLS, FIRST_BUILD, FIRST_DIG, GARDENER, KING, NO_HIT, SITE_SIZE, SITES, STOP, State
from .walking import move_action
from .writing_moves import CARD_TEXTS, CELL_TEXTS, END_TEXTS, PAWN_TEXTS, SITE_CELLS

SITE_COUNT = len(SITES)
SIZE_TEXTS = texts("1", "2", "3")


@kernel
def read_move(state: State, text: Text, size: int) -> int:
    """Return the action of a notation, legal or not; if it is none, write why in its place and return NO_MOVE."""
    end = row_of(text, 0, size, END_TEXTS)
    if end >= 0:
        return STOP + end
    first = find(text, 0, size, SPACE)
    card = row_of(text, first + 1, size, CARD_TEXTS)
    if (card >= 0) and is_written(text, 0, first, b"card"):
        return card
    pawn = row_of(text, 0, first, PAWN_TEXTS)
    action = read_pawn(pawn, text, first + 1, size) if pawn >= 0 else -1
    return action if action >= 0 else no_move(text)


@kernel
def read_pawn(pawn: int, text: Text, start: int, size: int) -> int:
    """Return the action of what is written after the name of a pawn, -1 if it is none."""
    second = find(text, start, size, SPACE)
    cell = row_of(text, start, second, CELL_TEXTS)
    if cell >= 0:
        return read_step(pawn, cell, text, second, size)
    if pawn == KING:
        return -1
    if is_written(text, start, second, b"dig"):
        cell = row_of(text, second + 1, size, CELL_TEXTS)
        return FIRST_DIG + (pawn - GARDENER) * CELLS + cell if cell >= 0 else -1
    if is_written(text, start, second, b"build"):
        site = read_site(text, second + 1, size)
        return FIRST_BUILD + (pawn - GARDENER) * SITE_COUNT + site if site >= 0 else -1
    return -1


@kernel
def read_step(pawn: int, cell: int, text: Text, at: int, size: int) -> int:
    """Return the action of a pawn that goes to a cell; who is hit there goes where the rest of the text says."""
    if at == size:
        return move_action(pawn, cell, NO_HIT)
    third = find(text, at + 1, size, SPACE)
    refuge = row_of(text, third + 1, size, CELL_TEXTS)
    if (refuge >= 0) and is_written(text, at + 1, third, b"hit"):
        return move_action(pawn, cell, refuge)
    return -1


@kernel
def read_site(text: Text, start: int, size: int) -> int:
    """Return the site that is written from a place on: how many cells it has, then these. -1 if there is none."""
    stop = find(text, start, size, SPACE)
    length = row_of(text, start, stop, SIZE_TEXTS) + 1
    code = 0
    for _ in range(length):
        start = stop + 1
        stop = find(text, start, size, SPACE) if start < size else size
        code = code << 6 | (row_of(text, start, stop, CELL_TEXTS) + 1)
    if (stop == size) & (length > 0):
        for site in range(SITE_COUNT):
            if (SITE_SIZE[site] == length) and code_of(site) == code:
                return site
    return -1


@kernel
def code_of(site: int) -> int:
    """Return the cells of a site in their order, as one number."""
    code = 0
    for i in range(SITE_SIZE[site]):
        code = code << 6 | (SITE_CELLS[site][i] + 1)
    return code
