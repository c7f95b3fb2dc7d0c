"""Measures how often a turn of Schlossgarten can win at once, how often only the solver finds it, and its time.

    python -m benchmarks.endings [--games 100]

Candidates with a hit are left out. Positions are the beginnings of turns in games of a bot that sometimes makes
mistakes, with two, three and four players.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from typing import Any

import bosquet
from benchmarks.hit_bots import worker_without_hits
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.games.schlossgarten.endings import winning_candidate
from bosquet.games.schlossgarten.turns import NO_CANDIDATE
from bosquet.kernels.jit import bind, kernel
from bosquet.search import Search, Settings, Task

BOT = Settings(simulations=4, candidate_dropout=0.4)
LOOKED = 0.3
"""Milliseconds. The solver takes less where no build could win, since it does not search then."""


@kernel
def nobody(state: Any, workspace: Any) -> int:
    """Return no targets. Replaces `list_targets` of the solver."""
    return 0


@kernel
def _winning_candidate(states: Any, workspaces: Any) -> int:
    return winning_candidate(states[0], workspaces[0])


def turns(players: int, seed: int) -> Iterator[Game]:
    """Yield a game at the beginning of each turn."""
    game = bosquet.new("schlossgarten", seed=seed, players=players)
    bot, rng = Search(BOT), Rng(seed, "endings")
    while game.seat is not None:
        view = game.view(game.seat)
        if view.phase == "card":
            yield game
        game.play(bot.choose(view, rng))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    games = parser.parse_args().games
    worker = worker_without_hits()
    worker.begin(Settings(), Task(bosquet.new("schlossgarten")._state, 0), Rng(0))
    worker.solved()  # compiles
    without_hit = bind(_winning_candidate, {"list_targets": nobody})
    print("players  turns  planned wins  others  by a hit only  sought  median ms  most ms")
    for players in (2, 3, 4):
        count, planned, others, hits = 0, 0, 0, 0
        times = []
        for seed in range(games):
            for game in turns(players, seed):
                assert game.seat is not None
                count += 1
                worker.begin(Settings(), Task(game._state, game.seat), Rng(seed))
                begin = time.perf_counter()
                won = [result.candidate for result in worker.solved()]
                passed = 1000 * (time.perf_counter() - begin)
                candidates = worker.tree.candidate[: int(worker.tree.root_edge_count)]
                if won and won[0] in candidates:
                    planned += 1
                    continue
                others += bool(won)
                if won or passed > LOOKED:
                    times.append(passed)
                if won:
                    hits += without_hit(worker.states, worker.workspaces) == NO_CANDIDATE
        took = f"{statistics.median(times):10.1f} {max(times):8.1f}" if times else f"{'–':>10} {'–':>8}"
        print(f"{players:7} {count:6} {planned:13} {others:7} {hits:14} {len(times):7} {took}", flush=True)


if __name__ == "__main__":
    main()
