"""States met during games, after chance events too, with all that a test needs to view them from every seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

import bosquet
from bosquet import bots
from bosquet.core.game import Game

STRAY = (0.1, 0.3, 1.0)
"""Shares of random moves among greedy ones: random play of Schlossgarten never builds, greedy play is much alike."""


def every_ply(name: str, options: dict[str, Any], seed: int, plies: int = 10**6, box: Any = None) -> Iterator[Game]:
    """One game before each of its plies and at its end, also where chance is due. The game goes on after each."""
    game = bosquet.new(name, seed=seed, box=box, **options)
    game.rng = None
    rng = bosquet.Rng(seed, "every ply")
    stray = STRAY[seed % len(STRAY)]
    seats = [bots.make("greedy") for _ in range(game.players)]
    yield game
    while not game.over and len(game.moves) < plies:
        if game.seat is None:
            game.sample_chance(rng)
        elif rng.below(1000) < 1000 * stray:
            game.play(rng.choice(game.legal()))
        else:
            game.play(seats[game.seat].choose(game.view(game.seat), rng))
        yield game


def viewers(game: Game) -> list[int | None]:
    """Every seat, and a spectator."""
    return [None, *range(game.players)]


def seen(game: Game, viewer: int | None) -> bytes:
    """Every byte that a viewer gets."""
    return msgspec.json.encode(game.view(viewer))


def determinized(game: Game, viewer: int | None, rng: bosquet.Rng) -> Game:
    """The same game as a viewer knows it, the unseen dealt anew."""
    return game.with_state(game.spec.view.determinize(game.view(viewer), rng))
