"""Endings that need no guessing: the last turn of a game, solved where a game knows how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bosquet.core.jit import kernel
from bosquet.core.state import Numbers

if TYPE_CHECKING:  # `bind` puts what a game knows in their place
    from bosquet.bots.search.topiary import is_solvable, plans, solve

ROOT = 0


@kernel
def solved(
    states: Any, trees: Any, lanes: Numbers, found: Numbers, worths: Numbers, scratch: Numbers, values: Any
) -> int:
    """Write the plans at `states[ROOT]` into `found`, into `values` (floats, 0 … 1) what each is worth to the mover.

    Returns how many; 0 where the position is no ending that can be solved.
    """
    state = states[ROOT]
    if not is_solvable(state):
        return 0
    n = plans(state, found, worths, scratch, lanes)
    solve(state, trees[0], found, n, values)
    return n
