"""Bots that play hints, to compare hints with and without learned values.

    uv run bosquet arena topiary --bots benchmarks/hints.py:Learned,benchmarks/hints.py:Rollouts --games 120 --workers 1

The baseline is `Rollouts`, hints without learned values.
"""

from __future__ import annotations

from bosquet import Rng, View
from bosquet.lab import coach


class Rollouts:
    """Plays the first hint, found and put in order by rollouts."""

    learned = False

    def choose(self, view: View, rng: Rng) -> str:
        """Return the first move of the first hint."""
        if len(view.moves) == 1:
            return view.moves[0].say
        return coach.best(view, rng, learned=self.learned)[0].moves[0]


class Learned(Rollouts):
    """Plays the first hint, found and put in order by learned values."""

    learned = True
