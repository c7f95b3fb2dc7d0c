"""Uniformly random play of whole games in compiled code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bosquet.core.chance import below
from bosquet.core.jit import kernel
from bosquet.core.state import CHANCE, NOBODY, Numbers

if TYPE_CHECKING:  # `bind` puts a game's rules in their place
    from bosquet.games.schlossgarten import deal, legal, play, roll, scores


@kernel
def random_games(states: Any, lanes: Numbers, moves: Numbers, points: Numbers, games: int) -> int:
    """Deal and play so many games to the end, count their points; return the number of decisions made."""
    state = states[0]
    decisions = 0
    for _ in range(games):
        deal(state, lanes)
        while state.seat != NOBODY:
            if state.seat == CHANCE:
                roll(state, lanes)
            else:
                n = legal(state, moves)
                play(state, moves[below(lanes, n)])
                decisions += 1
        scores(state, points)
    return decisions
