"""The deal of a day, played to its end by bots. Pure; runs in a worker process."""

from __future__ import annotations

from bosquet import bots
from bosquet.core.installed import spec
from bosquet.core.positions.position import decision_rng
from bosquet.core.records import fair


def play_deal(game: str, secret: str, players: list[str]) -> list[int]:
    """Return the points of each seat. Their chance is that of the bots who play against people."""
    nonces, salt = [None] * len(players), fair.bot_salt(secret)
    played = fair.deal(spec(game), {"players": len(players)}, secret, nonces)
    seated = [bots.make(name) for name in players]
    while not played.over:
        if played.chance_due:
            fair.sample_chance(played, secret, nonces)
        else:
            assert played.seat is not None
            rng = decision_rng(f"{players[played.seat]}/{salt}", played.view(played.seat, moves=False))
            played.play(bots.choose(seated[played.seat], played, rng))
    return played.scores
