"""The bot `champion`: as strong as about a second for a decision allows, on two cores.

It searches with learned values where they are stronger, else with rollouts, and looks ahead where a learned
player does. A search is bounded by time, so it plays better on a faster machine, and equal views and chance need not
give equal moves. Each of its threads makes at least as many simulations as the strongest level.
"""

from __future__ import annotations

from typing import Any

from bosquet.bots import learned, levels
from bosquet.bots.learned import Learned, LearnedSettings
from bosquet.core.rng import Rng
from bosquet.core.view import View
from bosquet.search import Search, Settings, learned_model

NAME = "champion"
SECONDS = 1.0
THREADS = 2
AHEAD = 2
"""Cards that may come and are looked at, where it looks ahead."""


class Champion:
    """The strongest bot. The view says which game it plays."""

    reads_moves = False

    def __init__(self) -> None:
        self._player: Search | Learned | None = None

    def choose(self, view: View, rng: Rng) -> str:
        """Return the notation of the chosen move."""
        if self._player is None:
            self._player = strongest(view.game, view.options)
        return self._player.choose(view, rng)

    @property
    def ahead(self) -> list[tuple[bytes, str]]:
        """Return the planned moves after the last one, each with the `plan_key` of the view in which to make it."""
        return self._player.ahead if isinstance(self._player, Search) else []


def strongest(game: str, options: Any) -> Search | Learned:
    """Return the strongest player that there is for a game with these options."""
    if learned.looks_ahead(game, options):
        return Learned(LearnedSettings(ahead=AHEAD))
    return Search(settings(game), learned=learned_model.is_stronger(game, options))


def settings(game: str) -> Settings:
    """Return the search settings of the champion."""
    least = levels.settings(game, levels.COUNT).simulations
    return Settings(simulations=THREADS * least, seconds=SECONDS, threads=THREADS, stop_early=True)
