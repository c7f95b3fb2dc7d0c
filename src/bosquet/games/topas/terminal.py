"""Draw Topas at a terminal: the table with coordinates and a margin on every side."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from bosquet.drawing.lattice import lattice
from bosquet.drawing.palette import GEMS, QUIET
from bosquet.drawing.players import players_lines

from .rules import TURNS
from .view import TopasView

STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
WIDE = 4
MARGIN = 6
SIDE = 5
"""Columns beside a compact table."""
TALL = 15
"""A compact table has no more lines than this if it fits beside itself in bands."""
LEGEND = "B sapphire  G emerald  R ruby  Y topaz, with the number of gems\n-B2: no more than 2 of B fit there"


def draw(view: TopasView, names: Sequence[str], *, compact: bool = False) -> RenderableType:
    """Return a drawing of all that a view holds; with `compact`, each row of the table is one line."""
    return _Table(view, names, compact)


class _Table:
    """A drawing made when the width is known; a table that is wider is cut into bands from west to east."""

    def __init__(self, view: TopasView, names: Sequence[str], compact: bool) -> None:
        self.view, self.names, self.compact = view, names, compact
        self.halves: dict[tuple[int, int], tuple[int, str]] = {}
        for i, card in enumerate(view.table):
            east, north = STEPS[card.heading]
            self.halves[card.x, card.y] = i, card.card[:2]
            self.halves[card.x + east, card.y + north] = i, card.card[2:]
        self.shut: dict[tuple[int, int], str] = {}
        for shut in view.shut:
            x, y = map(int, shut.cell.split(","))
            self.shut[x, y] = f"-{shut.colour}{shut.fits}" if (x, y) not in self.shut else "-++"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines."""
        xs, ys = [x for x, _ in self.halves], [y for _, y in self.halves]
        margin = 1 if self.compact else 2
        west, east, south, north = min(xs) - margin, max(xs) + margin, min(ys) - margin, max(ys) + margin
        if self.compact:
            yield from self._compact(west, east, south, north, options.max_width)
            yield from self._below()
            return
        columns = max(1, (options.max_width - MARGIN - 1) // (WIDE + 1))
        for start in range(west, east + 1, columns):
            yield from self._band(start, min(start + columns, east + 1), south, north)
        yield from self._below()

    def _band(self, west: int, east: int, south: int, north: int) -> list[Text]:
        """Return the lines of the columns from `west` to `east - 1`."""
        lines = lattice(
            east - west,
            north - south + 1,
            WIDE,
            1,
            lambda column, row: self.halves.get((west + column, north - row), (None,))[0],
            lambda column, row: [self._inside(west + column, north - row)],
        )
        drawn = []
        for i, line in enumerate(lines):
            label = f"{north - i // 2:>{MARGIN - 1}} " if i % 2 else " " * MARGIN
            drawn.append(Text.assemble((label, QUIET), line))
        ruler = " " * MARGIN + "".join(f"{x:^{WIDE + 1}}" for x in range(west, east))
        return [*drawn, Text(ruler.rstrip(), style=QUIET)]

    def _compact(self, west: int, east: int, south: int, north: int, width: int) -> list[Text]:
        """Return the lines of the table without those between squares; a tall table is cut into bands side by side."""
        if (east - west + 1) * (WIDE - 1) + SIDE > width:
            west, east = west + 1, east - 1
        most = max(1, (width - SIDE) // (WIDE - 1))
        if east - west + 1 > most:
            east_part = self._compact(west + most, east, south, north, width)
            return [*self._compact(west, west + most - 1, south, north, width), *east_part]
        columns = range(west, east + 1)
        wide = WIDE if len(columns) * WIDE + SIDE <= width else WIDE - 1
        band = len(columns) * wide + SIDE
        bands = max(1, min(width // band, -(-(north - south + 1) // TALL)))
        high = -(-(north - south + 1) // bands)
        lines = [Text() for _ in range(high + 1)]
        for top in range(north, south - 1, -high):
            for row in range(high):
                y = top - row
                if y >= south:
                    lines[row].append(f"{y:>{SIDE - 2}}  ", style=QUIET)
                    for x in columns:
                        text = self._inside(x, y)
                        text.align("center", wide)
                        lines[row].append_text(text)
            lines[high].append(" " * SIDE + "".join(f"{x:^{wide}}" for x in columns), style=QUIET)
        return lines

    def _inside(self, x: int, y: int) -> Text:
        if (x, y) in self.halves:
            half = self.halves[x, y][1]
            return Text(half, style=f"bold {GEMS[half[0]]}")
        return Text(self.shut.get((x, y), "·"), style=QUIET)

    def _below(self) -> list[Text]:
        """Return the lines below the table: players, hand and pile."""
        view = self.view
        scores = view.scores or []
        facts = [
            f"{points} points, {size} card{'s' * (size != 1)}"
            for points, size in zip(scores, view.hand_sizes, strict=True)
        ]
        lines = [*([] if self.compact else [Text()]), *players_lines(view, self.names, facts, "lay a card")]
        if view.players == 1:
            lines.append(
                Text(f"Columns: {'  '.join(map(str, view.columns)) or 'none yet'} · the lowest of four counts")
            )
        if view.hand:
            hand = Text("Your hand: " if view.players > 1 else "To be laid: ")
            for card in view.hand:
                hand.append_text(
                    Text.assemble((card[:2], f"bold {GEMS[card[0]]}"), (card[2:], f"bold {GEMS[card[2]]}"), "  ")
                )
            lines.append(hand)
        left = -(-view.turns_left // view.players)
        turn = f"turn {min(TURNS - left + 1, TURNS)} of {TURNS}"
        if self.compact:
            counts = f"{view.pile} in the pile, {turn}"
            if view.hand:
                lines[-1].append(f"· {counts}", style=QUIET)
                return lines
            return [*lines, Text(counts, style=QUIET)]
        return [*lines, Text(f"{view.pile} cards in the pile · {turn}", style=QUIET), Text(LEGEND, style=QUIET)]
