"""Games met on the way, moves of chance included, with everything that a test needs to look at them from every seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

import bosquet
from bosquet import bots
from bosquet.core.game import Game

STRAY = (0.1, 0.3, 1.0)
"""Shares of random moves among greedy ones: random play of Schlossgarten never builds, greedy play is much alike."""


def every_ply(name: str, options: dict[str, Any], seed: int, plies: int = 10**6) -> Iterator[Game]:
    """One game before each of its plies and at its end, also where chance is due. The game goes on after each."""
    game = bosquet.new(name, seed=seed, **options)
    game.chance = None
    chance = bosquet.Chance(seed, "every ply")
    stray = STRAY[seed % len(STRAY)]
    seats = [bots.make("greedy") for _ in range(game.players)]
    yield game
    while not game.over and len(game.moves) < plies:
        if game.seat is None:
            game.roll(chance)
        elif chance.below(1000) < 1000 * stray:
            game.play(chance.choice(game.legal()))
        else:
            game.play(seats[game.seat].choose(game.view(game.seat), chance))
        yield game


def viewers(game: Game) -> list[int | None]:
    """Every seat, and a spectator."""
    return [None, *range(game.players)]


def seen(game: Game, viewer: int | None) -> bytes:
    """Every byte that a viewer gets."""
    return msgspec.json.encode(game.view(viewer))


def with_state(game: Game, state: Any) -> Game:
    """The same game in another state."""
    other = game.copy()
    other._state = state
    other._legal = None
    return other


def redealt(game: Game, viewer: int | None, chance: bosquet.Chance) -> Game:
    """The same game as a viewer knows it, the unseen dealt anew."""
    return with_state(game, game.rules.redeal(game.view(viewer), chance))
