"""Positions in which one turn is clearly the best: after it the seat is expected to end furthest ahead.

Whatever is hidden from the seat is drawn anew for every simulation.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any, NamedTuple

from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.lab.puzzles.turns import Judged, Turn, after, alike, lead, margin_of, turns
from bosquet.search import Search, Settings, Task, search_model
from bosquet.search.model import actions_of

FIRST_LOOK = 200
"""Simulations of the search that says whether a position is worth a closer look."""
FEWEST_TURNS = 8
EACH_TURN = 24
"""Simulations by which every turn is compared."""
CLOSE = 5
"""Turns that are compared more closely."""
SHORT_BATCH = 75
SHORT_BATCHES = 8
"""Of each of these turns, at most."""
VERIFIED = 3
"""Turns that are compared once more."""
VERIFYING_SEEDS = (1, 2)
BATCH = 150
VERIFYING_BATCHES = 8
"""Batches from each of these seeds, of these turns."""
ERRORS = 4.0
"""Minimum margin in standard errors."""
OPEN_FROM, OPEN_TO = 0.03, 0.99
"""A game counts as undecided where the best turn wins at least so often, and the second best at most so often."""

Value = tuple[float, float]
"""Chance to win and lead."""


def find_best(game: str, state: Any, rng: Rng, is_wanted: Callable[[list[Turn]], bool]) -> Judged | None:
    """Return the best turn of a position, if it is clearly the best, with those that lead to the same position.

    `is_wanted` is asked as soon as a first search has turns that may be the best.
    """
    margin = margin_of(game)
    drawn = spec(game).determinize(state, state.seat, rng)
    exact = _solved(game, drawn)
    if exact is not None:
        return _clear(exact, margin, 0.0, len(exact), 0)
    same = alike(game, drawn)
    if len(same) < FEWEST_TURNS:
        return None
    looked = _first_look(game, drawn, same, rng, is_wanted)
    if looked is None:
        return None
    final = _compared(game, drawn, list(same), looked, rng)
    means = None if final is None else _verified(game, drawn, final)
    if means is None:
        return None
    n = len(VERIFYING_SEEDS)
    values = {
        turn: (sum(one.win for one in found) / n, sum(one.lead for one in found) / n) for turn, found in means.items()
    }
    first, second = sorted(values, key=lambda turn: -values[turn][1])[:2]
    error = math.hypot(*(one.error for turn in (first, second) for one in means[turn])) / n
    judged = _clear(values, margin, error, len(same), n * VERIFYING_BATCHES * BATCH)
    return None if judged is None else judged._replace(answers=same[judged.best[0]])


class _Looked(NamedTuple):
    """A turn, or the beginning of one, and what a search expects of it."""

    turn: Turn
    visits: int
    lead: float


def _first_look(
    game: str, state: Any, same: dict[Turn, list[Turn]], rng: Rng, is_wanted: Callable[[list[Turn]], bool]
) -> list[Turn] | None:
    """Return turns that a search prefers, or what they begin with; None if the first isn't clearly best, or wanted."""
    firsts = {turn: first for first, others in same.items() for turn in others}
    looked = _looked(game, state, (), firsts, rng)
    while (best := looked[0].turn) not in firsts:
        looked = _looked(game, state, best, firsts, rng) + looked[1:]
    others = [one.lead for one in looked if one.turn != best and one.visits > 8]
    if others and looked[0].lead - max(others) < margin_of(game) / 2:
        return None
    if not is_wanted(same[best]):
        return None
    return list(dict.fromkeys(one.turn for one in looked))


def _looked(game: str, state: Any, begun: Turn, firsts: dict[Turn, Turn], rng: Rng) -> list[_Looked]:
    """Return how turns that begin so go on in a search, the best first."""
    model, then = search_model(game), after(game, state, begun)
    found = []
    for one in Search(Settings(simulations=FIRST_LOOK, rounds=0)).search_from(game, then.copy(), rng).candidates:
        moves = (*begun, *actions_of(model, then, one.candidate, jit=None))
        whole = [firsts[moves[:n]] for n in range(1, len(moves) + 1) if moves[:n] in firsts]
        expected = lead(one.points, state.seat) if one.visits else -math.inf
        found.append(_Looked(whole[0] if whole else moves, one.visits, expected))
    return found


def _compared(game: str, state: Any, whole: list[Turn], looked: list[Turn], rng: Rng) -> list[Turn] | None:
    """Compare what a search prefers, then every turn, then the closest ones; return the best of these.

    Returns None as soon as the first is not ahead of all.
    """
    seat = state.seat
    if _race(game, state, [turn for turn in looked if turn in whole][:CLOSE], rng) is None:
        return None
    rough = Search(Settings(simulations=EACH_TURN, rounds=0))
    leads = {turn: lead(rough.evaluate(game, Task(state, seat, turn), rng).points, seat) for turn in whole}
    ranked = sorted(whole, key=lambda turn: -leads[turn])
    firsts = {turn[0] for turn in looked[: 3 * CLOSE]}
    close = ranked[:CLOSE] + [turn for turn in ranked[CLOSE : 3 * CLOSE] if turn[0] in firsts][:CLOSE]
    return _race(game, state, close, rng)


