"""Games as a page plays them on a device, without a server."""

from __future__ import annotations

import random
from typing import Any

from bosquet.core.game import Game
from bosquet.core.installed import spec
from bosquet.core.records import fair

ENDED = "2026-01-02T03:04:05.678Z"


def dealt(name: str = "topas", seed: int = 1, **options: Any) -> tuple[Game, str]:
    """Deal a game from a secret; return both."""
    secret = f"{seed:064x}"
    options = {"players": 2, **options}
    return fair.deal(spec(name), options, secret, [None] * options["players"]), secret


def play_on(game: Game, secret: str, plies: int = 10**6) -> Game:
    """Play at random until the game is over, or for a number of plies."""
    rng = random.Random(1)
    while not game.over and plies:
        if game.chance_due:
            fair.sample_chance(game, secret, [None] * game.players)
        else:
            game.play(rng.choice(game.legal()))
        plies -= 1
    return game


def record_of(game: Game, secret: str, bots: list[str | None] | None = None) -> dict[str, Any]:
    """Return the record that a page keeps."""
    bots = bots or [None, *["greedy"] * (game.players - 1)]
    return game.record() | {
        "players": [bot or "Ann" for bot in bots],
        "bots": bots,
        fair.KEY: fair.statement(secret, [None] * game.players),
    }


def whole(name: str = "topas", seed: int = 1, bots: list[str | None] | None = None, **options: Any) -> dict[str, Any]:
    """Return the record of a game that was played to its end on a device."""
    game, secret = dealt(name, seed, **options)
    return record_of(play_on(game, secret), secret, bots)


def request(record: Any, **more: Any) -> dict[str, Any]:
    """Return what a page sends to have a game kept."""
    return {"record": record, "ended": ENDED, "assistance": "full", **more}
