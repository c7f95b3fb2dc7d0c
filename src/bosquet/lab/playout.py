"""Uniformly random play of whole games, in compiled code."""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import deal, legal, play, sample_chance, scores
from bosquet.core.rng import below
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.kernels.jit import kernel


@kernel
def random_games(states: Any, rng_state: Numbers, moves: Numbers, points: Numbers, games: int) -> int:
    """Deal games, play them to the end and score them; return the number of decisions."""
    state = states[0]
    decisions = 0
    for _ in range(games):
        deal(state, rng_state)
        while state.seat != NOBODY:
            if state.seat == CHANCE:
                sample_chance(state, rng_state)
            else:
                n = legal(state, moves)
                play(state, moves[below(rng_state, n)])
                decisions += 1
        scores(state, points)
    return decisions
