"""Views, determinization and score sheet of Schlossgarten.

What a viewer may know is decided in `writing` (views and moves) and in `position` (`conceal`, the text of a position);
here are the types of what these write.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Literal

import msgspec

from bosquet.core.positions.position import packed_sizes
from bosquet.core.rng import Rng
from bosquet.core.state import CHANCE, NOBODY
from bosquet.core.view import Move, Sheet, View
from bosquet.core.view_texts import decoded, decoded_sheet
from bosquet.kernels.bits import mask_of, members

from .board import (
    ELEMENTS,
    GRID,
    PAWNS,
    State,
)
from .constellations import CARDS
from .notation import SITE_OF
from .position import PHASES, lay_unseen
from .rules import (
    determinize_in_place,
    new_state,
)

Kind = Literal["card", "step", "jump", "shift", "hit", "stop", "dig", "build", "end"]
"""What sort of move it is."""


# --- View ------------------------------------------------------------------------------------------------------


class Element(msgspec.Struct, frozen=True, kw_only=True):
    """An element in the garden."""

    seat: int
    worker: str
    """G or A: the kind of subject that builds it."""
    size: int
    cells: list[str]


class SchlossgartenMove(Move, frozen=True, kw_only=True):
    """A move of a turn. `piece` is the number of the card, the element that is built (G3), or the pawn at work."""

    kind: Kind
    points: int | None = None
    pawn: str | None = None
    """The pawn that goes or works."""
    refuge: str | None = None
    """Where the subject goes that is hit."""


class Rotation(msgspec.Struct, frozen=True, kw_only=True):
    """The played card in one of its four rotations, with its king on the king of the seat to move."""

    cells: dict[str, str]
    """Where each mark falls, without those that fall outside the garden."""
    placed: list[str]
    """The marks on which such a pawn stands, of any seat."""


class SchlossgartenView(View, frozen=True, kw_only=True):
    """What a seat may know of a game of Schlossgarten."""

    AIDS: ClassVar[tuple[str, ...]] = ("standing", "rotations")

    values: list[int]
    """Values of all tiles, cells a1 b1 … g7. They stay known when a tile is turned over or kept."""
    up: list[str]
    excavations: list[str]
    elements: list[Element]
    pawns: list[list[str]]
    """[seat]: cells of king, gardener and architect."""
    kept: list[list[str]]
    """[seat]: cells whose tiles it keeps."""
    hand: list[int] | None
    hand_sizes: list[int]
    played: int | None
    steps_left: int
    shifted: list[str]
    standing: list[str]
    """Subjects (G, A) of the seat to move that stand in a figure of the played card and may still work."""
    rotations: list[Rotation]
    """[quarter turns clockwise]: the played card in the garden; [] before a card is played."""
    worker: str | None
    """The subject that has dug in the current turn. With the option `work` at `each`, both in `standing` may build."""
    pile: int
    discard: list[int]
    """Cards played since the last shuffle."""
    held_over: list[int]
    """Cards that were in hands at the last shuffle. They are public, since all other cards lay face up."""
    may_hold: list[list[int]]
    """[seat]: public candidates for the card that it held at a shuffle; [] once it has played that card."""
    turn: int
    """Turns ended so far, of all seats."""
    round: int
    goal: int
    """Points with which a seat wins at once."""
    box: dict[str, Any]
    """What differs from the house box: `deck`, `tiles` and `starts`, as in the deal of a record."""
    moves: list[SchlossgartenMove]


def view(state: State, viewer: int | None) -> SchlossgartenView:
    """Return all that a seat, or a spectator (None), may know."""
    return decoded(__package__, SchlossgartenView, state, viewer)


# --- Determinization -------------------------------------------------------------------------------------------


def determinize(view: SchlossgartenView, rng: Rng) -> State:
    """Return a state consistent with all that the viewer has seen, uniform over hands and pile.

    A card that was in a hand at a shuffle stays there until it is played; all other cards in hands were drawn from the
    new pile.
    """
    state = position_of(view)
    determinize_in_place(state, -1 if view.viewer is None else view.viewer, rng.state)
    return state


def position_of(view: SchlossgartenView) -> State:
    """Return the position that a view shows, as `position.conceal` makes it of the state."""
    state = _open_state(view)
    if view.viewer is not None:
        state.hand[view.viewer] = mask_of(card - 1 for card in view.hand or [])
    lay_unseen(state, packed_sizes(view.hand_sizes))
    return state


def _open_state(view: SchlossgartenView) -> State:
    """Return a state that holds the public information of a view, without hands and pile."""
    state = new_state(view.options, view.box)
    state.phase = PHASES.index(view.phase)
    state.seat = CHANCE if view.phase == "pile" else NOBODY if view.seat is None else view.seat
    state.turn = view.turn
    state.played = -1 if view.played is None else view.played - 1
    state.steps = view.steps_left
    state.shifted = mask_of(PAWNS.index(mark) for mark in view.shifted)
    state.worker = -1 if view.worker is None else PAWNS.index(view.worker)
    state.pile_end = CARDS - len(view.held_over)
    state.pile_at = state.pile_end - view.pile
    state.landscape = list(view.values)
    state.pawn = [-1] * len(state.pawn)
    for seat, cells in enumerate(view.pawns):
        state.pawn[3 * seat : 3 * seat + 3] = [GRID.cell_of[cell] for cell in cells]
    state.element = [-1] * len(state.element)
    for element in view.elements:
        site = tuple(GRID.cell_of[cell] for cell in element.cells)
        kind = 3 * (PAWNS.index(element.worker) - 1) + element.size - 1
        state.element[ELEMENTS * element.seat + kind] = SITE_OF[site]
        state.own[element.seat] |= mask_of(site)
    for seat, cells in enumerate(view.kept):
        state.kept[seat] = GRID.mask_of_names(cells)
        state.tile_points[seat] = sum(view.values[cell] for cell in members(state.kept[seat]))
    state.up = GRID.mask_of_names(view.up)
    state.dug = GRID.mask_of_names(view.excavations)
    state.discard = mask_of(card - 1 for card in view.discard)
    state.held_over = mask_of(card - 1 for card in view.held_over)
    for seat, cards in enumerate(view.may_hold):
        state.may_hold[seat] = mask_of(card - 1 for card in cards)
    return state


# --- Score sheet -----------------------------------------------------------------------------------------------


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Return the score sheet: the tiles that each seat keeps and its elements in the garden. 4.6"""
    return decoded_sheet(__package__, state, ())
