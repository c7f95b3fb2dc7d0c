"""The bots `level1` … `level6`: six levels of the search, about 145 Elo apart in games of two players.

A level is defined by simulations per decision, not by time, so it plays the same on every machine. A weaker level uses
fewer simulations and drops a share of the candidates. The numbers of each game are `levels=` in its `__init__.py`;
studies/ladder has the measured differences.
"""

from __future__ import annotations

from bosquet.core.installed import spec_or_variant
from bosquet.search import Settings

COUNT = 6


def settings(game: str, level: int) -> Settings:
    """Return the search settings of a level, 1 to `COUNT`."""
    simulations, candidate_dropout = spec_or_variant(game).levels[level - 1]
    return Settings(simulations=simulations, candidate_dropout=candidate_dropout)
