"""Draw a board as boxes of lines; neighbouring cells of the same piece share a box."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from rich.text import Text

from bosquet.drawing.palette import LINES

JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""[mask]: character for lines that go up (1), right (2), down (4) and left (8)."""

Piece = Callable[[int, int], Hashable]
"""Returns the piece on a cell (column, row from the top), or None."""
Inside = Callable[[int, int], Sequence[Text]]
"""Returns the lines of text inside a cell (column, row from the top)."""


def lattice(columns: int, rows: int, wide: int, high: int, piece: Piece, inside: Inside) -> list[Text]:
    """Return the lines of a board whose cells are `wide` characters by `high` lines inside."""

    def at(column: int, row: int) -> Hashable:
        return piece(column, row) if 0 <= column < columns and 0 <= row < rows else None

    def across(column: int, row: int) -> bool:
        """Return whether there is a line above the cell."""
        return 0 <= column < columns and at(column, row - 1) != at(column, row)

    def down(column: int, row: int) -> bool:
        """Return whether there is a line left of the cell."""
        return 0 <= row < rows and at(column - 1, row) != at(column, row)

    lines = []
    for row in range(rows + 1):
        border = Text(style=LINES)
        for column in range(columns + 1):
            ways = down(column, row - 1) | across(column, row) << 1 | down(column, row) << 2
            ways |= across(column - 1, row) << 3
            border.append(JOINTS[ways])
            if column < columns:
                border.append(("─" if across(column, row) else " ") * wide)
        lines.append(border)
        if row < rows:
            lines += _cell_lines(columns, row, wide, high, down, inside)
    return lines


def _cell_lines(
    columns: int, row: int, wide: int, high: int, down: Callable[[int, int], bool], inside: Inside
) -> list[Text]:
    """Return the lines of one row of cells, without the horizontal borders."""
    cells = [[*inside(column, row)] for column in range(columns)]
    lines = []
    for i in range(high):
        line = Text()
        for column in range(columns + 1):
            line.append("│" if down(column, row) else " ", style=LINES)
            if column < columns:
                text = cells[column][i].copy() if i < len(cells[column]) else Text()
                text.align("center", wide)
                line.append_text(text)
        lines.append(line)
    return lines


def centred(*lines: str, style: str = "") -> list[Text]:
    """Return centred lines of one style for the inside of a cell."""
    return [Text(line, style=style) for line in lines]
