"""The learned value of a position of Schlossgarten with two players between two turns: the points still to be made.

A network with one hidden layer and integers only for each range of the leader's points. It is asked once for each seat.
Its inputs are the elements that are on the board, what the workers could gain by building, by how far they stand, the
excavations beside them, and how far they stand from their king.
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field
from bosquet.kernels.bits import count_bits, index, lowest_bit
from bosquet.kernels.jit import kernel
from bosquet.learning.network import INPUT_ONE

from .board import (
    ARCHITECT,
    ELEMENTS,
    FIRST_SITE,
    GARDENER,
    GRID,
    SITE_MASK,
    WINNING_POINTS,
    State,
    covered,
)
from .planning import workspace as search
from .rules import is_open, may_cover, score
from .walking import around

PLAYERS = 2
POINTS_OF_STAGE = 4
STAGES = -(-WINNING_POINTS // POINTS_OF_STAGE)
"""[points of the leader // POINTS_OF_STAGE]"""
COLUMNS = GRID.width
RINGS = 4
"""Distances of a worker: beside its site, one step and two steps from there, and more."""
POINTS, TO_MOVE, BUILT = 0, 1, 2
DUG = BUILT + ELEMENTS
UNDUG = DUG + RINGS
WINNING = UNDUG + RINGS
OPEN = WINNING + RINGS
APART = OPEN + RINGS
"""Where each group of a seat's inputs begins; DUG and UNDUG are gains on sites without and with a tile to be dug."""
OF_SEAT = APART + 2
"""Inputs that describe a seat."""
SHARED = PLAYERS * OF_SEAT
"""Where the inputs of the board begin, after those of the seat and of its rival."""
INPUTS = SHARED + 1
HIDDEN = 32


class Workspace(search.Workspace):
    """The weights, and what they compute with."""

    first: Annotated[list[int], Field("i2", STAGES * INPUTS * HIDDEN)]  # [stage, input, hidden]
    first_bias: Annotated[list[int], Field("i4", STAGES * HIDDEN)]
    second: Annotated[list[int], Field("i2", STAGES * HIDDEN)]
    second_bias: Annotated[list[int], Field("i4", STAGES)]
    spread: Annotated[list[int], Field("i4", STAGES)]  # by how much a lead may still change, in hundredths
    # while it computes
    rings: Annotated[list[int], Field("i8", RINGS)]  # cells at each distance of a worker, or nearer
    seats: Annotated[list[int], Field("i8", PLAYERS * OF_SEAT)]  # [seat, input]
    inputs: Annotated[list[int], Field("i8", INPUTS)]
    hidden: Annotated[list[int], Field("i8", HIDDEN)]


@kernel
def describe_position(state: State, workspace: Workspace) -> None:
    """Write the inputs that describe each seat."""
    built = covered(state)
    for seat in range(PLAYERS):
        at = seat * OF_SEAT
        for i in range(OF_SEAT):
            workspace.seats[index(at + i)] = 0
        workspace.seats[index(at + POINTS)] = score(state, seat) * INPUT_ONE // 16
        workspace.seats[index(at + TO_MOVE)] = (seat == state.seat) * INPUT_ONE
        for i in range(ELEMENTS):
            workspace.seats[index(at + BUILT + i)] = (state.element[ELEMENTS * seat + i] >= 0) * INPUT_ONE
        for worker in range(GARDENER, ARCHITECT + 1):
            write_rings(state.pawn[3 * seat + worker], workspace)
            describe_builds(state, workspace, seat, worker, built)
            describe_excavations(state, workspace, at)
            far = distance(state.pawn[3 * seat], state.pawn[3 * seat + worker])
            workspace.seats[index(at + APART + worker - GARDENER)] = far * INPUT_ONE // 4


@kernel
def write_rings(cell: int, workspace: Workspace) -> None:
    """Write the cells beside a worker's cell, and those one step and two steps from there; the last ring is all."""
    cells = 1 << cell
    for ring in range(RINGS - 1):
        cells = around(cells)
        workspace.rings[index(ring)] = cells
    workspace.rings[index(RINGS - 1)] = -1


@kernel
def distance(first: int, second: int) -> int:
    """Return the steps between two cells."""
    return max(abs(first % COLUMNS - second % COLUMNS), abs(first // COLUMNS - second // COLUMNS))


@kernel
def describe_builds(state: State, workspace: Workspace, seat: int, worker: int, built: int) -> None:
    """Write the greatest gains by the elements of a worker that are at hand, and whether one wins. 4.4-4.6

    `built` are the cells of all elements. Pawns that stand in the way are left out of account.
    """
    at = seat * OF_SEAT
    missing = WINNING_POINTS - score(state, seat)
    for size in range(1, 4):
        if state.element[ELEMENTS * seat + 3 * (worker - 1) + size - 1] < 0:
            for site in range(FIRST_SITE[size], FIRST_SITE[size + 1]):
                cells = SITE_MASK[site]
                if is_open(state, cells, built, 0) and (cells & built == 0 or may_cover(state, cells, built)):
                    gain = count_bits(cells & ~state.own[seat])
                    tiles = cells & ~built
                    while tiles:
                        gain += state.landscape[lowest_bit(tiles)]
                        tiles &= tiles - 1
                    first = UNDUG if cells & state.up else DUG
                    for ring in range(RINGS):
                        if cells & workspace.rings[index(ring)]:
                            i = at + first + ring
                            workspace.seats[index(i)] = max(workspace.seats[index(i)], gain * INPUT_ONE // 8)
                            if gain >= missing:
                                workspace.seats[index(at + WINNING + ring)] = INPUT_ONE


@kernel
def describe_excavations(state: State, workspace: Workspace, at: int) -> None:
    """Add the values of the excavations at each distance of a worker, or nearer."""
    cells = state.dug
    while cells:
        cell = lowest_bit(cells)
        cells &= cells - 1
        for ring in range(RINGS):
            if workspace.rings[index(ring)] >> cell & 1:
                workspace.seats[index(at + OPEN + ring)] += state.landscape[cell] * INPUT_ONE // 8


@kernel
def describe(state: State, workspace: Workspace, seat: int) -> None:
    """Write the inputs for a seat, from those that describe both."""
    for i in range(OF_SEAT):
        workspace.inputs[index(i)] = workspace.seats[index(seat * OF_SEAT + i)]
        workspace.inputs[index(OF_SEAT + i)] = workspace.seats[index((1 - seat) * OF_SEAT + i)]
    workspace.inputs[index(SHARED)] = count_bits(state.dug) * INPUT_ONE // 8
