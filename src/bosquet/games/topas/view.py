"""Views, determinization and score sheet of Topas."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar

import msgspec

from bosquet.core.position import packed_sizes
from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY
from bosquet.core.view import Entry, Move, Part, Sheet, View
from bosquet.kernels.bits import count_bits, mask_of, members

from .notation import CARD_OF, _written, cards_of, cell_name, row_through, to_notation
from .position import PHASES, lay_unseen
from .rules import (
    COLOUR,
    COLOURS,
    COLUMNS,
    DECK,
    GEMS,
    HALVES,
    HEADINGS,
    LAST,
    MAX_MOVES,
    NAME,
    NAMES,
    OVER,
    PLACES,
    SQUARES,
    STEP,
    TURNS,
    State,
    card_of,
    clear_table,
    determinize_in_place,
    east_of,
    heading_of,
    lay,
    legal,
    neighbour,
    new_state,
    north_of,
    scores,
    square,
    square_of,
    winners,
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
    public = _spectator_view(state)
    if viewer is None:
        return public
    moves = [0] * MAX_MOVES
    return seat_view(public, state, viewer, moves[: legal(state, moves)] if viewer == state.seat else ())


def seat_view(public: TopasView, state: State, seat: int, actions: Sequence[int]) -> TopasView:
    """Return what a seat sees besides a spectator; `actions` are listed as its moves."""
    return msgspec.structs.replace(
        public,
        viewer=seat,
        hand=cards_of(state.hand[seat]),
        moves=_view_moves(state, actions) if actions else [],
        forbidden=list(_forbidden(state)) if actions else [],
    )


def _spectator_view(state: State) -> TopasView:
    """Return the view of a spectator."""
    over = state.phase == OVER
    points = [0] * 4
    scores(state, points)
    return TopasView(
        game=NAME,
        options={"players": state.players, "expert": bool(state.expert)},
        viewer=None,
        seat=state.seat if state.seat >= 0 else None,
        over=over,
        phase=PHASES[state.phase],
        scores=points[: state.players],
        winners=list(members(winners(state))) if over else [],
        table=[_laid(state, turn) for turn in range(state.turn + 1)],
        latest=_scored(state) if state.turn > 0 else None,
        shut=[
            Shut(cell=cell_name(state, at), colour=colour, fits=3 - out)
            for at in _limited(state)
            for i, colour in enumerate(COLOURS)
            if (out := -state.squares[at] >> 2 * i & 3)
        ],
        hand=cards_of(state.hand[0]) if state.players == 1 else None,
        hand_sizes=[count_bits(state.hand[seat]) for seat in range(state.players)],
        pile=DECK - state.drawn,
        turns_left=TURNS * state.players - state.turn,
        columns=list(state.columns[: state.column]),
        gone=cards_of(state.gone),
        moves=[],
        forbidden=[],
    )


def _limited(state: State) -> Iterator[int]:
    """Yield the empty squares with a limit, row by row."""
    for y in range(state.bottom - 1, state.top + 2):
        for column in members(state.shut_rows[y & LAST]):
            at = square(state.west + column, y)
            if state.squares[at] < 0:
                yield at


def _laid(state: State, turn: int) -> Laid:
    action = state.laid[turn]
    at = square_of(action)
    seat = (turn - 1) % state.players if turn else None
    return _laid_card(action, east_of(state, at), north_of(state, at), seat)


@functools.lru_cache(1 << 14)
def _laid_card(action: int, x: int, y: int, seat: int | None) -> Laid:
    return Laid(card=NAMES[card_of(action)], x=x, y=y, heading=HEADINGS[heading_of(action)], seat=seat)


def _view_moves(state: State, actions: Sequence[int]) -> list[TopasMove]:
    """Return placements with their rows. The rows of a half on a square are computed once for all placements."""
    name = functools.cache(functools.partial(cell_name, state))
    rows_through = functools.cache(functools.partial(_rows_through, state))
    return [_move(state, action, name, rows_through) for action in actions]


def move_data(state: State, action: int, viewer: int | None) -> TopasMove:
    """Return a placement as data; everybody may know all of it."""
    return _move(state, action, functools.partial(cell_name, state), functools.partial(_rows_through, state))


def _move(
    state: State, action: int, name: Callable[[int], str], rows_through: Callable[[int, int], list[Row]]
) -> TopasMove:
    at = square_of(action)
    heading = heading_of(action)
    other = neighbour(at, heading)
    card = card_of(action)
    first, second = HALVES[card]
    rows = [*rows_through(first, at), *rows_through(second, other)]
    return TopasMove(
        say=_written(action, name(at)),
        piece=NAMES[card],
        cells=[name(at), name(other)],
        heading=HEADINGS[heading],
        points=_worth(state, rows) if rows else 0,
        rows=rows,
    )


def _forbidden(state: State) -> Iterator[Forbidden]:
    """Yield every placement of a card in hand that would make a row with too many gems."""
    for at in _limited(state):
        for card in members(state.hand[state.seat]):
            yield from _forbidden_at(state, card, at)


def _forbidden_at(state: State, card: int, at: int) -> Iterator[Forbidden]:
    """Yield the placements of a card with a half on this square where that half has too many gems."""
    for place, half in enumerate(HALVES[card]):
        fits = 3 - (-state.squares[at] >> 2 * COLOUR[half] & 3)
        if GEMS[half] <= fits:
            continue
        row = max(_rows_through(state, half, at), key=lambda row: row.gems)
        for heading, name in enumerate(HEADINGS):
            first, second = at, at
            if place:
                first = (at - STEP[heading]) & (SQUARES - 1)
            else:
                second = neighbour(at, heading)
            if state.squares[first] <= 0 and state.squares[second] <= 0:
                cells = [cell_name(state, first), cell_name(state, second)]
                yield Forbidden(piece=NAMES[card], heading=name, cells=cells, row=row)


def _scored(state: State) -> Scored:
    """Return the card that was laid last, with its rows. 3.3"""
    action = state.laid[state.turn]
    rows = rows_of(state, action)
    at = square_of(action)
    cells = [cell_name(state, at), cell_name(state, neighbour(at, heading_of(action)))]
    return Scored(cells=cells, rows=rows, points=_worth(state, rows) if rows else 0)


def _worth(state: State, rows: list[Row]) -> int:
    """Return the points of one or more rows. 3.4"""
    return math.prod([row.gems for row in rows]) if state.expert else sum([row.gems for row in rows])


def rows_of(state: State, action: int) -> list[Row]:
    """Return the rows that a placement would score. 3.3"""
    at = square_of(action)
    first, second = HALVES[card_of(action)]
    return _rows_through(state, first, at) + _rows_through(state, second, neighbour(at, heading_of(action)))


def _rows_through(state: State, half: int, at: int) -> list[Row]:
    """Return the rows through one half of a card on a square. The other half does not matter: its colour differs."""
    rows = []
    for step in STEP[:2]:
        gems, cells = row_through(state, half, at, step)
        if len(cells) > 1:
            rows.append(Row(colour=COLOURS[COLOUR[half]], gems=gems, cells=cells))
    return rows


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


# --- Score sheet -----------------------------------------------------------------------------------------------


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Return the score sheet: the rows of each placement and the gems in them. 3.3, 3.4"""
    points = [0] * 4
    scores(state, points)
    return Sheet(
        game=NAME,
        entries=[_entry(before, action) for before, action in plies],
        scores=points[: state.players],
        winners=list(members(winners(state))) if state.phase == OVER else [],
        columns=list(state.columns[: state.column]) if state.players == 1 else [],
    )


def _entry(state: State, action: int) -> Entry:
    at, heading = square_of(action), heading_of(action)
    cells = [cell_name(state, at), cell_name(state, neighbour(at, heading))]
    rows = rows_of(state, action)
    return Entry(
        seat=state.seat,
        kind="placement" if state.players > 1 else f"column {state.column + 1}",
        name=to_notation(state, action),
        points=_worth(state, rows) if rows else 0,
        cells=cells,
        parts=[Part(kind="row", name=row.colour, points=row.gems, cells=row.cells) for row in rows],
        combine="product" if state.expert else "sum",
        piece=NAMES[card_of(action)],
        cell=cells[0],
        heading=HEADINGS[heading],
    )
