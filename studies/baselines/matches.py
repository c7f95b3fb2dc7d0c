"""Plays the existing bots against `greedy`, on mirrored deals."""

from __future__ import annotations

from pathlib import Path

from bosquet import bots
from bosquet.bots.levels import COUNT
from bosquet.core.errors import BosquetError
from bosquet.core.installed import spec
from bosquet.core.spec import check_options
from bosquet.lab.arena import Arena, Folder, played
from bosquet.lab.ratings import Estimate
from bosquet.lab.standings import Standings
from bosquet.search import learned_weights

RIVAL = "greedy"
SEED = 2026


def names(game: str) -> list[str]:
    """Return the bots that are compared in a game with two players: without search, and with it.

    The strongest level meets `greedy` in the ladder.
    """
    learned = learned_weights.has_weights(game, check_options(spec(game), {"players": 2}))
    priors = ["search:1", *(["learned:1"] if learned else [])]
    return ["random", *priors, *(f"level{level}" for level in range(1, COUNT)), *(["learned"] if learned else [])]


def result(folder: Path, game: str, bot: str, games: int) -> tuple[Estimate, Estimate]:
    """Play a bot against `greedy`, or read what was played; return its share of wins and the points ahead."""
    bots.make(bot)
    match = Arena(game, {"players": 2}, [bot, RIVAL], games, SEED).checked()
    standings = Standings(match)
    with Folder(folder / f"{game}-{bot.replace(':', '_')}", match) as kept:
        for deal in played(match, 1, None, kept):
            standings.add(deal)
    if standings.deals < match.deals:
        raise BosquetError(f"only {standings.deals} of {match.deals} deals of {bot} were played")
    return standings.score((0, 1)), standings.difference((0, 1))
