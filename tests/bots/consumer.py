"""What somebody writes who uses bosquet: mypy and pyright find nothing to say of it, in their strict modes."""

# pyright: strict

from __future__ import annotations

import numpy as np

import bosquet
from bosquet import Move, Rng, View
from bosquet.bots import Bot, make
from bosquet.games.topas.view import TopasView


class Careful:
    """Plays a move that scores most at once, and of these one with the fewest cells."""

    def choose(self, view: View, rng: Rng) -> str:
        def value(move: Move) -> tuple[int, int]:
            return move.points or 0, -len(move.cells)

        best = max(map(value, view.moves))
        return rng.choice([move.say for move in view.moves if value(move) == best])


class Topas:
    """Looks at what only the views of one game have."""

    def choose(self, view: View, rng: Rng) -> str:
        assert isinstance(view, TopasView)
        hand = view.hand or []
        return max(view.moves, key=lambda move: (move.points or 0, move.piece in hand[:1])).say


def play(bots: list[Bot], seed: int) -> list[int]:
    """Play a game of Topas and return its points."""
    game = bosquet.new("topas", players=len(bots), seed=seed)
    rng = Rng(seed)
    while game.seat is not None:
        game.play(bots[game.seat].choose(game.view(game.seat), rng))
    return game.scores


def steps(seed: int) -> int:
    """Step a batch at random; return how many games ended."""
    ended = 0
    with bosquet.batch("topas", players=np.int64(2), n=np.int64(4), seed=seed) as batch:
        batch.reset(seeds=np.arange(4))
        batch.determinize(batch.seats, np.arange(4))
        for _ in range(30):
            batch.step(batch.sample())
            ended += int(batch.done.sum())
    return ended


def main() -> None:
    """Print who wins."""
    first, second = play([Careful(), make("random")], seed=1)
    print(first > second, play([Topas(), Careful()], seed=1), steps(1))


if __name__ == "__main__":
    main()
