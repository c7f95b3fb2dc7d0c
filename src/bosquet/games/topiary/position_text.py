"""The text of positions of Topiary. Format: docs/positions.md."""

from __future__ import annotations

from bosquet.core.positions.position_reading import (
    Reader,
    check_once,
    check_parts,
    fault,
    fault_of_name,
    fault_of_numbers,
    field,
    is_written,
    part,
    read_hand,
    read_name,
    read_names,
    read_number,
    row_of,
    start_of,
    stop_of,
)
from bosquet.core.positions.position_text import (
    begin_field,
    put_hands,
    put_items,
    put_name,
    put_seat,
    put_sets,
    separate,
)
from bosquet.core.state import NOBODY
from bosquet.core.text.writing import Text, put, put_number, put_row
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .position import lay_unseen, received
from .rules import (
    ALL_LINES,
    ALL_TYPES,
    CELLS,
    CENTRE,
    DRAFT,
    GRID,
    HAND,
    LINE,
    LINE_MASK,
    OVER,
    PUT,
    SIZES,
    TAKE,
    TILES,
    VISITORS,
    State,
)
from .writing import LINE_TEXTS, PHASE_TEXTS, TILE_TEXTS, TYPE_TEXTS

WIDTH = GRID.width


@kernel
def write_options(position: State, out: Text) -> None:
    """Write the fields of the options."""
    begin_field(out, b"players")
    put_number(out, position.players)
    if position.draft:
        put(out, b"/draft")
    put_name(out, b"removed", TYPE_TEXTS, position.named)


@kernel
def write_position(position: State, viewer: int, out: Text) -> None:
    """Write the fields of a position."""
    seats = position.players
    put_name(out, b"phase", PHASE_TEXTS, position.phase)
    put_seat(out, b"seat", position.seat)
    put_name(out, b"without", TYPE_TEXTS, position.removed)
    begin_field(out, b"garden")
    for cell in range(CELLS):
        if cell % WIDTH == 0:
            separate(out, b",", cell)
        if position.up >> cell & 1:
            put_row(out, TILE_TEXTS, position.tiles[cell])
        elif position.down >> cell & 1:
            put(out, b".")
        else:
            put(out, b"_")
    put_sets(out, b"visitors", LINE_TEXTS, position.visitors, seats)
    put_name(out, b"line", LINE_TEXTS, position.line)
    put_sets(out, b"put", TILE_TEXTS, position.put, seats)
    put_hands(out, TILE_TEXTS, position.hand, seats, open_hands(position, viewer))
    if (viewer >= 0) & (position.draft != 0):
        put_passed(out, b"received", received(position, viewer))
        put_passed(out, b"passed", position.passed[viewer])


@kernel
def put_passed(out: Text, name: bytes, tiles: int) -> None:
    """Write the tiles that the viewer was passed in the draft, or passed on; leave the field out before. 2.4"""
    if tiles:
        begin_field(out, name)
        put_items(out, TILE_TEXTS, tiles)


@kernel
def open_hands(position: State, viewer: int) -> int:
    """Return the seats whose hands are known, as a set."""
    if position.phase == OVER:
        return (1 << position.players) - 1
    return 1 << viewer if viewer >= 0 else 0


@kernel
def read_position(position: State, viewer: int, reader: Reader) -> None:
    """Set a new state with its options to a position.

    The position need not have come about in a game; what cannot lie on a table is a fault.
    """
    seats = position.players
    position.phase = read_name(reader, field(reader, b"phase"), PHASE_TEXTS, b"phase")
    read_removed(position, reader)
    read_visitors(position, reader)
    up = read_garden(position, reader)
    read_put(position, up, reader)
    read_turn(position, reader)
    hands = check_parts(reader, field(reader, b"hands"), seats, b"seat")
    known, sizes = open_hands(position, viewer), 0
    for seat in range(seats):
        size = hand_size(position, seat)
        held = read_hand(reader, part(reader, hands, seat), seat, size, known >> seat & 1, TILE_TEXTS, b"tile")
        up = check_once(reader, hands, in_box(position, hands, held, reader), up, TILE_TEXTS, b"tile")
        position.hand[seat] = held
        sizes |= size << 8 * seat
    if (viewer >= 0) & (position.draft != 0):
        read_draft(position, viewer, reader)
    if not reader.is_faulty:
        lay_unseen(position, sizes)


@kernel
def read_removed(position: State, reader: Reader) -> None:
    """Read the type that is left out, if one is. 2.1"""
    position.removed = -1
    if position.players != ALL_TYPES:
        word = field(reader, b"without")
        position.removed = read_name(reader, word, TYPE_TEXTS, b"type")
        if (position.named >= 0) & (position.named != position.removed):
            fault_of_name(reader, word, b"must be #, which the host removed", TYPE_TEXTS, position.named)


