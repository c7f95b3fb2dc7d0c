"""Draw Schlossgarten at a terminal: the garden, the played card, the cards and points of each seat."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from bosquet.drawing.lattice import lattice
from bosquet.drawing.palette import LAWN, QUIET, SEATS, SOIL
from bosquet.drawing.players import players_lines

from .board import GRID, PAWNS, STEPS, WINNING_POINTS
from .constellations import house_deck, rows_of, turned_rows
from .view import Element, SchlossgartenView

WIDE, HIGH = 6, 2
ELEMENTS = {
    "G1": "hedge",
    "G2": "hedge",
    "G3": "maze",
    "A1": "fount",
    "A2": "pool",
    "A3": "terr.",
}
SHORT = {"G1": "hed", "G2": "lon", "G3": "maz", "A1": "fou", "A2": "poo", "A3": "ter"}
CELL = 8
"""Columns of a cell of the compact board."""
DUE = {
    "card": "play a card",
    "move": "move, then stop",
    "work": "dig, build or end",
    "build": "build or end",
    "pile": "the discard is shuffled",
    "over": "the game is over",
}
LEGEND = "∙ landscape of 1 to 3 points  ▒ excavation\nK king  G gardener  A architect, with the seat's number"


def draw(view: SchlossgartenView, names: Sequence[str], *, compact: bool = False) -> RenderableType:
    """Return a drawing of all that a view holds; with `compact`, each row of the garden is one line."""
    scores = view.scores or []
    goal = "" if compact else f" of {WINNING_POINTS}"
    facts = [
        f"{points}{goal} points, {len(kept)} tile{'s' * (len(kept) != 1)}"
        for points, kept in zip(scores, view.kept, strict=True)
    ]
    space = [] if compact else [Text()]
    lines = [
        *(_compact_board(view) if compact else _board(view)),
        *space,
        *players_lines(view, names, facts, DUE[view.phase]),
    ]
    if view.played is not None and not view.over:
        lines += [*space, *_cards(view, [view.played], "In play")]
        lines.append(Text(_figure(view) + _steps(view)))
    elif view.hand:
        lines += [*space, *_cards(view, view.hand, "Card")]
    if compact:
        return Group(*lines)
    counts = f"Round {view.round} · {view.pile} cards in the pile, {len(view.discard)} discarded"
    return Group(*lines, Text(counts, style=QUIET), Text(LEGEND, style=QUIET))


def _figure(view: SchlossgartenView) -> str:
    """Return the line that says whether the figure of the played card stands."""
    if view.phase == "build":
        return f"{view.worker} has dug, {' or '.join(view.standing or [view.worker or ''])} may build"
    if view.standing:
        each = len(view.standing) == 2 and view.options["work"] == "each"
        return f"The figure stands: {' and '.join(view.standing) if each else ' or '.join(view.standing)} may work"
    return "The figure does not stand yet"


def _steps(view: SchlossgartenView) -> str:
    """Return the steps that are left, while pawns move."""
    return f" · steps left {'●' * view.steps_left}{'○' * (STEPS - view.steps_left)}" if view.phase == "move" else ""


def _board(view: SchlossgartenView) -> list[Text]:
    """Return the lines of the garden; an element is drawn as one box."""
    element_on = {cell: element for element in view.elements for cell in element.cells}
    pawn_on = {
        cell: (seat, mark) for seat, cells in enumerate(view.pawns) for cell, mark in zip(cells, PAWNS, strict=True)
    }
    up = set(view.up)

    def name(column: int, row: int) -> str:
        return GRID.names[(GRID.width - 1 - row) * GRID.width + column]

    def piece(column: int, row: int) -> Hashable:
        cell = name(column, row)
        element = element_on.get(cell)
        return element.cells[0] if element else cell

    def inside(column: int, row: int) -> list[Text]:
        cell = name(column, row)
        pawn = Text()
        if cell in pawn_on:
            seat, mark = pawn_on[cell]
            pawn = Text(f" {mark}{seat + 1} ", style=f"{SEATS[seat]} reverse")
        if cell in element_on:
            return [_element(element_on[cell], cell), pawn]
        if cell in up:
            return [Text(" ".join("∙" * view.values[GRID.cell_of[cell]]), style=LAWN), pawn]
        return [Text("▒" * WIDE, style=SOIL)] * 2

    letters = Text("     " + "".join(letter.center(WIDE + 1) for letter in "abcdefg").rstrip(), style=QUIET)
    lines = [letters]
    for i, line in enumerate(lattice(GRID.width, GRID.width, WIDE, HIGH, piece, inside)):
        row, part = divmod(i, HIGH + 1)
        label = f"{GRID.width - row:>2}  " if part == 1 else "    "
        lines.append(Text.assemble((label, QUIET), line, (f"  {label.strip()}", QUIET)))
    return [*lines, letters]


def _compact_board(view: SchlossgartenView) -> list[Text]:
    """Return the lines of the garden, a line for each row: 59 columns, 9 lines.

    A cell has the points of its tile, or the beginning of its element's name with the number of the owner, and then the
    pawn that stands there.
    """
    element_on = {cell: element for element in view.elements for cell in element.cells}
    pawn_on = {
        cell: (seat, mark) for seat, cells in enumerate(view.pawns) for cell, mark in zip(cells, PAWNS, strict=True)
    }
    up = set(view.up)
    letters = Text("  " + "".join(letter.center(CELL) for letter in "abcdefg").rstrip(), style=QUIET)
    lines = [letters]
    for row in reversed(range(GRID.width)):
        line = Text.assemble((f"{row + 1}  ", QUIET))
        for column in range(GRID.width):
            cell = GRID.names[row * GRID.width + column]
            if cell in element_on:
                element = element_on[cell]
                kind = SHORT[f"{element.worker}{element.size}"]
                line.append(f"{kind}{element.seat + 1}", style=SEATS[element.seat])
            elif cell in up:
                line.append(f"{'∙' * view.values[GRID.cell_of[cell]]:<4}", style=LAWN)
            else:
                line.append("▒▒▒▒", style=SOIL)
            if cell in pawn_on:
                seat, mark = pawn_on[cell]
                line.append(" ")
                line.append(f"{mark}{seat + 1}", style=f"{SEATS[seat]} reverse")
                line.append(" ")
            else:
                line.append(" " * (CELL - 4))
        line.rstrip()
        lines.append(Text.assemble(line, " " * (3 + CELL * GRID.width - line.cell_len), (f"{row + 1}", QUIET)))
    return [*lines, letters]


def _element(element: Element, cell: str) -> Text:
    """Return the text on one cell of an element: its kind on the first cell, its owner on every cell."""
    kind = ELEMENTS[f"{element.worker}{element.size}"] if cell == element.cells[0] else ""
    return Text(f"{kind[: WIDE - 1]}{element.seat + 1}" if kind else f"{element.seat + 1}", style=SEATS[element.seat])


def _cards(view: SchlossgartenView, numbers: Sequence[int], title: str) -> list[Text]:
    """Return lines with cards side by side, each in its four rotations if it is the played card."""
    blocks: list[tuple[str, list[str]]] = []
    for number in numbers:
        rows = view.box["deck"][number - 1] if "deck" in view.box else rows_of(house_deck()[number - 1])
        for turns in range(4 if view.played else 1):
            blocks.append(("" if turns else f"{title} {number}", turned_rows(rows, turns)))
    widths = [max(12, 2 * len(rows) + 6) for _, rows in blocks]
    headings = (heading.ljust(width) for (heading, _), width in zip(blocks, widths, strict=True))
    lines = [Text("".join(headings).rstrip(), style="bold")]
    for row in range(max(len(rows) for _, rows in blocks)):
        line = Text()
        for (_, rows), width in zip(blocks, widths, strict=True):
            marks = " ".join(rows[row].replace(".", "·")) if row < len(rows) else ""
            line.append(f"  {marks}".ljust(width))
        line.rstrip()
        lines.append(line)
    return lines
