"""Measures random moves per second of our games through the adapters, one game at a time.

    python -m benchmarks.adapters [--seconds 2]

The baseline of OpenSpiel's adapter is a Python game in the same process that only counts its moves: an adapter can
hardly be faster. All figures include choosing a move.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pyspiel

import bosquet.env.gymnasium
import bosquet.env.openspiel
from bosquet.env import pettingzoo

MOVES = 40
ROUNDS = 5
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("topiary", {"players": 2}),
    ("topiary", {"players": 2, "draft": True}),
    ("topas", {"players": 1}),
    ("topas", {"players": 2}),
    ("schlossgarten", {"players": 2}),
]


def _idle_type() -> pyspiel.GameType:
    kind = pyspiel.GameType
    return kind(
        short_name="idle",
        long_name="Does nothing",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
    )


class Idle(pyspiel.Game):
    """A game of two that ends after MOVES moves."""

    def __init__(self, params: object = None) -> None:
        super().__init__(_idle_type(), pyspiel.GameInfo(3, 0, 2, -1.0, 1.0, 0.0, MOVES), params or {})

    def new_initial_state(self) -> IdleState:
        """Return the state before the first move."""
        return IdleState(self)


class IdleState(pyspiel.State):
    """The number of moves made."""

    def __init__(self, game: Idle) -> None:
        super().__init__(game)
        self.moves = 0

    def current_player(self) -> int:
        """Return the player to move; players alternate."""
        return self.moves & 1 if self.moves < MOVES else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Return whether MOVES moves were made."""
        return self.moves >= MOVES

    def _legal_actions(self, player: int) -> list[int]:
        return [0, 1, 2]

    def _apply_action(self, action: int) -> None:
        self.moves += 1

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def returns(self) -> list[float]:
        """Return zeros: nobody wins."""
        return [0.0, 0.0]

    def __str__(self) -> str:
        return str(self.moves)


pyspiel.register_game(_idle_type(), Idle)


def openspiel_game(name: str) -> Callable[[], int]:
    """Return a function that plays a game of OpenSpiel and returns the number of moves, chance included."""
    game, draw = pyspiel.load_game(name), random.Random(1).random

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
            moves += 1
        return moves

    return play


def pettingzoo_game(name: str, options: dict[str, Any]) -> Callable[[], int]:
    """Return a function that plays a game of PettingZoo without its wrappers and returns the number of moves."""
    table, draw = pettingzoo.raw_env(name, **options), random.Random(1).random

    def play() -> int:
        table.reset()
        moves = 0
        for _ in table.agent_iter():
            observation, _, ended, _, _ = table.last()
            if ended:
                table.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"].view(bool))
            table.step(int(legal[int(draw() * len(legal))]))
            moves += 1
        return moves

    return play


def gymnasium_game(name: str, options: dict[str, Any]) -> Callable[[], int]:
    """Return a function that plays Gymnasium against `random` without wrappers and returns the learner's moves."""
    version = bosquet.spec(name).encoder.VERSION
    seat = gymnasium.make(f"bosquet/{name.capitalize()}-v{version}", **options).unwrapped
    draw = random.Random(1).random

    def play() -> int:
        _, info = seat.reset()
        moves, ended = 0, False
        while not ended:
            legal = np.flatnonzero(info["action_mask"].view(bool))
            _, _, ended, _, info = seat.step(int(legal[int(draw() * len(legal))]))
            moves += 1
        return moves

    return play


def speed(play: Callable[[], int], seconds: float) -> float:
    """Return thousands of moves per second: the median of a few rounds."""
    play()  # compiles
    rates = []
    for _ in range(ROUNDS):
        moves, begin = 0, time.perf_counter()
        while (passed := time.perf_counter() - begin) < seconds / ROUNDS:
            moves += play()
        rates.append(moves / passed / 1000)
    return statistics.median(rates)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    seconds = parser.parse_args().seconds
    print("| thousand moves a second | OpenSpiel | × doing nothing | PettingZoo | Gymnasium |")
    print("|---|---|---|---|---|")
    for name, options in TABLES:
        settings = ",".join(f"{key}={value}" for key, value in options.items())
        before = speed(openspiel_game("idle"), seconds / 2)
        ours = speed(openspiel_game(f"bosquet_{name}({settings})"), seconds)
        baseline = (before + speed(openspiel_game("idle"), seconds / 2)) / 2
        zoo = speed(pettingzoo_game(name, options), seconds)
        gym = speed(gymnasium_game(name, options), seconds)
        print(f"| {name}, {settings} | {ours:.0f} | {ours / baseline:.2f} | {zoo:.0f} | {gym:.0f} |", flush=True)


if __name__ == "__main__":
    main()
