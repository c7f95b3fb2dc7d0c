"""Schlossgarten: the figures of a card that can be formed with the steps that are left, and what they are good for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bosquet.bots.garden_plan import places
from bosquet.core.chance import Chance
from bosquet.core.errors import BosquetError, quoted
from bosquet.games import schlossgarten as rules
from bosquet.games.constellations import CARDS
from bosquet.games.schlossgarten import ARCHITECT, GARDENER, GRID, KING, PAWNS, SchlossgartenView, State
from bosquet.server.messages import Figure, Work

MOST = 24
"""So many figures are shown, the best first."""


def reach(view: SchlossgartenView, card: int) -> list[Figure]:
    """The figures of a card that the seat to move can form now, each with a shortest path; those that score most first.

    Every way to walk is tried, all three pawns in any order; but nobody is hit: where a hit is needed, or where one
    would open a shorter way, it is the player's to find. Raises BosquetError when no figure is to be formed.
    """
    _check(view, card)
    state = rules.redeal(view, Chance("reach"))
    if state.phase == rules.CARD:
        state.steps = rules.STEPS
    state.played = card - 1
    found: dict[tuple[int, ...], Figure] = {}
    for stand in _stands(state):
        for cells in _figures(state, stand):
            if cells not in found:
                found[cells] = _figure(state, stand, cells)
    return sorted(found.values(), key=lambda figure: (-figure.points, len(figure.path)))[:MOST]


def _check(view: SchlossgartenView, card: int) -> None:
    if not 1 <= card <= CARDS:
        raise BosquetError(f"there is no card {quoted(card)}; cards are 1 to {CARDS}")
    if view.phase not in ("card", "move"):
        raise BosquetError(f"the phase is {view.phase}; figures are formed in the phases card and move")
    if view.phase == "move" and card != view.played:
        raise BosquetError(f"card {card} is not played; this turn figures of card {view.played} can be formed")


class _Stand(NamedTuple):
    """Where the own pawns can stand, and the actions that bring them there."""

    pawns: tuple[int, ...]
    shifted: int
    path: tuple[int, ...]


def _stands(state: State) -> Iterator[_Stand]:
    """Every stand of the own pawns within the steps, by fewest steps, then fewest moves. `state` is left as it was."""
    start = _Stand(tuple(_own(state)), state.shifted, ())
    steps = state.steps
    met = {start[:2]}
    edge = [start]
    for left in range(steps, -1, -1):
        beyond: list[_Stand] = []
        for stand in edge:  # grows by shifts, which are free
            yield stand
            for after, after_left in _moved(state, stand, left):
                if after[:2] not in met:
                    met.add(after[:2])
                    (edge if after_left == left else beyond).append(after)
        edge = beyond
    _set(state, start, steps)


def _moved(state: State, stand: _Stand, steps: int) -> Iterator[tuple[_Stand, int]]:
    """The stands one move on, each with the steps that are then left. 3.2-3.4"""
    moves = [0] * rules.MAX_MOVES
    _set(state, stand, steps)
    occupied = rules.pawns(state)
    folk = rules.subjects(state, GARDENER) | rules.subjects(state, ARCHITECT)
    n = 0
    for kind in range(len(PAWNS)):
        n = rules.pawn_moves(state, kind, occupied, folk, 0, moves, n)  # no prey: nobody is hit
    for action in moves[:n]:
        _set(state, stand, steps)
        rules.move_pawn(state, action)
        yield _Stand(tuple(_own(state)), state.shifted, (*stand.path, action)), state.steps


def _own(state: State) -> list[int]:
    """The cells of the own pawns."""
    return state.pawn[3 * state.seat : 3 * state.seat + 3]


def _set(state: State, stand: _Stand, steps: int) -> None:
    """Put the own pawns there."""
    state.pawn[3 * state.seat : 3 * state.seat + 3] = stand.pawns
    state.shifted = stand.shifted
    state.steps = steps


def _figures(state: State, stand: _Stand) -> Iterator[tuple[int, ...]]:
    """The cells of king, gardener and architect of every figure that stands, a foreign subject in one at most. 4.1"""
    _set(state, stand, 0)
    for cells in places(state.pattern[state.played], stand.pawns[KING]):
        own = [kind for kind in (GARDENER, ARCHITECT) if cells[kind] == stand.pawns[kind]]
        if own and all(rules.subjects(state, kind) >> cells[kind] & 1 for kind in (GARDENER, ARCHITECT)):
            yield cells


def _figure(state: State, stand: _Stand, cells: tuple[int, ...]) -> Figure:
    """A figure that stands, with the work that it gives."""
    _set(state, stand, 0)
    workers = [kind for kind in (GARDENER, ARCHITECT) if cells[kind] == stand.pawns[kind]]
    works = [_Workplace(state, worker) for worker in workers]
    return Figure(
        pawns={mark: GRID.names[cell] for mark, cell in zip(PAWNS, cells, strict=True)},
        foreign=[PAWNS[kind] for kind in (GARDENER, ARCHITECT) if kind not in workers],
        path=[rules.say(state, action) for action in stand.path],
        works=[work.shown() for work in works],
        points=max(max(work.builds.values(), default=0) for work in works),
    )


class _Workplace:
    """What one worker can do where it stands: dig, and build at once or after one dig. 4.2-4.4"""

    def __init__(self, state: State, worker: int) -> None:
        self.worker = worker
        moves = [0] * rules.MAX_MOVES
        self.digs = moves[: rules.digs(state, worker, moves, 0)]
        self.builds: dict[int, int] = {}
        """By site, what building there scores at once."""
        self._look(state)
        for dig in self.digs:
            dug = state.copy()
            rules.dig(dug, dig - rules.FIRST_DIG)
            self._look(dug)

    def _look(self, state: State) -> None:
        """Note what can be built now."""
        moves = [0] * rules.MAX_MOVES
        for action in moves[: rules.builds(state, self.worker, moves, 0)]:
            site = (action - rules.FIRST_BUILD) % len(rules.SITES)
            if site not in self.builds:
                built = state.copy()
                rules.build(built, action - rules.FIRST_BUILD)
                self.builds[site] = rules.score(built, state.seat) - rules.score(state, state.seat)

    def shown(self) -> Work:
        """The work as the page gets it, the sites that score most first."""
        digs = [GRID.names[(dig - rules.FIRST_DIG) % rules.CELLS] for dig in self.digs]
        sites = sorted(self.builds, key=lambda site: -self.builds[site])
        builds = [[GRID.names[cell] for cell in rules.SITES[site]] for site in sites]
        return Work(pawn=PAWNS[self.worker], digs=digs, builds=builds)
