"""The player around the search: settings, memory, threads, and what it found."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

from bosquet.bots.search import tree
from bosquet.bots.search.memory import Tree
from bosquet.core.chance import Chance, draw
from bosquet.core.jit import available, bind
from bosquet.core.rules import KERNELS
from bosquet.core.view import View
from bosquet.games import rules

THINKING = ("plans", "carry_out", "lean", "noticed", "outlook", "solve")
"""What a module of this package says about one game."""
TO_THE_END = 1 << 20


Some = Annotated[float, msgspec.Meta(gt=0, le=1e6)]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long and in which way to search. What is None is left to the game (`settings` of its module)."""

    simulations: Annotated[int, msgspec.Meta(ge=1, le=100_000_000)] = 1000
    """Simulations for a decision, of all threads together; with `seconds` the least."""
    seconds: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.0
    """Search on until so long has passed."""
    threads: Annotated[int, msgspec.Meta(ge=1, le=256)] = 1
    exploration: Some | None = None
    temperature: Some | None = None
    """Hundredths of a point: how soon a plan is left aside that looks worse than the best."""
    scale: Some | None = None
    """Hundredths of a point: a lead of so much is worth three quarters of all."""
    win_weight: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    """How much winning counts beside the lead."""
    rounds: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None = None
    """Rounds (a decision of every seat) before a simulation is cut off; 0 plays to the end."""
    random: bool = False
    """Play out at random instead of by the default policy."""
    overlook: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    """Share of the plans that are not thought of: how a weaker player errs."""


class Option(NamedTuple):
    """A plan that was searched, with what came of it."""

    plan: int
    visits: int
    value: float
    """Mean of what the mover got, 0 … 1."""
    win: float
    """Share of its simulations that the mover won."""
    points: list[float]
    """Mean points of every seat where the simulations ended."""


class Verdict(NamedTuple):
    """What a search found: the options, the best first."""

    options: list[Option]
    simulations: int
    """0 where the ending was solved: values are exact then, and nothing else was counted."""


class Appraisal(NamedTuple):
    """How a game goes on after some moves, as far as a seat can tell."""

    value: float
    """Mean of what the seat got, 0 … 1."""
    wins: list[float]
    """Share of the simulations that each seat won."""
    points: list[float]
    """Mean points of every seat where the simulations ended."""


