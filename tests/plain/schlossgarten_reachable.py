"""Schlossgarten once more: the figures of a card that can be formed, found by walking everywhere, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from bosquet.core.installed import spec
from bosquet.core.view_texts import StateTexts
from bosquet.games.schlossgarten.board import (
    ARCHITECT,
    CARD,
    CELLS,
    FIRST_BUILD,
    FIRST_DIG,
    GARDENER,
    GRID,
    PAWNS,
    ROTATIONS,
    SITES,
    STEPS,
    State,
    figure_cell,
    pawns,
    subjects,
)
from bosquet.games.schlossgarten.constellations import OFFSETS
from bosquet.games.schlossgarten.reachable import MOST, Figure, Work
from bosquet.games.schlossgarten.rules import MAX_MOVES, build, builds, dig, digs, score
from bosquet.games.schlossgarten.view import SchlossgartenMove
from bosquet.games.schlossgarten.walking import move_pawn, pawn_moves

GAME = "schlossgarten"


def reachable_figures(state: State, card: int) -> list[Figure]:
    """Return the figures of a card that the seat to move can form now, each with a shortest path, most points first.

    Every way to walk is tried, all three pawns in any order, but without hits.
    """
    state = state.copy()
    if state.phase == CARD:
        state.steps = STEPS
    state.played = card - 1
    start = state.copy()
    found: dict[tuple[int, ...], Figure] = {}
    for stand in stands_of(state):
        for cells in figures_of(state, stand):
            if cells not in found:
                found[cells] = figure_of(state, stand, cells, _moves(start, stand))
    return sorted(found.values(), key=lambda figure: (-figure.points, len(figure.path)))[:MOST]


def stands_of(state: State) -> Iterator[Stand]:
    """Return every stand of the own pawns within the steps, by fewest steps, then fewest moves. 3.2-3.4"""
    first = 3 * state.seat
    kinds = range(len(PAWNS))
    return walks(
        state,
        lambda at: moves_without_hits(at, kinds),
        lambda stand: (stand.pawn[first : first + len(PAWNS)], stand.shifted),
    )


def figures_of(state: State, stand: Stand) -> Iterator[tuple[int, ...]]:
    """Yield the cells of king, gardener and architect of every figure that stands, one foreign subject at most. 4.1"""
    place(state, stand)
    king, gardener, architect = state.pawn[3 * state.seat : 3 * state.seat + 3]
    for cells in places(state.pattern[state.played], king):
        own = cells[GARDENER] == gardener or cells[ARCHITECT] == architect
        if own and all(subjects(state, kind) >> cells[kind] & 1 for kind in (GARDENER, ARCHITECT)):
            yield cells


def places(pattern: int, king: int) -> Iterator[tuple[int, int, int]]:
    """Yield where king, gardener and architect stand in each rotation of a card, with the king on its cell. 4.1"""
    for turn in range(ROTATIONS):
        gardener = figure_cell(king, turn, pattern // OFFSETS)
        architect = figure_cell(king, turn, pattern % OFFSETS)
        if gardener >= 0 and architect >= 0:
            yield king, gardener, architect


def _moves(start: State, stand: Stand) -> list[SchlossgartenMove]:
    """Return the moves that lead from a state to a stand."""
    at, moves = start.copy(), []
    for action in stand.path:
        moves.append(cast(SchlossgartenMove, StateTexts(spec(GAME), at).typed_move(action, at.seat)))
        move_pawn(at, action)
    return moves


def figure_of(state: State, stand: Stand, cells: tuple[int, ...], moves: list[SchlossgartenMove]) -> Figure:
    """Return a figure that stands, with the work that it gives."""
    place(state, stand)
    workers = [kind for kind in (GARDENER, ARCHITECT) if cells[kind] == stand.pawn[3 * state.seat + kind]]
    works = [_Workplace(state, worker, workers if state.each_works else [worker]) for worker in workers]
    return Figure(
        pawns={mark: GRID.names[cell] for mark, cell in zip(PAWNS, cells, strict=True)},
        foreign=[PAWNS[kind] for kind in (GARDENER, ARCHITECT) if kind not in workers],
        path=[move.say for move in moves],
        data=moves,
        works=[work.shown() for work in works],
        points=max(max(work.builds.values(), default=0) for work in works),
    )


def _digs(state: State, worker: int) -> list[int]:
    """Return the digs of a worker."""
    moves = [0] * MAX_MOVES
    return moves[: digs(state, worker, moves, 0)]


class _Workplace:
    """What one worker can do where it stands: dig, and build at once or after one dig of a digger. 4.2-4.4"""

    def __init__(self, state: State, worker: int, diggers: Sequence[int]) -> None:
        self.worker = worker
        self.digs = _digs(state, worker)
        self.builds: dict[int, int] = {}
        """By site, what building there scores at once."""
        self._look(state)
        for digger in diggers:
            for action in _digs(state, digger):
                dug = state.copy()
                dig(dug, action - FIRST_DIG)
                self._look(dug)

    def _look(self, state: State) -> None:
        """Note what can be built now."""
        moves = [0] * MAX_MOVES
        for action in moves[: builds(state, self.worker, moves, 0)]:
            site = (action - FIRST_BUILD) % len(SITES)
            if site not in self.builds:
                built = state.copy()
                build(built, action - FIRST_BUILD)
                self.builds[site] = score(built, state.seat) - score(state, state.seat)

    def shown(self) -> Work:
        """Return the work as the page gets it, the sites that score most first."""
        digs = [GRID.names[(dig - FIRST_DIG) % CELLS] for dig in self.digs]
        sites = sorted(self.builds, key=lambda site: -self.builds[site])
        builds = [[GRID.names[cell] for cell in SITES[site]] for site in sites]
        return Work(pawn=PAWNS[self.worker], digs=digs, builds=builds)


# --- Whole walks -----------------------------------------------------------------------------------------------------


class Stand(NamedTuple):
    """Where all pawns stand after some moves of the seat to move."""

    pawn: tuple[int, ...]
    """As in the state."""
    shifted: int
    steps: int
    """Steps left."""
    path: tuple[int, ...]
    """The moves, in order."""


def place(state: State, stand: Stand) -> None:
    """Put the pawns of a state there."""
    state.pawn[:] = stand.pawn
    state.shifted = stand.shifted
    state.steps = stand.steps


def walks(state: State, moves: Callable[[State], Iterable[int]], key: Callable[[Stand], Hashable]) -> Iterator[Stand]:
    """Yield the stands that pawns reach, by fewest steps, then fewest moves; of those with equal keys the first.

    `moves` lists the actions of pawns that are made from a position. `state` is left as it was.
    """
    at = state.copy()
    start = Stand(tuple(state.pawn), state.shifted, state.steps, ())
    met = {key(start)}
    edge = [start]
    while edge:
        beyond: dict[Hashable, Stand] = {}
        for stand in edge:  # grows by shifts, which are free
            yield stand
            place(at, stand)
            for action in list(moves(at)):
                place(at, stand)
                move_pawn(at, action)
                after = Stand(tuple(at.pawn), at.shifted, at.steps, (*stand.path, action))
                after_key = key(after)
                if after_key not in met:
                    if after.steps < stand.steps:
                        beyond.setdefault(after_key, after)
                    else:
                        met.add(after_key)
                        edge.append(after)
        edge = [stand for stand_key, stand in beyond.items() if stand_key not in met]
        met.update(beyond)


def moves_without_hits(state: State, kinds: Iterable[int]) -> list[int]:
    """Return the steps, jumps and shifts of own pawns of these kinds. 3.2-3.4"""
    moves = [0] * MAX_MOVES
    occupied = pawns(state)
    folk = subjects(state, GARDENER) | subjects(state, ARCHITECT)
    n = 0
    for kind in kinds:
        n = pawn_moves(state, kind, occupied, folk, 0, moves, n)  # without hits
    return moves[:n]
