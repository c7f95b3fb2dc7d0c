"""The notation of moves of Topas, read by a kernel. Ruling 3.7."""

from __future__ import annotations

from bosquet.core.positions.position_reading import COMMA, find, row_of
from bosquet.core.text.reading_moves import NO_MOVE, no_move
from bosquet.core.text.writing import Text, reason
from bosquet.kernels.jit import kernel

from .position_text import AT, NO_NUMBER, coordinate
from .rules import PLACES, SQUARES, State, square
from .writing import CARD_TEXTS, HEADING_TEXTS


@kernel
def read_move(state: State, text: Text, size: int) -> int:
    """Return the action of a notation, legal or not; if it is none, write why in its place and return NO_MOVE."""
    at = find(text, 0, size, AT)
    comma = find(text, at, size, COMMA)
    card = row_of(text, 0, at, CARD_TEXTS)
    x, y = coordinate(text, at + 1, comma), coordinate(text, comma + 1, size - 1)
    heading = row_of(text, size - 1, size, HEADING_TEXTS) if size > 0 else -1
    if (card < 0) | (heading < 0) | (x == NO_NUMBER) | (y == NO_NUMBER):
        return no_move(text)
    if (x < state.left - 2) | (x > state.right + 2) | (y < state.bottom - 2) | (y > state.top + 2):
        text.end = 0
        reason(text, b"apart")
        return NO_MOVE
    return card * PLACES + heading * SQUARES + square(x, y)
