"""Views, determinization and score sheet of Topiary."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal

import msgspec

from bosquet.core.position import packed_sizes
from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY
from bosquet.core.view import Entry, Move, Part, Sheet, View
from bosquet.kernels.bits import count_bits, mask_of, members

from .notation import LINE_NAMES, LINE_OF, TILE_NAMES, TILE_OF, observed_action, tiles_of
from .position import PHASES, lay_unseen, received
from .rules import (
    ALL_LINES,
    CELLS,
    DRAFT,
    FIRST_PUT,
    FIRST_TAKE,
    GRID,
    LINE,
    LINE_CELLS,
    LINE_LENGTH,
    LINES,
    MAX_MOVES,
    NAME,
    OVER,
    PASS,
    PUT,
    SIZES,
    TYPES,
    VISITORS,
    State,
    determinize_in_place,
    hand_points,
    legal,
    new_state,
    options_of,
    play,
    score,
    scores,
    seen_by,
    sees,
    visitor_points,
    winners,
)

_LINE_CELL_NAMES = [[GRID.names[cell] for cell in LINE_CELLS[line][: LINE_LENGTH[line]]] for line in range(len(LINES))]


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


def sight_fields(state: State, line: int) -> dict[str, Any]:
    """Return the fields of a Sight. 4.2, 4.3"""
    lying = [state.tiles[cell] if state.up >> cell & 1 else -1 for cell in LINE_CELLS[line][: LINE_LENGTH[line]]]
    return _sight_along(line, tuple(lying))


@functools.lru_cache(1 << 14)
def _sight_along(line: int, lying: tuple[int, ...]) -> dict[str, Any]:
    """Return the fields of a Sight along a line with these face-up tiles; -1 is none. Most lines stay as they are."""
    seen, blocked = [], {}
    tallest, by = -1, ""
    sizes = 0
    tiles = 0
    for cell, tile in zip(LINE_CELLS[line], lying, strict=False):
        if tile >= 0:
            size = tile % SIZES
            if size > tallest:
                tallest, by = size, GRID.names[cell]
                seen.append(by)
                sizes += size + 1
                tiles |= 1 << tile
            else:
                blocked[GRID.names[cell]] = by
    points = visitor_points(tiles)
    return {
        "line": LINE_NAMES[line],
        "seen": seen,
        "blocked": blocked,
        "points": points,
        "bonus": points - sizes,
    }


def view(state: State, viewer: int | None) -> TopiaryView:
    """Return all that a seat, or a spectator (None), may know."""
    public = _spectator_view(state)
    if viewer is None:
        return public
    moves = [0] * MAX_MOVES
    return seat_view(public, state, viewer, moves[: legal(state, moves)] if viewer == state.seat else ())


def seat_view(public: TopiaryView, state: State, seat: int, actions: Sequence[int]) -> TopiaryView:
    """Return the view of a seat, given the spectator's view; `actions` are listed as its moves."""
    return msgspec.structs.replace(
        public,
        viewer=seat,
        hand=tiles_of(state.hand[seat]),
        passed=tiles_of(state.passed[seat]),
        received=tiles_of(received(state, seat)),
        moves=_view_moves(state, actions),
    )


def _spectator_view(state: State) -> TopiaryView:
    """Return the view of a spectator."""
    over = state.phase == OVER
    players = range(state.players)
    points = [0] * 4
    if over:
        scores(state, points)
    return TopiaryView(
        game=NAME,
        options=options_of(state),
        viewer=None,
        seat=state.seat if state.seat >= 0 else None,
        over=over,
        phase=PHASES[state.phase],
        scores=points[: state.players] if over else None,
        winners=list(members(winners(state))) if over else [],
        garden=[_garden_entry(state, cell) for cell in range(CELLS)],
        visitors=[
            Visitor(seat=seat, cell=GRID.names[LINES[line][0]], heading=LINES[line][1], **sight_fields(state, line))
            for line in members(ALL_LINES & ~state.free)
            for seat in players
            if state.visitors[seat] >> line & 1
        ],
        visitors_left=[VISITORS[state.players] - count_bits(state.visitors[seat]) for seat in players],
        removed=None if state.removed < 0 else TYPES[state.removed],
        hand=None,
        hand_sizes=[count_bits(state.hand[seat]) for seat in players],
        hands=[tiles_of(state.hand[seat]) for seat in players] if over else None,
        put=[tiles_of(state.put[seat]) for seat in players],
        passed=[],
        received=[],
        line=None if state.line < 0 else LINE_NAMES[state.line],
        gap=None if state.gap < 0 else GRID.names[state.gap],
        moves=[],
    )


def revealed(state: State) -> dict[str, str]:
    """Return the face-down tiles by cell."""
    return {GRID.names[cell]: TILE_NAMES[state.tiles[cell]] for cell in members(state.down)}


def _garden_entry(state: State, cell: int) -> str | None:
    if state.up >> cell & 1:
        return TILE_NAMES[state.tiles[cell]]
    return None if state.down >> cell & 1 else ""


