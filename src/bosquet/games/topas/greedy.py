"""How `greedy` plays Topas, as a kernel: the placement that scores most."""

from __future__ import annotations

from bosquet.core.rng import below
from bosquet.core.state import Numbers
from bosquet.kernels.jit import kernel

from .rules import State, legal, points_of

MANY_ON_A_DEVICE = False
"""Twenty decisions in one launch read an invalid address on a GPU (an H100, driver 580); one a launch is right.

The cause has not been found.
"""


@kernel
def greedy_action(state: State, rng_state: Numbers, moves: Numbers) -> int:
    """Return the placement that scores most, one of the best at random. Overwrites `moves`, advances `rng_state`."""
    most = -1
    ties = 0
    for i in range(legal(state, moves)):
        action = moves[i]
        points = points_of(state, action)
        if points > most:
            most = points
            ties = 0
        if points == most:
            moves[ties] = action
            ties += 1
    return moves[below(rng_state, ties)]
