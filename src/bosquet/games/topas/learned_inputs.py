"""The learned value of a position of Topas with two players: the points that each seat should still make.

A network with one hidden layer and integers only for each number of placements that are left. It is asked once for each
seat. Its inputs are what the cards of both hands score at their best places, what they score where the seat to move
takes its own best place, and the rows beside the empty squares.
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field
from bosquet.kernels.bits import index, lowest_bit
from bosquet.kernels.jit import kernel
from bosquet.learning.network import INPUT_ONE

from . import search
from .rules import (
    COLOUR,
    GEMS,
    HALF_KINDS,
    HALVES,
    PLACES,
    ROW_LIMIT,
    SPAN,
    SQUARES,
    TURNS,
    State,
    fits,
    heading_of,
    neighbour,
    square_of,
)
from .search import TIGHT, clear_beside, list_places, rows_at, touching

PLAYERS = 2
STAGES = TURNS * PLAYERS
"""[placements left after the next one]"""
BEST, CLEAR, TO_MOVE, HELD = 0, 3, 5, 6
"""Where each group of a seat's inputs begins."""
OF_SEAT = HELD + 1
"""Inputs that describe a seat."""
ROWS, CORNERS, MEETINGS, WIDTH = 0, ROW_LIMIT, ROW_LIMIT + 3, ROW_LIMIT + 4
"""Where each group of the inputs of the table begins."""
OF_TABLE = WIDTH + 1
SHARED = PLAYERS * OF_SEAT
"""Where the inputs of the table begin, after those of the seat and of its rival."""
INPUTS = SHARED + OF_TABLE
HIDDEN = 32
ROOM = 128
"""More than the empty squares beside a table."""


class Workspace(search.Workspace):
    """The weights, and what they compute with."""

    first: Annotated[list[int], Field("i2", STAGES * INPUTS * HIDDEN)]  # [left, input, hidden]
    first_bias: Annotated[list[int], Field("i4", STAGES * HIDDEN)]
    second: Annotated[list[int], Field("i2", STAGES * HIDDEN)]
    second_bias: Annotated[list[int], Field("i4", STAGES)]
    spread: Annotated[list[int], Field("i4", STAGES)]  # by how much a lead may still change, in hundredths
    # while it computes
    number: Annotated[list[int], Field("i2", SQUARES)]  # [square]: 1 … beside the table, 0 elsewhere and between calls
    points: Annotated[list[int], Field("i4", ROOM * HALF_KINDS)]  # [number, half]: sum of the rows
    product: Annotated[list[int], Field("i4", ROOM * HALF_KINDS)]  # [number, half]: product of the rows, 1 without any
    seats: Annotated[list[int], Field("i8", PLAYERS * OF_SEAT)]  # [seat, input]
    table: Annotated[list[int], Field("i8", OF_TABLE)]
    inputs: Annotated[list[int], Field("i8", INPUTS)]
    hidden: Annotated[list[int], Field("i8", HIDDEN)]


@kernel
def describe_position(state: State, workspace: Workspace) -> None:
    """Write the inputs that describe each seat and the table."""
    for i in range(PLAYERS * OF_SEAT):
        workspace.seats[index(i)] = 0
    describe_table(state, workspace)
    count = list_places(state, workspace.places)
    mover = state.seat
    place = describe_best(state, workspace, mover, count)
    describe_clear(state, workspace, mover, place, count)
    describe_best(state, workspace, 1 - mover, count)
    describe_clear(state, workspace, 1 - mover, place, count)
    workspace.seats[index(mover * OF_SEAT + TO_MOVE)] = INPUT_ONE
    clear_beside(state, workspace.number)


# --- the table ---


@kernel
def describe_table(state: State, workspace: Workspace) -> None:
    """Number the empty squares beside the table, write what halves score there, and the inputs of the table."""
    for i in range(OF_TABLE):
        workspace.table[index(i)] = 0
    halves = halves_in_hands(state)
    score_halves(workspace, 0, 0, halves)
    n = 1
    for y in range(state.bottom - 1, state.top + 2):
        near = touching(state, y)
        while near:
            at = (y * SPAN + state.west + lowest_bit(near)) & (SQUARES - 1)
            near &= near - 1
            workspace.number[index(at)] = n
            rows = rows_at(state, at)
            score_halves(workspace, n, rows, halves)
            count_rows(workspace, rows)
            n += 1
    workspace.table[index(WIDTH)] = n * INPUT_ONE // 64


@kernel
def halves_in_hands(state: State) -> int:
    """Return the halves of all cards in the hands as a set."""
    halves = 0
    hands = state.hand[0] | state.hand[1]
    while hands:
        card = lowest_bit(hands)
        hands &= hands - 1
        halves |= 1 << HALVES[card][0] | 1 << HALVES[card][1]
    return halves


