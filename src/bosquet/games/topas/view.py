"""Views, determinization and score sheet of Topas.

What a viewer may know is decided in `writing` (views and moves) and in `position` (`conceal`, the text of a position);
here are the types of what these write.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import msgspec

from bosquet.core.positions.position import packed_sizes
from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY
from bosquet.core.view import Move, Sheet, View
from bosquet.core.view_texts import decoded, decoded_sheet
from bosquet.kernels.bits import mask_of

from .notation import CARD_OF
from .position import PHASES, lay_unseen
from .rules import (
    COLUMNS,
    DECK,
    HEADINGS,
    PLACES,
    SQUARES,
    State,
    clear_table,
    determinize_in_place,
    lay,
    new_state,
    square,
)

MOVES_ARE_OPEN = True
"""Everybody may know all of a placement."""


# --- View ------------------------------------------------------------------------------------------------------


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A row of one colour."""

    colour: str
    gems: int
    cells: list[str]


class Laid(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the table: the square of its first half and the heading to its second."""

    card: str
    x: int
    y: int
    heading: str
    seat: int | None
    """The seat that laid it; None for the card that started the table."""


class Shut(msgspec.Struct, frozen=True, kw_only=True):
    """An empty square with a limit on one colour, since a row may hold seven gems at most."""

    cell: str
    colour: str
    fits: int
    """The largest number of gems of this colour that may lie there, 0 to 2."""


class TopasMove(Move, frozen=True, kw_only=True):
    """A placement with the rows that it would score. Its first cell is the square of the card's first half."""

    ASSISTANCE: ClassVar[tuple[str, ...]] = ("points", "rows")

    piece: str
    """The card."""
    heading: str
    points: int | None = None
    rows: list[Row] | None = None


class Forbidden(msgspec.Struct, frozen=True, kw_only=True):
    """A placement of a card in hand that is not legal because of a row of more than seven gems. 3.2"""

    piece: str
    heading: str
    cells: list[str]
    row: Row


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """The card that was laid last on this table, with the rows that it scored."""

    cells: list[str]
    rows: list[Row]
    points: int


class TopasView(View, frozen=True, kw_only=True):
    """What a seat may know of a game of Topas."""

    OFFERS: ClassVar[tuple[str, ...]] = ("moves", "forbidden")
    AIDS: ClassVar[tuple[str, ...]] = ("shut",)

    table: list[Laid]
    """Cards in the order in which they were laid."""
    latest: Scored | None
    """The card that was laid last; None if no seat has laid one on this table."""
    shut: list[Shut]
    hand: list[str] | None
    """The viewer's cards; None for a spectator. In solitaire the card to be laid, which spectators see, too."""
    hand_sizes: list[int]
    pile: int
    """Cards left in the pile."""
    turns_left: int
    """Number of cards that all seats together have still to lay on this table."""
    columns: list[int]
    """Solitaire: points of the finished columns."""
    gone: list[str]
    """Solitaire: cards of the finished tables."""
    moves: list[TopasMove]
    forbidden: list[Forbidden]
    """Of the cards that the viewer could lay now."""


def view(state: State, viewer: int | None) -> TopasView:
    """Return all that a seat, or a spectator (None), may know."""
    return decoded(__package__, TopasView, state, viewer)


# --- Determinization -------------------------------------------------------------------------------------------


def determinize(view: TopasView, rng: Rng) -> State:
    """Return a state consistent with all that the viewer has seen, uniform over hands and pile."""
    state = position_of(view)
    determinize_in_place(state, -1 if view.viewer is None else view.viewer, rng.state)
    return state


def position_of(view: TopasView) -> State:
    """Return the position that a view shows, as `position.conceal` makes it of the state."""
    state = new_state(view.options)
    clear_table(state)
    for card in view.table:
        action = CARD_OF[card.card] * PLACES + HEADINGS.index(card.heading) * SQUARES + square(card.x, card.y)
        lay(state, action)
    state.phase = PHASES.index(view.phase)
    state.seat = NOBODY if view.seat is None else view.seat
    state.drawn = DECK - view.pile
    state.column = len(view.columns)
    state.columns = view.columns + [0] * (COLUMNS - len(view.columns))
    state.gone = mask_of(CARD_OF[name] for name in view.gone)
    if view.players > 1:
        state.points = (view.scores or []) + [0] * (4 - state.players)
    else:
        state.points[0] = view.columns[-1] if view.over else (view.scores or [0])[0]
    holder = 0 if state.players == 1 else view.viewer
    if holder is not None:
        state.hand[holder] = mask_of(CARD_OF[name] for name in view.hand or [])
    lay_unseen(state, packed_sizes(view.hand_sizes))
    return state


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Return the score sheet: the rows of each placement and the gems in them. 3.3, 3.4"""
    return decoded_sheet(__package__, state, plies)
