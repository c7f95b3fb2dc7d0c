"""Positions of Topiary: what a seat, or a spectator, knows of a state. Format: docs/positions.md."""

from __future__ import annotations

from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .rules import (
    DRAFT,
    OVER,
    SIZES,
    TILES,
    State,
)

PHASES = ("draft", "line", "take", "put", "over")


@kernel
def conceal(state: State, viewer: int, position: State) -> None:
    """Write what a seat, or a spectator (-1), knows of a state into `position`, which must be all zeros."""
    position.players = state.players
    position.draft = state.draft
    position.named = state.named
    position.seat = state.seat
    position.phase = state.phase
    position.removed = state.removed
    position.placed = state.placed
    position.line = state.line
    position.gap = state.gap
    position.up = state.up
    position.down = state.down
    position.free = state.free
    cells = state.up
    while cells:
        cell = lowest_bit(cells)
        cells &= cells - 1
        position.tiles[cell] = state.tiles[cell]
    sizes = 0
    for seat in range(state.players):
        position.visitors[seat] = state.visitors[seat]
        position.put[seat] = state.put[seat]
        sizes |= count_bits(state.hand[seat]) << 8 * seat
        if (seat == viewer) | (state.phase == OVER):
            position.hand[seat] = state.hand[seat]
    if viewer >= 0:
        position.passed[viewer] = state.passed[viewer]
        position.passed[viewer + 1] = received(state, viewer)
    lay_unseen(position, sizes)


@kernel
def received(state: State, viewer: int) -> int:
    """Return the tiles passed to a seat in the draft, none before its own decision. 2.4"""
    if (state.draft == 0) | ((state.phase == DRAFT) & (viewer < state.seat)):
        return 0
    return state.passed[viewer + 1]


@kernel
def lay_unseen(position: State, sizes: int) -> None:
    """Lay the unseen tiles, the lowest first: into the hands seat by seat, face down into the garden, aside.

    `sizes` has 8 bits per seat: the tiles in its hand. A hand that is known is left as it is.
    """
    unseen = (1 << TILES) - 1
    if position.removed >= 0:
        unseen ^= ((1 << SIZES) - 1) << SIZES * position.removed
    cells = position.up
    while cells:
        unseen ^= 1 << position.tiles[lowest_bit(cells)]
        cells &= cells - 1
    for seat in range(position.players):
        unseen &= ~position.hand[seat]
    for seat in range(position.players):
        while count_bits(position.hand[seat]) < (sizes >> 8 * seat & 255):
            position.hand[seat] |= unseen & -unseen
            unseen &= unseen - 1
    cells = position.down
    while cells:
        position.tiles[lowest_bit(cells)] = lowest_bit(unseen)
        unseen &= unseen - 1
        cells &= cells - 1
    position.aside = unseen
