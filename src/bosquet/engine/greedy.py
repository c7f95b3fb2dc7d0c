"""The bot `greedy` in an engine: the kernel of a game, or what a page needs in its place."""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import greedy_action
from bosquet.core.rng import below
from bosquet.engine.playing import index_of
from bosquet.kernels.jit import kernel


@kernel
def greedy(m: Any) -> int:
    """Return the move that `greedy` makes. Advances the generator."""
    return index_of(m, greedy_action(m.table, m.rng, m.greedy_moves))


@kernel
def pick(m: Any, count: int) -> int:
    """Return a number below `count`, uniformly. Advances the generator."""
    return below(m.rng, count)


EXPORTS = (greedy,)
MOST_POINTS = (pick,)
"""What a page needs to play as `bots.greedy.MostPoints` does."""
