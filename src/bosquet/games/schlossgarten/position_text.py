"""The text of positions of Schlossgarten. Format: docs/positions.md."""

from __future__ import annotations

from collections.abc import Sequence

from bosquet.core.positions.position_text import (
    begin_field,
    put_hands,
    put_items,
    put_name,
    put_seat,
    put_sets,
    separate,
)
from bosquet.core.text.writing import Text, put, put_number, put_row
from bosquet.kernels.jit import kernel

from .board import BUILD, CELLS, ELEMENTS, GRID, MAX_PLAYERS, MOVE, SITE_SIZE, STARTS, State
from .constellations import CARDS
from .position_reading import read_position as read_position
from .rules import score
from .writing import (
    HOUSE_DECK,
    HOUSE_TILES,
    LOW_LINE,
    OVERBUILD_TEXTS,
    PHASE_TEXTS,
    WORK_TEXTS,
    differ,
    frame_width,
    put_card_row,
)
from .writing_moves import CARD_TEXTS, CELL_TEXTS, ELEMENT_TEXTS, PAWN_TEXTS, SITE_CELLS

GRID_WIDTH = GRID.width


@kernel
def write_options(position: State, out: Text) -> None:
    """Write the fields of the options."""
    begin_field(out, b"players")
    put_number(out, position.players)
    if position.each_works:
        put_name(out, b"work", WORK_TEXTS, 1)
    if position.overbuild:
        put_name(out, b"overbuild", OVERBUILD_TEXTS, position.overbuild)


@kernel
def write_position(position: State, viewer: int, out: Text) -> None:
    """Write the fields of a position."""
    seats = position.players
    write_box(position, out)
    begin_field(out, b"turn")
    put_number(out, position.turn)
    put_name(out, b"phase", PHASE_TEXTS, position.phase)
    put_seat(out, b"seat", position.seat)
    begin_field(out, b"points")
    for seat in range(seats):
        separate(out, b",", seat)
        put_number(out, score(position, seat))
    begin_field(out, b"garden")
    for cell in range(CELLS):
        if cell % GRID_WIDTH == 0:
            separate(out, b",", cell)
        put_number(out, position.landscape[cell])
    begin_field(out, b"dug")
    put_items(out, CELL_TEXTS, position.dug)
    put_sets(out, b"kept", CELL_TEXTS, position.kept, seats)
    begin_field(out, b"elements")
    for seat in range(seats):
        separate(out, b",", seat)
        put_elements(position, seat, out)
    begin_field(out, b"pawns")
    put_pawns(position.pawn, seats, out)
    write_turn(position, out)
    put_hands(out, CARD_TEXTS, position.hand, seats, 1 << viewer if viewer >= 0 else 0)
    begin_field(out, b"pile")
    put_number(out, position.pile_end - position.pile_at)
    begin_field(out, b"discard")
    put_items(out, CARD_TEXTS, position.discard)
    begin_field(out, b"held")
    put_items(out, CARD_TEXTS, position.held_over)
    put_sets(out, b"may", CARD_TEXTS, position.may_hold, seats)


@kernel
def write_turn(position: State, out: Text) -> None:
    """Write how far the turn is. 3.1-3.7, 4.2"""
    put_name(out, b"card", CARD_TEXTS, position.played)
    if position.phase == MOVE:
        begin_field(out, b"steps")
        put_number(out, position.steps)
        begin_field(out, b"shifted")
        put_items(out, PAWN_TEXTS, position.shifted)
    if position.phase == BUILD:
        put_name(out, b"worker", PAWN_TEXTS, position.worker)


@kernel
def put_elements(position: State, seat: int, out: Text) -> None:
    """Write the elements of a seat, such as `G2:c4:d4`. 1.3"""
    n = 0
    for kind in range(ELEMENTS):
        site = position.element[ELEMENTS * seat + kind]
        if site >= 0:
            separate(out, b".", n)
            put_row(out, ELEMENT_TEXTS, kind)
            for i in range(SITE_SIZE[site]):
                put(out, b":")
                put_row(out, CELL_TEXTS, SITE_CELLS[site][i])
            n += 1
    if n == 0:
        put(out, b"-")


@kernel
def put_pawns(cells: Sequence[int], seats: int, out: Text) -> None:
    """Write the cells of king, gardener and architect of each seat. 1.3"""
    for seat in range(seats):
        separate(out, b",", seat)
        for kind in range(len(PAWN_TEXTS)):
            separate(out, b".", kind)
            put_row(out, CELL_TEXTS, cells[3 * seat + kind])


@kernel
def write_box(position: State, out: Text) -> None:
    """Write what is not in the house box: the rows of each card, the tiles, the starting cells. 1.1, 1.4, 2.2"""
    if differ(position.pattern, HOUSE_DECK, CARDS):
        begin_field(out, b"deck")
        for card in range(CARDS):
            separate(out, b",", card)
            for row in range(frame_width(position.pattern[card])):
                separate(out, b":", row)
                put_card_row(position.pattern[card], row, LOW_LINE, out)
    if differ(position.tiles, HOUSE_TILES, len(HOUSE_TILES)):
        begin_field(out, b"tiles")
        for i in range(len(HOUSE_TILES)):
            separate(out, b".", i)
            put_number(out, position.tiles[i])
    if differ(position.start, STARTS[position.players], 3 * MAX_PLAYERS):
        begin_field(out, b"starts")
        put_pawns(position.start, position.players, out)
