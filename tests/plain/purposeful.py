"""A purposeful player of Schlossgarten on the plain oracle.

Random play hardly ever makes a figure stand; this player plans its whole turn, so that its games
dig, build and end. It looks at its own hand only, never at other hands or the order of the pile.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import NamedTuple
from weakref import WeakKeyDictionary

from tests.plain.schlossgarten import (
    CELLS,
    GOAL,
    KINDS,
    NEIGHBOURS,
    SITES,
    SIZES,
    STEPS,
    STRAIGHT,
    SUBJECTS,
    Element,
    Schlossgarten,
    beyond,
)

FAR = 99  # steps to a cell that cannot be reached
POTENTIAL = 0.3  # worth of an open excavation for each point of its tile
SPITE = 0.6  # worth of a point that a rival loses
RARE = 5.0  # worth of a site of elements alone, so that games have some
WIN = 50.0
RIM = 0.01  # a figure far from the middle is worth a little less for the next turn


class Work(NamedTuple):
    """What may be done in a turn: a tile to excavate, an element to build, either may be missing; and by whom."""

    value: float
    digger: str
    dig: str | None
    builder: str
    size: int
    site: tuple[str, ...]


class Figure(NamedTuple):
    """A figure to aim at: card, cell of each own pawn of it, the most it may be worth."""

    value: float
    card: int
    targets: dict[str, str]


class Stride(NamedTuple):
    """How a cell is reached: steps so far, from which cell, where a hit subject goes."""

    steps: int
    origin: str
    refuge: str | None


@dataclass
class Plan:
    """The moves still to come, each with the position it is meant for."""

    moves: list[tuple[object, str]]


PLANS: WeakKeyDictionary[Schlossgarten, Plan] = WeakKeyDictionary()

TOUCHED: dict[str, dict[int, dict[tuple[str, ...], None]]] = {  # sites beside a worker on a cell, in order
    cell: {
        size: {site: None for site in SITES[size] if not set(NEIGHBOURS[cell].values()).isdisjoint(site)}
        for size in SIZES
    }
    for cell in CELLS
}
COVERING: dict[str, dict[int, list[tuple[str, ...]]]] = {  # sites that have the cell
    cell: {size: [site for site in SITES[size] if cell in site] for size in SIZES} for cell in CELLS
}
OVER: dict[str, dict[tuple[int, int], str | None]] = {  # the cell behind the neighbour
    cell: {way: beyond(near, way) for way, near in NEIGHBOURS[cell].items()} for cell in CELLS
}


def choose(game: Schlossgarten, rng: Random, vary: float = 0.1) -> str:
    """The next move of the seat in turn; a share `vary` of the decisions is random."""
    if vary and rng.random() < vary:
        return stray(game, rng)
    plan = PLANS.get(game)
    if plan is None or not plan.moves or plan.moves[0][0] != position(game):
        plan = PLANS[game] = Plan(rehearsed(game, Planner(game, rng).moves()))
    return plan.moves.pop(0)[1]


def stray(game: Schlossgarten, rng: Random) -> str:
    """A random move; half of the time a jump, a shift or a hit if there is one."""
    moves = game.legal()
    if game.phase == "move" and rng.random() < 0.5:
        special = [move for move in moves if move != "stop" and is_special(game, move)]
        moves = special or moves
    return rng.choice(moves)


def is_special(game: Schlossgarten, move: str) -> bool:
    """Whether a pawn's move is a jump, a shift or a hit."""
    words = move.split()
    here = game.pawns[game.turn][words[0]]
    home = game.element_at(here)
    return len(words) == 4 or words[1] not in NEIGHBOURS[here].values() or (home is not None and words[1] in home.cells)


def position(game: Schlossgarten) -> object:
    """What tells the positions of one game apart, as far as a plan depends on it."""
    return (
        game.phase,
        game.turn,
        game.round,
        game.played,
        game.steps_left,
        tuple(pawns[kind] for pawns in game.pawns for kind in KINDS),
        len(game.up),
        len(game.elements),
    )


def rehearsed(game: Schlossgarten, moves: list[str]) -> list[tuple[object, str]]:
    """The planned moves as far as they are legal, each with the position before it."""
    twin = game.copy()
    found: list[tuple[object, str]] = []
    for move in moves:
        before = position(twin)
        try:
            twin.play(move)
        except ValueError:
            break
        found.append((before, move))
    if not found:  # nothing of the plan can be played
        legal = game.legal()
        found.append((position(game), next((m for m in ("stop", "end") if m in legal), legal[0])))
    return found


