"""Draw any game at a terminal, for games without a module `terminal`: a board as a lattice, other fields as lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from bosquet.core.grid import COLUMNS
from bosquet.core.view import View
from bosquet.drawing.lattice import centred, lattice
from bosquet.drawing.palette import QUIET
from bosquet.drawing.players import players_lines

CELL = re.compile(r"[a-z][1-9][0-9]?")
"""Matches the names of cells in `core.grid.Grid`."""
HIGH = 1


def draw(view: View, names: Sequence[str], *, compact: bool = False) -> RenderableType:
    """Return a drawing of all that a view holds; with `compact`, boards have no lines between rows.

    A field that maps names of cells to text or numbers is drawn as a board. Empty fields are left out.
    """
    facts = [f"{points} points" for points in view.scores] if view.scores is not None else [""] * view.players
    own = msgspec.to_builtins(view)
    for common in (*View.__struct_fields__, "moves"):
        own.pop(common, None)
    lines = []
    for name, value in own.items():
        if _is_board(value):
            lines += [Text(_title(name), style=QUIET), *_board(value, compact)]
    lines += [Text(), *players_lines(view, names, facts, view.phase)]
    for name, value in own.items():
        if not _is_board(value) and value not in (None, [], {}):
            lines.append(Text(f"{_title(name)}: {_shown(value)}", style="bold" if name == "hand" else QUIET))
    return Group(*lines)


def _is_board(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(CELL.fullmatch(str(key)) for key in value)


def _board(cells: Mapping[str, Any], compact: bool) -> list[Text]:
    """Return the lines of a board with `a1` at the lower left, just large enough for all cells."""
    columns = 1 + max(COLUMNS.index(name[0]) for name in cells)
    rows = max(int(name[1:]) for name in cells)
    wide = 2 + max(len(str(value)) for value in cells.values())

    def inside(column: int, row: int) -> list[Text]:
        return centred(str(cells.get(f"{COLUMNS[column]}{rows - row}", "")))

    drawn = lattice(columns, rows, wide, HIGH, lambda column, row: (column, row), inside)
    for row, line in enumerate(drawn):
        label = f"{rows - row // 2:>2} " if row % 2 else "   "
        drawn[row] = Text.assemble((label, QUIET), line)
    if compact:
        drawn = drawn[1::2]
    letters = "".join(letter.center(wide + 1) for letter in COLUMNS[:columns])
    return [*drawn, Text("    " + letters, style=QUIET)]


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _shown(value: Any) -> str:
    """Return a value as text on one line."""
    if isinstance(value, dict):
        return "  ".join(f"{key} {_shown(part)}" for key, part in value.items())
    if isinstance(value, list):
        return "  ".join(_shown(part) for part in value)
    return str(value)
