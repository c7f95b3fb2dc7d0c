"""The player around the search: what it plays, and what it found."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from bosquet.core.assistance import AIDS
from bosquet.core.installed import spec_or_variant
from bosquet.core.rng import Rng
from bosquet.core.view import View, limited, to_json
from bosquet.core.view_texts import StateTexts
from bosquet.search.model import actions_of, search_model
from bosquet.search.settings import Settings, check_without_rollouts
from bosquet.search.worker import CandidateResult, Task, Worker, borrowed_workers


class SearchResult(NamedTuple):
    """What a search found: the candidates, the best first."""

    candidates: list[CandidateResult]
    simulations: int
    """0 where the ending was solved: values are exact then, and nothing else was counted."""


class Evaluation(NamedTuple):
    """How a game goes on after some moves, as far as a seat can tell."""

    value: float
    """Mean value to the seat, 0 … 1."""
    wins: list[float]
    """Share of the simulations that each seat won."""
    points: list[float]
    """Mean points of every seat where the simulations ended."""


class Search:
    """A player that searches. Equal views, chance and settings on one thread give equal moves."""

    reads_moves = False

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        learned: bool = False,
        weights: str = "",
        jit: bool | None = None,
    ) -> None:
        """Choose settings, and whether learned values take the place of rollouts.

        `weights` is the folder of a training run whose weights take the place of those of the package. `jit` is
        whether to compile, by default where possible. The moves are the same. Raises OptionError for settings of
        rollouts with learned values.
        """
        self.settings: Settings = settings or Settings()
        if learned:
            check_without_rollouts(self.settings)
        self.learned = learned
        self.weights = weights
        self.jit = jit
        self._ahead: list[tuple[bytes, str]] = []

    def choose(self, view: View, rng: Rng) -> str:
        """Return the best move found. A candidate of several moves is made as long as the views are as expected."""
        if not self._ahead or self._ahead[0][0] != plan_key(view):
            if (only := only_move(view)) is not None:
                return only
            self._ahead = moves_of_candidate(view, self.search(view, rng).candidates[0].candidate)
        return self._ahead.pop(0)[1]

    @property
    def ahead(self) -> list[tuple[bytes, str]]:
        """Return what is planned after the last move: moves with the `plan_key` of the view that each is meant for."""
        return list(self._ahead)

    def search(self, view: View, rng: Rng) -> SearchResult:
        """Search a position for the seat to move. Steps `rng`."""
        assert view.seat is not None
        return self.search_from(view.game, spec_or_variant(view.game).view.determinize(view, rng), rng)

    def search_from(self, game: str, state: Any, rng: Rng) -> SearchResult:
        """Search from a determinized state for the seat to move. Steps `rng`."""
        with self._workers(game, self.settings.threads) as workers:
            for worker in workers:
                worker.begin(self.settings, Task(state, state.seat), rng)
            if not self.settings.candidate_dropout and (solved := workers[0].solved()):
                return SearchResult(solved, 0)
            self._run(workers)
            return _merged(workers, state.seat)

    def evaluate(self, game: str, task: Task, rng: Rng) -> Evaluation:
        """Return how a game goes on after the actions of a task. Steps `rng`."""
        with self._workers(game, 1) as (worker,):
            worker.begin(self.settings, task, rng)
            self._run([worker])
            tree, n = worker.tree, worker.done
            wins, points = (
                [float(x) / n for x in sums[: task.state.players]] for sums in (tree.total_wins, tree.total_points)
            )
            return Evaluation(float(tree.total_value[task.viewer]) / n, wins, points)

    def _workers(self, game: str, count: int) -> AbstractContextManager[list[Worker]]:
        return borrowed_workers(game, count, learned=self.learned, weights=self.weights, jit=self.jit)

    def _run(self, workers: list[Worker]) -> None:
        share = -(-self.settings.simulations // len(workers))
        end = time.perf_counter() + self.settings.seconds
        if len(workers) == 1:
            workers[0].run(share, end)
            return
        with ThreadPoolExecutor(len(workers)) as pool:
            list(pool.map(lambda worker: worker.run(share, end), workers))


def plan_key(view: View) -> bytes:
    """Return what tells positions apart for a seat: its view as JSON, without the moves that follow from it."""
    return to_json(limited(view, AIDS))


def only_move(view: View) -> str | None:
    """Return the only legal move of the seat to move, None where it has a choice. Does not read `view.moves`."""
    game = spec_or_variant(view.game)
    state = game.view.determinize(view, Rng("legal"))
    actions = [0] * game.rules.MAX_MOVES
    return game.notation.to_notation(state, actions[0]) if game.rules.legal(state, actions) == 1 else None


def moves_of_candidate(view: View, candidate: int) -> list[tuple[bytes, str]]:
    """Return the moves of a candidate, each with the `plan_key` of the view that it is meant for."""
    game = spec_or_variant(view.game)
    state = game.view.determinize(view, Rng("rehearsal"))
    assert view.seat is not None
    moves = []
    key = plan_key(view)
    for action in actions_of(search_model(view.game), state, candidate):
        moves.append((key, game.notation.to_notation(state, action)))
        game.rules.play(state, action)
        key = StateTexts(game, state).view(view.seat, AIDS)
    return moves


def _merged(workers: list[Worker], seat: int) -> SearchResult:
    """Return the candidates of all threads together, the most visited first."""
    sums: dict[int, list[float]] = {}
    for worker in workers:
        found, n = worker.tree, int(worker.tree.root_edge_count)
        visits, values = found.visits[:n], found.value_sum[:n]  # read once: a field of a record is looked up slowly
        wins, points = found.win_sum[: 4 * n], found.point_sum[: 4 * n]
        for edge, candidate in enumerate(found.candidate[:n]):
            row = sums.setdefault(int(candidate), [0.0] * 7)
            tallies = [visits[edge], values[edge], wins[4 * edge + seat]]
            for i, x in enumerate([*tallies, *points[4 * edge : 4 * edge + 4]]):
                row[i] += float(x)
    results = [
        CandidateResult(candidate, int(n), value / n, win / n, [p / n for p in points])
        for candidate, (n, value, win, *points) in sums.items()
        if n
    ]
    results.sort(key=lambda result: (-result.visits, -result.value, result.candidate))
    return SearchResult(results, sum(worker.done for worker in workers))
