"""Topas by the rulebook: a list of cards on a table, a dictionary of halves, nothing clever."""

from copy import deepcopy
from math import prod
from typing import Any, NamedTuple

Square = tuple[int, int]

COLOURS = "BGRY"  # 1.1: the order in which the halves of a card are written
HEADINGS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}  # 1.2: x east, y north
AXES = ((1, 0), (0, 1))
MOST_GEMS = 7  # 3.2
TURNS = 7  # 4.1, and the cards of a column in 5.1
COLUMNS = 4  # 5.1

# 1.1
CARDS = [
    f"{one}{gems}{other}{more}"
    for one in COLOURS
    for other in COLOURS
    if COLOURS.index(one) < COLOURS.index(other)
    for gems in (1, 2, 3)
    for more in (1, 2, 3)
    if gems != more
]


class Half(NamedTuple):
    """One half of a card: its colour letter and its number of gems."""

    colour: str
    gems: int


class Laid(NamedTuple):
    """A card on the table: first half at `x, y`, the second towards `heading`; who laid it."""

    card: str
    x: int
    y: int
    heading: str
    seat: int | None


def halves_of(card: str) -> tuple[Half, Half]:
    """Read a card: `B1G2` is one sapphire and two emeralds."""
    return Half(card[0], int(card[1])), Half(card[2], int(card[3]))


def step(square: Square, heading: str) -> Square:
    """Return the square next to `square` in a heading."""
    return square[0] + HEADINGS[heading][0], square[1] + HEADINGS[heading][1]


def write_move(card: str, square: Square, heading: str) -> str:
    """Write a move as ruling 3.7 does."""
    return f"{card}@{square[0]},{square[1]}{heading}"


