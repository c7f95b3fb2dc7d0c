"""Views, moves and score sheets of Schlossgarten, worked out as typed data: the oracle of what `writing` writes."""

from __future__ import annotations

from collections.abc import Iterable

from bosquet.core.view import Entry, Sheet
from bosquet.games.schlossgarten.board import (
    BUILD,
    CELLS,
    ELEMENTS,
    FIRST_BUILD,
    FIRST_DIG,
    FIRST_STEP,
    GRID,
    MAX_MOVES,
    MOVE,
    NEAR,
    NO_HIT,
    OVER,
    PAWNS,
    ROTATIONS,
    ROUND_LIMIT,
    SITES,
    STOP,
    WINNING_POINTS,
    WORK,
    State,
    element_at,
    figure_cell,
    subjects,
)
from bosquet.games.schlossgarten.box import Box
from bosquet.games.schlossgarten.constellations import CARDS, OFFSETS
from bosquet.games.schlossgarten.notation import to_notation
from bosquet.games.schlossgarten.position import PHASES
from bosquet.games.schlossgarten.rules import (
    NAME,
    legal,
    options_of,
    play,
    score,
    standing,
    winners,
)
from bosquet.games.schlossgarten.view import Element, Kind, Rotation, SchlossgartenMove, SchlossgartenView
from bosquet.games.schlossgarten.walking import step_of
from bosquet.kernels.bits import count_bits, members
from tests.plain.schlossgarten_box import write_box

# --- View ------------------------------------------------------------------------------------------------------


def view(state: State, viewer: int | None) -> SchlossgartenView:
    """All that a seat, or a spectator (None), may know."""
    moves = [0] * MAX_MOVES
    n = legal(state, moves) if viewer is not None and viewer == state.seat else 0
    over = state.phase == OVER
    seats = range(state.players)
    in_move = state.phase == MOVE
    workers = standing(state) if state.phase in (MOVE, WORK) or (state.phase == BUILD and state.each_works) else 0
    return SchlossgartenView(
        game=NAME,
        options=options_of(state),
        viewer=viewer,
        seat=state.seat if state.seat >= 0 else None,
        over=over,
        phase=PHASES[state.phase],
        scores=[score(state, seat) for seat in seats],
        winners=list(members(winners(state))) if over else [],
        values=list(state.landscape),
        up=GRID.names_of(state.up),
        excavations=GRID.names_of(state.dug),
        elements=_elements(state),
        pawns=[[GRID.names[cell] for cell in state.pawn[3 * seat : 3 * seat + 3]] for seat in seats],
        kept=[GRID.names_of(state.kept[seat]) for seat in seats],
        hand=None if viewer is None else numbers_of(state.hand[viewer]),
        hand_sizes=[count_bits(state.hand[seat]) for seat in seats],
        played=None if state.played < 0 else state.played + 1,
        steps_left=state.steps if in_move else 0,
        shifted=[mark for kind, mark in enumerate(PAWNS) if in_move and state.shifted >> kind & 1],
        standing=[PAWNS[kind] for kind in members(workers)],
        rotations=_rotations(state) if state.played >= 0 and state.seat >= 0 else [],
        worker=PAWNS[state.worker] if state.phase == BUILD else None,
        pile=state.pile_end - state.pile_at,
        discard=numbers_of(state.discard),
        held_over=numbers_of(state.held_over),
        may_hold=[numbers_of(state.may_hold[seat]) for seat in seats],
        turn=state.turn,
        round=min(state.turn // state.players + 1, ROUND_LIMIT),
        goal=WINNING_POINTS,
        box=write_box(Box(state.pattern, state.tiles, state.start), state.players),
        moves=[move_data(state, action, viewer) for action in moves[:n]],
    )


def _rotations(state: State) -> list[Rotation]:
    """The played card in its four rotations. 4.1"""
    king = state.pawn[3 * state.seat]
    pattern = state.pattern[state.played]
    there = [subjects(state, kind) for kind in range(len(PAWNS))]
    found = []
    for turn in range(ROTATIONS):
        fallen = (king, *(figure_cell(king, turn, part) for part in divmod(pattern, OFFSETS)))
        cells = {PAWNS[kind]: GRID.names[cell] for kind, cell in enumerate(fallen) if cell >= 0}
        placed = [PAWNS[kind] for kind, cell in enumerate(fallen) if cell >= 0 and there[kind] >> cell & 1]
        found.append(Rotation(cells=cells, placed=placed))
    return found


def _elements(state: State) -> list[Element]:
    return [
        Element(
            seat=i // ELEMENTS,
            worker=PAWNS[i % ELEMENTS // 3 + 1],
            size=i % 3 + 1,
            cells=[GRID.names[cell] for cell in SITES[state.element[i]]],
        )
        for i in range(ELEMENTS * state.players)
        if state.element[i] >= 0
    ]


def move_data(state: State, action: int, viewer: int | None) -> SchlossgartenMove:
    """An action about to be made as data; everybody may know all of it."""
    text = to_notation(state, action)
    if action < FIRST_STEP:
        kind: Kind = "card" if action < CARDS else "stop" if action == STOP else "end"
        card = str(action + 1) if action < CARDS else None
        return SchlossgartenMove(say=text, kind=kind, piece=card, cells=[], points=0)
    if action < FIRST_DIG:
        pawn, cell, refuge = step_of(action)
        at = state.pawn[3 * state.seat + pawn]
        kind = "step" if NEAR[at] >> cell & 1 else "jump"
        if element_at(state, state.seat, at) >> cell & 1:
            kind = "shift"
        if refuge != NO_HIT:
            kind = "hit"
        return SchlossgartenMove(
            say=text,
            kind=kind,
            piece=PAWNS[pawn],
            cells=[GRID.names[cell]],
            to=GRID.names[cell],
            points=0,
            pawn=PAWNS[pawn],
            refuge=GRID.names[refuge] if refuge != NO_HIT else None,
        )
    if action < FIRST_BUILD:
        worker, cell = divmod(action - FIRST_DIG, CELLS)
        mark = PAWNS[worker + 1]
        return SchlossgartenMove(say=text, kind="dig", piece=mark, cells=[GRID.names[cell]], points=0, pawn=mark)
    worker, site = divmod(action - FIRST_BUILD, len(SITES))
    after = state.copy()
    play(after, action)
    gain = score(after, state.seat) - score(state, state.seat)
    cells = [GRID.names[cell] for cell in SITES[site]]
    mark = PAWNS[worker + 1]
    return SchlossgartenMove(say=text, kind="build", piece=f"{mark}{len(cells)}", cells=cells, points=gain, pawn=mark)


# --- Score sheet -----------------------------------------------------------------------------------------------


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """The score sheet: the tiles that each seat keeps and its elements in the garden. 4.6"""
    entries = []
    for seat in range(state.players):
        for cell in members(state.kept[seat]):
            name = GRID.names[cell]
            points = state.landscape[cell]
            entries.append(Entry(seat=seat, kind="tile", name=name, points=points, cells=[name], cell=name))
        for element in _elements(state):
            if element.seat == seat:
                name = f"{element.worker}{element.size}"
                entries.append(
                    Entry(
                        seat=seat,
                        kind="element",
                        name=name,
                        points=element.size,
                        cells=element.cells,
                        piece=name,
                    )
                )
    return Sheet(
        game=NAME,
        entries=entries,
        scores=[score(state, seat) for seat in range(state.players)],
        winners=list(members(winners(state))) if state.phase == OVER else [],
    )


def numbers_of(mask: int) -> list[int]:
    """Return the numbers of a set of cards in ascending order."""
    return [card + 1 for card in members(mask)]
