"""Views, moves and score sheets of Topas, worked out as typed data: the oracle of what `topas.writing` writes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from bosquet.core.view import Entry, Part, Sheet
from bosquet.games.topas.notation import cards_of, cell_name, to_notation
from bosquet.games.topas.position import PHASES
from bosquet.games.topas.rules import (
    COLOUR,
    COLOURS,
    DECK,
    GEMS,
    HALVES,
    HEADINGS,
    LAST,
    MAX_MOVES,
    NAME,
    NAMES,
    OVER,
    ROW_LIMIT,
    SQUARES,
    STEP,
    TURNS,
    State,
    card_of,
    east_of,
    heading_of,
    is_covered,
    legal,
    neighbour,
    north_of,
    run,
    scores,
    square,
    square_of,
    winners,
)
from bosquet.games.topas.view import Forbidden, Laid, Row, Scored, Shut, TopasMove, TopasView
from bosquet.kernels.bits import count_bits, members

# --- View ------------------------------------------------------------------------------------------------------


def view(state: State, viewer: int | None) -> TopasView:
    """All that a seat, or a spectator (None), may know."""
    over = state.phase == OVER
    points = [0] * 4
    scores(state, points)
    actions = [0] * MAX_MOVES
    n = legal(state, actions) if viewer is not None and viewer == state.seat else 0
    holder = 0 if state.players == 1 else viewer
    return TopasView(
        game=NAME,
        options={"players": state.players, "expert": bool(state.expert)},
        viewer=viewer,
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
            if (out := 3 - _room(state, at, i))
        ],
        hand=None if holder is None else cards_of(state.hand[holder]),
        hand_sizes=[count_bits(state.hand[seat]) for seat in range(state.players)],
        pile=DECK - state.drawn,
        turns_left=TURNS * state.players - state.turn,
        columns=list(state.columns[: state.column]),
        gone=cards_of(state.gone),
        moves=[move_data(state, action, viewer) for action in actions[:n]],
        forbidden=list(_forbidden(state)) if n else [],
    )


def _limited(state: State) -> Iterator[int]:
    """Yield the empty squares with a limit, row by row."""
    for y in range(state.bottom - 1, state.top + 2):
        for column in members(state.shut_rows[y & LAST]):
            at = square(state.west + column, y)
            if not is_covered(state, at):
                yield at


def _room(state: State, at: int, colour: int) -> int:
    """How many gems of a colour may lie on an empty square. 3.2"""
    half = COLOUR.index(colour)
    longest = max(row_through(state, half, at, step)[0] - GEMS[half] for step in STEP[:2])
    return max(0, min(3, ROW_LIMIT - longest))


def _laid(state: State, turn: int) -> Laid:
    action = state.laid[turn]
    at = square_of(action)
    return Laid(
        card=NAMES[card_of(action)],
        x=east_of(state, at),
        y=north_of(state, at),
        heading=HEADINGS[heading_of(action)],
        seat=(turn - 1) % state.players if turn else None,
    )


def move_data(state: State, action: int, viewer: int | None) -> TopasMove:
    """A placement as data; everybody may know all of it."""
    at = square_of(action)
    rows = rows_of(state, action)
    return TopasMove(
        say=to_notation(state, action),
        piece=NAMES[card_of(action)],
        cells=[cell_name(state, at), cell_name(state, neighbour(at, heading_of(action)))],
        heading=HEADINGS[heading_of(action)],
        points=_worth(state, rows),
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
        if GEMS[half] <= _room(state, at, COLOUR[half]):
            continue
        row = max(_rows_through(state, half, at), key=lambda row: row.gems)
        for heading, name in enumerate(HEADINGS):
            first, second = at, at
            if place:
                first = (at - STEP[heading]) & (SQUARES - 1)
            else:
                second = neighbour(at, heading)
            if not is_covered(state, first) and not is_covered(state, second):
                cells = [cell_name(state, first), cell_name(state, second)]
                yield Forbidden(piece=NAMES[card], heading=name, cells=cells, row=row)


def _scored(state: State) -> Scored:
    """The card that was laid last, with its rows. 3.3"""
    action = state.laid[state.turn]
    rows = rows_of(state, action)
    at = square_of(action)
    cells = [cell_name(state, at), cell_name(state, neighbour(at, heading_of(action)))]
    return Scored(cells=cells, rows=rows, points=_worth(state, rows))


def _worth(state: State, rows: list[Row]) -> int:
    """The points of rows. 3.4"""
    gems = [row.gems for row in rows]
    return math.prod(gems) if state.expert and gems else sum(gems)


def rows_of(state: State, action: int) -> list[Row]:
    """The rows that a placement would score. 3.3"""
    at = square_of(action)
    first, second = HALVES[card_of(action)]
    return _rows_through(state, first, at) + _rows_through(state, second, neighbour(at, heading_of(action)))


def _rows_through(state: State, half: int, at: int) -> list[Row]:
    """The rows through one half of a card on a square. The other half does not matter: its colour differs."""
    rows = []
    for step in STEP[:2]:
        gems, cells = row_through(state, half, at, step)
        if len(cells) > 1:
            rows.append(Row(colour=COLOURS[COLOUR[half]], gems=gems, cells=cells))
    return rows


# --- Score sheet -----------------------------------------------------------------------------------------------


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """The score sheet: the rows of each placement and the gems in them. 3.3, 3.4"""
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
        points=_worth(state, rows),
        cells=cells,
        parts=[Part(kind="row", name=row.colour, points=row.gems, cells=row.cells) for row in rows],
        combine="product" if state.expert else "sum",
        piece=NAMES[card_of(action)],
        cell=cells[0],
        heading=HEADINGS[heading],
    )


def row_through(state: State, half: int, at: int, step: int) -> tuple[int, list[str]]:
    """Return the gems and the squares of the row, in one direction, of half of a card that lies on a square. 3.3"""
    back, start = run(state, COLOUR[half], at, -step)
    ahead, end = run(state, COLOUR[half], at, step)
    cells = []
    cell = (start + step) & (SQUARES - 1)
    while cell != end:
        cells.append(cell_name(state, cell))
        cell = (cell + step) & (SQUARES - 1)
    return GEMS[half] + back + ahead, cells
