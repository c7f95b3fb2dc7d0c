"""Draw Topas at a terminal: the table with coordinates and a margin of one card on every side."""

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
LEGEND = "B sapphire  G emerald  R ruby  Y topaz, with the number of gems\n-B2: no more than 2 of B fit there"


def draw(view: TopasView, names: Sequence[str]) -> RenderableType:
    """Return a drawing of all that a view holds."""
    return _Table(view, names)


class _Table:
    """A drawing made when the width is known; a table that is wider is cut into bands from west to east."""

    def __init__(self, view: TopasView, names: Sequence[str]) -> None:
        self.view, self.names = view, names
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
        west, east, south, north = min(xs) - 2, max(xs) + 2, min(ys) - 2, max(ys) + 2
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
        lines = [Text(), *players_lines(view, self.names, facts, "lay a card")]
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
        lines.append(
            Text(f"{view.pile} cards in the pile · turn {min(TURNS - left + 1, TURNS)} of {TURNS}", style=QUIET)
        )
        return [*lines, Text(LEGEND, style=QUIET)]
