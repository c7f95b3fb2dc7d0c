"""Square boards whose cells are named like chess squares: columns `a`… west to east, rows `1`… south to north."""

from __future__ import annotations

import string
from collections.abc import Iterable

from bosquet.kernels.bits import members

HEADINGS: dict[str, tuple[int, int]] = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}
"""Compass headings as steps (east, north)."""

COLUMNS = string.ascii_lowercase


class Grid:
    """Names and geometry of a width × width board. Cells are numbered row × width + column, starting at `a1`."""

    def __init__(self, width: int) -> None:
        """Make a board. Raises ValueError if it is wider than the alphabet."""
        if not 1 <= width <= len(COLUMNS):
            raise ValueError(f"a board is 1 to {len(COLUMNS)} cells wide, not {width}: columns are named by letters")
        self.width = width
        self.size: int = width * width
        self.names: list[str] = [self._name(cell) for cell in range(self.size)]
        self.cell_of: dict[str, int] = {name: cell for cell, name in enumerate(self.names)}

    def _name(self, cell: int) -> str:
        row, column = divmod(cell, self.width)
        return f"{COLUMNS[column]}{row + 1}"

    def step(self, cell: int, east: int, north: int) -> int:
        """Return the cell `east` columns east and `north` rows north of a cell, or -1 if it is off the board."""
        row, column = divmod(cell, self.width)
        row, column = row + north, column + east
        inside = 0 <= row < self.width and 0 <= column < self.width
        return row * self.width + column if inside else -1

    def ray(self, cell: int, heading: str) -> tuple[int, ...]:
        """Return the cells from `cell` in a straight line to the edge, including `cell`."""
        east, north = HEADINGS[heading]
        cells = []
        while cell >= 0:
            cells.append(cell)
            cell = self.step(cell, east, north)
        return tuple(cells)

    def names_of(self, mask: int) -> list[str]:
        """Return the names of a set of cells, in ascending order of cell number."""
        return [self.names[cell] for cell in members(mask)]

    def mask_of_names(self, names: Iterable[str]) -> int:
        """Return the set of the named cells as a bit mask."""
        mask = 0
        for name in names:
            mask |= 1 << self.cell_of[name]
        return mask
