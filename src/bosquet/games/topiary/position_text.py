"""The text of positions of Topiary. Format: docs/positions.md."""

from __future__ import annotations

import re

from bosquet.core.position import packed_sizes
from bosquet.core.position_text import (
    Fields,
    Word,
    begin_field,
    check_once,
    put_hands,
    put_items,
    put_name,
    put_seat,
    put_sets,
    read_hands,
    separate,
)
from bosquet.core.state import NOBODY
from bosquet.core.writing import Text, put, put_number, put_row
from bosquet.kernels.bits import count_bits, members
from bosquet.kernels.jit import kernel

from .notation import LINE_NAMES, LINE_OF, TILE_NAMES, TILE_OF, tiles_of
from .position import PHASES, lay_unseen, received
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
    TYPES,
    VISITORS,
    State,
)
from .writing import LINE_TEXTS, PHASE_TEXTS, TILE_TEXTS, TYPE_TEXTS

PHASE_OF = {name: phase for phase, name in enumerate(PHASES)}
DOWN, GAP = ".", "_"
"""A face-down tile, and the cell whose tile was taken in the current turn."""
CELL = re.compile(r"[A-Z][1-9]|[._]")
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


def read_position(position: State, viewer: int, fields: Fields) -> None:
    """Set a new state with its options to a position. Mutates `position`; raises PositionError.

    The position need not have come about in a game; what cannot lie on a table is refused.
    """
    position.phase = fields["phase"].known(PHASE_OF, "phase")
    position.removed = _removed(position, fields)
    _read_visitors(position, fields)
    up = _read_garden(position, fields["garden"])
    _read_put(position, fields["put"], up)
    _read_turn(position, fields)
    sizes = [_hand_size(position, seat) for seat in range(position.players)]
    hands = fields["hands"]
    for seat, held in enumerate(read_hands(hands, sizes, open_hands(position, viewer), TILE_OF, "tile")):
        up = check_once(hands, _in_box(position, hands, held), up, TILE_NAMES, "tile")
        position.hand[seat] = held
    if position.draft and viewer >= 0:
        _read_draft(position, viewer, fields)
    lay_unseen(position, packed_sizes(sizes))


def _removed(position: State, fields: Fields) -> int:
    """Return the type that is left out, -1 if none is. 2.1"""
    if position.players == ALL_TYPES:
        return -1
    found = fields["without"].known({letter: kind for kind, letter in enumerate(TYPES)}, "type")
    if position.named not in (-1, found):
        raise fields["without"].error(f"must be {TYPES[position.named]}, which the host removed")
    return found


