"""The bot `random`: any legal move, all equally likely."""

from __future__ import annotations

from typing import Any

from bosquet.core.chance import Chance


class Random:
    """Plays uniformly at random."""

    def choose(self, view: Any, chance: Chance) -> str:
        """One of the legal moves, uniformly."""
        move: str = chance.choice(view.moves).say
        return move
