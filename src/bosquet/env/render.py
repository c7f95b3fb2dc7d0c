"""The render modes of all environments. They show what `bosquet play` draws at a terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from rich.console import Console, RenderableType

from bosquet.core import installed
from bosquet.core.errors import OptionError, quoted
from bosquet.core.view import View
from bosquet.terminal import draw

MODES = ("human", "ansi", "rgb_array")
WIDTH = 80
"""Width of text in columns."""


def modes_of(game: str) -> list[str]:
    """Return the render modes of a game; a variant has none."""
    return list(MODES) if game in installed.names() else []


def check_mode(mode: str | None, game: str) -> str | None:
    """Return a render mode unchanged; None renders nothing.

    Raises OptionError for an unknown mode, and for any mode of a variant.
    """
    if mode is not None and game not in installed.names():
        raise OptionError(f"{game} is a variant: it is not drawn")
    if mode is not None and mode not in MODES:
        raise OptionError(f"render_mode is {quoted(mode)}; it must be None or one of {', '.join(MODES)}")
    return mode


def render(mode: str, view: View, names: Sequence[str]) -> Any:
    """Render a view, with a name for each seat.

    `human` prints it and returns None; `ansi` returns text of at most 80 columns with ANSI colour codes; `rgb_array`
    returns an image, uint8, always of shape `picture.SHAPE`, and needs Pillow.
    """
    drawn = draw(view, names)
    if mode == "human":
        Console(highlight=False).print(drawn)
        return None
    if mode == "ansi":
        return _text(drawn)
    from bosquet.env.picture import picture

    return picture(drawn)


def _text(drawn: RenderableType) -> str:
    file = io.StringIO()
    Console(file=file, width=WIDTH, force_terminal=True, color_system="standard", highlight=False).print(drawn)
    return file.getvalue()
