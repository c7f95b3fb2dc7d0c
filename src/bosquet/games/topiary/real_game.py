"""Score a game of Topiary that was played with the real box."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from bosquet.core.errors import BosquetError, listed, quoted
from bosquet.core.reading import expect_name
from bosquet.core.real_game import Counted, SeatNumber, check_seat, check_seats
from bosquet.core.state import NOBODY

from . import notation, rules, view


class RealVisitor(Struct, forbid_unknown_fields=True):
    """A visitor of a real game."""

    seat: SeatNumber
    line: Annotated[str, Meta(max_length=8)]


class RealGame(Struct, forbid_unknown_fields=True, tag="topiary", tag_field="game"):
    """Garden, visitors and hands at the end of a real game of Topiary."""

    players: Annotated[int, Meta(ge=2, le=4)]
    garden: Annotated[dict[str, str], Meta(max_length=25)]
    """Maps cells to face-up tiles."""
    visitors: Annotated[list[RealVisitor], Meta(max_length=48)]
    hands: Annotated[list[list[str]], Meta(max_length=4)]


def count(real: RealGame) -> Counted:
    """Score a real game; its view holds what every visitor sees. Raises BosquetError, which names what is wrong."""
    state = _garden(real)
    return Counted(sheet=view.sheet(state, ()), view=view.view(state, None))


def _garden(real: RealGame) -> rules.State:
    """Return the state of a real game; it is over if all visitors are placed and all hands are complete."""
    state = rules.new_state({"players": real.players, "draft": False})
    state.removed = -1  # a real game does not say which type was left out
    state.up = _lay_tiles(state, real.garden)
    state.down = rules.GARDEN ^ state.up
    _deal_hands(state, real)
    _check_tiles(real)
    _place_visitors(state, real)
    _check_turned_up(state, real)
    full = all(state.hand[seat].bit_count() == rules.HAND for seat in range(real.players))
    if full and state.placed == real.players * rules.VISITORS[real.players]:
        if not state.up >> rules.CENTRE & 1:
            raise BosquetError("garden: c3 is missing; the tile in the middle lies face up from the beginning")
        state.phase = rules.OVER
        state.seat = NOBODY
    else:
        state.phase = rules.LINE
    return state


def _lay_tiles(state: rules.State, garden: dict[str, str]) -> int:
    """Lay the face-up tiles; return their cells."""
    up = 0
    for name, tile in garden.items():
        if name not in rules.GRID.cell_of:
            raise BosquetError(f"garden: {quoted(name)} is no cell; the garden has the cells a1 to e5")
        cell = rules.GRID.cell_of[name]
        state.tiles[cell] = expect_name(tile, notation.TILE_OF, "tile", f"garden.{name}")
        up |= 1 << cell
    return up


def _deal_hands(state: rules.State, real: RealGame) -> None:
    check_seats(real.hands, real.players, "hands")
    for seat, hand in enumerate(real.hands):
        place = f"hands[{seat}]"
        if len(hand) > rules.HAND:
            raise BosquetError(f"{place} has {len(hand)} tiles; after its turn a player holds {rules.HAND}")
        for i, tile in enumerate(hand):
            state.hand[seat] |= 1 << expect_name(tile, notation.TILE_OF, "tile", f"{place}[{i}]")


def _check_tiles(real: RealGame) -> None:
    """Check that no tile is given twice, and that with two or three players one type is missing. 1.1, 2.1"""
    places = [(tile, f"garden.{cell}") for cell, tile in real.garden.items()]
    places += [(tile, f"hands[{seat}]") for seat, hand in enumerate(real.hands) for tile in hand]
    first: dict[str, str] = {}
    for tile, place in places:
        if tile in first:
            raise BosquetError(f"{tile} is there twice: in {first[tile]} and {place}; every tile is there once")
        first[tile] = place
    if real.players < 4 and len({tile[0] for tile in first}) == len(rules.TYPES):
        raise BosquetError(
            f"there are tiles of all {len(rules.TYPES)} types; with {real.players} players one type is left out"
        )


def _place_visitors(state: rules.State, real: RealGame) -> None:
    most = rules.VISITORS[real.players]
    by_line: dict[int, int] = {}
    for i, visitor in enumerate(real.visitors):
        place = f"visitors[{i}]"
        check_seat(visitor.seat, real.players, place)
        line = expect_name(visitor.line, notation.LINE_OF, "sight line", f"{place}.line")
        if line in by_line:
            raise BosquetError(f"{place}: visitors[{by_line[line]}] stands at {visitor.line} already; a line has one")
        by_line[line] = i
        state.visitors[visitor.seat] |= 1 << line
        if state.visitors[visitor.seat].bit_count() > most:
            raise BosquetError(
                f"{place}: seat {visitor.seat} has all its {most} visitors placed; "
                f"with {real.players} players each has {most}"
            )
    state.placed = len(by_line)
    state.free = rules.ALL_LINES ^ sum(1 << line for line in by_line)


def _check_turned_up(state: rules.State, real: RealGame) -> None:
    """Check that each face-up tile but that in the middle was put by a visitor of its own, in its line. 2.2, 3.3"""
    lines = [rules.LINE_MASK[notation.LINE_OF[visitor.line]] for visitor in real.visitors]
    cells = [cell for cell in range(rules.CELLS) if state.up >> cell & 1 and cell != rules.CENTRE]
    put_by: dict[int, int] = {}
    unexplained = [cell for cell in cells if not _put(cell, lines, put_by, set())]
    to_come = real.players * rules.VISITORS[real.players] - len(lines)
    if len(unexplained) > to_come:
        names = [rules.GRID.names[cell] for cell in unexplained]
        raise BosquetError(
            f"garden: {listed(names)} can't be face up: besides c3, each visitor turns up at most one tile, in its "
            f"line; {to_come} visitors are still to be placed"
        )


def _put(cell: int, lines: list[int], put_by: dict[int, int], tried: set[int]) -> bool:
    """Find a visitor that has put the tile on a cell, giving others another tile where needed; update `put_by`."""
    for visitor, line in enumerate(lines):
        if line >> cell & 1 and visitor not in tried:
            tried.add(visitor)
            if visitor not in put_by or _put(put_by[visitor], lines, put_by, tried):
                put_by[visitor] = cell
                return True
    return False
