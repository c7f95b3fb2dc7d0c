"""How fast uniformly random play is, beside a peer and a measure of the machine's noise in the same run.

A decision is counted when its legal moves were written out one by one and one of them was drawn and made; dealing and
counting the points of every game are part of the time. The peer is OpenSpiel's random play of connect_four in C++.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from bosquet.core.chance import lanes_of
from bosquet.core.jit import available, bind
from bosquet.core.rules import KERNELS, Rules
from bosquet.lab.playout import random_games

PEER = "OpenSpiel connect_four, random play in C++"


class Speed(NamedTuple):
    """How much was played in how long."""

    games: int
    decisions: int
    seconds: float

    @property
    def decisions_per_s(self) -> float:
        """Decisions per second of all threads together."""
        return self.decisions / self.seconds

    @property
    def games_per_s(self) -> float:
        """Games per second of all threads together."""
        return self.games / self.seconds


class Player:
    """Random play of one game with one set of options, compiled where possible."""

    def __init__(self, rules: Rules, options: Mapping[str, Any], *, deck: Any = None) -> None:
        """Compile (or load from the cache) and warm up."""
        self.rules = rules
        self.start = rules.new_state(options, deck)
        self.jit = available()
        self.kernel = bind(random_games, {name: getattr(rules, name) for name in KERNELS}, jit=self.jit, tag=rules.NAME)
        self.batch = 1
        self.play(0, 0.0)  # the compiler's time is not counted
        speed = self.play(0, 0.02)
        self.batch = max(1, int(0.02 * speed.games_per_s))

    def play(self, thread: int, seconds: float) -> Speed:
        """Play whole games for about so long, at least one batch."""
        states, lanes, moves, points = self._memory(thread)
        games = decisions = 0
        begin = time.perf_counter()
        while True:
            decisions += int(self.kernel(states, lanes, moves, points, self.batch))
            games += self.batch
            passed = time.perf_counter() - begin
            if passed >= seconds:
                return Speed(games, decisions, passed)

    def play_threads(self, threads: int, seconds: float) -> Speed:
        """The same in several threads at once: compiled play does not hold Python's lock."""
        if threads == 1:
            return self.play(0, seconds)
        with ThreadPoolExecutor(threads) as pool:
            speeds = list(pool.map(lambda thread: self.play(thread, seconds), range(threads)))
        slowest = max(speed.seconds for speed in speeds)
        return Speed(sum(s.games for s in speeds), sum(s.decisions for s in speeds), slowest)

    def _memory(self, thread: int) -> tuple[Any, Any, Any, Any]:
        lanes = lanes_of("bench", thread)
        if not self.jit:
            return [self.start.copy()], lanes, [0] * self.rules.MAX_MOVES, [0] * 4
        moves = np.zeros(self.rules.MAX_MOVES, np.int32)
        return self.start.pack(), np.array(lanes, np.int64), moves, np.zeros(4, np.int64)


def peer() -> Callable[[float], float] | None:
    """Measures the peer's decisions per second for about so many seconds; None if OpenSpiel is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("connect_four")
    plies = _peer_plies(game)

    def measure(seconds: float) -> float:
        games, begin = 0, time.perf_counter()
        while (passed := time.perf_counter() - begin) < seconds or not games:
            # One simulation with n rollouts: n random games in C++, each after the first ply.
            evaluator = pyspiel.RandomRolloutEvaluator(2000, games + 1)
            bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, 1, False)
            bot.step(game.new_initial_state())
            games += 2000
        return games * plies / passed

    return measure


def _peer_plies(game: Any) -> float:
    """The mean number of plies of a random game, the first one not counted."""
    random = np.random.default_rng(1)
    lengths = []
    for _ in range(400):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(int(random.choice(state.legal_actions())))
        lengths.append(state.move_number() - 1)
    return statistics.fmean(lengths)


def spin(rounds: int = 20) -> float:
    """How noisy the machine is: slowest over fastest time of the same small loop."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        x = 0
        for i in range(200_000):
            x ^= i
        times.append(time.perf_counter() - begin)
    return max(times) / min(times)


def bench(
    games: list[tuple[Rules, dict[str, Any]]], threads: list[int], seconds: float, deck: Any = None
) -> Iterator[dict[str, Any]]:
    """Measure each game with each number of threads; gives one row of `bench --json` after the other.

    The peer is measured before and after each row, for half as long, so that a change of the machine's speed shows.
    """
    measure = peer()
    for rules, options in games:
        player = Player(rules, options, deck=deck if rules.NAME == "schlossgarten" else None)
        for count in threads:
            before = measure(seconds / 4) if measure else None
            speed = player.play_threads(count, seconds)
            after = measure(seconds / 4) if measure else None
            row: dict[str, Any] = {
                "game": rules.NAME,
                "options": options,
                "threads": count,
                "games_per_s": round(speed.games_per_s, 1),
                "decisions_per_s": round(speed.decisions_per_s, 1),
                "compiled": player.jit,
                "noise": round(spin(), 2),
            }
            if before and after:
                row |= {
                    "peer": PEER,
                    "peer_decisions_per_s": round((before + after) / 2, 1),
                    "ratio": round(2 * speed.decisions_per_s / (before + after), 2),
                    "ratio_range": [
                        round(speed.decisions_per_s / max(before, after), 2),
                        round(speed.decisions_per_s / min(before, after), 2),
                    ],
                }
            yield row
