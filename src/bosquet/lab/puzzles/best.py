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
from bosquet.lab.puzzles.puzzle import Puzzle
from bosquet.lab.puzzles.turns import Judged, Turn, after, alike, lead, margin_of, turns
from bosquet.search import Search, Settings, Task, search_model
from bosquet.search.model import actions_of

FIRST_LOOK = 400
"""Simulations of the search that says whether a position is worth a closer look."""
FEWEST_TURNS = 8
EACH_TURN = 24
"""Simulations by which every turn is compared."""
CLOSE = 5
"""Turns that are compared more closely."""
BATCH = 150
BATCHES = 4
"""Of each of these turns."""
VERIFIED = 3
"""Turns that are compared once more."""
VERIFYING_SEEDS = (1, 2)
VERIFYING_BATCHES = 8
"""Batches from each of these seeds, of these turns."""
ERRORS = 4.0
"""Minimum margin in standard errors."""
OPEN_FROM, OPEN_TO = 0.03, 0.99
"""A game counts as undecided where the best turn wins at least so often, and the second best at most so often."""

Value = tuple[float, float]
"""Chance to win and lead."""


def find_best(game: str, state: Any, rng: Rng, is_wanted: Callable[[list[Turn]], bool]) -> Judged | None:
    """Return the best turn of a position, if it is clearly the best, with those that lead where it does.

    Whether it is wanted is asked as soon as a first search has a turn that may be the best one.
    """
    margin = margin_of(game)
    drawn = spec(game).determinize(state, state.seat, rng)
    exact = _solved(game, drawn)
    if exact is not None:
        return _clear(exact, margin, 0.0, len(exact), 0)
    same = alike(game, drawn)
    if len(same) < FEWEST_TURNS:
        return None
    firsts = _first_look(game, drawn, same, rng, is_wanted)
    if firsts is None:
        return None
    final = _compared(game, drawn, list(same), firsts, rng)
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


def _first_look(
    game: str, state: Any, same: dict[Turn, list[Turn]], rng: Rng, is_wanted: Callable[[list[Turn]], bool]
) -> set[int] | None:
    """Return the first actions that a search prefers; None if no turn seems clearly best, or if it is not wanted."""
    model = search_model(game)
    looked = Search(Settings(simulations=FIRST_LOOK, rounds=0)).search_from(game, state.copy(), rng).candidates
    made = [tuple(actions_of(model, state, one.candidate)) for one in looked]
    meant = [next(first for first in same if any(turn == moves[: len(turn)] for turn in same[first])) for moves in made]
    leads: dict[Turn, float] = {}
    for turn, one in zip(meant, looked, strict=True):
        if one.visits > 8:
            leads[turn] = max(lead(one.points, state.seat), leads.get(turn, -math.inf))
    best, *others = sorted(leads.values(), reverse=True) or [0.0]
    if others and best - others[0] < margin_of(game) / 2:
        return None
    if not is_wanted(same[meant[0]]):
        return None
    return {turn[0] for turn in meant[: 3 * CLOSE]}


def _compared(game: str, state: Any, whole: list[Turn], firsts: set[int], rng: Rng) -> list[Turn] | None:
    """Compare every turn, then the closest ones; return the best of these, None if the first is not ahead of all."""
    seat = state.seat
    rough = Search(Settings(simulations=EACH_TURN, rounds=0))
    leads = {turn: lead(rough.evaluate(game, Task(state, seat, turn), rng).points, seat) for turn in whole}
    ranked = sorted(whole, key=lambda turn: -leads[turn])
    close = ranked[:CLOSE] + [turn for turn in ranked[CLOSE : 3 * CLOSE] if turn[0] in firsts][:CLOSE]
    compared = {turn: _batches(game, state, turn, BATCHES, rng) for turn in close}
    ranked = sorted(compared, key=lambda turn: -compared[turn].lead)
    top, rival = (compared[turn] for turn in ranked[:2])
    ahead = top.lead - rival.lead
    if ahead < margin_of(game) or ahead < ERRORS / 2 * math.hypot(top.error, rival.error):
        return None
    return ranked[:VERIFIED]


def _verified(game: str, state: Any, final: list[Turn]) -> dict[Turn, list[_Mean]] | None:
    """Compare turns from other seeds; None if the first one is not ahead by the margin from each of them."""
    means: dict[Turn, list[_Mean]] = {turn: [] for turn in final}
    for seed in VERIFYING_SEEDS:
        for turn in final:
            rng = Rng("verify", seed, state.seat, str(turn))
            means[turn].append(_batches(game, state, turn, VERIFYING_BATCHES, rng))
        first, *others = (means[turn][-1].lead for turn in final)
        if first - max(others) < margin_of(game):
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


def leads_again(puzzle: Puzzle, batches: int, seed: object) -> list[float]:
    """Return the expected leads after the best turn and after the second best, simulated from another seed."""
    played = puzzle.begun()
    found = []
    for result in (puzzle.best, puzzle.second):
        state, turn = played.state, list[int]()
        for move in result.moves:
            turn.append(played.spec.notation.parse(state, move))
            played.spec.rules.play(state, turn[-1])
        rng = Rng("again", seed, puzzle.id)
        drawn = played.spec.determinize(played.state, puzzle.seat, rng)
        found.append(_batches(puzzle.game, drawn, tuple(turn), batches, rng).lead)
    return found


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
