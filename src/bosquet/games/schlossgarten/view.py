"""Views, determinization and score sheet of Schlossgarten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal

import msgspec

from bosquet.core.position import packed_sizes
from bosquet.core.rng import Rng
from bosquet.core.state import CHANCE, NOBODY
from bosquet.core.view import Entry, Move, Sheet, View
from bosquet.kernels.bits import count_bits, mask_of, members

from .board import (
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
from .box import Box, write_box
from .constellations import CARDS, OFFSETS
from .notation import SITE_OF, numbers_of, to_notation
from .position import PHASES, lay_unseen
from .rules import (
    NAME,
    _points,
    determinize_in_place,
    legal,
    new_state,
    options_of,
    play,
    score,
    standing,
    winners,
)
from .walking import step_of

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
    public = _spectator_view(state)
    if viewer is None:
        return public
    moves = [0] * MAX_MOVES
    return seat_view(public, state, viewer, moves[: legal(state, moves)] if viewer == state.seat else ())


def seat_view(public: SchlossgartenView, state: State, seat: int, actions: Sequence[int]) -> SchlossgartenView:
    """Return the view of a seat, given the spectator's view; `actions` are listed as its moves."""
    return msgspec.structs.replace(
        public,
        viewer=seat,
        hand=numbers_of(state.hand[seat]),
        moves=[move_data(state, action, seat) for action in actions],
    )


def _spectator_view(state: State) -> SchlossgartenView:
    """Return the view of a spectator."""
    over = state.phase == OVER
    seats = range(state.players)
    in_move = state.phase == MOVE
    workers = standing(state) if state.phase in (MOVE, WORK) or (state.phase == BUILD and state.each_works) else 0
    return SchlossgartenView(
        game=NAME,
        options=options_of(state),
        viewer=None,
        seat=state.seat if state.seat >= 0 else None,
        over=over,
        phase=PHASES[state.phase],
        scores=_points(state),
        winners=list(members(winners(state))) if over else [],
        values=list(state.landscape),
        up=GRID.names_of(state.up),
        excavations=GRID.names_of(state.dug),
        elements=_elements(state),
        pawns=[[GRID.names[cell] for cell in state.pawn[3 * seat : 3 * seat + 3]] for seat in seats],
        kept=[GRID.names_of(state.kept[seat]) for seat in seats],
        hand=None,
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
        moves=[],
    )


def _rotations(state: State) -> list[Rotation]:
    """Return the played card in its four rotations. 4.1"""
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
    """Return an action about to be made as data; everybody may know all of it."""
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
        scores=_points(state),
        winners=list(members(winners(state))) if state.phase == OVER else [],
    )
