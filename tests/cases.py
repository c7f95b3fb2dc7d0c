"""Every game with every combination of its options, and ways to reach positions in them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import bosquet
from bosquet import bots
from bosquet.core.game import Game

CASES: list[tuple[str, dict[str, Any]]] = [
    (name, dict(zip(bosquet.rules(name).OPTIONS, values, strict=True)))
    for name in bosquet.GAMES
    for values in itertools.product(*bosquet.rules(name).OPTIONS.values())
]
IDS = ["-".join([name, *(f"{key}={value}" for key, value in options.items())]) for name, options in CASES]


def walk(name: str, options: dict[str, Any], seed: int, plies: int = 10**6) -> Iterator[Game]:
    """One game, before its first move and after each; random moves among greedy ones, so that all of it is met."""
    game = bosquet.new(name, seed=seed, **options)
    rng = random.Random(seed)
    stray = rng.choice((0.05, 0.3, 1.0))
    if name == "schlossgarten":
        stray = min(stray, 0.3)  # random play hardly ever makes a figure stand
    seats = [bots.make("greedy") for _ in range(game.players)]
    chance = bosquet.Chance(seed, "walk")
    yield game
    while not game.over and len(game.moves) < plies:
        assert game.seat is not None
        move = rng.choice(game.legal()) if rng.random() < stray else ""
        game.play(move or seats[game.seat].choose(game.view(game.seat), chance))
        yield game


def reach(name: str, options: dict[str, Any], seed: int, plies: int) -> Game:
    """A position so many plies into a game, or its end."""
    *_, game = walk(name, options, seed, plies)
    return game