class Topas:
    """A running game; `play` changes it, all else only looks."""

    def __init__(self, options: dict[str, Any], deal: dict[str, Any]) -> None:
        """Set the game up from the `options` and the `deal` of a record."""
        self.players: int = options["players"]
        self.expert: bool = options.get("expert", False)
        self.solitaire = self.players == 1
        self.pile: list[str] = list(deal["pile"])
        self.hands: list[list[str]]
        self.turns_taken = [0] * self.players
        self.points = [0] * self.players
        self.columns: list[int] = []
        self.seat: int | None = 0  # 2.2
        if self.solitaire:
            self.hands = [[]]
            self._start_table(self.pile.pop(0))  # 5.1
            self._draw(0)
        else:
            self.hands = [list(hand) for hand in deal["hands"]]  # 2.1
            self._start_table(deal["start"])

    @property
    def over(self) -> bool:
        """Tell whether the last turn has been taken."""
        return self.seat is None

    # --- turn

    def legal(self) -> list[str]:
        """Return every legal move of the seat to move, each once."""
        if self.seat is None:
            return []
        return [
            write_move(card, square, heading)
            for card in self.hands[self.seat]
            for square, heading in self._places(card)
        ]

    def play(self, move: str) -> None:
        """Lay a card, score it, draw; ValueError (and nothing changed) if `move` is not legal."""
        if self.seat is None:
            raise ValueError(f"{move!r}: the game is over")
        for card in self.hands[self.seat]:
            for square, heading in self._places(card):
                if write_move(card, square, heading) == move:
                    self._take_turn(self.seat, card, square, heading)
                    return
        raise ValueError(f"{move!r} is not legal; the hand is {self.hands[self.seat]}")

    def _take_turn(self, seat: int, card: str, square: Square, heading: str) -> None:
        self.hands[seat].remove(card)
        self._lay(card, square, heading, seat)  # 3.1
        self.points[seat] += self._worth(square, step(square, heading))  # 3.4
        self.turns_taken[seat] += 1
        if self.solitaire:
            self._go_on_alone()
            return
        self._draw(seat)  # 3.5
        self.seat = (seat + 1) % self.players
        if min(self.turns_taken) == TURNS:
            self.seat = None  # 4.1

    def _go_on_alone(self) -> None:  # 5.1
        if self.turns_taken[0] == TURNS:
            self.columns.append(self.points[0])
            if len(self.columns) == COLUMNS:
                self.seat = None
                return
            self.turns_taken = [0]
            self.points = [0]
            self._start_table(self.pile.pop(0))
        self._draw(0)

    def _draw(self, seat: int) -> None:
        if self.pile:
            self.hands[seat].append(self.pile.pop(0))

    # --- table

    def _start_table(self, card: str) -> None:
        self.table: list[Laid] = []
        self.halves: dict[Square, Half] = {}
        self._lay(card, (0, 0), "E", None)  # 2.1

    def _lay(self, card: str, square: Square, heading: str, seat: int | None) -> None:
        first, second = halves_of(card)
        self.table.append(Laid(card, square[0], square[1], heading, seat))
        self.halves[square] = first
        self.halves[step(square, heading)] = second

    def _places(self, card: str) -> list[tuple[Square, str]]:
        """Return where `card` may lie: the square of its first half, the heading of its second."""
        first, second = halves_of(card)
        edge = self._edge()
        # 3.1: a half lies at the edge; it is the first one, or the second one
        near = {(square, heading) for square in edge for heading in HEADINGS}
        near |= {((x - across, y - up), heading) for x, y in edge for heading, (across, up) in HEADINGS.items()}
        # 3.2: one half never lengthens a row of the other, since their colours differ (1.1)
        crowded = {half: self._crowded(half, edge) for half in (first, second)}
        places = []
        for square, heading in sorted(near):
            other = step(square, heading)
            if square in self.halves or other in self.halves:
                continue  # 3.1: halves never overlap
            if square in crowded[first] or other in crowded[second]:
                continue
            places.append((square, heading))
        return places

    def _edge(self) -> set[Square]:
        """Return the free squares that share an edge with a half on the table."""
        around = {step(square, heading) for square in self.halves for heading in HEADINGS}
        return around - set(self.halves)

    def _crowded(self, half: Half, squares: set[Square]) -> set[Square]:
        """Return those of the free `squares` where `half` would make a row of over seven gems."""
        return {square for square in squares if any(sum(self._run(square, half, axis)) > MOST_GEMS for axis in AXES)}

    def _run(self, square: Square, half: Half, axis: Square) -> list[int]:
        """Return the gems of the run of one colour along `axis` through `half`, put on `square`."""
        gems = [half.gems]
        for sign in (1, -1):
            x, y = square
            while True:
                x, y = x + sign * axis[0], y + sign * axis[1]
                neighbour = self.halves.get((x, y))
                if neighbour is None or neighbour.colour != half.colour:
                    break
                gems.append(neighbour.gems)
        return gems

    # --- score

    def _worth(self, *laid: Square) -> int:
        """Return the points of a turn that has just laid the halves on two squares."""
        runs = [self._run(square, self.halves[square], axis) for square in laid for axis in AXES]
        rows = [sum(run) for run in runs if len(run) > 1]  # 3.3: a half alone is no row
        if not rows:
            return 0
        return prod(rows) if self.expert else sum(rows)  # 3.4

    def scores(self) -> list[int]:
        """Return the points so far of each seat; alone: of this column, at the end the result."""
        if self.solitaire and self.over:
            return [min(self.columns)]  # 5.2
        return list(self.points)  # 4.2

    # --- end

    def result(self) -> dict[str, Any] | None:
        """Return the `result` of a record, None while the game runs."""
        if not self.over:
            return None
        scores = self.scores()
        result: dict[str, Any] = {"scores": scores, "winners": self._winners()}
        if self.solitaire:
            result["columns"] = list(self.columns)
        return result

    def _winners(self) -> list[int]:
        if not self.over:
            return []
        scores = self.scores()
        return [seat for seat in range(self.players) if scores[seat] == max(scores)]  # 4.1

    # --- view

    def facts(self, viewer: int | None) -> dict[str, Any]:
        """Return all that `viewer` (None: a spectator) may know, as JSON knows it."""
        hand: list[str] | None
        if self.solitaire:
            hand = sorted(self.hands[0])  # 5.1: no hand, the drawn card lies open
        else:
            hand = None if viewer is None else sorted(self.hands[viewer])
        return {
            "seat": self.seat,
            "over": self.over,
            "phase": "over" if self.over else "lay",
            "scores": self.scores(),
            "winners": self._winners(),
            "table": [list(laid) for laid in self.table],
            "hand": hand,
            "hand_sizes": [len(hand) for hand in self.hands],
            "pile": len(self.pile),
            "columns": list(self.columns),
        }

    def copy(self) -> "Topas":
        """Return an independent game in the same state."""
        return deepcopy(self)
