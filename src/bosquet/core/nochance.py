"""Functions for games without chance events after the deal. Such a game imports them in `rules` and `notation`."""

from __future__ import annotations

from typing import Any

from bosquet.core.errors import IllegalMove, quoted
from bosquet.kernels.jit import kernel


@kernel
def sample_chance(state: Any, rng_state: Any) -> None:
    """Do nothing; no chance event is ever due."""


def chance_to_notation(state: Any) -> str:
    """Return an empty string; no chance event is ever due."""
    return ""


def apply_chance(state: Any, text: str) -> None:
    """Raise IllegalMove; no chance event is ever due."""
    raise IllegalMove(f"{quoted(text)}: this game has no chance events")
