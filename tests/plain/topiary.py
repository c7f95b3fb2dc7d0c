"""Topiary, played plainly: the oracle that the product is held against."""

from copy import deepcopy
from itertools import combinations
from typing import Any

TYPES = "TWSEPHOL"  # 1.1
COLUMNS = "abcde"  # 1.2
ROWS = "12345"
CELLS = [column + row for row in ROWS for column in COLUMNS]
CENTRE = "c3"
VISITORS = {2: 8, 3: 6, 4: 5}  # 1.3
HEADINGS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}


def neighbour(cell: str, east: int, north: int) -> str | None:
    """Return the cell this number of steps east and north, or None outside of the garden."""
    column = COLUMNS.index(cell[0]) + east
    row = ROWS.index(cell[1]) + north
    if column in range(5) and row in range(5):
        return COLUMNS[column] + ROWS[row]
    return None


def sight_lines() -> dict[str, list[str]]:
    """Return the cells of every sight line, nearest to its visitor first."""
    lines = {}
    for first in CELLS:
        for heading, (east, north) in HEADINGS.items():
            if neighbour(first, -east, -north) is not None:
                continue  # 3.1: a visitor stands outside, right before the first cell
            cells = []
            cell: str | None = first
            while cell is not None:
                cells.append(cell)
                cell = neighbour(cell, east, north)
            if len(cells) > 1:  # 3.1: a corner seen across is no line
                lines[first + heading] = cells  # 3.2
    return lines


LINES = sight_lines()


def size(tile: str) -> int:
    """Return the size of a tile, 1 to 5."""
    return int(tile[1])


def in_order(tiles: list[str]) -> list[str]:
    """Sort tiles by type in the order of ruling 1.1, then by size."""
    return sorted(tiles, key=lambda tile: (TYPES.index(tile[0]), size(tile)))


