"""Measures simulations per second of the search and, in the same run, of OpenSpiel's ISMCTS in C++ on its own games.

    python -m benchmarks.search [--seconds 3] [--game topas]

Each is measured at the first decision of a game, with one thread and more, the baselines before and after each row.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

import bosquet
from bosquet.core.rng import Rng
from bosquet.search import Search, Settings

BASELINES = ("hearts", "euchre")
BATCH = 1000
UNLIMITED = -1
"""The baseline determinizes for every simulation, as our search does."""


def baseline(name: str) -> Callable[[float], float]:
    """Return a function that measures simulations per second of OpenSpiel's ISMCTS with one random rollout each."""
    state = _first_choice(pyspiel.load_game(name))

    def measure(seconds: float) -> float:
        done, begin = 0, time.perf_counter()
        while (passed := time.perf_counter() - begin) < seconds:
            bot = pyspiel.ISMCTSBot(
                done,
                pyspiel.RandomRolloutEvaluator(1, done),
                2.0,
                BATCH,
                UNLIMITED,
                pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
                False,
                False,
            )
            bot.step(state)
            done += BATCH
        return done / passed

    return measure


def _first_choice(game: Any) -> Any:
    """Return the first position after a random deal in which a seat has a choice."""
    random = np.random.default_rng(1)
    state = game.new_initial_state()
    while len(state.legal_actions()) < 2 or state.is_chance_node():
        state.apply_action(int(random.choice(state.legal_actions())))
    return state


def ours(game: str, players: int, settings: Settings, seconds: float) -> float:
    """Return simulations per second of our search at the first decision."""
    view = bosquet.new(game, seed=1, players=players).view(0)
    search = Search(settings)
    search.search(view, Rng(1))  # compiles
    done, begin = 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds:
        done += search.search(view, Rng(done)).simulations
    return done / passed


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--game", choices=bosquet.GAMES, action="append")
    given = parser.parse_args()
    seconds = given.seconds
    baselines = {name: baseline(name) for name in BASELINES}
    cores = os.cpu_count() or 1
    print(f"{'search':44} {'threads':>7} {'per second':>11}   ratio to " + ", ".join(BASELINES))
    for game in given.game or bosquet.GAMES:
        for random in (True, False) if game != "schlossgarten" else (False,):
            for threads in sorted({1, 2, cores}):
                before = {name: measure(seconds / 4) for name, measure in baselines.items()}
                speed = ours(
                    game, 2, Settings(simulations=BATCH * threads, threads=threads, random_rollouts=random), seconds
                )
                after = {name: measure(seconds / 4) for name, measure in baselines.items()}
                ratios = "  ".join(f"{2 * speed / (before[name] + after[name]):6.2f}" for name in BASELINES)
                kind = "random rollouts" if random else "default policy"
                print(f"{game + ', 2 players, ' + kind:44} {threads:7} {speed:11,.0f}   {ratios}", flush=True)
    for name, measure in baselines.items():
        print(f"{'OpenSpiel ISMCTS, ' + name:44} {1:7} {measure(seconds):11,.0f}")


if __name__ == "__main__":
    main()
