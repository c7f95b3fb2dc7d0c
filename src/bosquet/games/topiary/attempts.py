"""What can be tried in Topiary where it is not shown what is legal, and why a move is illegal."""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.core.text.writing import Text, begin_reason, end_reason, name, reason
from bosquet.kernels.bits import count_bits
from bosquet.kernels.jit import kernel

from .rules import (
    DRAFT,
    FIRST_KEEP,
    FIRST_PUT,
    FIRST_TAKE,
    HAND,
    LEFTOVER,
    LINE,
    LINE_MASK,
    OVER,
    PASS,
    PUT,
    TAKE,
    TILES,
    State,
)
from .writing import CELL_TEXTS, LINE_TEXTS, TILE_TEXTS

MAX_ATTEMPTS = 1 << HAND + LEFTOVER


@kernel
def attempts(state: State, moves: Numbers) -> int:
    """Write all that the pieces let the seat to move do in this phase, legal or not; return how many there are."""
    n = 0
    if state.phase == DRAFT:
        for places in range(1 << count_bits(state.hand[state.seat])):
            if count_bits(places) == HAND:
                moves[n] = FIRST_KEEP + places
                n += 1
    elif state.phase == LINE:
        for line in range(FIRST_TAKE):
            moves[n] = line
            n += 1
    elif state.phase == TAKE:
        for action in range(FIRST_TAKE, PASS + 1):
            moves[n] = action
            n += 1
    elif state.phase != OVER:
        for tile in range(TILES):
            if state.hand[state.seat] >> tile & 1:
                moves[n] = FIRST_PUT + tile
                n += 1
    return n


@kernel
def write_reason(state: State, action: int, out: Text) -> None:
    """Write why an action is not legal now."""
    cell = action - FIRST_TAKE
    if (action < FIRST_TAKE) & (state.phase == LINE):
        reason(out, b"line_taken")
    elif (action >= FIRST_TAKE) & (action < PASS) & (state.phase == TAKE):
        if LINE_MASK[state.line] >> cell & 1 == 0:
            begin_reason(out, b"off_line")
            name(out, b"cell", CELL_TEXTS, cell)
            name(out, b"line", LINE_TEXTS, state.line)
            end_reason(out)
        else:
            begin_reason(out, b"face_up")
            name(out, b"cell", CELL_TEXTS, cell)
            end_reason(out)
    elif (action >= FIRST_PUT) & (action < FIRST_KEEP) & (state.phase == PUT):
        begin_reason(out, b"not_in_hand")
        name(out, b"tile", TILE_TEXTS, action - FIRST_PUT)
        end_reason(out)
    elif state.phase == DRAFT:
        reason(out, b"draft")
    elif state.phase == LINE:
        reason(out, b"line_first")
    elif state.phase == TAKE:
        reason(out, b"take_first")
    else:
        reason(out, b"put_first")