class Topiary:
    """A game of Topiary from a recorded deal."""

    def __init__(self, options: dict[str, Any], deal: dict[str, Any]) -> None:
        """Lay the deal out; options and deal as in a record."""
        self.players: int = options["players"]
        self.removed: str | None = deal["removed"]  # 2.1
        self.tiles: dict[str, str] = dict(zip(CELLS, deal["garden"], strict=True))
        self.face_up: set[str] = {CENTRE}  # 2.2
        self.hands: list[list[str]] = [in_order(hand) for hand in deal["hands"]]
        self.visitors: dict[str, int] = {}  # line -> seat
        self.visitors_left: list[int] = [VISITORS[self.players]] * self.players
        self.passed: list[list[str]] = [[] for _ in range(self.players)]
        self.received: list[list[str]] = [[] for _ in range(self.players)]
        self.line: str | None = None
        self.gap: str | None = None
        self.turn: int = 0  # 2.3
        self.phase: str = "line"
        if options.get("draft", False):  # 2.4
            self.phase = "draft"
            self.turn = self.players - 1
            self._receive(list(deal["leftover"]))

    # Whose decision

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def seat(self) -> int | None:
        """The seat to decide, None once the game is over."""
        return None if self.over else self.turn

    # Moves

    def legal(self) -> list[str]:
        """Return the notation of every legal move."""
        if self.phase == "draft":  # 2.4: any three
            return ["keep " + " ".join(kept) for kept in combinations(self.hands[self.turn], 3)]
        if self.phase == "line":  # 3.1: any free sight line
            return [line for line in LINES if line not in self.visitors]
        if self.phase == "take":  # 3.3: a face-down tile of the line, or none
            assert self.line is not None
            return ["pass"] + [f"take {cell}" for cell in self._face_down(self.line)]
        if self.phase == "put":  # 3.3: any tile of the hand, the taken one included
            return [f"put {tile}" for tile in self.hands[self.turn]]
        return []

    def play(self, move: str) -> None:
        """Play a legal move; raises ValueError for any other."""
        if move not in self.legal():
            raise ValueError(f"{move!r} is not legal; legal moves: {', '.join(self.legal())}")
        if self.phase == "draft":
            self._keep(move.split()[1:])
        elif self.phase == "line":
            self._place(move)
        elif self.phase == "take":
            if move == "pass":
                self._end_turn()
            else:
                self._take(move.split()[1])
        else:
            self._put(move.split()[1])

    def _receive(self, tiles: list[str]) -> None:
        """Give the tiles passed on to the seat that drafts next."""
        self.received[self.turn] = in_order(tiles)
        self.hands[self.turn] = in_order(self.hands[self.turn] + tiles)

    def _keep(self, kept: list[str]) -> None:
        """Keep three tiles and pass the rest to the seat before."""
        # 2.4
        rest = [tile for tile in self.hands[self.turn] if tile not in kept]
        self.hands[self.turn] = kept
        self.passed[self.turn] = rest
        if self.turn > 0:
            self.turn -= 1
            self._receive(rest)
        else:
            self.phase = "line"

    def _place(self, line: str) -> None:
        """Place a visitor."""
        self.visitors[line] = self.turn
        self.visitors_left[self.turn] -= 1
        self.line = line
        if self._face_down(line):
            self.phase = "take"
        else:  # 3.3
            self._end_turn()

    def _take(self, cell: str) -> None:
        """Take a face-down tile into the hand."""
        self.hands[self.turn] = in_order([*self.hands[self.turn], self.tiles.pop(cell)])
        self.gap = cell
        self.phase = "put"

    def _put(self, tile: str) -> None:
        """Put a tile face up into the gap."""
        assert self.gap is not None
        self.hands[self.turn].remove(tile)
        self.tiles[self.gap] = tile
        self.face_up.add(self.gap)
        self._end_turn()

    def _end_turn(self) -> None:
        """Pass the turn clockwise, or end the game."""
        self.line = None
        self.gap = None
        self.turn = (self.turn + 1) % self.players  # 2.3
        self.phase = "line" if any(self.visitors_left) else "over"  # 4.1

    def _face_down(self, line: str) -> list[str]:
        return [cell for cell in LINES[line] if cell in self.tiles and cell not in self.face_up]

    # Scores

    def _seen(self, line: str) -> list[str]:
        """Return the tiles seen along a line."""
        # 4.2: strictly larger than every face-up tile nearer to the visitor
        seen = []
        nearer: list[str] = []
        for cell in LINES[line]:
            if cell in self.face_up:
                tile = self.tiles[cell]
                if all(size(tile) > size(other) for other in nearer):
                    seen.append(tile)
                nearer.append(tile)
        return seen

    def _visitor_points(self, seat: int) -> int:
        points = 0
        for line, owner in self.visitors.items():
            if owner == seat:
                seen = self._seen(line)
                points += sum(size(tile) for tile in seen)  # 4.2
                for kind in TYPES:  # 4.3
                    alike = [tile for tile in seen if tile[0] == kind]
                    if len(alike) >= 2:
                        points += len(alike)
        return points

    def _hand_points(self, seat: int) -> int:
        # 4.4
        seen = [tile for line, owner in self.visitors.items() if owner == seat for tile in self._seen(line)]
        return sum(
            size(held)
            for held in self.hands[seat]
            if any(tile[0] == held[0] and size(tile) > size(held) for tile in seen)
        )

    def scores(self) -> list[int]:
        """Return what every seat would score if the game ended now."""
        if self.phase == "draft":  # 3.5
            return [0] * self.players
        return [self._visitor_points(s) + self._hand_points(s) for s in range(self.players)]

    def _winners(self) -> list[int]:
        if not self.over:
            return []
        scores = self.scores()
        # 4.5: points, then points in hand, then the later in turn order
        return [max(range(self.players), key=lambda s: (scores[s], self._hand_points(s), s))]

    def result(self) -> dict[str, Any] | None:
        """Return the result as in a record, None while the game runs."""
        if not self.over:
            return None
        return {"scores": self.scores(), "winners": self._winners()}

    # What a player knows

    def _shown(self, cell: str) -> str | None:
        if cell == self.gap:
            return ""
        return self.tiles[cell] if cell in self.face_up else None

    def facts(self, viewer: int | None) -> dict[str, Any]:
        """Return all that a seat, or a spectator (None), may know."""
        return {
            "seat": self.seat,
            "over": self.over,
            "phase": self.phase,
            "garden": [self._shown(cell) for cell in CELLS],
            "visitors": [[line, self.visitors[line]] for line in sorted(self.visitors)],
            "visitors_left": list(self.visitors_left),
            "removed": self.removed,
            "hand": None if viewer is None else list(self.hands[viewer]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "hands": [list(hand) for hand in self.hands] if self.over else None,
            "passed": [] if viewer is None else list(self.passed[viewer]),
            "received": [] if viewer is None else list(self.received[viewer]),
            "line": self.line,
            "gap": self.gap,
            "scores": self.scores() if self.over else None,
            "winners": self._winners(),
        }

    def copy(self) -> "Topiary":
        """Return an independent copy."""
        return deepcopy(self)
