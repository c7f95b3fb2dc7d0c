"""Plays our search against OpenSpiel's ISMCTS in Python, on our games.

    python -m benchmarks.openspiel_ismcts [--game topiary] [--deals 20] [--simulations 100]

Two players play each deal from both sides. First both searches make the same number of simulations; then ours gets as
much time for a decision as the other one took for its last. OpenSpiel's bot has its default settings and random
rollouts.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from rich.progress import track

import bosquet
import bosquet.env.openspiel
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.lab.ratings import mean, share
from bosquet.search import Search, Settings

UCT_C = 2.0


class Other:
    """OpenSpiel's bot at one seat."""

    def __init__(self, name: str, simulations: int, seed: int) -> None:
        self.game = pyspiel.load_game(f"bosquet_{name}(players=2)")
        self.simulations, self.seed = simulations, seed
        self.seconds = 0.0

    def choose(self, game: Game) -> str:
        """Return the move it finds. It gets the true state and determinizes it before it searches."""
        begin = time.perf_counter()
        random = np.random.RandomState(self.seed + len(game.moves))
        evaluator = RandomRolloutEvaluator(1, random)
        bot = ISMCTSBot(None, evaluator, UCT_C, self.simulations, random_state=random)
        state = self.game.state_of(game)
        action = bot.step(state)
        self.seconds = time.perf_counter() - begin
        return state.action_to_string(action)  # type: ignore[no-any-return]


def play(name: str, seed: int, ours: int, simulations: int, same_time: bool) -> tuple[float, float]:
    """Play a game with our search in seat `ours`; return its share of the win and its lead."""
    game = bosquet.new(name, seed=seed, players=2)
    other, rng = Other(name, simulations, seed), Rng(seed, ours)
    search = Search(Settings(simulations=simulations))
    while game.seat is not None:
        if game.seat != ours:
            game.play(other.choose(game))
        else:
            if same_time:
                search.settings = Settings(simulations=1, seconds=other.seconds)
            game.play(search.choose(game.view(ours), rng))
    won = 1 / len(game.winners) if ours in game.winners else 0.0
    return won, game.scores[ours] - game.scores[1 - ours]


def main() -> None:
    """Print the results of the matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=bosquet.GAMES, action="append")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=100)
    given = parser.parse_args()
    for name in given.game or bosquet.GAMES:
        for same_time in (False, True):
            rows = [
                [play(name, seed, seat, given.simulations, same_time) for seat in (0, 1)]
                for seed in track(range(given.deals), f"{name}, {'time' if same_time else 'simulations'}")
            ]
            won = share(np.array([sum(won for won, _ in row) / 2 for row in rows])).scaled(100)
            lead = mean(np.array([sum(lead for _, lead in row) / 2 for row in rows]))
            print(
                f"{name}, 2 players, the same {'time' if same_time else f'{given.simulations} simulations'}: "
                f"{2 * given.deals} games, won {won.value:.1f} % (95 %: {won.low:.1f}–{won.high:.1f}), "
                f"{lead.value:+.1f} points ahead ({lead.low:+.1f} … {lead.high:+.1f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