def _view_moves(state: State, actions: Sequence[int]) -> list[TopiaryMove]:
    """Return the moves of the seat to move as data. What it sees, and scores, is worked out once for all of them."""
    if not actions:
        return []
    if state.phase == LINE:
        mine = _Mine(state)
        return [_line_move(state, action, mine) for action in actions]
    now = score(state, state.seat)
    return [_other_move(state, action, state.seat, now) for action in actions]


def move_data(state: State, action: int, viewer: int | None) -> TopiaryMove:
    """Return an action about to be made as data. What it scores depends on the hand: only the mover knows."""
    mine = viewer == state.seat
    if state.phase == LINE:
        return _line_move(state, action, _Mine(state) if mine else None)
    return _other_move(state, action, viewer, score(state, state.seat) if mine else None)


class _Mine:
    """The hand of the seat to move, the tiles that its visitors see, and what the hand scores by them."""

    def __init__(self, state: State) -> None:
        self.hand = state.hand[state.seat]
        self.seen = seen_by(state, state.seat)
        self.points = hand_points(self.hand, self.seen)

    def gain(self, seen: int) -> int:
        """Return how much more the hand scores if these tiles are seen, too. 4.4"""
        return hand_points(self.hand, self.seen | seen) - self.points


def _line_move(state: State, line: int, mine: _Mine | None) -> TopiaryMove:
    """Return the placement of a visitor as data, with what it scores for whom that is known to."""
    sight = Sight(**sight_fields(state, line))
    return TopiaryMove(
        say=LINE_NAMES[line],
        kind="line",
        cells=_LINE_CELL_NAMES[line],
        heading=LINES[line][1],
        points=None if mine is None else sight.points + mine.gain(sees(state, line)),
        sight=sight,
    )


def _other_move(state: State, action: int, viewer: int | None, now: int | None) -> TopiaryMove:
    """Return an action of another phase as data; `now` is the score of the seat to move, if the viewer knows it."""
    text = observed_action(state, action, viewer)
    if state.phase == DRAFT:
        return TopiaryMove(say=text, kind="keep", cells=[], kept=text.split(" ")[1:])
    if state.phase == PUT:
        points = None if now is None else _score_after(state, action) - now
        tile = TILE_NAMES[action - FIRST_PUT]
        return TopiaryMove(say=text, kind="put", piece=tile, cells=[GRID.names[state.gap]], points=points)
    if action == PASS:
        return TopiaryMove(say=text, kind="pass", cells=[], points=0)
    return TopiaryMove(say=text, kind="take", cells=[GRID.names[action - FIRST_TAKE]])


def _score_after(state: State, action: int) -> int:
    """Return the score of the seat to move after an action of its own."""
    after = state.copy()
    play(after, action)
    return score(after, state.seat)


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


# --- Score sheet -----------------------------------------------------------------------------------------------


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Return the score sheet: tiles and bonuses of each visitor, and the tiles in hand. 4.2-4.4"""
    points = [0] * 4
    scores(state, points)
    entries = []
    for seat in range(state.players):
        entries += [_visitor_entry(state, seat, line) for line in members(state.visitors[seat])]
        entries += [_hand_entry(state, seat, tile) for tile in members(state.hand[seat])]
    return Sheet(
        game=NAME,
        entries=entries,
        scores=points[: state.players],
        winners=list(members(winners(state))) if state.phase == OVER else [],
    )


def _visitor_entry(state: State, seat: int, line: int) -> Entry:
    cell_of_tile = {state.tiles[cell]: GRID.names[cell] for cell in GRID.ray(*LINES[line]) if state.up >> cell & 1}
    seen = list(members(sees(state, line)))
    seen.sort(key=lambda tile: tile % SIZES)  # nearest first
    parts = [
        Part(kind="tile", name=TILE_NAMES[tile], points=tile % SIZES + 1, cells=[cell_of_tile[tile]]) for tile in seen
    ]
    for kind, letter in enumerate(TYPES):
        alike = [cell_of_tile[tile] for tile in seen if tile // SIZES == kind]
        if len(alike) > 1:
            parts.append(Part(kind="bonus", name=letter, points=len(alike), cells=alike))
    start, heading = LINES[line]
    return Entry(
        seat=seat,
        kind="visitor",
        name=LINE_NAMES[line],
        points=visitor_points(sees(state, line)),
        cells=[cell_of_tile[tile] for tile in seen],
        parts=parts,
        cell=GRID.names[start],
        heading=heading,
    )


def _hand_entry(state: State, seat: int, tile: int) -> Entry:
    larger = [other for other in members(seen_by(state, seat)) if other // SIZES == tile // SIZES and other > tile]
    cells = [GRID.names[cell] for cell in members(state.up) if state.tiles[cell] in larger]
    points = hand_points(1 << tile, seen_by(state, seat))
    name = TILE_NAMES[tile]
    return Entry(seat=seat, kind="hand", name=name, points=points, cells=cells, piece=name)
