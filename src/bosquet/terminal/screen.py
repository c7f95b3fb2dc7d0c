"""What fits on the screen of a terminal."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console, RenderableType
from rich.segment import Segments

COMPACT = 40
"""On a screen with fewer lines than this, boards are drawn compactly."""

Ask = Callable[[str], str]
"""Prompts for a line. Raises EOFError at the end of the input."""


def is_small(console: Console, lines: int) -> bool:
    """Return whether a board is drawn compactly: at a terminal with few lines, or fewer than the large one needs."""
    return console.is_terminal and console.height < max(COMPACT, lines)


def lines_of(console: Console, drawn: RenderableType) -> int:
    """Return how many lines a drawing takes."""
    return len(console.render_lines(drawn, pad=False))


def page_through(console: Console, drawn: RenderableType, ask: Ask, prompt: str) -> None:
    """Print a drawing, at a terminal a screen at a time; `q`, the end of the input or Ctrl-C ends it."""
    if not console.is_terminal:
        console.print(drawn)
        return
    lines = console.render_lines(drawn, pad=False, new_lines=True)
    most = max(1, console.height - 1)
    for start in range(0, len(lines), most):
        try:
            if start and ask(prompt).strip().lower() == "q":
                return
        except (EOFError, KeyboardInterrupt):
            return
        console.print(Segments(segment for line in lines[start : start + most] for segment in line), end="")
