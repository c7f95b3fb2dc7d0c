"""How `greedy` plays Schlossgarten: it plans the whole turn towards the figure whose work scores most.

Points come only from work, work only from a standing figure; so the plan looks at every figure of the cards in hand
that own pawns can reach, at the best work its subjects could then do, and walks the best one that can be walked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from bosquet.core.rng import Rng
from bosquet.games.schlossgarten.board import (
    ARCHITECT,
    BUILD,
    CARD,
    CELLS,
    ELEMENTS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    GARDENER,
    KING,
    MOVE,
    NEAR,
    NO_HIT,
    SITE_MASK,
    SITE_SIZE,
    SITES,
    STEPS,
    STOP,
    WORK,
    State,
    element_at,
    pawns,
    subjects,
)
from bosquet.games.schlossgarten.notation import to_notation
from bosquet.games.schlossgarten.rules import MAX_MOVES, builders, is_open, legal, may_cover, play, standing
from bosquet.games.schlossgarten.view import SchlossgartenView, determinize
from bosquet.games.schlossgarten.view import view as seat_view
from bosquet.games.schlossgarten.walking import hurdles, move_action, one_step
from bosquet.kernels.bits import members
from tests.plain.schlossgarten_reachable import places

POTENTIAL = 0.3
"""Worth of an excavation left open, for each point of its tile."""
TOO_FAR = 99


class Site(NamedTuple):
    """Somewhere to build this turn."""

    cells: int
    size: int
    site: int
    tile: int
    """The cell to be dug first, or -1."""
    gain: float


class Work(NamedTuple):
    """What a worker does: a cell to dig or -1, a site to build or -1, and its worth."""

    worth: float
    dig: int
    site: int


class Figure(NamedTuple):
    """A figure to head for: the most it may be worth, and where the own pawns go."""

    worth: float
    card: int
    targets: dict[int, int]


class Way(NamedTuple):
    """How a pawn comes to a cell: steps so far, and the cell before."""

    steps: int
    before: int


Walk = dict[int, Way]


class Greedy:
    """Plans a turn and plays it out; plans anew when the position is not the expected one."""

    def __init__(self) -> None:
        self._moves: list[tuple[object, str]] = []

    def choose(self, view: SchlossgartenView, rng: Rng) -> str:
        """Return the next move of the turn."""
        if not self._moves or self._moves[0][0] != _position(view):
            self._moves = _rehearse(view, determinize(view, rng), rng)
        return self._moves.pop(0)[1]


def _position(view: SchlossgartenView) -> object:
    """Return what tells the positions of one turn apart."""
    return view.seat, view.turn, view.phase, view.played, view.steps_left, view.pawns, view.hand


def _rehearse(view: SchlossgartenView, state: State, rng: Rng) -> list[tuple[object, str]]:
    """Return the planned moves as far as they are legal, each with the position it is meant for; at least one."""
    seat, turn = state.seat, state.turn
    moves = [0] * MAX_MOVES
    made: list[tuple[object, str]] = []
    for action in _Planner(state, rng).actions():
        n = legal(state, moves)
        if state.seat != seat or state.turn != turn or action not in moves[:n]:
            break
        made.append((_position(seat_view(state, seat)), to_notation(state, action)))
        play(state, action)
    if not made:
        quiet = [move.say for move in view.moves if move.kind in ("stop", "end")]
        made.append((_position(view), quiet[0] if quiet else rng.choice(view.moves).say))
    return made


class _Planner:
    """Looks at one position for the seat to move."""

    def __init__(self, state: State, rng: Rng) -> None:
        self.state = state
        self.rng = rng
        self.seat = state.seat
        self.own = state.pawn[3 * self.seat : 3 * self.seat + 3]
        everybody = pawns(state)
        self.foreign = everybody & ~sum(1 << cell for cell in self.own)
        self.folk = [
            0,
            subjects(state, GARDENER) & self.foreign,
            subjects(state, ARCHITECT) & self.foreign,
        ]
        self.ground = state.up | state.own[self.seat]
        self.covered = sum(state.own[: state.players])
        self.walks: dict[tuple[int, int, int], Walk] = {}
        self.works: dict[tuple[int, int, int], list[Work]] = {}
        self.sites = list(self._sites())

    def actions(self) -> Iterator[int]:
        """Yield the actions up to the end of the turn."""
        state = self.state
        if state.phase == CARD:
            yield from self._turn(list(members(state.hand[self.seat])), STEPS)
        elif state.phase == MOVE:
            yield from self._turn([state.played], state.steps)
        elif state.phase == WORK:
            yield from self._work_actions(members(standing(state)), self.own)
        else:
            yield from self._work_actions(members(builders(state)), self.own)

    def _turn(self, cards: list[int], steps: int) -> Iterator[int]:
        """Yield the best turn that fulfils one of the cards, or one that comes nearer to it."""
        best: tuple[float, int, list[int], list[int], dict[int, int]] | None = None
        for figure in self._figures(cards, steps):
            if best and figure.worth <= best[0]:
                break
            marched = self._march(figure.targets, steps)
            if marched:
                actions, pawns = marched
                worth = max((work.worth for work, _ in self._free_works(figure.targets, pawns)), default=0.0)
                if not best or worth > best[0]:
                    best = worth, figure.card, actions, pawns, figure.targets
        if not best:
            yield from self._approach(cards, steps)
            return
        _, card, actions, pawns, targets = best
        if self.state.phase == CARD:
            yield card
        yield from actions
        yield STOP
        yield from self._work_actions(targets, pawns)

    # --- figures ---

    def _figures(self, cards: list[int], steps: int) -> list[Figure]:
        """Return the figures that seem within reach, the best first, ties at random. 4.1"""
        free = [self._walk(kind, self.own[kind], self.foreign) for kind in range(3)]
        found = []
        for card in cards:
            for king, way in free[KING].items():
                for cells in places(self.state.pattern[card], king):
                    targets = {KING: king}
                    total = way.steps
                    for kind in (GARDENER, ARCHITECT):
                        # A foreign subject may serve, but not two. 4.1
                        if self.folk[kind] >> cells[kind] & 1 and len(targets) == kind:
                            continue
                        targets[kind] = cells[kind]
                        total += _steps(free[kind], cells[kind])
                    if len(targets) > 1 and total <= steps:
                        worth = max(
                            self._most(kind, cell, self._helper(kind, targets, cells))
                            for kind, cell in targets.items()
                            if kind != KING
                        )
                        found.append(Figure(worth - 0.01 * total, card, targets))
        self.rng.shuffle(found)
        return sorted(found, key=lambda figure: -figure.worth)

    def _approach(self, cards: list[int], steps: int) -> Iterator[int]:
        """Keep the card that is nearer to a figure, since none can stand, and walk towards it. 3.1"""
        free = [self._walk(kind, self.own[kind], self.foreign) for kind in range(3)]
        nearest = {}
        for card in members(self.state.hand[self.seat]):
            ways = [
                (sum(_steps(free[kind], cell) for kind, cell in enumerate(cells)), cells)
                for king in free[KING]
                for cells in places(self.state.pattern[card], king)
            ]
            nearest[card] = min(ways, default=(TOO_FAR, (self.own[0], self.own[1], self.own[2])))
        kept = min(nearest, key=lambda card: nearest[card][0])
        if self.state.phase == CARD:
            yield next(card for card in cards if card != kept)
        pawns = list(self.own)
        for kind, cell in enumerate(nearest[kept][1]):
            walk = self._walk(kind, pawns[kind], self._others(kind, pawns))
            while cell in walk and walk[cell].steps > steps:
                cell = walk[cell].before
            if cell in walk:
                yield from _steps_to(kind, cell, walk)
                steps -= walk[cell].steps
                pawns[kind] = cell
        yield STOP

    # --- walking ---

    def _march(self, targets: dict[int, int], steps: int) -> tuple[list[int], list[int]] | None:
        """Return the actions that bring the own pawns to their places within the steps, and where all then stand."""
        movers = [kind for kind, cell in targets.items() if self.own[kind] != cell]
        for order in permutations(movers):
            pawns, left, actions = list(self.own), steps, list[int]()
            for kind in order:
                walk = self._walk(kind, pawns[kind], self._others(kind, pawns))
                way = walk.get(targets[kind])
                if way is None or way.steps > left:
                    break
                left -= way.steps
                actions += _steps_to(kind, targets[kind], walk)
                pawns[kind] = targets[kind]
            else:
                return actions, pawns
        return None

    def _others(self, kind: int, pawns: list[int]) -> int:
        """Return the cells of all pawns but one."""
        return self.foreign | sum(1 << cell for other, cell in enumerate(pawns) if other != kind)

    def _walk(self, kind: int, start: int, blocked: int) -> Walk:
        """Return every cell a pawn can reach without hits, by fewest steps, the others standing still. 3.2-3.4"""
        key = kind, start, blocked
        if key not in self.walks:
            self.walks[key] = self._walked(kind, start, blocked)
        return self.walks[key]

    def _walked(self, kind: int, start: int, blocked: int) -> Walk:
        jumpable = hurdles(self.state, blocked)
        free = self.ground & ~blocked
        walk = {start: Way(0, start)}
        edge = [start]
        may_shift = not (self.state.phase == MOVE and self.state.shifted >> kind & 1)
        for steps in range(STEPS + 1):
            if steps or may_shift:
                for cell in list(edge):
                    for other in members(element_at(self.state, self.seat, cell) & free):
                        if other not in walk:
                            walk[other] = Way(steps, cell)
                            edge.append(other)
            fresh = []
            for cell in edge:
                home = element_at(self.state, self.seat, cell)
                for other in members(one_step(cell, home, jumpable) & free):
                    if other not in walk:
                        walk[other] = Way(steps + 1, cell)
                        fresh.append(other)
            edge = fresh
        return walk

    # --- work ---

    def _sites(self) -> Iterator[Site]:
        """Yield every site that can be built on after at most one dig, and what it gains. 4.3-4.6"""
        state = self.state
        own = state.own[self.seat]
        for site, cells in enumerate(SITE_MASK):
            if not is_open(state, cells, self.covered, self.foreign):
                continue
            fresh = cells & state.up
            if cells & self.covered and not may_cover(state, cells, self.covered):
                continue
            tiles = sum(state.landscape[cell] for cell in members(cells & (state.dug | fresh)))
            gain = tiles + SITE_SIZE[site] - (cells & own).bit_count()
            yield Site(cells, SITE_SIZE[site], site, fresh.bit_length() - 1, gain)

    def _helper(self, kind: int, workers: Iterable[int], cells: Sequence[int]) -> int:
        """Return the cell of the subject that may dig for a worker, or -1. `cells` are those of the pawns. 4.2"""
        other = GARDENER + ARCHITECT - kind
        return cells[other] if self.state.each_works and other in workers else -1

    def _works_at(self, kind: int, cell: int, helper: int) -> list[Work]:
        """Return what a worker on a cell could do, the best first; own pawns in the way are not minded."""
        if (kind, cell, helper) not in self.works:
            self.works[kind, cell, helper] = sorted(self._listed(kind, cell, helper), reverse=True)
        return self.works[kind, cell, helper]

    def _listed(self, kind: int, cell: int, helper: int) -> Iterator[Work]:
        near = NEAR[cell]
        near_digger = near | (NEAR[helper] if helper >= 0 else 0)
        if self.state.phase != BUILD:
            for dig in members(near & self.state.up & ~self.foreign):
                yield Work(POTENTIAL * self.state.landscape[dig], dig, -1)
        first = ELEMENTS * self.seat + 3 * (kind - 1) - 1
        left = [size for size in (1, 2, 3) if self.state.element[first + size] < 0]
        for site in self.sites:
            if site.size in left and site.cells & near and (site.tile < 0 or near_digger >> site.tile & 1):
                if site.tile < 0 or self.state.phase != BUILD:
                    yield Work(site.gain, site.tile, site.site)

    def _most(self, kind: int, cell: int, helper: int) -> float:
        works = self._works_at(kind, cell, helper)
        return works[0].worth if works else 0.0

    def _free_works(self, workers: Iterable[int], pawns: Sequence[int]) -> list[tuple[Work, int]]:
        """Return the best work of each worker that no own pawn stands in the way of, with the worker."""
        found, workers = [], [kind for kind in workers if kind != KING]
        for kind in workers:
            works = self._works_at(kind, pawns[kind], self._helper(kind, workers, pawns))
            if free := next((work for work in works if self._is_free(work, pawns)), None):
                found.append((free, kind))
        return found

    def _is_free(self, work: Work, pawns: Sequence[int]) -> bool:
        cells = (1 << work.dig if work.dig >= 0 else 0) | (SITE_MASK[work.site] if work.site >= 0 else 0)
        return not any(cells >> cell & 1 for cell in pawns)

    def _work_actions(self, workers: Iterable[int], pawns: Sequence[int]) -> Iterator[int]:
        """Yield the best work that one of the workers can do, the other perhaps digging for it. 4.2"""
        choices = self._free_works(workers, pawns)
        if not choices:
            yield END
            return
        work, kind = max(choices)
        if work.dig >= 0:
            near = NEAR[pawns[kind]] >> work.dig & 1
            digger = kind if near else GARDENER + ARCHITECT - kind
            yield FIRST_DIG + (digger - 1) * CELLS + work.dig
        if work.site >= 0:
            yield FIRST_BUILD + (kind - 1) * len(SITES) + work.site
        else:
            yield END


def _steps(walk: Walk, cell: int) -> int:
    """Return the steps to a cell, `TOO_FAR` if the walk does not come there."""
    return walk[cell].steps if cell in walk else TOO_FAR


def _steps_to(kind: int, cell: int, walk: Walk) -> list[int]:
    """Return the actions that bring a pawn to a cell of its walk."""
    actions = []
    while walk[cell].before != cell:
        actions.append(move_action(kind, cell, NO_HIT))
        cell = walk[cell].before
    return actions[::-1]
