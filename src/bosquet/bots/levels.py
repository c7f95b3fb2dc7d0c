"""Six levels of play a game, about 125 Elo apart, the same on every machine: set by simulations, not by time.

A weaker level overlooks part of what could be done, as people do, and thinks less about the rest. How the numbers were
found, and what the levels are worth against each other: docs/bots.md.
"""

from __future__ import annotations

from bosquet.bots.search import Search, Settings
from bosquet.core.chance import Chance
from bosquet.core.view import View

LEVELS = {
    "topiary": ((1, 0.5), (1, 0.26), (1, 0.0), (30, 0.0), (100, 0.0), (400, 0.0)),
    "topas": ((1, 0.9), (1, 0.8), (1, 0.65), (1, 0.4), (1, 0.0), (1000, 0.0)),
    "schlossgarten": ((1, 0.98), (1, 0.93), (1, 0.65), (4, 0.4), (12, 0.3), (400, 0.0)),
}
"""[game][level - 1]: simulations a decision, and the share of the plans that is overlooked."""
COUNT = 6


class Level:
    """A player of one of the levels, 1 to 6, of whichever game it is shown."""

    def __init__(self, level: int) -> None:
        self.level = level
        self.jit: bool | None = None
        """Whether to compile, see `Search`. Set before the first move."""
        self._search: Search | None = None

    def choose(self, view: View, chance: Chance) -> str:
        """The move that the level makes."""
        if self._search is None:
            self._search = Search(settings(view.game, self.level), jit=self.jit)
        return self._search.choose(view, chance)

    @property
    def ahead(self) -> list[tuple[bytes, str]]:
        """What is planned after the last move: each move with the view, as JSON, that it is meant for."""
        return self._search.ahead if self._search else []


def settings(game: str, level: int) -> Settings:
    """How a level searches."""
    simulations, overlook = LEVELS[game][level - 1]
    return Settings(simulations=simulations, overlook=overlook)
