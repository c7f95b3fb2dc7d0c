"""The move of chance of a game whose chance is all in the deal: there is none. Such a game imports these names."""

from __future__ import annotations

from typing import Any

from bosquet.core.errors import IllegalMove, quoted
from bosquet.core.jit import kernel


@kernel
def roll(state: Any, lanes: Any) -> None:
    """Never due."""


def say_roll(state: Any) -> str:
    """Never due."""
    return ""


def play_roll(state: Any, text: str) -> None:
    """Never due. Raises IllegalMove."""
    raise IllegalMove(f"{quoted(text)}: this game has no moves of chance")