@kernel
def in_box(position: State, word: int, tiles: int, reader: Reader) -> int:
    """Return some tiles. A fault for one of the type that is left out."""
    wrong = 0
    if position.removed >= 0:
        wrong = tiles >> SIZES * position.removed & (1 << SIZES) - 1
    if wrong:
        tile = SIZES * position.removed + lowest_bit(wrong)
        fault_of_name(reader, word, b"has tile #, whose type is left out", TILE_TEXTS, tile)
    return tiles


@kernel
def read_visitors(position: State, reader: Reader) -> None:
    """Read the lines of each seat's visitors. 3.1"""
    seats, taken = position.players, 0
    lists = check_parts(reader, field(reader, b"visitors"), seats, b"seat")
    for seat in range(seats):
        word = part(reader, lists, seat)
        lines = read_names(reader, word, LINE_TEXTS, b"line")
        taken = check_once(reader, word, lines, taken, LINE_TEXTS, b"line")
        position.placed += count_bits(lines)
        position.visitors[seat] = lines
    position.free = ALL_LINES & ~taken
    for seat in range(seats):
        due = (position.placed + seats - 1 - seat) // seats
        found = count_bits(position.visitors[seat])
        if (due != found) | (due > VISITORS[seats]):
            complaint = b"has # visitors; the seats place # each in turn, seat 0 first"
            fault_of_numbers(reader, part(reader, lists, seat), complaint, found, VISITORS[seats])


@kernel
def read_garden(position: State, reader: Reader) -> int:
    """Read the tiles and gaps of the garden; return the tiles that lie face up."""
    known = 0
    position.gap = -1
    garden = check_parts(reader, field(reader, b"garden"), WIDTH, b"row of the garden")
    for row in range(WIDTH):
        word = part(reader, garden, row)
        at = start_of(word)
        for cell in range(WIDTH * row, WIDTH * row + WIDTH):
            size = read_cell(position, word, at, cell, reader)
            if (size == 2) & (reader.is_faulty == 0):
                tile = 1 << position.tiles[cell]
                known = check_once(reader, word, in_box(position, word, tile, reader), known, TILE_TEXTS, b"tile")
            at += size
        if at != stop_of(word):
            complain_of_row(word, reader)
    if not position.up >> CENTRE & 1:
        fault(reader, garden, b"has no tile in the centre, where one lies face up from the beginning")
    return known


@kernel
def read_cell(position: State, row: int, at: int, cell: int, reader: Reader) -> int:
    """Read what is on a cell, which is written at a place of its row; return how many characters that are."""
    is_gap = is_written(reader, at, at + 1, b"_")
    tile = row_of(reader, at, at + 2, TILE_TEXTS)
    if at >= stop_of(row):
        complain_of_row(row, reader)
    elif is_written(reader, at, at + 1, b"."):
        position.down |= 1 << cell
    elif is_gap & (position.gap < 0):
        position.gap = cell
    elif is_gap:
        fault(reader, row, b"has another gap; a turn has at most one")
    elif (tile >= 0) & (at + 2 <= stop_of(row)):
        position.up |= 1 << cell
        position.tiles[cell] = tile
        return 2
    else:
        complain_of_row(row, reader)
    return 1


@kernel
def complain_of_row(row: int, reader: Reader) -> None:
    """Say how a row of the garden is written."""
    fault_of_name(reader, row, b'must be 5 of "#" (a tile), "." (face down), "_" (gap)', TILE_TEXTS, 0)


@kernel
def read_put(position: State, up: int, reader: Reader) -> None:
    """Read the tiles that each seat put into the garden: all that lie face up but the one in the centre. 3.3"""
    rest = up & ~(1 << position.tiles[CENTRE])
    lists = check_parts(reader, field(reader, b"put"), position.players, b"seat")
    for seat in range(position.players):
        word = part(reader, lists, seat)
        tiles = read_names(reader, word, TILE_TEXTS, b"tile")
        if tiles & ~rest:
            complaint = b"has tile #; it must lie face up, put there by one seat"
            fault_of_name(reader, word, complaint, TILE_TEXTS, lowest_bit(tiles & ~rest))
        if count_bits(tiles) > count_bits(position.visitors[seat]):
            fault(reader, word, b"has more tiles than the seat has visitors")
        rest &= ~tiles
        position.put[seat] = tiles
    if rest:
        fault_of_name(reader, lists, b"has nobody who put #, which lies face up", TILE_TEXTS, lowest_bit(rest))


