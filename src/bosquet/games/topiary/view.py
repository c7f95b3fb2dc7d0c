"""Views, score sheet and determinization of Topiary.

What a viewer may know is decided in `writing` (views and moves) and in `position` (`conceal`, the text of a position);
here are the types of what these write.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

import msgspec

from bosquet.core.positions.position import packed_sizes
from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY
from bosquet.core.view import Move, Sheet, View
from bosquet.core.view_texts import decoded, decoded_revealed, decoded_sheet
from bosquet.kernels.bits import mask_of

from .notation import LINE_OF, TILE_OF
from .position import PHASES, lay_unseen
from .rules import ALL_LINES, GRID, TYPES, State, determinize_in_place, new_state

# --- View ------------------------------------------------------------------------------------------------------


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """What a visitor on a line sees now."""

    line: str
    seen: list[str]
    """Cells whose tiles it sees, nearest first."""
    blocked: dict[str, str]
    """Cells of face-up tiles that it does not see, each with the cell of the tile that hides it."""
    points: int
    bonus: int
    """Part of the points: the bonus for types of which it sees at least two."""


class Visitor(Sight, frozen=True, kw_only=True):
    """A visitor in the garden."""

    seat: int
    cell: str
    """The cell at which its line begins."""
    heading: str
    """The direction in which it looks."""


class TopiaryMove(Move, frozen=True, kw_only=True):
    """A move in the garden, or the draft. `piece` is the tile that is put."""

    ASSISTANCE: ClassVar[tuple[str, ...]] = ("points", "sight")

    kind: Literal["keep", "line", "take", "pass", "put"]
    sight: Sight | None = None
    """For a line, what a visitor there would see now."""
    kept: list[str] = msgspec.field(default_factory=list)
    """The tiles that are kept in the draft."""


class TopiaryView(View, frozen=True, kw_only=True):
    """What a seat may know of a game of Topiary."""

    garden: list[str | None]
    """Cells a1 b1 … e5: the face-up tile, None for a face-down tile, "" for the gap of the current turn."""
    visitors: list[Visitor]
    visitors_left: list[int]
    removed: str | None
    hand: list[str] | None
    """The viewer's tiles; None for a spectator."""
    hand_sizes: list[int]
    hands: list[list[str]] | None
    """The tiles of each seat; None until the game is over."""
    put: list[list[str]]
    """The tiles that each seat put into the garden."""
    passed: list[str]
    """The tiles that the viewer passed on in the draft."""
    received: list[str]
    """The tiles that were passed to the viewer in the draft."""
    line: str | None
    gap: str | None
    moves: list[TopiaryMove]


def view(state: State, viewer: int | None) -> TopiaryView:
    """Return all that a seat, or a spectator (None), may know."""
    return decoded(__package__, TopiaryView, state, viewer)


def revealed(state: State) -> dict[str, str]:
    """Return the face-down tiles by cell."""
    return decoded_revealed(__package__, state)


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Return the score sheet: tiles and bonuses of each visitor, and the tiles in hand. 4.2-4.4"""
    return decoded_sheet(__package__, state, plies)


# --- Determinization -------------------------------------------------------------------------------------------


def determinize(view: TopiaryView, rng: Rng) -> State:
    """Return a state consistent with all that the viewer has seen, uniform over the places of the unseen tiles."""
    state = position_of(view)
    determinize_in_place(state, -1 if view.viewer is None else view.viewer, rng.state)
    return state


def position_of(view: TopiaryView) -> State:
    """Return the position that a view shows, as `position.conceal` makes it of the state."""
    state = _open_state(view)
    for seat, hand in enumerate(view.hands or []):
        state.hand[seat] = mask_of(TILE_OF[name] for name in hand)
    if view.viewer is not None:
        state.hand[view.viewer] = mask_of(TILE_OF[name] for name in view.hand or [])
        state.passed[view.viewer] = mask_of(TILE_OF[name] for name in view.passed)
        if view.received:
            state.passed[view.viewer + 1] = mask_of(TILE_OF[name] for name in view.received)
    lay_unseen(state, packed_sizes(view.hand_sizes))
    return state


def _open_state(view: TopiaryView) -> State:
    """Return a state that holds the public information of a view, without the hidden tiles."""
    state = new_state(view.options)
    state.seat = NOBODY if view.seat is None else view.seat
    state.phase = PHASES.index(view.phase)
    state.removed = -1 if view.removed is None else TYPES.index(view.removed)
    state.line = -1 if view.line is None else LINE_OF[view.line]
    state.gap = -1 if view.gap is None else GRID.cell_of[view.gap]
    for cell, name in enumerate(view.garden):
        if name is None:
            state.down |= 1 << cell
        elif name:
            state.up |= 1 << cell
            state.tiles[cell] = TILE_OF[name]
    for visitor in view.visitors:
        state.visitors[visitor.seat] |= 1 << LINE_OF[visitor.line]
    state.free = ALL_LINES & ~(state.visitors[0] | state.visitors[1] | state.visitors[2] | state.visitors[3])
    state.placed = len(view.visitors)
    state.put = [mask_of(TILE_OF[name] for name in put) for put in view.put] + [0] * (4 - state.players)
    return state
