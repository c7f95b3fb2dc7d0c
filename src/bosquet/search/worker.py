"""One thread's part of a search: the compiled kernels of a game, and the memory that they work in."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from bosquet.core.installed import spec_or_variant
from bosquet.core.rng import Rng, draw
from bosquet.core.state import StateList
from bosquet.kernels.jit import available, bind
from bosquet.learning.network import fill
from bosquet.search import tree
from bosquet.search.learned_model import required_model
from bosquet.search.learned_weights import options_for_weights, required_weights
from bosquet.search.memory import Tree
from bosquet.search.model import SearchModel, model_kernels, search_model
from bosquet.search.settings import Settings


class Task(NamedTuple):
    """What is searched: a state after some first actions of the viewer, determinized anew for every simulation."""

    state: Any
    viewer: int
    actions: tuple[int, ...] = ()
    perfect_information: bool = False
    """The viewer sees everything: nothing is determinized."""


class CandidateResult(NamedTuple):
    """A candidate that was searched, with what came of it."""

    candidate: int
    visits: int
    value: float
    """Mean value to the mover, 0 … 1."""
    win: float
    """Share of its simulations that the mover won."""
    points: list[float]
    """Mean points of every seat where the simulations ended."""


class Worker:
    """Memory for one thread's searches of one game, and the compiled kernels."""

    def __init__(self, game: str, *, learned: bool = False, weights: str = "", jit: bool | None = None) -> None:
        """Compile, or load from the cache; `jit` is whether to compile, by default where possible.

        `learned` is whether learned values take the place of rollouts, `weights` the folder of a training run whose
        weights take the place of those of the package. Raises OptionError if the game has no learned values.
        """
        rules = spec_or_variant(game).rules
        self.game = game
        self.learned = learned
        self.weights = weights
        self.model: SearchModel = required_model(game) if learned else search_model(game)
        self.weights_for: Mapping[str, Any] = {}
        """The options that tell which weights were filled in."""
        self.jit: bool = available() if jit is None else jit
        kernels = spec_or_variant(game).kernels | model_kernels(self.model)
        self.simulate: Callable[..., Any] = bind(tree.simulate, kernels, jit=self.jit)
        self.start_search: Callable[..., Any] = bind(tree.start_search, kernels, jit=self.jit)
        self.solve_root: Callable[..., Any] = bind(tree.solve_root, kernels, jit=self.jit)
        room = max(rules.MAX_MOVES, self.model.MAX_CANDIDATES)
        if self.jit:
            self.states: Any = np.zeros(2, rules.State.dtype)
            self.trees: Any = np.zeros(1, Tree.dtype).view(np.recarray)
            self.workspaces: Any = np.zeros(1, self.model.Workspace.dtype)
            self.found: Any = np.zeros(room, np.int64)
            self.heuristics: Any = np.zeros(room, np.int64)
            self.values: Any = np.zeros(room)
        else:
            self.states = StateList([None, None])
            self.trees = [Tree()]
            self.workspaces = [self.model.Workspace()]
            self.found = [0] * room
            self.heuristics = [0] * room
            self.values = [0.0] * room

    def begin(self, settings: Settings, task: Task, rng: Rng) -> None:
        """Take up a task. Steps `rng`. Raises OptionError if there are no learned weights for it."""
        state = task.state
        if self.learned and self.weights_for != (options := options_for_weights(required_model(self.game), state)):
            fill(self.workspaces, required_weights(self.game, options, self.weights))
            self.weights_for = options
        rng_state = [draw(rng.state) for _ in range(4)]
        self.rng_state: Any = np.array(rng_state, np.int64) if self.jit else rng_state
        self.states[tree.ROOT] = state.pack()[0] if self.jit else state
        self.tree: Any = self.trees[0]
        self.model.default_settings(state, self.tree)
        for name, value in _given(settings).items():
            setattr(self.tree, name, value)
        self.tree.viewer = task.viewer
        self.tree.perfect_information = int(task.perfect_information)
        self.tree.first_action_count = len(task.actions)
        for i, action in enumerate(task.actions):
            self.tree.first_actions[i] = action
        self.tree.random_rollouts = int(settings.random_rollouts)
        self.tree.candidate_dropout = round(1000 * settings.candidate_dropout)
        self.start_search(*self._memory)
        self.stop_early = settings.stop_early
        self.done = 0

    def solved(self) -> list[CandidateResult]:
        """Return the candidates of a solved ending with exact values, best first; none where it can't be solved."""
        n = self.solve_root(self.states, self.trees, self.workspaces, self.found, self.values)
        results = [CandidateResult(int(self.found[i]), 0, float(self.values[i]), 0.0, []) for i in range(n)]
        return sorted(results, key=lambda result: (-result.value, result.candidate))

    def run(self, simulations: int, end: float) -> None:
        """Make a number of simulations, and more until the clock shows `end` or the choice can no longer change."""
        begin = time.perf_counter()
        batch = max(1, simulations)
        while True:
            self.simulate(*self._memory, batch)
            self.done += batch
            now = time.perf_counter()
            if now >= end or (self.stop_early and self._is_decided(self.done * (end - now) / (now - begin))):
                return
            batch = max(1, simulations // 8)

    def _is_decided(self, left: float) -> bool:
        """Return whether the most visited candidate stays the same within a number of simulations."""
        visits = sorted(self.tree.visits[: int(self.tree.root_edge_count)], reverse=True)
        return len(visits) == 1 or (len(visits) > 1 and bool(visits[0] - visits[1] > left))

    @property
    def _memory(self) -> tuple[Any, ...]:
        """Return the arguments that the kernels of the tree have in common."""
        return self.states, self.trees, self.workspaces, self.rng_state, self.found, self.heuristics


def _given(settings: Settings) -> Mapping[str, float]:
    """Return the settings that are not left to the game."""
    names = ("exploration", "temperature", "scale", "win_weight", "rounds")
    return {name: value for name in names if (value := getattr(settings, name)) is not None}


_idle: dict[tuple[str, bool, str, bool | None], list[Worker]] = {}
_lock = threading.Lock()


@contextmanager
def borrowed_workers(
    game: str, count: int, *, learned: bool = False, weights: str = "", jit: bool | None = None
) -> Iterator[list[Worker]]:
    """Lend workers for one search; they are kept for the next one, since their memory is large."""
    with _lock:
        kept = _idle.setdefault((game, learned, weights, jit), [])
        workers = [kept.pop() for _ in range(min(count, len(kept)))]
    try:
        missing = count - len(workers)
        workers += [Worker(game, learned=learned, weights=weights, jit=jit) for _ in range(missing)]
        yield workers
    finally:
        with _lock:
            kept += workers
