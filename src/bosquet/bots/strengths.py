"""How strong the bots of the page are in each game, as Elo, and what the seats are worth: what was measured.

`python -m studies.ladder.strengths` makes the `strengths.json` in the folder of each game from the results of the
ladder; a test compares the two.
"""

from __future__ import annotations

import functools
import itertools
import math
from importlib.resources import files

import msgspec
from msgspec import Struct

from bosquet.core import installed

WEAKEST = 800.0
"""The Elo of level 1 in every game: where the scale begins is a choice, only differences are measured."""
ELO_PER_NAT = 400 / math.log(10)
FILE = "strengths.json"


class Measured(Struct, forbid_unknown_fields=True):
    """What was measured of a game."""

    steps: list[float]
    """By how much Elo each level is stronger than the one before, from the second one on, with two players."""
    seats: dict[str, list[float]]
    """The share of the games that each seat won between equals, by the number of players."""
    champion: tuple[float, float] | None = None
    """By how much Elo the champion is stronger than the strongest level, with two players, and half the length of the
    95 % interval."""


@functools.cache
def levels(game: str) -> dict[str, float]:
    """Return the Elo of each level in a game, by its name; nothing for a game that was not measured."""
    found = measured(game)
    elo = itertools.accumulate(found.steps, initial=WEAKEST) if found else ()
    return {f"level{level}": value for level, value in enumerate(elo, 1)}


def champion(game: str) -> tuple[float, float] | None:
    """Return the Elo of the champion in a game, give or take its second value; None where it was not measured.

    It thinks for a time and not for a number of simulations, so nobody is rated by it.
    """
    found = measured(game)
    if found is None or found.champion is None:
        return None
    ahead, spread = found.champion
    return max(levels(game).values()) + ahead, spread


@functools.cache
def seats(game: str, players: int) -> tuple[float, ...]:
    """Return how much Elo each seat of a game is worth, 0 in the mean; zeros where it was not measured.

    With these on top of equal ratings, a Plackett-Luce model of the players gives each seat its share of the wins.
    """
    found = measured(game)
    shares = found.seats.get(str(players)) if found else None
    if shares is None:
        return (0.0,) * players
    values = [math.sqrt(players / 2) * ELO_PER_NAT * math.log(share) for share in shares]
    return tuple(value - sum(values) / players for value in values)


@functools.cache
def measured(game: str) -> Measured | None:
    """Return what was measured of a game; None where its folder has no such file."""
    if game not in installed.names():
        return None
    file = files(installed.spec(game).package) / FILE
    return msgspec.json.decode(file.read_bytes(), type=Measured) if file.is_file() else None
