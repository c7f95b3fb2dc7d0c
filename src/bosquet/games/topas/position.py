"""Positions of Topas: what a seat, or a spectator, knows of a state. Format: docs/positions.md."""

from __future__ import annotations

from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .rules import (
    COLUMNS,
    DECK,
    SPAN,
    State,
    card_of,
    square,
)

PHASES = ("lay", "over")


@kernel
def conceal(state: State, viewer: int, position: State) -> None:
    """Write what a seat, or a spectator (-1), knows of a state into `position`, which must be all zeros."""
    position.players = state.players
    position.expert = state.expert
    position.seat = state.seat
    position.phase = state.phase
    position.turn = state.turn
    position.column = state.column
    position.drawn = state.drawn
    position.west = state.west
    position.left = state.left
    position.right = state.right
    position.bottom = state.bottom
    position.top = state.top
    position.gone = state.gone
    for column in range(COLUMNS):
        position.columns[column] = state.columns[column]
    for turn in range(state.turn + 1):
        position.laid[turn] = state.laid[turn]
    for y in range(SPAN):
        position.rows[y] = state.rows[y]
        position.shut_rows[y] = state.shut_rows[y]
        columns = state.rows[y] | state.shut_rows[y]  # all other squares are empty
        while columns:
            at = square(state.west + lowest_bit(columns), y)
            columns &= columns - 1
            position.squares[at] = state.squares[at]
    sizes = 0
    for seat in range(state.players):
        position.points[seat] = state.points[seat]
        sizes |= count_bits(state.hand[seat]) << 8 * seat
        if (seat == viewer) | (state.players == 1):  # alone, the card to be laid lies open. 5.1
            position.hand[seat] = state.hand[seat]
    lay_unseen(position, sizes)


@kernel
def lay_unseen(position: State, sizes: int) -> None:
    """Lay the unseen cards, the lowest first: into the hands seat by seat, then into the pile.

    `sizes` has 8 bits per seat: the cards in its hand. A hand that is known is left as it is.
    """
    unseen = ((1 << DECK) - 1) & ~position.gone
    for turn in range(position.turn + 1):
        unseen &= ~(1 << card_of(position.laid[turn]))
    for seat in range(position.players):
        unseen &= ~position.hand[seat]
    for seat in range(position.players):
        while count_bits(position.hand[seat]) < (sizes >> 8 * seat & 255):
            position.hand[seat] |= unseen & -unseen
            unseen &= unseen - 1
    place = position.drawn
    for card in range(DECK):
        if unseen >> card & 1:
            position.deck[place] = card
            place += 1
