"""What fits on the screen of a terminal."""

from __future__ import annotations

import sys
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


def page_through(console: Console, drawn: RenderableType, ask: Ask, prompt: str, last: str | None = None) -> str:
    """Print a drawing, at a terminal a screen at a time; `q`, the end of the input or Ctrl-C ends it.

    With `last`, it prompts behind the last screen, too. Other text at a prompt ends it as well, and is returned.
    """
    if not console.is_terminal:
        console.print(drawn)
        return ""
    lines = console.render_lines(drawn, pad=False, new_lines=True)
    most = max(1, console.height - 1)
    for start in range(0, len(lines), most):
        console.print(Segments(segment for line in lines[start : start + most] for segment in line), end="")
        asked = prompt if start + most < len(lines) else last
        try:
            typed = ask(asked).strip() if asked is not None else ""
        except (EOFError, KeyboardInterrupt):
            return ""
        if typed:
            return "" if typed.lower() == "q" else typed
    return ""


def drop_typed() -> None:
    """Forget what was typed and not read yet, if the input is a terminal."""
    if not sys.stdin.isatty():
        return
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
