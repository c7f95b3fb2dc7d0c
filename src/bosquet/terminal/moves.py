"""Draw the legal moves at a terminal, numbered in the order of the view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.text import Text

from bosquet.core.view import Move
from bosquet.drawing.palette import QUIET


def draw_moves(view: Any, limit: int, only: Sequence[Move] | None = None) -> RenderableType:
    """Return a list of moves with their numbers and effects; of more than `limit`, those that score most.

    `only` are the moves to list, by default all.
    """
    moves: list[Move] = view.moves
    numbered = [(number, move) for number, move in enumerate(moves, 1) if only is None or move in only]
    shown = numbered
    if len(numbered) > limit:
        best = sorted(numbered, key=lambda pair: -(pair[1].points or 0))[:limit]
        shown = sorted(best, key=lambda pair: pair[0])
    digits = len(str(len(moves)))
    lines: list[RenderableType] = [Columns([_line(n, move, digits) for n, move in shown], padding=(0, 3))]
    if len(shown) < len(numbered):
        lines.append(Text(f"… and {len(numbered) - len(shown)} more that score no more", style=QUIET))
    return Group(*lines)


def moves_like(view: Any, beginning: str) -> list[Move]:
    """Return the moves whose notation begins so, in capitals or not; `b1` begins `b1N`, but `card 1` not `card 17`."""
    start = beginning.casefold()
    found = []
    for move in view.moves:
        said = move.say.casefold()
        rest = said[len(start) :]
        if said.startswith(start) and not (rest[:1].isdigit() and start[-1:].isdigit()):
            found.append(move)
    return found


def _line(number: int, move: Move, digits: int) -> Text:
    """Return the line of one move."""
    text = Text.assemble((f"{number:>{digits}} ", QUIET), (move.say, "bold"))
    if move.points:
        text.append(f" {move.points:+}")
    return text
