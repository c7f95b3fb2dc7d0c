"""The notation of a new pile of Schlossgarten, read by kernels. Rulings 3.1, 6."""

from __future__ import annotations

from collections.abc import Sequence

from bosquet.core.text.writing import Text, put, put_number
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from .board import State
from .constellations import CARDS
from .rules import restock

PILE = tuple(b"pile")
SPACE, ZERO, NINE = tuple(b" 09")
NO_CARDS = -1


@kernel
def read_chance(state: State, text: Sequence[int], size: int) -> bool:
    """Continue with the new pile of a notation, whose cards are those of the discard.

    Returns False, and changes nothing, where the text is none. 3.1
    """
    if cards_of(state, text, size, 0) != state.discard:
        return False
    cards_of(state, text, size, 1)
    n = 0
    cards = state.discard
    while cards:
        cards &= cards - 1
        n += 1
    restock(state, n)
    return True


@kernel
def cards_of(state: State, text: Sequence[int], size: int, lay: int) -> int:
    """Return the set of the cards of a new pile, NO_CARDS where the text is none; lay them down if `lay` is 1."""
    if size < len(PILE):
        return NO_CARDS
    for i in range(len(PILE)):
        if text[i] != PILE[i]:
            return NO_CARDS
    found = 0
    n = 0
    at = len(PILE)
    while at < size:
        if text[at] != SPACE:
            return NO_CARDS
        at += 1
        first = at
        number = 0
        while at < size and (text[at] >= ZERO) & (text[at] <= NINE) & (at < first + 2):
            number = 10 * number + text[at] - ZERO
            at += 1
        if (number < 1) | (number > CARDS) | (at - first != (2 if number > 9 else 1)):
            return NO_CARDS
        if found >> (number - 1) & 1:
            return NO_CARDS
        found |= 1 << (number - 1)
        if lay:
            state.pile[n] = number - 1
        n += 1
    return found


@kernel
def write_due(state: State, out: Text) -> None:
    """Write what has to be written while a shuffle is due."""
    put(out, b'a shuffle is due: write "pile" and these cards in any order:')
    cards = state.discard
    while cards:
        put(out, b" ")
        put_number(out, lowest_bit(cards) + 1)
        cards &= cards - 1
