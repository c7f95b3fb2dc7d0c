"""Draw the legal moves at a terminal, numbered in the order of the view."""

from __future__ import annotations

from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.text import Text

from bosquet.core.view import Move
from bosquet.drawing.palette import QUIET


def draw_moves(view: Any, limit: int) -> RenderableType:
    """Return a list of moves with their numbers and effects; of more than `limit`, those that score most."""
    moves: list[Move] = view.moves
    numbered = list(enumerate(moves, 1))
    shown = numbered
    if len(moves) > limit:
        best = sorted(numbered, key=lambda pair: -(pair[1].points or 0))[:limit]
        shown = sorted(best, key=lambda pair: pair[0])
    digits = len(str(len(moves)))
    lines: list[RenderableType] = [Columns([_line(n, move, digits) for n, move in shown], padding=(0, 3))]
    if len(shown) < len(moves):
        rest = f"… and {len(moves) - len(shown)} more that score no more: type moves to see all"
        lines.append(Text(rest, style=QUIET))
    return Group(*lines)


def _line(number: int, move: Move, digits: int) -> Text:
    """Return the line of one move."""
    text = Text.assemble((f"{number:>{digits}} ", QUIET), (move.say, "bold"))
    if move.points:
        text.append(f" {move.points:+}")
    return text
