"""Score a game of Topiary that was played with the real box."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from bosquet.core.assistance import FULL
from bosquet.core.real_game import (
    SeatNumber,
    begin_fault,
    check_lists,
    check_seat,
    end_fault,
    end_items,
    names,
    put_item,
    put_place,
)
from bosquet.core.state import NOBODY, Numbers
from bosquet.core.text.writing import (
    Text,
    begin_list,
    begin_object,
    end_list,
    end_object,
    name,
    put,
    put_number,
    put_row,
)
from bosquet.kernels.bits import count_bits
from bosquet.kernels.jit import kernel

from .notation import LINE_NAMES, TILE_NAMES
from .rules import (
    ALL_LINES,
    CELLS,
    CENTRE,
    GARDEN,
    GRID,
    HAND,
    KINDS,
    LINE,
    LINE_MASK,
    ONE_TYPE,
    OVER,
    SIZES,
    VISITORS,
    State,
)
from .writing import CELL_TEXTS, GAME_TEXTS, LINE_TEXTS, TILE_TEXTS, write_entries, write_totals, write_view

TILE = names(TILE_NAMES, "tile")
CELL = names(GRID.names, "cell", rule=f"the garden has the cells {GRID.names[0]} to {GRID.names[-1]}")
MOST_VISITORS = 48
PUT_BY = 256
"""Behind the entries: [visitor]: the cell on which it put a tile, or -1."""
FOUND_FROM = PUT_BY + MOST_VISITORS
"""[visitor]: the cell from which it was found."""
TO_PUT = FOUND_FROM + MOST_VISITORS
"""Cells that need a visitor."""


class RealVisitor(Struct, forbid_unknown_fields=True):
    """A visitor of a real game."""

    seat: SeatNumber
    line: Annotated[str, names(LINE_NAMES, "sight line"), Meta(max_length=8)]


class RealGame(Struct, forbid_unknown_fields=True, tag="topiary", tag_field="game"):
    """Garden, visitors and hands at the end of a real game of Topiary."""

    players: Annotated[int, Meta(ge=2, le=4)]
    garden: Annotated[dict[Annotated[str, CELL], Annotated[str, TILE]], Meta(max_length=CELLS)]
    """Maps cells to face-up tiles."""
    visitors: Annotated[list[RealVisitor], Meta(max_length=MOST_VISITORS)]
    hands: Annotated[list[Annotated[list[Annotated[str, TILE]], Meta(max_length=8)]], Meta(max_length=4)]


@kernel
def count_real(state: State, given: Numbers, moves: Numbers, out: Text) -> None:
    """Score a real game; its view holds what every visitor sees. It is over once all is placed and in the hands."""
    visitors = 1 + 2 * given[0]
    hands = visitors + 1 + 2 * given[visitors]
    state.removed = -1  # a real game does not say which type was left out
    lay_tiles(state, given)
    if not deal_hands(state, given, hands, out):
        return
    if not check_tiles(state, given, hands, out):
        return
    if not place_visitors(state, given, visitors, out):
        return
    if not check_turned_up(state, given, visitors, out):
        return
    if is_complete(state):
        if not state.up >> CENTRE & 1:
            begin_fault(out)
            put(out, b"garden: c3 is missing; the tile in the middle lies face up from the beginning")
            end_fault(out)
            return
        state.phase = OVER
        state.seat = NOBODY
    else:
        state.phase = LINE
    begin_object(out, b"")
    begin_object(out, b"sheet")
    name(out, b"game", GAME_TEXTS, 0)
    begin_list(out, b"entries")
    write_entries(state, -1, out)
    end_list(out)
    write_totals(state, out)
    end_object(out)
    put(out, b',"view":')
    write_view(state, -1, FULL, moves, out)
    end_object(out)


@kernel
def is_complete(state: State) -> bool:
    """Return whether all visitors are placed and all hands are full."""
    full = state.placed == state.players * VISITORS[state.players]
    for seat in range(state.players):
        full &= count_bits(state.hand[seat]) == HAND
    return full


# --- Entries: cell and tile of the garden, seat and line of each visitor, tiles of each hand; each with their number


@kernel
def lay_tiles(state: State, given: Numbers) -> None:
    """Lay the face-up tiles."""
    state.up = 0
    for i in range(given[0]):
        cell = given[1 + 2 * i]
        state.tiles[cell] = given[2 + 2 * i]
        state.up |= 1 << cell
    state.down = GARDEN ^ state.up


@kernel
def deal_hands(state: State, given: Numbers, hands: int, out: Text) -> bool:
    """Deal the hands; return whether they can be so large."""
    if not check_lists(given[hands], state.players, b"hands", out):
        return False
    at = hands + 1
    for seat in range(given[hands]):
        size = given[at]
        if size > HAND:
            begin_fault(out)
            put_place(out, b"hands", seat)
            put(out, b" has ")
            put_number(out, size)
            put(out, b" tiles; after its turn a player holds ")
            put_number(out, HAND)
            end_fault(out)
            return False
        for i in range(size):
            state.hand[seat] |= 1 << given[at + 1 + i]
        at += 1 + size
    return True


@kernel
def check_tiles(state: State, given: Numbers, hands: int, out: Text) -> bool:
    """Check that no tile is given twice, and that with two or three players one type is missing. 1.1, 2.1"""
    found = 0
    for i in range(given[0]):
        tile = given[2 + 2 * i]
        if found >> tile & 1:
            begin_twice(given, hands, tile, out)
            put_garden(given[1 + 2 * i], out)
            end_twice(out)
            return False
        found |= 1 << tile
    at = hands + 1
    for seat in range(given[hands]):
        for i in range(given[at]):
            tile = given[at + 1 + i]
            if found >> tile & 1:
                begin_twice(given, hands, tile, out)
                put_place(out, b"hands", seat)
                end_twice(out)
                return False
            found |= 1 << tile
        at += 1 + given[at]
    return check_types(state, found, out)


@kernel
def check_types(state: State, tiles: int, out: Text) -> bool:
    """Check that with two or three players the tiles lack one type. 2.1"""
    types = 0
    for kind in range(KINDS):
        types += tiles >> SIZES * kind & ONE_TYPE != 0
    if (state.players == 4) | (types < KINDS):
        return True
    begin_fault(out)
    put(out, b"there are tiles of all ")
    put_number(out, KINDS)
    put(out, b" types; with ")
    put_number(out, state.players)
    put(out, b" players one type is left out")
    end_fault(out)
    return False


@kernel
def begin_twice(given: Numbers, hands: int, tile: int, out: Text) -> None:
    """Begin to say that a tile is there twice, with the first of its places."""
    begin_fault(out)
    put_row(out, TILE_TEXTS, tile)
    put(out, b" is there twice: in ")
    put_first(given, hands, tile, out)
    put(out, b" and ")


@kernel
def put_first(given: Numbers, hands: int, tile: int, out: Text) -> None:
    """Write the first place of a tile."""
    for i in range(given[0]):
        if given[2 + 2 * i] == tile:
            put_garden(given[1 + 2 * i], out)
            return
    at = hands + 1
    for seat in range(given[hands]):
        for i in range(given[at]):
            if given[at + 1 + i] == tile:
                put_place(out, b"hands", seat)
                return
        at += 1 + given[at]


@kernel
def put_garden(cell: int, out: Text) -> None:
    """Write the place of a tile in the garden."""
    put(out, b"garden.")
    put_row(out, CELL_TEXTS, cell)


@kernel
def end_twice(out: Text) -> None:
    """End what `begin_twice` has begun."""
    put(out, b"; every tile is there once")
    end_fault(out)


@kernel
def place_visitors(state: State, given: Numbers, visitors: int, out: Text) -> bool:
    """Place the visitors; return whether they can stand so. 3.1"""
    most, taken = VISITORS[state.players], 0
    for i in range(given[visitors]):
        seat, line = given[visitors + 1 + 2 * i], given[visitors + 2 + 2 * i]
        if not check_seat(seat, state.players, b"visitors", i, out):
            return False
        if taken >> line & 1:
            say_taken(given, visitors, i, out)
            return False
        taken |= 1 << line
        state.visitors[seat] |= 1 << line
        if count_bits(state.visitors[seat]) > most:
            begin_fault(out)
            put_place(out, b"visitors", i)
            put(out, b": seat ")
            put_number(out, seat)
            put(out, b" has all its ")
            put_number(out, most)
            put(out, b" visitors placed; with ")
            put_number(out, state.players)
            put(out, b" players each has ")
            put_number(out, most)
            end_fault(out)
            return False
    state.placed = given[visitors]
    state.free = ALL_LINES ^ taken
    return True


@kernel
def say_taken(given: Numbers, visitors: int, i: int, out: Text) -> None:
    """Say that another visitor stands on the line of a visitor already."""
    line, first = given[visitors + 2 + 2 * i], 0
    while given[visitors + 2 + 2 * first] != line:
        first += 1
    begin_fault(out)
    put_place(out, b"visitors", i)
    put(out, b": ")
    put_place(out, b"visitors", first)
    put(out, b" stands at ")
    put_row(out, LINE_TEXTS, line)
    put(out, b" already; a line has one")
    end_fault(out)


# --- Tiles that were turned up -----------------------------------------------------------------------------------


@kernel
def check_turned_up(state: State, given: Numbers, visitors: int, out: Text) -> bool:
    """Check that each face-up tile but that in the middle was put by a visitor of its own, in its line. 2.2, 3.3"""
    for visitor in range(given[visitors]):
        given[PUT_BY + visitor] = -1
    unexplained = 0
    for cell in range(CELLS):
        if (state.up >> cell & 1) & (cell != CENTRE) and not find_visitor(cell, given, visitors):
            unexplained |= 1 << cell
    to_come = state.players * VISITORS[state.players] - state.placed
    if count_bits(unexplained) <= to_come:
        return True
    begin_fault(out)
    put(out, b"garden: ")
    shown = 0
    for cell in range(CELLS):
        if unexplained >> cell & 1:
            if put_item(out, shown):
                put_row(out, CELL_TEXTS, cell)
            shown += 1
    end_items(out, shown)
    put(out, b" can't be face up: besides c3, each visitor turns up at most one tile, in its line; ")
    put_number(out, to_come)
    put(out, b" visitors are still to be placed")
    end_fault(out)
    return False


@kernel
def find_visitor(cell: int, given: Numbers, visitors: int) -> bool:
    """Find a visitor that has put the tile on a cell, giving others another tile where needed."""
    given[TO_PUT] = cell
    tried, first, last = 0, 0, 1
    while first < last:
        needed = given[TO_PUT + first]
        first += 1
        for visitor in range(given[visitors]):
            if LINE_MASK[given[visitors + 2 + 2 * visitor]] >> needed & 1 & ~(tried >> visitor):
                tried |= 1 << visitor
                given[FOUND_FROM + visitor] = needed
                if given[PUT_BY + visitor] < 0:
                    give_tiles(cell, visitor, given, visitors)
                    return True
                given[TO_PUT + last] = given[PUT_BY + visitor]
                last += 1
    return False


@kernel
def give_tiles(cell: int, free: int, given: Numbers, visitors: int) -> None:
    """Give a free visitor the tile from which it was found, the one that had it another, and so on up to a cell."""
    visitor, tile = free, -1
    while tile != cell:
        tile = given[FOUND_FROM + visitor]
        before = visitor
        for other in range(given[visitors]):
            if given[PUT_BY + other] == tile:
                before = other
        given[PUT_BY + visitor] = tile
        visitor = before