@kernel
def read_turn(position: State, reader: Reader) -> None:
    """Read whose move it is, and where it stands in its turn. 2.4, 3.1-3.4"""
    phase, placed, seats = position.phase, position.placed, position.players
    in_turn = (phase == TAKE) | (phase == PUT)
    position.line = -1
    if in_turn:
        position.line = read_name(reader, field(reader, b"line"), LINE_TEXTS, b"line")
    due = LINE
    if in_turn & (placed > 0):
        due = phase
    elif placed == seats * VISITORS[seats]:
        due = OVER
    elif (phase == DRAFT) & (position.draft != 0) & (placed == 0):
        due = DRAFT
    if phase != due:
        fault_of_name(reader, field(reader, b"phase"), b"does not fit the visitors; it must be #", PHASE_TEXTS, due)
    if (phase == PUT) != (position.gap >= 0):
        fault(reader, field(reader, b"garden"), b'must have a gap "_" in the phase put and in no other')
    if phase == DRAFT:
        position.seat = read_number(reader, field(reader, b"seat"), 0, seats - 1)
    elif phase == OVER:
        position.seat = NOBODY
    else:
        position.seat = (placed - in_turn) % seats
    if in_turn & (reader.is_faulty == 0):
        check_turn(position, reader)


@kernel
def check_turn(position: State, reader: Reader) -> None:
    """Check that the seat to move can be between its visitor and its tile. 3.2, 3.3"""
    seat, line = position.seat, field(reader, b"line")
    if not position.visitors[seat] >> position.line & 1:
        fault_of_numbers(reader, line, b"is no line of a visitor of seat #, which is to move", seat, 0)
    if position.phase == TAKE:
        if not LINE_MASK[position.line] & position.down:
            fault(reader, line, b"has no face-down tile")
    elif not LINE_MASK[position.line] >> position.gap & 1:
        fault(reader, line, b"does not cross the gap")
    if count_bits(position.put[seat]) == count_bits(position.visitors[seat]):
        complaint = b"has a tile of each visitor of seat #, which is to move"
        fault_of_numbers(reader, field(reader, b"put"), complaint, seat, 0)


@kernel
def hand_size(position: State, seat: int) -> int:
    """Return how many tiles a seat holds. 2.4, 3.3"""
    if (seat == position.seat) & (position.phase == PUT):
        return HAND + 1
    if (seat == position.seat) & (position.phase == DRAFT):
        return HAND + passed_size(position)
    return HAND


@kernel
def passed_size(position: State) -> int:
    """Return how many tiles are passed on in the draft. 2.4"""
    tiles = TILES if position.removed < 0 else TILES - SIZES
    return tiles - CELLS - HAND * position.players


@kernel
def read_draft(position: State, viewer: int, reader: Reader) -> None:
    """Read what the viewer was passed in the draft, and passed on. 2.4"""
    is_over = position.phase != DRAFT
    took, gave, lower, lying = 0, 0, 0, 0
    if is_over | (viewer >= position.seat):
        took = read_passed(position, field(reader, b"received"), reader)
    if is_over | (viewer > position.seat):
        gave = read_passed(position, field(reader, b"passed"), reader)
    mine = position.hand[viewer] | position.put[viewer]
    if took & ~(mine | gave):
        complaint = b"has #, which the seat must hold or pass on"
        fault_of_name(reader, field(reader, b"received"), complaint, TILE_TEXTS, lowest_bit(took & ~(mine | gave)))
    if (gave != 0) & (count_bits(took & ~gave) > HAND):
        fault_of_numbers(reader, field(reader, b"received"), b"has more than # tiles that the seat kept", HAND, 0)
    for seat in range(position.players):
        shown = position.put[seat] | position.hand[seat]  # hands are known at the end
        lying |= shown
        if seat < viewer:
            lower |= shown
            if count_bits(shown & gave) > HAND:
                complaint = b"has more than # tiles that one seat kept"
                fault_of_numbers(reader, field(reader, b"passed"), complaint, HAND, 0)
    lying |= 1 << position.tiles[CENTRE]
    wrong = gave & (mine | lying & ~lower)
    if wrong:
        complaint = b"has #, which lies where only others can have put it"
        fault_of_name(reader, field(reader, b"passed"), complaint, TILE_TEXTS, lowest_bit(wrong))
    position.passed[viewer + 1], position.passed[viewer] = took, gave


@kernel
def read_passed(position: State, word: int, reader: Reader) -> int:
    """Return the tiles that were passed on. 2.4"""
    tiles = in_box(position, word, read_names(reader, word, TILE_TEXTS, b"tile"), reader)
    if count_bits(tiles) != passed_size(position):
        fault_of_numbers(reader, word, b"has # tiles; # are passed on", count_bits(tiles), passed_size(position))
    return tiles
