"""A candidate of Schlossgarten: what the rest of a turn amounts to, as one integer.

It says which card is played, where the own pawns end up, who works, what it digs and where it builds. How the pawns
walk there is left out: `marches` finds that.
"""

from __future__ import annotations

from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from ..board import ARCHITECT, CARD, CELLS, GARDENER, NEAR, SITE_MASK, STEPS, State
from ..rules import build, dig, end_turn, play_card

NO_CARD = NO_TILE = 63
NO_SITE = 511
NO_CANDIDATE = -1
MAX_CANDIDATES = 48
"""Turns that a search considers in a position, at most."""

PAWN_AT = 6  # the first bit of the king's cell; the subjects' follow
WORKER_AT = 24
TILE_AT = 26
SITE_AT = 32
STAND_BITS = (1 << WORKER_AT) - 1
"""Card and pawns."""
OTHER_DIGS = 1 << 41
"""The tile is dug by the subject that does not build, which the option `work` may allow."""
WORK_BITS = (1 << 42) - 1 - (STAND_BITS & ~63)
"""Card, worker and work."""
HITS_AT = 42
"""The subjects that a turn hits, as bits 3 × seat + kind."""
REFUGE_AT = 54
"""Where the subject goes that is hit, a cell + 1; 0 where the figure and the site decide it."""
HITTER_AT = 60
"""The own pawn that makes the hit before any pawn walks, unless the refuge is 0."""


@kernel
def encode_candidate(card: int, king: int, gardener: int, architect: int, worker: int, tile: int, site: int) -> int:
    """Return a candidate: a card or NO_CARD, cells, a worker or 0, a cell or NO_TILE, a site or NO_SITE."""
    stand = king << PAWN_AT | gardener << (PAWN_AT + 6) | architect << (PAWN_AT + 12)
    return card | stand | worker << WORKER_AT | tile << TILE_AT | site << SITE_AT


@kernel
def encode_digger(tile: int, cell: int) -> int:
    """Return OTHER_DIGS if there is a tile to dig and the worker on a cell is not next to it, otherwise 0."""
    return OTHER_DIGS if tile != NO_TILE and not NEAR[cell] >> tile & 1 else 0


@kernel
def card_of(candidate: int) -> int:
    """Return the card that is played, or NO_CARD."""
    return candidate & 63


@kernel
def cell_of(candidate: int, kind: int) -> int:
    """Return the cell where an own pawn ends up."""
    return candidate >> (PAWN_AT + 6 * kind) & 63


@kernel
def worker_of(candidate: int) -> int:
    """Return the subject that builds, or that only digs; 0 if none works."""
    return candidate >> WORKER_AT & 3


@kernel
def digger_of(candidate: int) -> int:
    """Return the subject that digs, if there is a tile to dig."""
    worker = worker_of(candidate)
    return GARDENER + ARCHITECT - worker if candidate & OTHER_DIGS else worker


@kernel
def tile_of(candidate: int) -> int:
    """Return the cell that is dug, or NO_TILE."""
    return candidate >> TILE_AT & 63


@kernel
def site_of(candidate: int) -> int:
    """Return the site that is built on, or NO_SITE."""
    return candidate >> SITE_AT & 511


@kernel
def hits_of(candidate: int) -> int:
    """Return the subjects that are hit, as bits 3 × seat + kind."""
    return candidate >> HITS_AT & (1 << 12) - 1


@kernel
def refuge_of(candidate: int) -> int:
    """Return where the subject goes that is hit, or -1."""
    return (candidate >> REFUGE_AT & 63) - 1


@kernel
def hitter_of(candidate: int) -> int:
    """Return the own pawn that makes the hit, where there is a refuge."""
    return candidate >> HITTER_AT


@kernel
def encode_hit(hitter: int, pawn: int, refuge: int) -> int:
    """Return the part of a candidate that tells the hit."""
    return 1 << (HITS_AT + pawn) | (refuge + 1) << REFUGE_AT | hitter << HITTER_AT


@kernel
def apply_candidate(state: State, candidate: int) -> None:
    """Make a candidate, as its actions would. Mutates `state`; then the turn or the game is over.

    A candidate of the solver of endings can't be made if it has hits.
    """
    worker = worker_of(candidate)
    tile = tile_of(candidate)
    site = site_of(candidate)
    if card_of(candidate) != NO_CARD:
        play_card(state, card_of(candidate))
    if hits_of(candidate):
        state.pawn[lowest_bit(hits_of(candidate))] = refuge_of(candidate)
    for kind in range(3):
        state.pawn[3 * state.seat + kind] = cell_of(candidate, kind)
    state.steps = 0
    state.shifted = 0
    if tile != NO_TILE:
        dig(state, (digger_of(candidate) - 1) * CELLS + tile)
    if site != NO_SITE:
        build(state, (worker - 1) * len(SITE_MASK) + site)
    else:
        end_turn(state)


@kernel
def steps_left(state: State) -> int:
    """Return the steps that the seat to move has for the rest of its turn."""
    if state.phase == CARD:
        return STEPS
    return state.steps
