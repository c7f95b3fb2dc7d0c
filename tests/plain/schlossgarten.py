"""Plain oracle of Schlossgarten, after the rulings; the numbers in comments are theirs.

Cells are strings such as "c4". Directions are pairs (columns east, rows north).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COLUMNS = "abcdefg"  # 1.2 west to east
ROWS = "1234567"  # 1.2 south to north
CELLS = [column + row for row in ROWS for column in COLUMNS]  # board order: a1 b1 … g7
KINDS = "KGA"  # 1.3 king, gardener, architect
SUBJECTS = "GA"
SIZES = (1, 2, 3)
STARTS = {  # 2.2
    "south": {"G": "c1", "K": "d1", "A": "e1"},
    "west": {"G": "a5", "K": "a4", "A": "a3"},
    "north": {"G": "e7", "K": "d7", "A": "c7"},
    "east": {"G": "g3", "K": "g4", "A": "g5"},
}
EDGES = {  # 2.2
    2: ["south", "north"],
    3: ["south", "west", "north"],
    4: ["south", "west", "north", "east"],
}
STEPS = 5  # 3.2
GOAL = 21  # 5.1
LAST_ROUND = 100  # 5.2
HOUSE_DECK = Path(__file__).parents[2] / "src" / "bosquet" / "games" / "schlossgarten" / "constellations.json"

Direction = tuple[int, int]
STRAIGHT: list[Direction] = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIRECTIONS: list[Direction] = [(east, north) for east in (-1, 0, 1) for north in (-1, 0, 1) if (east, north) != (0, 0)]


def beyond(cell: str, way: Direction) -> str | None:
    """The cell that lies so far from this one, None off the board."""
    column = COLUMNS.index(cell[0]) + way[0]
    row = ROWS.index(cell[1]) + way[1]
    if 0 <= column < len(COLUMNS) and 0 <= row < len(ROWS):
        return COLUMNS[column] + ROWS[row]
    return None


def around(cell: str) -> dict[Direction, str]:
    """The neighbours of a cell (up to 8) with the way to each."""
    found = {}
    for way in DIRECTIONS:
        near = beyond(cell, way)
        if near is not None:
            found[way] = near
    return found


NEIGHBOURS = {cell: around(cell) for cell in CELLS}


def sites_of(size: int) -> list[tuple[str, ...]]:
    """Every place for an element of that size, its cells in order of column then row (1.3)."""
    shapes: dict[int, list[list[Direction]]] = {
        1: [[(0, 0)]],
        2: [[(0, 0), (1, 0)], [(0, 0), (0, 1)]],
        3: [  # the square of four cells without one of them
            [(0, 1), (1, 0), (1, 1)],
            [(0, 0), (1, 0), (1, 1)],
            [(0, 0), (0, 1), (1, 1)],
            [(0, 0), (0, 1), (1, 0)],
        ],
    }
    sites = []
    for corner in CELLS:
        for shape in shapes[size]:
            cells = [beyond(corner, way) for way in shape]
            site = tuple(sorted(cell for cell in cells if cell is not None))
            if len(site) == size:
                sites.append(site)
    return sites


SITES = {size: sites_of(size) for size in SIZES}


@dataclass(frozen=True)
class Element:
    """A garden element on the board: whose, of which worker's kind, how large, where."""

    seat: int
    worker: str
    size: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Pattern:
    """A constellation: the ways from the king to the gardener and to the architect."""

    gardener: Direction
    architect: Direction

    @classmethod
    def read(cls, rows: list[str]) -> "Pattern":
        """Read the rows of a card: north to south, each west to east."""
        spot = {
            mark: (column, -line) for line, row in enumerate(rows) for column, mark in enumerate(row) if mark in KINDS
        }
        king = spot["K"]
        return cls(
            (spot["G"][0] - king[0], spot["G"][1] - king[1]),
            (spot["A"][0] - king[0], spot["A"][1] - king[1]),
        )

    def rotations(self) -> list["Pattern"]:
        """The pattern in its four rotations, never mirrored (4.1)."""
        turned = [self]
        for _ in range(3):
            (g_east, g_north), (a_east, a_north) = turned[-1].gardener, turned[-1].architect
            turned.append(Pattern((-g_north, g_east), (-a_north, a_east)))
        return turned


def house_deck() -> list[list[str]]:
    """The rows of the 32 cards of the house deck (1.4)."""
    cards = json.loads(HOUSE_DECK.read_text(encoding="utf-8"))["cards"]
    return [card["rows"] for card in sorted(cards, key=lambda card: int(card["id"]))]


