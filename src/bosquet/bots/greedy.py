"""The bot `greedy`: take the move with the most immediate points; break ties at random."""

from __future__ import annotations

from typing import Any, Protocol

from bosquet.core.installed import spec_or_variant
from bosquet.core.rng import Rng


class Chooser(Protocol):
    """The greedy player of one game: the class `Greedy` in a game's module `greedy`."""

    def choose(self, view: Any, rng: Rng) -> str:
        """Return the notation of one of the legal moves."""


class Greedy:
    """Plays with the game's own `Greedy` if there is one, else with `MostPoints`."""

    def __init__(self) -> None:
        self._chooser: Chooser | None = None

    def choose(self, view: Any, rng: Rng) -> str:
        """Return the notation of the greedy move."""
        if self._chooser is None:
            module = spec_or_variant(view.game).module("greedy")
            self._chooser = getattr(module, "Greedy", MostPoints)()
        return self._chooser.choose(view, rng)


class MostPoints:
    """Takes the move with the most immediate points; breaks ties at random."""

    def choose(self, view: Any, rng: Rng) -> str:
        """Return one of the moves with the most points."""
        points = [move.points or 0 for move in view.moves]
        best = [move for move, value in zip(view.moves, points, strict=True) if value == max(points)]
        move: str = rng.choice(best).say
        return move
