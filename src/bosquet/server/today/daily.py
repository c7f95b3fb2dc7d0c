"""The deal of a day: one for each game, the same for everybody on a server, known to nobody before.

Pure. The secret of a deal is the HMAC of the server's key over the game and the day, so that the nodes of one server
need not agree, and nobody without the key can work it out. Players do not add to the shuffle, since the deal is the
same for all. Its commitment, which is told the day before, shows that it was not chosen afterwards; the secret is told
when the day is closed.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
from datetime import date
from typing import Any, NamedTuple

from bosquet.core import installed
from bosquet.core.records import fair
from bosquet.core.spec import check_options
from bosquet.core.view import View

LABEL = "bosquet/daily/1"
LEVEL = "level3"
"""Who plays against everybody: quick on any machine, and the same every day, so that days can be compared."""


class DealOfDay(NamedTuple):
    """The deal of a day of one game."""

    game: str
    day: str
    options: dict[str, Any]
    seat: int
    """The seat on which everybody plays it."""
    opponent: str | None
    """The bot on the other seat; None alone."""
    secret: str


def secret_of(key: bytes, game: str, day: str) -> str:
    """Return the secret of the deal of a day, as 64 hexadecimal digits."""
    return hmac.new(key, f"{LABEL}/{game}/{day}".encode(), hashlib.sha256).hexdigest()


def deal_of(key: bytes, game: str, day: str) -> DealOfDay:
    """Return the deal of a day of a game: alone where the game can be played alone, else for two against a level."""
    spec = installed.spec(game)
    alone = 1 in spec.options["players"]
    options = check_options(spec, {"players": 1 if alone else 2})
    seat = 0 if alone else date.fromisoformat(day).toordinal() % 2
    return DealOfDay(game, day, options, seat, None if alone else LEVEL, secret_of(key, game, day))


@functools.lru_cache(maxsize=256)
def opening(game: str, players: int, secret: str) -> View:
    """Return what a spectator sees of a deal before the first move: nothing that lies face down or in a hand."""
    dealt = fair.deal(installed.spec(game), {"players": players}, secret, [None] * players)
    return dealt.view(None, moves=False)


def games_of_day() -> list[str]:
    """Return the games that have a deal every day: those for one or for two."""
    return [game for game in installed.names() if {1, 2} & set(installed.spec(game).options["players"])]
