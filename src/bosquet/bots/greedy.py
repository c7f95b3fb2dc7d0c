"""The bot `greedy`: the most points at once, ties at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bosquet.bots.garden_plan import GardenPlan
from bosquet.core.chance import Chance
from bosquet.games import topiary


class Greedy:
    """Takes the move that scores most now; in Schlossgarten the turn that does."""

    def __init__(self) -> None:
        self._plan = GardenPlan()

    def choose(self, view: Any, chance: Chance) -> str:
        """The best of the legal moves, by what it scores at once."""
        if view.game == "schlossgarten":
            return self._plan.choose(view, chance)
        if view.game == "topiary" and view.phase == "take":
            return _best(view, chance, _worth_of_taking(view, chance))
        return _best(view, chance, lambda move: move.points or 0)


def _best(view: Any, chance: Chance, worth: Callable[[Any], int]) -> str:
    """The move that is worth most, one of the best at random."""
    worths = [worth(move) for move in view.moves]
    best = [move for move, points in zip(view.moves, worths, strict=True) if points == max(worths)]
    move: str = chance.choice(best).say
    return move


def _worth_of_taking(view: topiary.TopiaryView, chance: Chance) -> Callable[[Any], int]:
    """What taking a tile gains in Topiary: the best tile already in hand put into its gap; the taken one counts 0."""
    state = topiary.redeal(view, chance)
    seat = state.seat
    hand = state.hand[seat]
    now = topiary.score(state, seat)

    def worth(move: topiary.TopiaryMove) -> int:
        if move.say == "pass":
            return 0
        taken = state.copy()
        topiary.play(taken, topiary.parse(taken, move.say))
        gains = []
        for name in view.hand or []:
            after = taken.copy()
            topiary.play(after, topiary.parse(after, f"put {name}"))
            after.hand[seat] &= hand
            gains.append(topiary.score(after, seat) - now)
        return max(gains)

    return worth
