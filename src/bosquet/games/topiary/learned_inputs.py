"""The learned value of a garden of Topiary between two turns: the points that each seat should end with.

A network with one hidden layer and integers only for each number of visitors that are left, of all seats together. It
is asked once for every seat. Its inputs are what the seat's visitors see and could come to see, the lines that are
worth most to it, and the same of its rivals.
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field
from bosquet.kernels.bits import count_bits, index, lowest_bit
from bosquet.kernels.jit import kernel
from bosquet.learning.network import INPUT_ONE

from .rules import CELLS, LINE_MASK, SIZES, State
from .search import UNTURNED
from .turn_values import (
    LINE_COUNT,
    Lines,
    find_changes,
    find_hopes,
    larger_than,
    look,
    seen_together,
    value_at_once,
)

TOP = 8
"""Lines of a seat that are told apart, the best first."""
POINTS, HELD, HOPES, GAINS, LOSSES, SIZES_HELD, BEST = 0, 1, 2, 5, 10, 15, 20
"""Where each group of a seat's inputs begins."""
OF_SEAT = BEST + TOP
"""Inputs that describe a seat."""
SHARED = 2 * OF_SEAT
"""Where the inputs begin that are the same for all seats, after those of the seat and the mean of its rivals."""
INPUTS = SHARED + 1 + SIZES + 1 + 4
HIDDEN = 32
STAGES = 21
"""[visitors left]; that for 0 is not used."""


class Workspace(Lines):
    """The weights, and what they compute with."""

    first: Annotated[list[int], Field("i2", STAGES * INPUTS * HIDDEN)]  # [left, input, hidden]
    first_bias: Annotated[list[int], Field("i4", STAGES * HIDDEN)]
    second: Annotated[list[int], Field("i2", STAGES * HIDDEN)]
    second_bias: Annotated[list[int], Field("i4", STAGES)]
    spread: Annotated[list[int], Field("i4", STAGES)]  # by how much a lead may still change, in hundredths
    # while it computes
    seats: Annotated[list[int], Field("i8", 4 * OF_SEAT)]  # [seat, input]
    now: Annotated[list[int], Field("i8", 4)]  # [seat]: points so far
    inputs: Annotated[list[int], Field("i8", INPUTS)]
    hidden: Annotated[list[int], Field("i8", HIDDEN)]


@kernel
def describe_position(state: State, workspace: Workspace) -> None:
    """Write the points that every seat has so far, and the inputs that describe it."""
    for i in range(OF_SEAT * state.players):
        workspace.seats[index(i)] = 0
    for line in range(LINE_COUNT):
        look(state, workspace, line)
    find_changes(state, workspace)
    up, down = tiles_on(state, state.up), tiles_on(state, state.down)
    for seat in range(state.players):
        points = 0
        visitors = state.visitors[seat]
        while visitors:
            points += workspace.line_points[index(lowest_bit(visitors))]
            visitors &= visitors - 1
        workspace.seats[index(seat * OF_SEAT + POINTS)] = points * INPUT_ONE // 32
        together = seen_together(state, workspace, seat)
        workspace.now[index(seat)] = points + describe_hand(state, workspace, seat, together, up, down)
        describe_changes(state, workspace, seat)
        describe_lines(state, workspace, seat, together)


@kernel
def tiles_on(state: State, cells: int) -> int:
    """Return the tiles on a set of cells."""
    tiles = 0
    while cells:
        tiles |= 1 << state.tiles[lowest_bit(cells)]
        cells &= cells - 1
    return tiles


@kernel
def describe_changes(state: State, workspace: Workspace, seat: int) -> None:
    """Write what tiles of each size would bring and cost a seat's visitors on the face-down cells."""
    at = seat * OF_SEAT
    cells = state.down
    while cells:
        cell = lowest_bit(cells)
        cells &= cells - 1
        for size in range(SIZES):
            change = workspace.change[index((seat * CELLS + cell) * SIZES + size)]
            if change > 0:
                workspace.seats[index(at + GAINS + size)] += change * INPUT_ONE // 16
            else:
                workspace.seats[index(at + LOSSES + size)] -= change * INPUT_ONE // 16


@kernel
def describe_hand(state: State, workspace: Workspace, seat: int, together: int, up: int, down: int) -> int:
    """Write what the tiles in a hand score, and what the others could; return what they score.

    `together` are the tiles that the seat's visitors see; `up` and `down` those that lie in the garden.
    """
    at = seat * OF_SEAT
    held = 0
    hand = state.hand[seat]
    while hand:
        tile = lowest_bit(hand)
        hand &= hand - 1
        size = tile % SIZES + 1
        larger = larger_than(tile)
        workspace.seats[index(at + SIZES_HELD + size - 1)] += INPUT_ONE
        if together & larger:
            held += size
        else:
            place = 0 if up & larger else 1 if down & larger else 2
            workspace.seats[index(at + HOPES + place)] += size * INPUT_ONE // 8
    workspace.seats[index(at + HELD)] = held * INPUT_ONE // 8
    return held


@kernel
def describe_lines(state: State, workspace: Workspace, seat: int, together: int) -> None:
    """Write what the best free lines would bring a seat at once, the best first."""
    at = seat * OF_SEAT + BEST
    hopes = find_hopes(state, workspace, seat, together)
    least = 0
    free = state.free
    while free:
        line = lowest_bit(free)
        free &= free - 1
        worth = value_at_once(workspace, line, together, hopes)
        worth += UNTURNED * count_bits(LINE_MASK[line] & state.down)
        if worth > least:
            i = TOP - 1
            while (i > 0) and (workspace.seats[index(at + i - 1)] < worth):
                workspace.seats[index(at + i)] = workspace.seats[index(at + i - 1)]
                i -= 1
            workspace.seats[index(at + i)] = worth
            least = workspace.seats[index(at + TOP - 1)]
    for i in range(TOP):
        workspace.seats[index(at + i)] = workspace.seats[index(at + i)] * INPUT_ONE // 1600


@kernel
def describe(state: State, workspace: Workspace, seat: int) -> None:
    """Write the inputs for a seat, from those that describe every seat."""
    rivals = state.players - 1
    for i in range(OF_SEAT):
        total = 0
        for other in range(state.players):
            if other != seat:
                total += workspace.seats[index(other * OF_SEAT + i)]
        workspace.inputs[index(i)] = workspace.seats[index(seat * OF_SEAT + i)]
        workspace.inputs[index(OF_SEAT + i)] = total // rivals
    workspace.inputs[index(SHARED)] = count_bits(state.down) * INPUT_ONE // 16
    for i in range(SIZES):
        workspace.inputs[index(SHARED + 1 + i)] = 0
    cells = state.down
    while cells:
        workspace.inputs[index(SHARED + 1 + state.tiles[lowest_bit(cells)] % SIZES)] += INPUT_ONE // 4
        cells &= cells - 1
    workspace.inputs[index(SHARED + 1 + SIZES)] = count_bits(state.free) * INPUT_ONE // 32
    turn = SHARED + 2 + SIZES
    for i in range(4):
        workspace.inputs[index(turn + i)] = 0
    workspace.inputs[index(turn + (seat - state.seat + state.players) % state.players)] = INPUT_ONE
