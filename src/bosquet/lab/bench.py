"""Benchmark of uniformly random play, with a baseline and the noise of the computer measured in the same run.

A decision lists all legal actions and applies a random one. The time includes dealing and scoring every game. The
baseline is OpenSpiel's random play of connect_four in C++.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from bosquet.core.rng import seed_rng
from bosquet.core.spec import GameSpec
from bosquet.kernels.jit import available, bind
from bosquet.lab.playout import random_games

BASELINE = "OpenSpiel connect_four, random play in C++"


class Speed(NamedTuple):
    """Counts of decisions and games, and the time they took."""

    games: int
    decisions: int
    seconds: float

    @property
    def decisions_per_s(self) -> float:
        """Return decisions per second of all threads together."""
        return self.decisions / self.seconds

    @property
    def games_per_s(self) -> float:
        """Return games per second of all threads together."""
        return self.games / self.seconds


class Player:
    """Random play of one game with one set of options, compiled where possible."""

    def __init__(self, spec: GameSpec, options: Mapping[str, Any], *, box: Any = None) -> None:
        """Compile, or load from the cache, and warm up."""
        self.spec = spec
        self.start: Any = spec.new_state(options, box)
        self.jit: bool = available()
        self.kernel: Callable[..., Any] = bind(random_games, spec.kernels, jit=self.jit)
        self.batch = 1
        self.play(0, 0.0)  # so that compile time is not measured
        speed = self.play(0, 0.02)
        self.batch = max(1, int(0.02 * speed.games_per_s))

    def play(self, thread: int, seconds: float) -> Speed:
        """Play whole games for about `seconds`, at least one batch."""
        states, rng_state, moves, points = self._memory(thread)
        games = decisions = 0
        begin = time.perf_counter()
        while True:
            decisions += int(self.kernel(states, rng_state, moves, points, self.batch))
            games += self.batch
            passed = time.perf_counter() - begin
            if passed >= seconds:
                return Speed(games, decisions, passed)

    def play_threads(self, threads: int, seconds: float) -> Speed:
        """Play in several threads at once; compiled code releases the GIL."""
        if threads == 1:
            return self.play(0, seconds)
        with ThreadPoolExecutor(threads) as pool:
            speeds = list(pool.map(lambda thread: self.play(thread, seconds), range(threads)))
        slowest = max(speed.seconds for speed in speeds)
        return Speed(sum(s.games for s in speeds), sum(s.decisions for s in speeds), slowest)

    def _memory(self, thread: int) -> tuple[Any, Any, Any, Any]:
        rng_state = seed_rng("bench", thread)
        if not self.jit:
            return [self.start.copy()], rng_state, [0] * self.spec.rules.MAX_MOVES, [0] * 4
        moves = np.zeros(self.spec.rules.MAX_MOVES, np.int32)
        return self.start.pack(), np.array(rng_state, np.int64), moves, np.zeros(4, np.int64)


def baseline() -> Callable[[float], float] | None:
    """Return a function that measures decisions per second of the baseline, or None if OpenSpiel is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("connect_four")
    plies = _peer_plies(game)

    def measure(seconds: float) -> float:
        games, begin = 0, time.perf_counter()
        while (passed := time.perf_counter() - begin) < seconds or not games:
            # One simulation with n rollouts plays n random games in C++, each from the second ply on.
            evaluator = pyspiel.RandomRolloutEvaluator(2000, games + 1)
            bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, 1, False)
            bot.step(game.new_initial_state())
            games += 2000
        return games * plies / passed

    return measure


def _peer_plies(game: Any) -> float:
    """Return the mean number of plies of a random game, not counting the first one."""
    random = np.random.default_rng(1)
    lengths = []
    for _ in range(400):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(int(random.choice(state.legal_actions())))
        lengths.append(state.move_number() - 1)
    return statistics.fmean(lengths)


def spin(rounds: int = 20) -> float:
    """Return the noise of the computer: the slowest over the fastest time of the same small loop."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        x = 0
        for i in range(200_000):
            x ^= i
        times.append(time.perf_counter() - begin)
    return max(times) / min(times)


def bench(
    games: list[tuple[GameSpec, dict[str, Any]]], threads: list[int], seconds: float, box: Any = None
) -> Iterator[dict[str, Any]]:
    """Measure each game with each number of threads; yield the rows of `bench --json`.

    The baseline is measured before and after each row, for half as long, so that changes of the CPU's speed show.
    """
    measure = baseline()
    for spec, options in games:
        player = Player(spec, options, box=box if spec.box_keys else None)
        for count in threads:
            before = measure(seconds / 4) if measure else None
            speed = player.play_threads(count, seconds)
            after = measure(seconds / 4) if measure else None
            row: dict[str, Any] = {
                "game": spec.name,
                "options": spec.options_in_records(options),
                "threads": count,
                "games_per_s": round(speed.games_per_s, 1),
                "decisions_per_s": round(speed.decisions_per_s, 1),
                "compiled": player.jit,
                "noise": round(spin(), 2),
            }
            if before and after:
                row |= {
                    "peer": BASELINE,
                    "peer_decisions_per_s": round((before + after) / 2, 1),
                    "ratio": round(2 * speed.decisions_per_s / (before + after), 2),
                    "ratio_range": [
                        round(speed.decisions_per_s / max(before, after), 2),
                        round(speed.decisions_per_s / min(before, after), 2),
                    ],
                }
            yield row
