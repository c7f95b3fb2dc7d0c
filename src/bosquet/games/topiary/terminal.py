"""Draw Topiary at a terminal: the garden, surrounded by a spot for each of the 48 lines."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from bosquet.core.grid import HEADINGS
from bosquet.drawing.lattice import centred, lattice
from bosquet.drawing.palette import LAWN, QUIET, SEATS
from bosquet.drawing.players import players_lines

from .notation import LINE_OF
from .rules import GRID
from .view import TopiaryView

ARROWS = {"N": "↑", "NE": "↗", "E": "→", "SE": "↘", "S": "↓", "SW": "↙", "W": "←", "NW": "↖"}
WIDE, HIGH = 7, 3
LEGEND = "T T-Rex  W Whale  S Swan  E Elephant\nP Pyramid  H Polyhedron  O Pom Pom  L Spiral"
DUE = {
    "draft": "keep three tiles",
    "line": "place a visitor",
    "take": "take a tile, or pass",
    "put": "put a tile",
    "over": "the game is over",
}


def draw(view: TopiaryView, names: Sequence[str], *, compact: bool = False) -> RenderableType:
    """Return a drawing of all that a view holds; with `compact`, each row of the garden is one line."""
    facts = [f"{left} visitor{'s' * (left != 1)} left" for left in view.visitors_left]
    if view.scores:
        facts = [f"{points} points" for points in view.scores]
    lines = [
        *(_compact_board(view) if compact else [*_board(view), Text()]),
        *players_lines(view, names, facts, DUE[view.phase]),
    ]
    if view.hand is not None:
        lines.append(Text("Your hand: " + "  ".join(view.hand), style="bold"))
    if view.hands:
        lines += [Text(f"Hand of {name}: " + "  ".join(hand)) for name, hand in zip(names, view.hands, strict=True)]
    removed = f"{view.removed} is out of this game" if view.removed else "all types are in this game"
    if not compact:
        lines += [Text(f"░ face-down tile · {removed}", style=QUIET), Text(LEGEND, style=QUIET)]
    return Group(*lines)


def _board(view: TopiaryView) -> list[Text]:
    """Return the lines of the garden with its ring of spots."""
    width = GRID.width
    garden = lattice(
        width, width, WIDE, HIGH, lambda c, r: (c, r), lambda c, r: _tile(view, (width - 1 - r) * width + c)
    )
    lines = [_letters(), _spots(view, width - 1, ("SW", "S", "SE"))]
    for row, line in enumerate(garden):
        north, part = divmod(row, HIGH + 1)
        label, left, right = Text("   "), Text("  "), Text("  ")
        if part:
            cell = (width - 1 - north) * width
            left = _spot(view, cell, ("NE", "E", "SE")[part - 1], corner=False)
            right = _spot(view, cell + width - 1, ("NW", "W", "SW")[part - 1], corner=False)
            label = Text(f" {width - north} " if part == 2 else "   ", style=QUIET)
        lines.append(Text.assemble(label, left, " ", line, " ", right, label))
    return [*lines, _spots(view, 0, ("NW", "N", "NE")), _letters()]


def _compact_board(view: TopiaryView) -> list[Text]:
    """Return the lines of the garden with its ring of spots, a line for each row: 59 columns, 9 lines."""
    width = GRID.width
    lines = [_letters(), _spots(view, width - 1, ("SW", "S", "SE"))]
    for north in reversed(range(width)):
        west, east = north * width, north * width + width - 1
        left = [_spot(view, west, heading, corner=False) for heading in ("NE", "E", "SE")]
        right = [_spot(view, east, heading, corner=False) for heading in ("NW", "W", "SW")]
        line = Text.assemble((f"{north + 1} ", QUIET), *left)
        for cell in range(west, east + 1):
            tile = view.garden[cell]
            text = "░░░" if tile is None else tile or "gap"
            line.append(f"{text:^{WIDE + 1}}", style=LAWN if tile is None else "bold")
        lines.append(Text.assemble(line, *right, (f" {north + 1}", QUIET)))
    return [*lines, _spots(view, 0, ("NW", "N", "NE")), _letters()]


def _letters() -> Text:
    """Return the line with the names of the columns."""
    return Text(" " * 8 + "".join(letter.center(WIDE + 1) for letter in "abcde"), style=QUIET)


def _spots(view: TopiaryView, row: int, headings: Sequence[str]) -> Text:
    """Return the line of spots north or south of the garden."""
    line = Text(" " * 6)
    for column in range(GRID.width):
        spots = [_spot(view, row * GRID.width + column, heading, corner=True) for heading in headings]
        line.append_text(Text.assemble("  ", *spots))
    return line


def _spot(view: TopiaryView, cell: int, heading: str, *, corner: bool) -> Text:
    """Return one spot in two characters: seat and heading of its visitor, or a dim arrow if the line is free.

    The diagonals that begin in a corner cell are drawn only north and south of the garden.
    """
    name = GRID.names[cell] + heading
    straight = 0 in HEADINGS[heading]
    at_corner = cell in (0, 4, 20, 24)
    if name not in LINE_OF or (at_corner and not straight and not corner):
        return Text("  ")
    owner = next((visitor.seat for visitor in view.visitors if visitor.line == name), None)
    if owner is None:
        return Text(f" {ARROWS[heading]}", style=QUIET)
    return Text(f"{owner + 1}{ARROWS[heading]}", style=SEATS[owner])


def _tile(view: TopiaryView, cell: int) -> list[Text]:
    """Return the lines inside a cell."""
    tile = view.garden[cell]
    if tile is None:
        return centred(*["░" * WIDE] * HIGH, style=LAWN)
    if not tile:
        return centred("", "gap")
    return centred("", f"{tile[0]} {tile[1]}", "▪" * int(tile[1]), style="bold")