class Planner:
    """Looks over one position for the seat in turn."""

    def __init__(self, game: Schlossgarten, rng: Random) -> None:
        self.game = game
        self.rng = rng
        self.seat = game.turn
        self.own = game.pawns[self.seat]
        self.foreign = {
            cell: (seat, kind)
            for seat, pawns in enumerate(game.pawns)
            if seat != self.seat
            for kind, cell in pawns.items()
        }
        self.cover: dict[str, Element] = {cell: element for element in game.elements for cell in element.cells}
        self.mine = {cell for cell, e in self.cover.items() if e.seat == self.seat}
        self.open = game.up | self.mine  # 3.2
        self.refuges = {seat: game.refuges(seat) for seat in range(game.players)}
        self.points = game.scores()[self.seat]
        self.walks: dict[tuple[str, ...], dict[str, Stride]] = {}
        self.work_lists: dict[tuple[str, str, str, str], list[Work]] = {}
        self.site_values: dict[tuple[tuple[str, ...], str | None], float | None] = {}
        on_board = {(e.worker, e.size) for e in game.elements if e.seat == self.seat}
        self.supply = {kind: [size for size in SIZES if (kind, size) not in on_board] for kind in SUBJECTS}

    def moves(self) -> list[str]:
        """The moves up to the end of the turn."""
        game = self.game
        if game.phase in ("card", "move"):
            steps = STEPS if game.phase == "card" else game.steps_left
            cards = game.hands[self.seat] if game.played is None else [game.played]
            planned = self.fulfil(cards, steps)
            if planned is None:
                planned = self.prepare(steps)
            return planned
        if game.phase == "work":
            return self.work_moves(sorted(game.workers), self.own)
        builds = [work for work in self.all_works(sorted(game.workers), self.own) if work.dig is None]
        free = [work for work in builds if self.is_free(work, self.own)]
        return [self.building(free[0])] if free else ["end"]

    # ------------------------------------------------------------------ walking

    def walk(self, kind: str, here: str, others: tuple[str, ...], ghosts: bool) -> dict[str, Stride]:
        """Every cell that a pawn can reach, by fewest steps, the two own others standing still.

        With `ghosts` the others may be walked through: a guess before they have moved.
        """
        key = (kind, here, *others, "ghosts" if ghosts else "")
        if key not in self.walks:
            self.walks[key] = self.walked(kind, here, others, ghosts)
        return self.walks[key]

    def walked(self, kind: str, here: str, others: tuple[str, ...], ghosts: bool) -> dict[str, Stride]:
        """The same, not remembered."""
        blocked = set() if ghosts else set(others)
        king = others[0] if kind != "K" else None  # others are in the order K G A
        reached = {here: Stride(0, here, None)}
        edge = [here]
        if kind not in self.game.shifted or self.game.phase != "move" or here != self.own[kind]:
            self.shift(edge, reached, blocked, 0)
        for steps in range(1, 3 * STEPS):
            fresh: list[str] = []
            for cell in edge:
                home = self.cover.get(cell)
                for way, near in NEIGHBOURS[cell].items():
                    if near not in reached and not (home is not None and near in home.cells):
                        self.enter(cell, near, steps, blocked, reached, fresh)
                    over = OVER[cell][way]
                    if over is None or over in reached:
                        continue
                    jumped = self.foreign.get(near)
                    if jumped is not None:
                        jumpable = jumped[1] != "K" and near in self.open
                    else:
                        jumpable = near in others and near != king
                    if jumpable:
                        self.enter(cell, over, steps, blocked, reached, fresh)
            if not fresh:
                break
            self.shift(fresh, reached, blocked, steps)
            edge = fresh
        return reached

    def shift(self, edge: list[str], reached: dict[str, Stride], blocked: set[str], steps: int) -> None:
        """Add the cells that a free shift reaches from the edge (3.3)."""
        for cell in list(edge):
            if cell in self.mine:
                for other in self.cover[cell].cells:
                    if other not in reached and other not in blocked:
                        reached[other] = Stride(steps, cell, None)
                        edge.append(other)

    def enter(
        self,
        origin: str,
        cell: str,
        steps: int,
        blocked: set[str],
        reached: dict[str, Stride],
        fresh: list[str],
    ) -> None:
        """Add a cell that a step or a jump may enter, with a hit if it must be (3.2, 3.5)."""
        if cell not in self.open or cell in blocked:
            return
        refuge = None
        victim = self.foreign.get(cell)
        if victim is not None:
            if victim[1] == "K" or not self.refuges[victim[0]]:
                return
            refuge = self.rng.choice(self.refuges[victim[0]])
        reached[cell] = Stride(steps, origin, refuge)
        fresh.append(cell)

    def way(self, kind: str, target: str, reached: dict[str, Stride]) -> list[str]:
        """The moves that bring a pawn to a cell it can reach."""
        found = []
        cell = target
        while reached[cell].origin != cell:
            stride = reached[cell]
            found.append(f"{kind} {cell}" + (f" hit {stride.refuge}" if stride.refuge else ""))
            cell = stride.origin
        return found[::-1]

    def march(self, targets: dict[str, str], steps: int) -> tuple[list[str], dict[str, str]] | None:
        """Bring the own pawns to their targets in some order within the steps."""
        movers = [kind for kind, cell in targets.items() if self.own[kind] != cell]
        for order in permutations(movers):
            pawns = dict(self.own)
            left = steps
            moves: list[str] = []
            for kind in order:
                others = tuple(pawns[other] for other in KINDS if other != kind)
                reached = self.walk(kind, pawns[kind], others, ghosts=False)
                stride = reached.get(targets[kind])
                if stride is None or stride.steps > left:
                    break
                left -= stride.steps
                moves += self.way(kind, targets[kind], reached)
                pawns[kind] = targets[kind]
            else:
                return moves, pawns
        return None

    # ------------------------------------------------------------------ figures

    def guesses(self) -> dict[str, dict[str, Stride]]:
        """For each own pawn what it may reach if the two others do not hinder it."""
        return {
            kind: self.walk(kind, self.own[kind], tuple(self.own[o] for o in KINDS if o != kind), ghosts=True)
            for kind in KINDS
        }

    def figures(self, cards: list[int], steps: int) -> list[Figure]:
        """The figures that seem within reach, the best first."""
        guesses = self.guesses()
        foreign = {cell: kind for cell, (_, kind) in self.foreign.items()}
        far = Stride(FAR, "", None)
        found = []
        for card in cards:
            for pattern in self.game.deck[card]:
                for king, stride in guesses["K"].items():
                    if stride.steps > steps:
                        continue
                    places = {
                        "G": beyond(king, pattern.gardener),
                        "A": beyond(king, pattern.architect),
                    }
                    if None in places.values():
                        continue
                    total = stride.steps
                    targets = {"K": king}
                    for kind, place in places.items():
                        assert place is not None
                        if foreign.get(place) == kind and len(targets) <= 2:
                            continue  # a foreign subject serves (4.1)
                        total += guesses[kind].get(place, far).steps
                        targets[kind] = place
                    if len(targets) > 1 and total <= steps:
                        found.append(Figure(self.worth(targets) - 0.02 * total, card, targets))
        found.sort(key=lambda figure: -figure.value)
        return found

    def worth(self, targets: dict[str, str]) -> float:
        """The most that a figure may bring."""
        workers = [kind for kind in targets if kind != "K"]
        works = self.all_works(workers, targets)
        best = max(0.0, works[0].value) if works else 0.0
        king = targets["K"]
        return best - RIM * (abs(ord(king[0]) - ord("d")) + abs(int(king[1]) - 4))

    def fulfil(self, cards: list[int], steps: int) -> list[str] | None:
        """The turn that makes the most of a figure, None if none can be made to stand."""
        best: list[str] | None = None
        value = -1.0
        for figure in self.figures(cards, steps):
            if figure.value <= value:
                break
            march = self.march(figure.targets, steps)
            if march is None:
                continue
            moves, pawns = march
            workers = [kind for kind in figure.targets if kind != "K"]
            work = self.best_work(workers, pawns)
            gain = work.value if work else 0.0
            if gain - 0.1 > value:
                value = gain - 0.1
                card = [f"card {figure.card}"] if self.game.played is None else []
                best = [*card, *moves, "stop", *self.work_moves(workers, pawns)]
        return best

    def prepare(self, steps: int) -> list[str]:
        """No figure can stand: keep the nearer card and walk towards its figure."""
        hand = self.game.hands[self.seat]
        near = {card: self.nearest(card) for card in hand}
        keep = min(hand, key=lambda card: near[card][0])
        moves = []
        if self.game.played is None:
            moves.append(f"card {next(card for card in hand if card != keep)}")
        pawns = dict(self.own)
        for kind, target in near[keep][1].items():
            others = tuple(pawns[other] for other in KINDS if other != kind)
            reached = self.walk(kind, pawns[kind], others, ghosts=False)
            cell = target
            while cell in reached and reached[cell].steps > steps:
                cell = reached[cell].origin
            if cell in reached:
                moves += self.way(kind, cell, reached)
                steps -= reached[cell].steps
                pawns[kind] = cell
        return [*moves, "stop"]

    def nearest(self, card: int) -> tuple[int, dict[str, str]]:
        """The steps to the nearest figure of a card with own pawns, and their targets."""
        guesses = self.guesses()
        far = Stride(FAR, "", None)
        best: tuple[int, dict[str, str]] = (FAR, {})
        for pattern in self.game.deck[card]:
            for king, stride in guesses["K"].items():
                gardener = beyond(king, pattern.gardener)
                architect = beyond(king, pattern.architect)
                if gardener is None or architect is None:
                    continue
                total = stride.steps
                total += guesses["G"].get(gardener, far).steps
                total += guesses["A"].get(architect, far).steps
                if total < best[0]:
                    best = (total, {"K": king, "G": gardener, "A": architect})
        return best

    # ------------------------------------------------------------------ work

    def all_works(self, workers: list[str], pawns: dict[str, str]) -> list[Work]:
        """What the workers could do with the own pawns so placed, own pawns not minded, the best first (4.2)."""
        pairs = [(digger, builder) for builder in workers for digger in workers]
        if self.game.work == "one":
            pairs = [(kind, kind) for kind in workers]
        works = [
            work for digger, builder in pairs for work in self.works(digger, pawns[digger], builder, pawns[builder])
        ]
        works.sort(key=lambda work: -work.value)
        return works

    def works(self, digger: str, dug_from: str, builder: str, built_from: str) -> list[Work]:
        """What a digger and a builder, who may be the same, could do from their cells."""
        key = (digger, dug_from, builder, built_from)
        if key not in self.work_lists:
            self.work_lists[key] = list(self.listed(*key))
        return self.work_lists[key]

    def listed(self, digger: str, dug_from: str, builder: str, built_from: str) -> Iterator[Work]:
        """The same, not remembered."""
        game = self.game
        digs = [near for near in NEIGHBOURS[dug_from].values() if near in game.up - set(self.foreign)]
        for dig in digs:
            yield Work(POTENTIAL * game.values[dig], digger, dig, builder, 0, ())
        for size in self.supply[builder]:
            for dig in digs:
                for site in COVERING[dig][size]:
                    if site in TOUCHED[built_from][size] and (value := self.site_value(site, size, dig)) is not None:
                        yield Work(value, digger, dig, builder, size, site)
            for site in TOUCHED[built_from][size]:
                if game.overbuild != "elements" and game.excavations.isdisjoint(site):
                    continue
                value = self.site_value(site, size, None)
                if value is not None:
                    yield Work(value, digger, None, builder, size, site)
                    for dig in digs:
                        yield Work(value + POTENTIAL * game.values[dig], digger, dig, builder, size, site)

    def site_value(self, site: tuple[str, ...], size: int, dig: str | None) -> float | None:
        """What building there is worth, None if it is forbidden (4.4 to 4.6)."""
        key = (site, dig)
        if key not in self.site_values:
            self.site_values[key] = self.valued(site, size, dig)
        return self.site_values[key]

    def valued(self, site: tuple[str, ...], size: int, dig: str | None) -> float | None:
        """The same, not remembered."""
        gain = float(size)
        bonus = RARE if dig is None and self.game.excavations.isdisjoint(site) else 0.0
        gone = set()
        for cell in site:
            if cell in self.foreign:
                return None
            if cell == dig or cell in self.game.excavations:
                gain += self.game.values[cell]
                continue
            element = self.cover.get(cell)
            if element is None or element.size >= size or not all(part in site for part in element.cells):
                return None
            gone.add(element)
        if self.game.overbuild == "bordering":
            open_cells = {dig, *self.game.excavations} & set(site)
            for element in gone:
                if not any(beyond(cell, way) in open_cells for cell in element.cells for way in STRAIGHT):
                    return None
        for element in gone:
            if element.seat == self.seat:
                gain -= element.size
            else:
                bonus += SPITE * element.size
        return gain + bonus + (WIN if self.points + gain >= GOAL else 0.0)

    def is_free(self, work: Work, pawns: dict[str, str]) -> bool:
        """Whether no own pawn stands where the work is to be done."""
        return not any(cell == work.dig or cell in work.site for cell in pawns.values())

    def best_work(self, workers: list[str], pawns: dict[str, str]) -> Work | None:
        """The best work of the workers with the own pawns so placed."""
        return next((work for work in self.all_works(workers, pawns) if self.is_free(work, pawns)), None)

    def work_moves(self, workers: list[str], pawns: dict[str, str]) -> list[str]:
        """The moves of the best work."""
        work = self.best_work(workers, pawns)
        if work is None:
            return ["end"]
        dig = [f"{work.digger} dig {work.dig}"] if work.dig else []
        return [*dig, self.building(work) if work.site else "end"]

    def building(self, work: Work) -> str:
        """The notation of a build."""
        return f"{work.builder} build {work.size} {' '.join(work.site)}"
