"""Draw the players at a terminal, in turn order."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from bosquet.core.view import View
from bosquet.drawing.palette import SEATS, mark


def players_lines(view: View, names: Sequence[str], facts: Sequence[str], due: str) -> list[Text]:
    """Return a line for each seat with its name, fact and due decision, and a line for the winners."""
    width = max(len(name) for name in names)
    lines = []
    for seat, (name, fact) in enumerate(zip(names, facts, strict=True)):
        line = Text.assemble((f"{mark(seat)} {name:<{width}}", SEATS[seat]), f"  {fact}")
        if seat == view.seat:
            line.append(f"  ◀ {due}", style="bold")
        if seat in view.winners and view.players > 1:
            line.append("  ★ wins" if len(view.winners) == 1 else "  ★ shares the win", style="bold")
        lines.append(line)
    return lines
