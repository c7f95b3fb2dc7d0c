"""Our search against a player that nobody here wrote: OpenSpiel's ISMCTS in Python, on our games.

    python -m benchmarks.openspiel_ismcts [--game topiary] [--deals 20] [--simulations 100]

Two players, mirrored deals: each deal is played both ways round. First both get the same number of simulations; then
our search gets as much time for a decision as the other one took for its last. OpenSpiel's bot has its default settings
and plays out at random.
"""

from __future__ import annotations

import argparse
import copy
import time
from typing import Any

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from rich.progress import track

import bosquet
from bosquet.bots.search import Search, Settings
from bosquet.core.chance import Chance
from bosquet.core.game import Game
from bosquet.core.state import CHANCE, NOBODY
from bosquet.lab.ratings import mean, share

UCT_C = 2.0


class State:
    """A game as OpenSpiel's Python search asks for it: what its `State` has, as far as that search calls it."""

    def __init__(self, rules: Any, state: Any, history: tuple[int, ...], lanes: list[int]) -> None:
        self.rules, self.state, self.history, self.lanes = rules, state, history, lanes
        self._moves = [0] * rules.MAX_MOVES

    def clone(self) -> State:
        """An independent copy."""
        return State(self.rules, self.state.copy(), self.history, self.lanes)

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.state.seat == NOBODY)

    def is_chance_node(self) -> bool:
        """Never: chance is drawn while actions are applied."""
        return False

    def current_player(self) -> int:
        """The seat to move."""
        return int(self.state.seat)

    def num_players(self) -> int:
        """The number of seats."""
        return int(self.state.players)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Every legal action."""
        return self._moves[: self.rules.legal(self.state, self._moves)]

    def apply_action(self, action: int) -> None:
        """Make an action, and the move of chance that then falls due."""
        self.rules.play(self.state, int(action))
        self.history = (*self.history, int(action))
        while self.state.seat == CHANCE:
            self.rules.roll(self.state, self.lanes)

    def information_state_string(self) -> tuple[Any, ...]:
        """What tells the seat's information states apart: its hand, and all actions, which are open without a draft."""
        return (self.state.hand[self.state.seat], self.history)

    def resample_from_infostate(self, player: int, sampler: object) -> State:
        """Another world that the seat can't tell from this one."""
        world = self.clone()
        self.rules.resample(world.state, player, self.lanes)
        return world

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss."""
        won = self.rules.winners(self.state)
        shares = [(won >> seat & 1) / won.bit_count() for seat in range(self.num_players())]
        return [2 * part - 1 for part in shares]

    def get_game(self) -> State:
        """Itself: the search only asks for the type of the game."""
        return self

    def get_type(self) -> Any:
        """A game with sequential moves and sampled chance."""
        import pyspiel

        return pyspiel.load_game("kuhn_poker").get_type()


class Other:
    """OpenSpiel's bot at one seat."""

    def __init__(self, simulations: int, seed: int) -> None:
        self.simulations, self.seed = simulations, seed
        self.seconds = 0.0
        self.lanes = Chance("openspiel", seed).lanes

    def choose(self, game: Game) -> str:
        """The move it finds; it sees the true state and lays the hidden anew before it looks."""
        begin = time.perf_counter()
        random = np.random.RandomState(self.seed + len(game.moves))
        evaluator = RandomRolloutEvaluator(1, random)
        bot = ISMCTSBot(None, evaluator, UCT_C, self.simulations, random_state=random)
        action = bot.step(State(game.rules, copy.deepcopy(game._state), (), self.lanes))
        self.seconds = time.perf_counter() - begin
        return game.rules.say(game._state, int(action))


def play(name: str, seed: int, ours: int, simulations: int, same_time: bool) -> tuple[float, float]:
    """One game with us in seat `ours`: our share of the win, and our lead."""
    game = bosquet.new(name, seed=seed, players=2)
    other, chance = Other(simulations, seed), Chance(seed, ours)
    search = Search(Settings(simulations=simulations))
    while game.seat is not None:
        if game.seat != ours:
            game.play(other.choose(game))
        else:
            if same_time:
                search.settings = Settings(simulations=1, seconds=other.seconds)
            game.play(search.choose(game.view(ours), chance))
    won = 1 / len(game.winners) if ours in game.winners else 0.0
    return won, game.scores[ours] - game.scores[1 - ours]


def main() -> None:
    """Print what came of the matches."""
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
