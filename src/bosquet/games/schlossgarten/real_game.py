"""Score a game of Schlossgarten that was played with the real box."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from bosquet.core.real_game import (
    SeatNumber,
    begin_fault,
    check_lists,
    check_seat,
    end_fault,
    names,
    put_item,
)
from bosquet.core.state import Numbers
from bosquet.core.text.writing import (
    Text,
    begin_list,
    begin_object,
    empty_list,
    end_list,
    end_object,
    name,
    null,
    number,
    put,
    put_number,
    put_row,
    seats,
    text,
    texts,
)
from bosquet.kernels.jit import kernel

from .board import CELLS, ELEMENTS, OVER_ELEMENTS, WINNING_POINTS, State
from .writing import GAME_TEXTS, end_entry
from .writing_moves import ELEMENT_TEXTS

SIZES = 3
VALUES = 3
VALUE_TEXTS = texts("0", "1", "2", "3")
KIND_NAMES = [word.decode() for word in ELEMENT_TEXTS]


class RealElement(Struct, forbid_unknown_fields=True):
    """An element in the garden of a real game."""

    seat: SeatNumber
    kind: Annotated[Literal["G1", "G2", "G3", "A1", "A2", "A3"], names(KIND_NAMES, "element")]


class RealGame(Struct, forbid_unknown_fields=True, tag="schlossgarten", tag_field="game"):
    """What scores in a real game of Schlossgarten: tiles kept and elements in the garden."""

    players: Annotated[int, Meta(ge=2, le=4)]
    kept: Annotated[
        list[Annotated[list[Annotated[int, Meta(ge=1, le=VALUES)]], Meta(max_length=CELLS)]], Meta(max_length=4)
    ]
    """[seat]: values of the tiles it keeps."""
    elements: Annotated[list[RealElement], Meta(max_length=24)]
    overbuild: Literal["site", "bordering", "elements"] = "site"
    """The reading of ruling 4.4 that was played by."""


@kernel
def count_real(state: State, given: Numbers, moves: Numbers, out: Text) -> None:
    """Score a real game, without a view; it has winners if a seat has 21 points. 4.6, 5.1"""
    if not check_kept(state.players, given, out):
        return
    elements = after_kept(given)
    if not check_elements(state.players, given, elements, out):
        return
    if check_sites(state, given, elements, out) and check_end(state.players, given, elements, out):
        begin_object(out, b"")
        begin_object(out, b"sheet")
        name(out, b"game", GAME_TEXTS, 0)
        begin_list(out, b"entries")
        for seat in range(state.players):
            write_real_entries(seat, given, elements, out)
        end_list(out)
        write_points(state.players, given, elements, out)
        empty_list(out, b"columns")
        end_object(out)
        null(out, b"view")
        end_object(out)


# --- Entries: lists of the tiles kept, each with its length; then seat and kind of each element -------------------


@kernel
def kept_at(given: Numbers, seat: int) -> int:
    """Return where the list of the tiles that a seat keeps begins, with its length; it may be missing."""
    at = 1
    for _ in range(seat):
        at += 1 + given[at]
    return at


@kernel
def kept_by(given: Numbers, seat: int) -> int:
    """Return how many tiles a seat keeps."""
    return given[kept_at(given, seat)] if seat < given[0] else 0


@kernel
def after_kept(given: Numbers) -> int:
    """Return where the elements begin, with their number."""
    return kept_at(given, given[0])


@kernel
def owner(given: Numbers, elements: int, i: int) -> int:
    """Return the seat of an element."""
    return given[elements + 1 + 2 * i]


@kernel
def kind_of(given: Numbers, elements: int, i: int) -> int:
    """Return the kind of an element."""
    return given[elements + 2 + 2 * i]


@kernel
def size_of(kind: int) -> int:
    """Return how many cells an element covers."""
    return kind % SIZES + 1


@kernel
def points_by(given: Numbers, elements: int, seat: int) -> int:
    """Return the points of a seat. 4.6"""
    points = 0
    for i in range(kept_by(given, seat)):
        points += given[kept_at(given, seat) + 1 + i]
    for i in range(given[elements]):
        if owner(given, elements, i) == seat:
            points += size_of(kind_of(given, elements, i))
    return points


# --- Checks: each returns whether it found nothing, and says what is impossible otherwise --------------------------


@kernel
def check_kept(players: int, given: Numbers, out: Text) -> bool:
    """Check that there are no more tiles than the game has; how many of each value is up to the box. 1.1"""
    if not check_lists(given[0], players, b"kept", out):
        return False
    tiles = after_kept(given) - 1 - given[0]
    if tiles <= CELLS:
        return True
    begin_fault(out)
    put(out, b"kept has ")
    put_number(out, tiles)
    put(out, b" tiles; the game has ")
    put_number(out, CELLS)
    end_fault(out)
    return False


@kernel
def check_elements(players: int, given: Numbers, elements: int, out: Text) -> bool:
    """Check that each seat has at most one element of each kind and size. 1.3"""
    there, twice = 0, 0
    for i in range(given[elements]):
        seat = owner(given, elements, i)
        if not check_seat(seat, players, b"elements", i, out):
            return False
        bit = 1 << ELEMENTS * seat + kind_of(given, elements, i)
        twice |= there & bit
        there |= bit
    if twice == 0:
        return True
    begin_fault(out)
    put(out, b"elements: ")
    shown = 0
    for i in range(given[elements]):
        seat, kind = owner(given, elements, i), kind_of(given, elements, i)
        bit = 1 << ELEMENTS * seat + kind
        if twice & bit:
            twice ^= bit
            put_item(out, shown)  # of 24 elements no more are there twice than a message shows
            put_row(out, ELEMENT_TEXTS, kind)
            put(out, b" of seat ")
            put_number(out, seat)
            shown += 1
    put(out, b" there twice; each player has one of each")
    end_fault(out)
    return False


@kernel
def check_sites(state: State, given: Numbers, elements: int, out: Text) -> bool:
    """Check that the tiles kept are those of the cells under the elements. 4.4, 4.5

    A cell that was built on stays covered, since elements are built over as a whole.
    """
    covered = 0
    for i in range(given[elements]):
        covered += size_of(kind_of(given, elements, i))
    kept = elements - 1 - given[0]
    if kept != covered:
        begin_fault(out)
        put(out, b"tiles kept: ")
        put_number(out, kept)
        put(out, b", cells under elements: ")
        put_number(out, covered)
        put(out, b"; there must be as many of both, since a player who builds on an excavation keeps its tile")
        end_fault(out)
        return False
    for seat in range(state.players):
        needed = 0
        for i in range(given[elements]):
            is_site = (state.overbuild != OVER_ELEMENTS) | (size_of(kind_of(given, elements, i)) == 1)
            needed += (owner(given, elements, i) == seat) & is_site
        if kept_by(given, seat) < needed:
            begin_fault(out)
            put(out, b"seat ")
            put_number(out, seat)
            put(out, b": tiles kept: ")
            put_number(out, kept_by(given, seat))
            put(out, b", elements: ")
            put_number(out, needed)
            put(out, b"; each of these was built on an excavation, whose tile is kept")
            end_fault(out)
            return False
    return True


@kernel
def check_end(players: int, given: Numbers, elements: int, out: Text) -> bool:
    """Check that one seat alone has the points that end the game, and only by its last build. 5.1"""
    over = 0
    for seat in range(players):
        over += points_by(given, elements, seat) >= WINNING_POINTS
    if over > 1:
        begin_fault(out)
        shown = 0
        for seat in range(players):
            if points_by(given, elements, seat) >= WINNING_POINTS:
                put_item(out, shown)
                put(out, b"seat ")
                put_number(out, seat)
                shown += 1
        put(out, b" have ")
        put_number(out, WINNING_POINTS)
        put(out, b" points or more; the game ends at once when one of them has")
        end_fault(out)
        return False
    for seat in range(players):
        points, most = points_by(given, elements, seat), last_build(given, elements, seat)
        if points - most >= WINNING_POINTS:
            begin_fault(out)
            put(out, b"seat ")
            put_number(out, seat)
            put(out, b" has ")
            put_number(out, points)
            put(out, b" points; its last build gave ")
            put_number(out, most)
            put(out, b" at most, so that it had ")
            put_number(out, WINNING_POINTS)
            put(out, b" or more before, and the game was over")
            end_fault(out)
            return False
    return True


@kernel
def last_build(given: Numbers, elements: int, seat: int) -> int:
    """Return how many points the last build of a seat gave at most. 4.5"""
    most = 0
    for i in range(given[elements]):
        if owner(given, elements, i) == seat:
            size = size_of(kind_of(given, elements, i))
            most = max(most, size + best_tiles(given, seat, size))
    return most


@kernel
def best_tiles(given: Numbers, seat: int, n: int) -> int:
    """Return the points of the best `n` tiles that a seat keeps."""
    points, left, at = 0, n, kept_at(given, seat) + 1
    for value in range(VALUES, 0, -1):
        for i in range(kept_by(given, seat)):
            if (given[at + i] == value) & (left > 0):
                points += value
                left -= 1
    return points


# --- Sheet -----------------------------------------------------------------------------------------------------


@kernel
def write_real_entries(seat: int, given: Numbers, elements: int, out: Text) -> None:
    """Write the entries of a seat: the tiles that it keeps, and its elements. 4.6"""
    for i in range(kept_by(given, seat)):
        value = given[kept_at(given, seat) + 1 + i]
        begin_object(out, b"")
        number(out, b"seat", seat)
        text(out, b"kind", b"tile")
        name(out, b"name", VALUE_TEXTS, value)
        number(out, b"points", value)
        empty_list(out, b"cells")
        end_entry(-1, -1, out)
    for i in range(given[elements]):
        if owner(given, elements, i) == seat:
            kind = kind_of(given, elements, i)
            begin_object(out, b"")
            number(out, b"seat", seat)
            text(out, b"kind", b"element")
            name(out, b"name", ELEMENT_TEXTS, kind)
            number(out, b"points", size_of(kind))
            empty_list(out, b"cells")
            end_entry(kind, -1, out)


@kernel
def write_points(players: int, given: Numbers, elements: int, out: Text) -> None:
    """Write the points of each seat, and who has won. 5.1"""
    winner = 0
    begin_list(out, b"scores")
    for seat in range(players):
        points = points_by(given, elements, seat)
        number(out, b"", points)
        if points >= WINNING_POINTS:
            winner |= 1 << seat
    end_list(out)
    seats(out, b"winners", winner)
