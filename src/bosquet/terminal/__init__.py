"""The games at a terminal, drawn from views: everything a person sees there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import RenderableType

from bosquet.terminal import schlossgarten, topas, topiary
from bosquet.terminal.moves import draw_moves
from bosquet.terminal.sheet import draw_sheet

__all__ = ["draw", "draw_moves", "draw_sheet"]

TABLES: dict[str, Callable[[Any, Sequence[str]], RenderableType]] = {
    "topiary": topiary.draw,
    "topas": topas.draw,
    "schlossgarten": schlossgarten.draw,
}


def draw(view: Any, names: Sequence[str]) -> RenderableType:
    """The whole table, as far as the viewer may see it."""
    return TABLES[view.game](view, names)
