"""The bot `greedy` in an engine, of a game that has it as a kernel."""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import greedy_action
from bosquet.engine.playing import index_of
from bosquet.kernels.jit import kernel


@kernel
def greedy(m: Any) -> int:
    """Return the move that `greedy` makes. Advances the generator."""
    return index_of(m, greedy_action(m.table, m.rng, m.greedy_moves))


EXPORTS = (greedy,)