def house_starts(players: int) -> list[list[str]]:
    """The cells of king, gardener and architect of every seat (2.2)."""
    return [[STARTS[edge][kind] for kind in KINDS] for edge in EDGES[players]]


class Schlossgarten:
    """One game from a deal on; `play` changes it."""

    def __init__(self, options: dict[str, Any], deal: dict[str, Any]) -> None:
        self.players: int = options["players"]
        self.work: str = options.get("work", "one")  # 4.2 or "each"
        self.overbuild: str = options.get("overbuild", "site")  # 4.4 or "elements" or "bordering"
        self.values: dict[str, int] = dict(zip(CELLS, deal["landscape"], strict=True))
        deck = deal["deck"] if deal.get("deck") is not None else house_deck()
        self.deck: dict[int, list[Pattern]] = {  # number of a card -> its rotations
            number: Pattern.read(rows).rotations() for number, rows in enumerate(deck, start=1)
        }
        self.hands: list[list[int]] = [[card] for card in deal["hands"]]
        self.pile: list[int] = list(deal["pile"])
        self.discard: list[int] = []
        self.held_over: list[int] = []
        self.up: set[str] = set(CELLS)
        self.excavations: set[str] = set()
        self.elements: list[Element] = []
        self.kept: list[set[str]] = [set() for _ in range(self.players)]
        starts = deal["starts"] if deal.get("starts") is not None else house_starts(self.players)
        self.pawns: list[dict[str, str]] = [dict(zip(KINDS, cells, strict=True)) for cells in starts]  # 2.2
        self.turn = 0  # the seat whose turn it is
        self.round = 1
        self.winners: list[int] = []
        self.phase = ""
        self.played: int | None = None
        self.steps_left = 0
        self.shifted: set[str] = set()  # kinds of pawn, see 3.3
        self.workers: set[str] = set()  # who is offered the work after the stop, then the build after a dig
        self.worker: str | None = None  # the digger
        self.begin_turn()

    # ------------------------------------------------------------------ what everybody may ask

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def seat(self) -> int | None:
        """Whose decision it is; None when the game is over or chance is due."""
        return None if self.phase in ("over", "pile") else self.turn

    def scores(self) -> list[int]:
        """The points of every seat now (4.6)."""
        points = [sum(self.values[cell] for cell in cells) for cells in self.kept]
        for element in self.elements:
            points[element.seat] += element.size
        return points

    def result(self) -> dict[str, Any] | None:
        """Scores and winners as in a record; None while the game runs."""
        return {"scores": self.scores(), "winners": list(self.winners)} if self.over else None

    def facts(self, viewer: int | None) -> dict[str, Any]:
        """All that a seat may know, or with None a spectator."""
        moving = self.phase == "move"
        return {
            "seat": self.seat,
            "over": self.over,
            "phase": self.phase,
            "scores": self.scores(),
            "winners": list(self.winners),
            "values": [self.values[cell] for cell in CELLS],
            "up": [cell for cell in CELLS if cell in self.up],
            "excavations": [cell for cell in CELLS if cell in self.excavations],
            "elements": sorted(
                [element.seat, element.worker, element.size, list(element.cells)] for element in self.elements
            ),
            "pawns": [[pawns[kind] for kind in KINDS] for pawns in self.pawns],
            "kept": [[cell for cell in CELLS if cell in kept] for kept in self.kept],
            "hand": None if viewer is None else sorted(self.hands[viewer]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "played": self.played,
            "steps_left": self.steps_left if moving else 0,
            "shifted": [kind for kind in KINDS if kind in self.shifted] if moving else [],
            "worker": self.worker if self.phase == "build" else None,
            "pile": len(self.pile),
            "discard": sorted(self.discard),
            "held_over": sorted(self.held_over),
            "round": self.round,
        }

    def copy(self) -> "Schlossgarten":
        """A game in the same position that shares nothing changeable with this one."""
        twin = object.__new__(Schlossgarten)
        twin.__dict__.update(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        twin.pile = list(self.pile)
        twin.discard = list(self.discard)
        twin.held_over = list(self.held_over)
        twin.up = set(self.up)
        twin.excavations = set(self.excavations)
        twin.elements = list(self.elements)
        twin.kept = [set(cells) for cells in self.kept]
        twin.pawns = [dict(pawns) for pawns in self.pawns]
        twin.winners = list(self.winners)
        twin.shifted = set(self.shifted)
        twin.workers = set(self.workers)
        return twin

    def legal(self) -> list[str]:
        """Every legal move in notation; [] when the game is over or chance is due."""
        if self.phase == "card":
            return [f"card {card}" for card in self.hands[self.turn]]
        if self.phase == "move":
            return [*self.pawn_moves(), "stop"]  # 3.6
        if self.phase == "work":  # 4.2
            works = ["end"]
            for kind in sorted(self.workers):
                works += self.digs(kind)
                works += self.builds(kind)
            return works
        if self.phase == "build":  # 4.2 after a dig
            return [*(build for kind in sorted(self.workers) for build in self.builds(kind)), "end"]
        return []

    def play(self, move: str) -> None:
        """Make a legal move, or the `pile …` of chance when that is due; else ValueError."""
        if self.phase == "pile":
            self.new_pile(move)
            return
        if move not in self.legal():
            raise ValueError(f"{move!r} is not legal in phase {self.phase!r}")
        words = move.split()
        if words[0] == "card":
            self.played = int(words[1])
            self.hands[self.turn].remove(self.played)
            self.phase = "move"
            self.steps_left = STEPS
            self.shifted = set()
        elif words[0] == "stop":
            self.workers = self.offered()
            if self.workers:
                self.phase = "work"
            else:
                self.end_turn()
        elif words[0] == "end":
            self.end_turn()
        elif words[1] == "dig":
            self.dig(words[0], words[2])
        elif words[1] == "build":
            self.build(words[0], int(words[2]), tuple(words[3:]))
        else:
            self.move_pawn(words[0], words[1], words[3] if len(words) == 4 else None)

    # ------------------------------------------------------------------ 3 the turn

    def begin_turn(self) -> None:
        """Draw a card, or wait for chance when there is none (3.1)."""
        if self.pile:
            self.hands[self.turn].append(self.pile.pop(0))
            self.phase = "card"
        else:
            self.phase = "pile"

    def new_pile(self, move: str) -> None:
        """Chance has shuffled the discard into a new pile (3.1)."""
        words = move.split(" ")
        if words[0] != "pile" or sorted(words[1:]) != sorted(str(card) for card in self.discard):
            raise ValueError(f"{move!r}: the new pile is not the discard {sorted(self.discard)}")
        self.pile = [int(word) for word in words[1:]]
        self.discard = []
        self.held_over = [card for hand in self.hands for card in hand]
        self.begin_turn()

    def pawn_at(self, cell: str) -> tuple[int, str] | None:
        """Seat and kind of the pawn on a cell."""
        for seat, pawns in enumerate(self.pawns):
            for kind, where in pawns.items():
                if where == cell:
                    return seat, kind
        return None

    def element_at(self, cell: str) -> Element | None:
        """The element that covers a cell."""
        for element in self.elements:
            if cell in element.cells:
                return element
        return None

    def pawn_moves(self) -> Iterator[str]:
        """Steps, shifts, jumps and hits of the pawns of the seat in turn."""
        for kind in KINDS:
            here = self.pawns[self.turn][kind]
            home = self.element_at(here)
            for way, near in NEIGHBOURS[here].items():
                if home is not None and near in home.cells:  # 3.3 never a paid step
                    if kind not in self.shifted and self.pawn_at(near) is None:
                        yield f"{kind} {near}"
                elif self.steps_left > 0:
                    yield from self.entries(kind, near)
                behind = beyond(near, way)
                if self.steps_left > 0 and behind is not None and self.may_be_jumped(near):
                    yield from self.entries(kind, behind)  # 3.4

    def entries(self, kind: str, cell: str) -> Iterator[str]:
        """The moves that bring a pawn of the seat in turn by a step or a jump to a cell."""
        element = self.element_at(cell)
        if cell in self.excavations or (element is not None and element.seat != self.turn):
            return  # 3.2
        pawn = self.pawn_at(cell)
        if pawn is None:
            yield f"{kind} {cell}"
        elif pawn[0] != self.turn and pawn[1] in SUBJECTS:  # 3.5
            for refuge in self.refuges(pawn[0]):
                yield f"{kind} {cell} hit {refuge}"

    def refuges(self, seat: int) -> list[str]:
        """The free cells of a seat's elements, where its hit subjects go (3.5)."""
        return [
            cell
            for element in self.elements
            if element.seat == seat
            for cell in element.cells
            if self.pawn_at(cell) is None
        ]

    def may_be_jumped(self, cell: str) -> bool:
        """Whether a subject stands there, not on an element foreign to the jumper (3.4)."""
        pawn = self.pawn_at(cell)
        if pawn is None or pawn[1] not in SUBJECTS:
            return False
        element = self.element_at(cell)
        return element is None or element.seat == self.turn

    def move_pawn(self, kind: str, cell: str, refuge: str | None) -> None:
        """Make a step, shift or jump; a hit subject goes to its refuge."""
        home = self.element_at(self.pawns[self.turn][kind])
        if home is not None and cell in home.cells:
            self.shifted.add(kind)  # 3.3 free, but not twice running
        else:
            self.steps_left -= 1
            self.shifted.discard(kind)
        if refuge is not None:
            pawn = self.pawn_at(cell)
            assert pawn is not None
            self.pawns[pawn[0]][pawn[1]] = refuge
        self.pawns[self.turn][kind] = cell

    def end_turn(self) -> None:
        """Discard the card; the next seat begins, or the last round is over (3.1, 5.2)."""
        assert self.played is not None
        self.discard.append(self.played)
        self.played = None
        if self.turn == self.players - 1 and self.round == LAST_ROUND:
            points = self.scores()
            self.winners = [seat for seat in range(self.players) if points[seat] == max(points)]
            self.phase = "over"
            return
        if self.turn == self.players - 1:
            self.round += 1
        self.turn = (self.turn + 1) % self.players
        self.begin_turn()

    # ------------------------------------------------------------------ 4 figure and work

    def offered(self) -> set[str]:
        """The own subjects of all figures that stand with the card played (4.1, 4.2)."""
        assert self.played is not None
        workers = set()
        for pattern in self.deck[self.played]:
            king = self.pawns[self.turn]["K"]
            gardener_cell = beyond(king, pattern.gardener)
            architect_cell = beyond(king, pattern.architect)
            gardeners = [s for s in range(self.players) if self.pawns[s]["G"] == gardener_cell]
            architects = [s for s in range(self.players) if self.pawns[s]["A"] == architect_cell]
            if gardeners and architects:  # with two foreign ones nobody is added
                if gardeners == [self.turn]:
                    workers.add("G")
                if architects == [self.turn]:
                    workers.add("A")
        return workers

    def digs(self, kind: str) -> Iterator[str]:
        """What a worker may excavate (4.3)."""
        for cell in NEIGHBOURS[self.pawns[self.turn][kind]].values():
            if cell in self.up and self.pawn_at(cell) is None:
                yield f"{kind} dig {cell}"

    def builds(self, kind: str) -> Iterator[str]:
        """What a worker may build, and where (4.4)."""
        near = set(NEIGHBOURS[self.pawns[self.turn][kind]].values())
        standing = {cell for pawns in self.pawns for cell in pawns.values()}
        on_board = {e.size for e in self.elements if (e.seat, e.worker) == (self.turn, kind)}
        for size in SIZES:
            if size in on_board:
                continue
            for site in SITES[size]:
                if (
                    (self.overbuild == "elements" or not self.excavations.isdisjoint(site))
                    and not near.isdisjoint(site)
                    and standing.isdisjoint(site)
                    and all(self.may_be_covered(cell, site) for cell in site)
                    and (self.overbuild != "bordering" or all(self.borders(cell, site) for cell in site))
                ):
                    yield f"{kind} build {size} {' '.join(site)}"

    def may_be_covered(self, cell: str, site: tuple[str, ...]) -> bool:
        """Whether a cell is an excavation, or of a smaller element wholly inside the site (4.4)."""
        element = self.element_at(cell)
        if element is not None:
            return element.size < len(site) and set(element.cells) <= set(site)
        return cell in self.excavations

    def borders(self, cell: str, site: tuple[str, ...]) -> bool:
        """Whether a cell is an excavation, or of an element that has an edge in common with one of the site (4.4)."""
        element = self.element_at(cell)
        return element is None or any(
            beyond(part, way) in self.excavations.intersection(site) for part in element.cells for way in STRAIGHT
        )

    def dig(self, kind: str, cell: str) -> None:
        """Turn a tile over (4.3)."""
        self.up.remove(cell)
        self.excavations.add(cell)
        self.worker = kind
        if self.work == "one":
            self.workers = {kind}  # 4.2 only the digger builds
        self.phase = "build"

    def build(self, kind: str, size: int, site: tuple[str, ...]) -> None:
        """Cover the site: elements there go back, tiles of excavations are kept (4.5)."""
        self.elements = [e for e in self.elements if set(e.cells).isdisjoint(site)]
        covered = self.excavations & set(site)
        self.excavations -= covered
        self.kept[self.turn] |= covered
        self.elements.append(Element(self.turn, kind, size, site))
        if self.scores()[self.turn] >= GOAL:  # 5.1
            self.winners = [self.turn]
            self.phase = "over"
        else:
            self.end_turn()
