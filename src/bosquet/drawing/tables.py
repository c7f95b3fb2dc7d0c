"""Tables of one style at a terminal. Where one is too wide, each row becomes a few lines, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

UNBOUNDED = 10_000
"""A width that everything fits."""


class Rows:
    """A table whose first columns are words, such as names, and the others numbers.

    The last column of words may take several lines, but no word of it is broken.
    """

    def __init__(self, words: Sequence[str], numbers: Sequence[str], title: str = "") -> None:
        """Name the columns."""
        self._words, self._numbers, self._title = list(words), list(numbers), title
        self._rows: list[list[Text]] = []

    def add(self, *cells: str | Text) -> None:
        """Add a row. Texts are shown as they are, without markup."""
        self._rows.append([cell if isinstance(cell, Text) else Text(cell) for cell in cells])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the table for a console of this width."""
        if self._title:
            yield Text(self._title, style="bold", overflow="fold")
        table = self._table()
        if Measurement.get(console, options.update(width=UNBOUNDED), table).minimum <= options.max_width:
            yield table
        else:
            yield from self._lines()

    def _table(self) -> Table:
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for number, name in enumerate(self._words, 1):
            table.add_column(name, overflow="fold", no_wrap=number < len(self._words))
        for name in self._numbers:
            table.add_column(name, justify="right", no_wrap=True)
        for row in self._rows:
            table.add_row(*row)
        return table

    def _lines(self) -> RenderResult:
        """Yield each row as its words, and a line for each number below."""
        width = max(map(len, self._numbers), default=0)
        for row in self._rows:
            yield Text("")
            words = Text("  ").join(cell for cell in row[: len(self._words)] if cell)
            words.stylize("bold")
            words.overflow = "fold"
            yield words
            for name, cell in zip(self._numbers, row[len(self._words) :], strict=True):
                if cell:
                    yield Text.assemble((f"  {name:<{width}}  ", "dim"), cell, overflow="fold")
        yield Text("")
