"""Positions of Schlossgarten: what a seat, or a spectator, knows of a state. Format: docs/positions.md."""

from __future__ import annotations

from bosquet.kernels.bits import count_bits
from bosquet.kernels.jit import kernel

from .board import (
    CELLS,
    ELEMENTS,
    MAX_PLAYERS,
    State,
)
from .constellations import CARDS

PHASES = ("card", "move", "work", "build", "pile", "over")


@kernel
def conceal(state: State, viewer: int, position: State) -> None:
    """Write what a seat, or a spectator (-1), knows of a state into `position`, which must be all zeros."""
    position.players = state.players
    position.each_works = state.each_works
    position.overbuild = state.overbuild
    position.seat = state.seat
    position.phase = state.phase
    position.turn = state.turn
    position.played = state.played
    position.steps = state.steps
    position.shifted = state.shifted
    position.worker = state.worker
    position.pile_at = state.pile_at
    position.pile_end = state.pile_end
    position.up = state.up
    position.dug = state.dug
    position.discard = state.discard
    position.held_over = state.held_over
    for card in range(CARDS):
        position.pattern[card] = state.pattern[card]
    for value in range(3):
        position.tiles[value] = state.tiles[value]
    for cell in range(CELLS):
        position.landscape[cell] = state.landscape[cell]
    for i in range(3 * MAX_PLAYERS):
        position.start[i] = state.start[i]
        position.pawn[i] = state.pawn[i]
    for i in range(ELEMENTS * MAX_PLAYERS):
        position.element[i] = state.element[i]
    sizes = 0
    for seat in range(state.players):
        position.tile_points[seat] = state.tile_points[seat]
        position.may_hold[seat] = state.may_hold[seat]
        position.own[seat] = state.own[seat]
        position.kept[seat] = state.kept[seat]
        sizes |= count_bits(state.hand[seat]) << 8 * seat
        if seat == viewer:
            position.hand[seat] = state.hand[seat]
    lay_unseen(position, sizes)


@kernel
def lay_unseen(position: State, sizes: int) -> None:
    """Lay the unseen cards, the lowest first: into the hands seat by seat, then into the pile.

    `sizes` has 8 bits per seat: the cards in its hand. A hand that is known is left as it is.
    """
    unseen = ((1 << CARDS) - 1) & ~position.discard
    if position.played >= 0:
        unseen &= ~(1 << position.played)
    for seat in range(position.players):
        unseen &= ~position.hand[seat]
    for seat in range(position.players):
        while count_bits(position.hand[seat]) < (sizes >> 8 * seat & 255):
            position.hand[seat] |= unseen & -unseen
            unseen &= unseen - 1
    place = position.pile_at
    for card in range(CARDS):
        if unseen >> card & 1:
            position.pile[place] = card
            place += 1
