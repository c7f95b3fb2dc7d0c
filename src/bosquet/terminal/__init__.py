"""The user interface at a terminal. Everything is drawn from views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType

from bosquet.core.installed import spec
from bosquet.terminal import generic
from bosquet.terminal.moves import draw_moves
from bosquet.terminal.sheet import draw_sheet

__all__ = ["draw", "draw_moves", "draw_sheet"]


def draw(view: Any, names: Sequence[str], *, compact: bool = False) -> RenderableType:
    """Return a drawing of all that a view holds; with `compact`, in few lines and without a legend."""
    module = spec(view.game).module("terminal") or generic
    table: RenderableType = module.draw(view, names, compact=compact)
    return table
