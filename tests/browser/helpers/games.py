"""Games that were played elsewhere."""

from __future__ import annotations

from typing import Any

import bosquet
from bosquet import bots


def finished_game(name: str, players: int = 2) -> dict[str, Any]:
    """The record of a game between bots."""
    game = bosquet.new(name, seed=4, players=players)
    rng = bosquet.Rng(4)
    seats = [bots.make("greedy") for _ in range(players)]
    while not game.over:
        assert game.seat is not None
        game.play(seats[game.seat].choose(game.view(game.seat), rng))
    return game.record()
