"""The player that looks ahead over the cards to come, in the engine of a game that has one (`bots.learned.Lookahead`).

The page writes the weights into the memory before the first move (`engine.weights`).
"""

from __future__ import annotations

from typing import Any

from bosquet.engine.playing import index_of
from bosquet.kernels.jit import kernel


def choose_ahead(state: Any, workspace: Any, moves: Any, ahead: int) -> int:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("choose_ahead is a placeholder: `bind` puts the kernel of a game in its place")


@kernel
def look_ahead(m: Any, ahead: int) -> int:
    """Return the best move, looking ahead over `ahead` of the cards to come, 0 to 3."""
    return index_of(m, choose_ahead(m.table, m.lookahead, m.found, ahead))


EXPORTS = (look_ahead,)
