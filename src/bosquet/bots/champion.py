"""The bot `champion`: as strong as about a second for a decision allows, on two cores.

It searches with learned values where there are weights for them, since they play better with a second for a decision
(docs/how-bots-think.md), else with rollouts, and looks ahead where a learned player does. A search is bounded by time,
so it plays better on a faster machine, and equal views and chance need not give equal moves. Each of its threads makes
at least as many simulations as the strongest level.
"""

from __future__ import annotations

from bosquet.bots import learned, levels
from bosquet.bots.learned import LearnedSettings, Lookahead
from bosquet.core.state import Options
from bosquet.search import Search, Settings
from bosquet.search.learned_weights import model_with_weights

NAME = "champion"
SECONDS = 1.0
THREADS = 2
AHEAD = 2
"""Cards that may come and are looked at, where it looks ahead."""


def strongest(game: str, options: Options) -> Search | Lookahead:
    """Return the strongest player that there is for a game with these options."""
    if learned.looks_ahead(game, options):
        return learned.player_for(game, options, LearnedSettings(ahead=AHEAD))
    return Search(settings(game), learned=model_with_weights(game, options) is not None)


def settings(game: str) -> Settings:
    """Return the search settings of the champion."""
    least = levels.settings(game, levels.COUNT).simulations
    return Settings(simulations=THREADS * least, seconds=SECONDS, threads=THREADS, stop_early=True)