class Search:
    """A player that searches. Equal views, chance and settings on one thread give equal moves."""

    def __init__(self, settings: Settings | None = None, *, jit: bool | None = None) -> None:
        """`jit` is whether to compile, by default where possible; the moves are the same."""
        self.settings = settings or Settings()
        self.jit = jit
        self._ahead: list[tuple[bytes, str]] = []

    def choose(self, view: View, chance: Chance) -> str:
        """The best move found. A plan of several moves is carried out as long as it goes as planned."""
        if not self._ahead or self._ahead[0][0] != msgspec.json.encode(view):
            moves: list[Any] = view.moves  # type: ignore[attr-defined]
            if len(moves) == 1:
                only: str = moves[0].say
                return only
            self._ahead = rehearsed(view, self.verdict(view, chance).options[0].plan)
        return self._ahead.pop(0)[1]

    @property
    def ahead(self) -> list[tuple[bytes, str]]:
        """What is planned after the last move: each move with the view, as JSON, that it is meant for."""
        return list(self._ahead)

    def verdict(self, view: View, chance: Chance) -> Verdict:
        """Search a position for the seat to move. Steps `chance`."""
        assert view.seat is not None
        state = rules(view.game).redeal(view, chance)
        with _borrowed(view.game, self.settings.threads, self.jit) as workers:
            for worker in workers:
                worker.begin(self.settings, Task(state, view.seat), chance)
            if not self.settings.overlook and (options := workers[0].solved()):
                return Verdict(options, 0)
            self._run(workers)
            return _merged(workers, view.seat)

    def appraise(self, game: str, task: Task, chance: Chance) -> Appraisal:
        """How a game goes on after the actions of a task. Steps `chance`."""
        with _borrowed(game, 1, self.jit) as (worker,):
            worker.begin(self.settings, task, chance)
            self._run([worker])
            tree, n = worker.tree, worker.done
            wins, points = (
                [float(x) / n for x in sums[: task.state.players]] for sums in (tree.total_wins, tree.total_points)
            )
            return Appraisal(float(tree.total[task.viewer]) / n, wins, points)

    def _run(self, workers: list[Worker]) -> None:
        share = -(-self.settings.simulations // len(workers))
        end = time.perf_counter() + self.settings.seconds
        if len(workers) == 1:
            workers[0].run(share, end)
            return
        with ThreadPoolExecutor(len(workers)) as pool:
            list(pool.map(lambda worker: worker.run(share, end), workers))


class Task(NamedTuple):
    """What is searched: a state after some first actions of the viewer; what it can't see of the state is laid anew."""

    state: Any
    viewer: int
    actions: tuple[int, ...] = ()
    open_world: bool = False
    """Nothing is laid anew: the viewer sees everything."""


def rehearsed(view: View, plan: int) -> list[tuple[bytes, str]]:
    """The moves of a plan, each with the view of the seat to move that it is meant for."""
    game = rules(view.game)
    state = game.redeal(view, Chance("rehearsal"))
    moves = []
    seen: View = view
    for action in thinking_about(view.game).actions(state, plan):
        moves.append((msgspec.json.encode(seen), game.say(state, action)))
        game.play(state, action)
        seen = game.view(state, view.seat)
    return moves


def thinking_about(game: str) -> Any:
    """The module about a game."""
    return importlib.import_module(f"bosquet.bots.search.{game}")


_idle: dict[tuple[str, bool | None], list[Worker]] = {}
_lock = threading.Lock()


@contextmanager
def _borrowed(game: str, count: int, jit: bool | None) -> Iterator[list[Worker]]:
    """Workers for one search; they are kept for the next one, since their memory is large."""
    with _lock:
        kept = _idle.setdefault((game, jit), [])
        workers = [kept.pop() for _ in range(min(count, len(kept)))]
    try:
        workers += [Worker(game, jit=jit) for _ in range(count - len(workers))]
        yield workers
    finally:
        with _lock:
            kept += workers


class _Desk(list[Any]):
    """States in plain Python: like an array of records, it takes a copy of what is put into it."""

    def __setitem__(self, place: Any, state: Any) -> None:
        super().__setitem__(place, state.copy())


class Worker:
    """Memory for one thread's searches of one game, and the compiled kernels."""

    def __init__(self, game: str, *, jit: bool | None = None) -> None:
        """Compile, or load from the cache; `jit` is whether to compile, by default where possible."""
        self.rules = rules(game)
        self.thinking = thinking_about(game)
        self.jit = available() if jit is None else jit
        names = {name: getattr(self.rules, name) for name in KERNELS}
        names |= {name: getattr(self.thinking, name) for name in THINKING}
        self.simulate = bind(tree.simulate, names, jit=self.jit, tag=game)
        self.start = bind(tree.begin, names, jit=self.jit, tag=game)
        self.solve = bind(tree.solved, names, jit=self.jit, tag=game)
        room = max(self.rules.MAX_MOVES, self.thinking.MAX_PLANS)
        if self.jit:
            self.states: Any = np.zeros(2, self.rules.State.dtype)
            self.trees: Any = np.zeros(1, Tree.dtype).view(np.recarray)
            self.arrays: list[Any] = [np.zeros(n, np.int64) for n in (room, room, self.thinking.SCRATCH)]
            self.values: Any = np.zeros(room)
        else:
            self.states = _Desk([None, None])
            self.trees = [Tree()]
            self.arrays = [[0] * room, [0] * room, [0] * self.thinking.SCRATCH]
            self.values = [0.0] * room

    def begin(self, settings: Settings, task: Task, chance: Chance) -> None:
        """Take up a task. Steps `chance`."""
        state = task.state
        lanes = [draw(chance.lanes) for _ in range(4)]
        self.lanes: Any = np.array(lanes, np.int64) if self.jit else lanes
        self.states[tree.ROOT] = state.pack()[0] if self.jit else state
        self.tree = self.trees[0]
        known = self.thinking.settings(state) | _given(settings)
        self.tree.viewer = task.viewer
        self.tree.open_world = int(task.open_world)
        self.tree.first_actions = len(task.actions)
        for i, action in enumerate(task.actions):
            self.tree.line[i] = action
        self.tree.horizon = known["rounds"] * state.players or TO_THE_END
        self.tree.random_playouts = int(settings.random)
        self.tree.overlook = round(1000 * settings.overlook)
        for name in ("exploration", "temperature", "scale", "win_weight"):
            setattr(self.tree, name, float(known[name]))
        self.start(self.states, self.trees, self.lanes, *self.arrays)
        self.done = 0

    def solved(self) -> list[Option]:
        """The plans of a solved ending, each with its exact value, the best first; empty where it can't be solved."""
        found, _, scratch = self.arrays
        n = self.solve(self.states, self.trees, found, self.values, scratch)
        options = [Option(int(found[i]), 0, float(self.values[i]), 0.0, []) for i in range(n)]
        return sorted(options, key=lambda option: (-option.value, option.plan))

    def run(self, simulations: int, end: float) -> None:
        """Make so many simulations, and more until the clock shows `end`."""
        batch = max(1, simulations)
        while True:
            self.simulate(self.states, self.trees, self.lanes, *self.arrays, batch)
            self.done += batch
            if time.perf_counter() >= end:
                return
            batch = max(1, simulations // 8)


def _given(settings: Settings) -> Mapping[str, float]:
    """The settings that are not left to the game."""
    names = ("exploration", "temperature", "scale", "win_weight", "rounds")
    return {name: value for name in names if (value := getattr(settings, name)) is not None}


def _merged(workers: list[Worker], seat: int) -> Verdict:
    """The options of all threads together, the most visited first."""
    sums: dict[int, list[float]] = {}
    for worker in workers:
        found = worker.tree
        for edge in range(int(found.root_edges)):
            row = sums.setdefault(int(found.plan[edge]), [0.0] * 7)
            tallies = [found.visits[edge], found.value[edge], found.wins[4 * edge + seat]]
            for i, x in enumerate([*tallies, *found.points[4 * edge : 4 * edge + 4]]):
                row[i] += float(x)
    options = [
        Option(plan, int(n), value / n, win / n, [p / n for p in points])
        for plan, (n, value, win, *points) in sums.items()
        if n
    ]
    options.sort(key=lambda option: (-option.visits, -option.value, option.plan))
    return Verdict(options, sum(worker.done for worker in workers))


__all__ = ["Appraisal", "Option", "Search", "Settings", "Task", "Verdict", "Worker", "thinking_about"]
