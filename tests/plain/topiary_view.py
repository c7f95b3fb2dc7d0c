"""Views, moves and score sheets of Topiary, made plainly as typed data: the oracle of what its kernels write."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from bosquet.core.view import Entry, Part, Sheet
from bosquet.games.topiary.notation import LINE_NAMES, TILE_NAMES, observed_action, tiles_of
from bosquet.games.topiary.position import PHASES, received
from bosquet.games.topiary.rules import (
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
    hand_points,
    legal,
    options_of,
    play,
    score,
    scores,
    seen_by,
    sees,
    visitor_points,
    winners,
)
from bosquet.games.topiary.view import Sight, TopiaryMove, TopiaryView, Visitor
from bosquet.kernels.bits import count_bits, members

_LINE_CELL_NAMES = [[GRID.names[cell] for cell in LINE_CELLS[line][: LINE_LENGTH[line]]] for line in range(len(LINES))]


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
    return msgspec.structs.replace(
        public,
        viewer=viewer,
        hand=tiles_of(state.hand[viewer]),
        passed=tiles_of(state.passed[viewer]),
        received=tiles_of(received(state, viewer)),
        moves=_view_moves(state, moves[: legal(state, moves)]) if viewer == state.seat else [],
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
