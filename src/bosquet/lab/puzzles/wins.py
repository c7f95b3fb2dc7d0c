"""Positions in which a seat wins at once, in few ways, and would not win otherwise in any case."""

from __future__ import annotations

from typing import Any

from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY
from bosquet.lab.puzzles.turns import Judged, Turn, after, lead, turns
from bosquet.search import Search, Settings, Task, search_model
from bosquet.search.model import actions_of

SIMULATIONS = 400
"""Of a search for turns that do not win, and of each of these."""
OTHERS = 5
"""Turns that do not win at once, of which the best one is told."""
MOST_SITES = 12
"""Places to build on by which a game is won at once, at most."""
MARGIN = 0.05
"""By so much winning at once raises the chance to win, at least."""


def find_wins(game: str, state: Any) -> Judged | None:
    """Return the ways to win at once, if there are few, and if that matters."""
    rules, seat = spec(game).rules, state.seat
    drawn = spec(game).determinize(state, seat, Rng("puzzle"))
    won = turns(drawn, game)
    if not 1 <= len(won) <= MOST_SITES:
        return None
    others = _others(game, drawn)
    if not others:
        return None
    second = max(others, key=lambda other: other[1])
    margin = 1.0 - second[1]
    if margin < MARGIN:
        return None
    points = [0] * 4
    rules.scores(after(game, drawn, won[0]), points)
    best = (won[0], 1.0, lead(points[: state.players], seat))
    return Judged(won, best, second, margin, 0.0, len(others) + 1, 0)


def _others(game: str, state: Any) -> list[tuple[Turn, float, float]]:
    """Return the best turns that do not win at once, with the chance to win and the lead after each."""
    search, model, seat = Search(Settings(simulations=SIMULATIONS, rounds=0)), search_model(game), state.seat
    found: list[tuple[Turn, float, float]] = []
    # Almost without dropout, so that the search does not solve the position, and looks at other turns, too.
    listing = Search(Settings(simulations=SIMULATIONS, rounds=0, candidate_dropout=1e-6))
    for result in listing.search_from(game, state.copy(), Rng("others")).candidates:
        turn = tuple(actions_of(model, state, result.candidate, jit=None))
        if not is_win(game, state, turn):
            valued = search.evaluate(game, Task(state, seat, turn), Rng("second"))
            found.append((turn, valued.wins[seat], lead(valued.points, seat)))
        if len(found) == OTHERS:
            break
    return found


def is_win(game: str, state: Any, turn: Turn) -> bool:
    """Return whether a turn wins the game at once."""
    then = after(game, state, turn)
    return bool(then.seat == NOBODY) and bool(spec(game).rules.winners(then) >> state.seat & 1)