def _in_box(position: State, word: Word, tiles: int) -> int:
    """Return some tiles. Raises PositionError for one of the type that is left out."""
    if wrong := [name for name in tiles_of(tiles) if TILE_OF[name] // SIZES == position.removed]:
        raise word.error(f"has tile {wrong[0]}, whose type is left out")
    return tiles


def _read_visitors(position: State, fields: Fields) -> None:
    """Read the lines of each seat's visitors. 3.1"""
    lists = fields["visitors"].lists(position.players, "seat")
    for seat, word in enumerate(lists):
        lines = word.all_known(LINE_OF, "line")
        position.placed += lines.bit_count()
        taken = ALL_LINES & ~position.free if seat else 0
        position.visitors[seat] = lines
        position.free = ALL_LINES & ~check_once(word, lines, taken, LINE_NAMES, "line")
    for seat, word in enumerate(lists):
        due = (position.placed + position.players - 1 - seat) // position.players
        if due != position.visitors[seat].bit_count() or due > VISITORS[position.players]:
            raise word.error(
                f"has {position.visitors[seat].bit_count()} visitors; the seats place {VISITORS[position.players]} "
                "each in turn, seat 0 first"
            )


def _read_garden(position: State, garden: Word) -> int:
    """Read the tiles and gaps of the garden; return the tiles that lie face up."""
    known = 0
    position.gap = -1
    rows = garden.lists(GRID.width, "row of the garden")
    for start, row in zip(range(0, CELLS, GRID.width), rows, strict=True):
        cells = CELL.findall(row.text)
        if len(cells) != GRID.width or "".join(cells) != row.text:
            raise row.error(f'must be {GRID.width} of "{TILE_NAMES[0]}" (a tile), "{DOWN}" (face down), "{GAP}" (gap)')
        for cell, text in enumerate(cells, start):
            if text == DOWN:
                position.down |= 1 << cell
            elif text == GAP and position.gap < 0:
                position.gap = cell
            elif text == GAP:
                raise row.error("has another gap; a turn has at most one")
            else:
                tile = Word(text, row.place, row.at).known(TILE_OF, "tile")
                known = check_once(row, _in_box(position, row, 1 << tile), known, TILE_NAMES, "tile")
                position.up |= 1 << cell
                position.tiles[cell] = tile
    if not position.up >> CENTRE & 1:
        raise garden.error(f"has no tile at {GRID.names[CENTRE]}, where one lies face up from the beginning")
    return known


def _read_put(position: State, put: Word, up: int) -> None:
    """Read the tiles that each seat put into the garden: all that lie face up but the one in the centre. 3.3"""
    rest = up & ~(1 << position.tiles[CENTRE])
    for seat, word in enumerate(put.lists(position.players, "seat")):
        tiles = word.all_known(TILE_OF, "tile")
        if tiles & ~rest:
            raise word.error(f"has tile {tiles_of(tiles & ~rest)[0]}; it must lie face up, put there by one seat")
        if tiles.bit_count() > position.visitors[seat].bit_count():
            raise word.error("has more tiles than the seat has visitors")
        rest &= ~tiles
        position.put[seat] = tiles
    if rest:
        raise put.error(f"has nobody who put {tiles_of(rest)[0]}, which lies face up")


def _read_turn(position: State, fields: Fields) -> None:
    """Read whose move it is, and where it stands in its turn. 2.4, 3.1-3.4"""
    phase, placed, seats = position.phase, position.placed, position.players
    last = placed == seats * VISITORS[seats]
    position.line = fields["line"].known(LINE_OF, "line") if phase in (TAKE, PUT) else -1
    due = OVER if last else DRAFT if phase == DRAFT and position.draft and not placed else LINE
    if phase in (TAKE, PUT):
        due = phase if placed else LINE
    if phase != due:
        raise fields["phase"].error(f"does not fit {placed} visitors; it must be {PHASES[due]}")
    if (phase == PUT) != (position.gap >= 0):
        raise fields["garden"].error(f'must have a gap "{GAP}" in the phase {PHASES[PUT]} and in no other')
    if phase == DRAFT:
        position.seat = fields["seat"].number(0, seats - 1)
    elif phase == OVER:
        position.seat = NOBODY
    else:
        position.seat = (placed if phase == LINE else placed - 1) % seats
    if phase in (TAKE, PUT):
        if not position.visitors[position.seat] >> position.line & 1:
            raise fields["line"].error(f"is no line of a visitor of seat {position.seat}, which is to move")
        here = position.down if phase == TAKE else 1 << position.gap
        if not LINE_MASK[position.line] & here:
            raise fields["line"].error("has no face-down tile" if phase == TAKE else "does not cross the gap")
        if position.put[position.seat].bit_count() == position.visitors[position.seat].bit_count():
            raise fields["put"].error(f"has a tile of each visitor of seat {position.seat}, which is to move")


def _hand_size(position: State, seat: int) -> int:
    """Return how many tiles a seat holds. 2.4, 3.3"""
    if seat != position.seat:
        return HAND
    return HAND + {PUT: 1, DRAFT: _passed_size(position)}.get(position.phase, 0)


def _passed_size(position: State) -> int:
    """Return how many tiles are passed on in the draft. 2.4"""
    return (TILES if position.removed < 0 else TILES - SIZES) - CELLS - HAND * position.players


def _read_draft(position: State, viewer: int, fields: Fields) -> None:
    """Read what the viewer was passed in the draft, and passed on. 2.4"""
    drafting = position.phase == DRAFT
    due = {"received": not drafting or viewer >= position.seat, "passed": not drafting or viewer > position.seat}
    size = _passed_size(position)
    found = dict.fromkeys(due, 0)
    for name in filter(due.__getitem__, due):
        tiles = found[name] = _in_box(position, fields[name], fields[name].all_known(TILE_OF, "tile"))
        if tiles.bit_count() != size:
            raise fields[name].error(f"has {tiles.bit_count()} tiles; {size} are passed on")
    mine = position.hand[viewer] | position.put[viewer]
    took, gave = found["received"], found["passed"]
    if took & ~(mine | gave):
        raise fields["received"].error(f"has {tiles_of(took & ~(mine | gave))[0]}, which the seat must hold or pass on")
    if gave and count_bits(took & ~gave) > HAND:
        raise fields["received"].error(f"has more than {HAND} tiles that the seat kept")
    lower = sum(position.put[seat] for seat in range(viewer))
    for tile in members(gave):
        lies_up = any(position.up >> cell & 1 and position.tiles[cell] == tile for cell in range(CELLS))
        if mine >> tile & 1 or (lies_up and not lower >> tile & 1):
            raise fields["passed"].error(f"has {TILE_NAMES[tile]}, which lies where only others can have put it")
    if any(count_bits(position.put[seat] & gave) > HAND for seat in range(viewer)):
        raise fields["passed"].error(f"has more than {HAND} tiles that one seat put into the garden")
    position.passed[viewer + 1], position.passed[viewer] = took, gave