def _race(game: str, state: Any, entered: list[Turn], rng: Rng) -> list[Turn] | None:
    """Compare turns batch by batch, without those that fall behind; return the best of them, best first.

    Ends as soon as the first is clearly ahead by the margin, or, with None, clearly not.
    """
    search = Search(Settings(simulations=SHORT_BATCH, rounds=0))
    leads: dict[Turn, list[float]] = {turn: [] for turn in entered}
    ranked = entered
    for number in range(1, SHORT_BATCHES + 1):
        for turn in ranked:
            leads[turn].append(lead(search.evaluate(game, Task(state, state.seat, turn), rng).points, state.seat))
        if number < 3 or len(ranked) == 1:
            continue
        means = {turn: statistics.fmean(leads[turn]) for turn in ranked}
        error = math.sqrt(2 / number * statistics.fmean(statistics.variance(leads[turn]) for turn in ranked))
        ranked = sorted(ranked, key=lambda turn: -means[turn])
        ahead, doubt = means[ranked[0]] - means[ranked[1]], ERRORS / 2 * error
        if ahead < max(margin_of(game), doubt) - (doubt if number < SHORT_BATCHES else 0):
            return None
        if ahead >= margin_of(game) + doubt:
            break
        last = means[ranked[:VERIFIED][-1]] - doubt
        ranked = [turn for turn in ranked if means[turn] >= last]
    return ranked[:VERIFIED]


def _verified(game: str, state: Any, final: list[Turn]) -> dict[Turn, list[_Mean]] | None:
    """Compare turns from other seeds; None if the first one is not ahead by the margin from each of them."""
    means: dict[Turn, list[_Mean]] = {turn: [] for turn in final}
    for seed in VERIFYING_SEEDS:
        for turn in final:
            rng = Rng("verify", seed, state.seat, str(turn))
            means[turn].append(_batches(game, state, turn, VERIFYING_BATCHES, rng))
            if turn != final[0] and means[final[0]][-1].lead - means[turn][-1].lead < margin_of(game):
                return None
    return means


def _clear(values: dict[Turn, Value], least: float, error: float, count: int, simulations: int) -> Judged | None:
    """Return what was found of turns with their values, if one is clearly the best and the game is open."""
    if len(values) < 2:
        return None
    (best, (win, its_lead)), (second, (other_win, other_lead)) = sorted(values.items(), key=lambda item: -item[1][1])[
        :2
    ]
    margin = its_lead - other_lead
    if margin < max(least, ERRORS * error) or win < max(one for one, _ in values.values()) - (0.02 if error else 0):
        return None
    if win < OPEN_FROM or other_win > OPEN_TO:
        return None
    return Judged([best], (best, win, its_lead), (second, other_win, other_lead), margin, error, count, simulations)


class _Mean(NamedTuple):
    """Mean of some batches of simulations."""

    win: float
    lead: float
    error: float
    """Standard error of the lead."""


def _batches(game: str, state: Any, turn: Turn, batches: int, rng: Rng) -> _Mean:
    search = Search(Settings(simulations=BATCH, rounds=0))
    found = [search.evaluate(game, Task(state, state.seat, turn), rng) for _ in range(batches)]
    leads = [lead(one.points, state.seat) for one in found]
    wins = [one.wins[state.seat] for one in found]
    return _Mean(statistics.fmean(wins), statistics.fmean(leads), statistics.stdev(leads) / math.sqrt(batches))


FAR = 1_000_000.0
"""With such a scale the value of a lead is proportional to it."""


def _solved(game: str, state: Any) -> dict[Turn, Value] | None:
    """Return the value of every turn, if the position can be solved exactly."""
    found = {}
    first: dict[Turn, list[int]] = {}
    for turn in turns(state, game):
        first.setdefault(turn[:-1], []).append(turn[-1])
    for begun, lasts in first.items():
        then = after(game, state, begun)
        wins = _exactly(game, then, Settings(simulations=1, win_weight=1.0))
        leads = _exactly(game, then, Settings(simulations=1, win_weight=0.0, scale=FAR))
        if wins is None or leads is None or any(last not in wins or last not in leads for last in lasts):
            return None
        for last in lasts:
            found[(*begun, last)] = (wins[last], (leads[last] - 0.5) * 2 * FAR / 100)
    return found


def _exactly(game: str, state: Any, settings: Settings) -> dict[int, float] | None:
    from bosquet.search.worker import borrowed_workers

    with borrowed_workers(game, 1) as (worker,):
        worker.begin(settings, Task(state, state.seat), Rng("exact"))
        return {one.candidate: one.value for one in worker.solved()} or None
