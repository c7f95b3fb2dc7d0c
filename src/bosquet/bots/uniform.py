"""The bot `random`: make a uniformly random legal move."""

from __future__ import annotations

from typing import Any

from bosquet.core.rng import Rng


class Random:
    """Plays uniformly at random."""

    def choose(self, view: Any, rng: Rng) -> str:
        """Return one of the legal moves, uniformly."""
        move: str = rng.choice(view.moves).say
        return move
