"""The bots `level1` … `level6`: six levels of the search, about 145 Elo apart in games of two players.

A level is defined by simulations per decision, not by time, so it plays the same on every machine. A weaker level uses
fewer simulations and drops a share of the candidates. docs/bots.md has the measured differences.
"""

from __future__ import annotations

from bosquet.core.rng import Rng
from bosquet.core.view import View
from bosquet.games import spec_or_variant
from bosquet.search import Search, Settings

COUNT = 6


class Level:
    """A bot of one of the levels, 1 to 6. The view says which game it plays."""

    reads_moves = False

    def __init__(self, level: int) -> None:
        self.level = level
        self.jit: bool | None = None
        """Whether to compile, see `Search`. Set it before the first move."""
        self._search: Search | None = None

    def choose(self, view: View, rng: Rng) -> str:
        """Return the notation of the chosen move."""
        if self._search is None:
            self._search = Search(settings(view.game, self.level), jit=self.jit)
        return self._search.choose(view, rng)

    @property
    def ahead(self) -> list[tuple[bytes, str]]:
        """Return the planned moves after the last one, each with the `plan_key` of the view in which to make it."""
        return self._search.ahead if self._search else []


def settings(game: str, level: int) -> Settings:
    """Return the search settings of a level."""
    simulations, candidate_dropout = spec_or_variant(game).levels[level - 1]
    return Settings(simulations=simulations, candidate_dropout=candidate_dropout)
