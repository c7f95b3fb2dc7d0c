"""How `greedy` plays Topiary: the most points at once; a tile is taken where one in hand would gain most."""

from __future__ import annotations

from bosquet.core.rng import Rng

from .notation import parse
from .rules import play, score
from .view import TopiaryMove, TopiaryView, determinize


class Greedy:
    """Takes the move that scores most now."""

    def choose(self, view: TopiaryView, rng: Rng) -> str:
        """Return the best of the legal moves, ties at random."""
        values = _values_of_taking(view, rng) if view.phase == "take" else [move.points or 0 for move in view.moves]
        best = [move for move, value in zip(view.moves, values, strict=True) if value == max(values)]
        return rng.choice(best).say


def _values_of_taking(view: TopiaryView, rng: Rng) -> list[int]:
    """Return what taking each tile gains: the best tile in hand put into its gap; the taken one counts 0."""
    state = determinize(view, rng)
    seat = state.seat
    hand = state.hand[seat]
    now = score(state, seat)

    def value(move: TopiaryMove) -> int:
        if move.say == "pass":
            return 0
        taken = state.copy()
        play(taken, parse(taken, move.say))
        gains = []
        for name in view.hand or []:
            after = taken.copy()
            play(after, parse(after, f"put {name}"))
            after.hand[seat] &= hand
            gains.append(score(after, seat) - now)
        return max(gains)

    return [value(move) for move in view.moves]
