"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table; a row that is short gets empty cells."""
    lines = [line(columns), line(["---"] * len(columns)).replace(" ", "")]
    return lines + [line([*map(str, row), *[""] * (len(columns) - len(row))]) for row in rows]


def line(cells: Sequence[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"