@kernel
def score_halves(workspace: Workspace, number: int, rows: int, halves: int) -> None:
    """Write what each of a set of halves scores on a square with these rows beside it (`search.rows_at`)."""
    while halves:
        half = lowest_bit(halves)
        halves &= halves - 1
        own = rows >> 8 * COLOUR[half]
        total = 0
        product = 1
        for way in range(2):
            gems = own >> 4 * way & 15
            if gems:
                total += GEMS[half] + gems
                product *= GEMS[half] + gems
        workspace.points[index(number * HALF_KINDS + half)] = total
        workspace.product[index(number * HALF_KINDS + half)] = product


@kernel
def count_rows(workspace: Workspace, rows: int) -> None:
    """Count the rows beside a square by gems, where two of one colour meet, and where any two do."""
    found = 0
    while rows:
        along = rows & 15
        across = rows >> 4 & 15
        rows >>= 8
        if along:
            workspace.table[index(ROWS + min(along, ROW_LIMIT) - 1)] += INPUT_ONE // 16
            found += 1
        if across:
            workspace.table[index(ROWS + min(across, ROW_LIMIT) - 1)] += INPUT_ONE // 16
            found += 1
        if (along > 0) & (across > 0):
            size = 0 if along + across < 5 else 1 if along + across < 8 else 2
            workspace.table[index(CORNERS + size)] += INPUT_ONE // 8
    if found > 1:
        workspace.table[index(MEETINGS)] += INPUT_ONE // 16


# --- the hands ---


@kernel
def points_there(state: State, workspace: Workspace, card: int, place: int) -> int:
    """Return what a card scores at a place of `list_places`; -1 if it does not fit. 3.2-3.4"""
    if place & TIGHT:
        place ^= TIGHT
        if not fits(state, card, place):
            return -1
    at = square_of(place)
    other = neighbour(at, heading_of(place))
    first = workspace.number[index(at)] * HALF_KINDS + HALVES[card][0]
    second = workspace.number[index(other)] * HALF_KINDS + HALVES[card][1]
    total: int = workspace.points[index(first)] + workspace.points[index(second)]
    if (state.expert != 0) & (total > 0):
        total = workspace.product[index(first)] * workspace.product[index(second)]
    return total


@kernel
def describe_best(state: State, workspace: Workspace, seat: int, count: int) -> int:
    """Write what a seat's cards score at their best places, the best first; return the best card with its place.

    Returns -1 where none scores.
    """
    at = seat * OF_SEAT
    chosen = -1
    most = 0
    hand = state.hand[seat]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        workspace.seats[index(at + HELD)] += (GEMS[HALVES[card][0]] + GEMS[HALVES[card][1]]) * INPUT_ONE // 12
        best = 0
        for i in range(count):
            points = points_there(state, workspace, card, workspace.places[index(i)])
            if points > best:
                best = points
                if best > most:
                    most = best
                    chosen = card * PLACES + (workspace.places[index(i)] & (PLACES - 1))
        put_in_order(workspace, at + BEST, 3, scaled(state, best))
    return chosen


@kernel
def describe_clear(state: State, workspace: Workspace, seat: int, taken: int, count: int) -> None:
    """Write what a seat's cards score without the squares, and without the card, of a placement; -1 is none."""
    square = -1
    beside = -1
    if taken >= 0:
        square = square_of(taken)
        beside = neighbour(square, heading_of(taken))
    hand = state.hand[seat]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        if card == taken >> 14:
            continue
        best = 0
        for i in range(count):
            at = square_of(workspace.places[index(i)])
            other = neighbour(at, heading_of(workspace.places[index(i)] & (PLACES - 1)))
            if (at != square) & (at != beside) & (other != square) & (other != beside):
                best = max(best, points_there(state, workspace, card, workspace.places[index(i)]))
        put_in_order(workspace, seat * OF_SEAT + CLEAR, 2, scaled(state, best))


@kernel
def scaled(state: State, points: int) -> int:
    """Return points as an input."""
    return points * INPUT_ONE // (64 if state.expert else 16)


@kernel
def put_in_order(workspace: Workspace, at: int, room: int, value: int) -> None:
    """Put a value into inputs that are kept in falling order, if it is large enough."""
    for i in range(room):
        if value > workspace.seats[index(at + i)]:
            kept = workspace.seats[index(at + i)]
            workspace.seats[index(at + i)] = value
            value = kept


# --- the inputs ---


@kernel
def describe(state: State, workspace: Workspace, seat: int) -> None:
    """Write the inputs for a seat, from those that describe both and the table."""
    for i in range(OF_SEAT):
        workspace.inputs[index(i)] = workspace.seats[index(seat * OF_SEAT + i)]
        workspace.inputs[index(OF_SEAT + i)] = workspace.seats[index((1 - seat) * OF_SEAT + i)]
    for i in range(OF_TABLE):
        workspace.inputs[index(SHARED + i)] = workspace.table[index(i)]
