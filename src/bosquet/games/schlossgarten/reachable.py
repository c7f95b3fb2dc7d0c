"""Schlossgarten: the figures of a card that can be formed with the steps that are left, and what they are good for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from bosquet.core.errors import BosquetError, quoted
from bosquet.core.rng import Rng
from bosquet.core.views import decoded_move

from .board import (
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
    subjects,
)
from .constellations import CARDS, OFFSETS
from .rules import MAX_MOVES, build, builds, dig, digs, score
from .view import SchlossgartenMove, SchlossgartenView, determinize
from .walking import Stand, move_pawn, moves_without_hits, place, walks

MOST = 24
"""Maximum number of figures that are shown, the best first."""


class Work(Struct):
    """What a subject in a figure could do: dig one of these, build one of these sites."""

    pawn: str
    digs: list[str]
    builds: list[list[str]]


class Figure(Struct):
    """A figure that can be formed: where its pawns stand, the steps there, and what it gives."""

    pawns: dict[str, str]
    foreign: list[str]
    """The marks whose pawn is another player's."""
    path: list[str]
    """Moves, in order."""
    data: list[SchlossgartenMove]
    """The same moves as data."""
    works: list[Work]
    points: int
    """The most that building there scores at once."""


def reachable_figures(view: SchlossgartenView, card: int) -> list[Figure]:
    """Return the figures of a card that the seat to move can form now, each with a shortest path, most points first.

    Every way to walk is tried, all three pawns in any order, but without hits: where a hit is needed, or where one
    would open a shorter way, it is the player's to find. Raises BosquetError when no figure is to be formed.
    """
    _check(view, card)
    state = determinize(view, Rng("reach"))
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


def _check(view: SchlossgartenView, card: int) -> None:
    if not 1 <= card <= CARDS:
        raise BosquetError(f"there is no card {quoted(card)}; cards are 1 to {CARDS}")
    if view.phase not in ("card", "move"):
        raise BosquetError(f"the phase is {view.phase}; figures are formed in the phases card and move")
    if view.phase == "move" and card != view.played:
        raise BosquetError(f"card {card} is not played; this turn figures of card {view.played} can be formed")


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
        moves.append(decoded_move(__package__, SchlossgartenMove, at, action, at.seat))
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
