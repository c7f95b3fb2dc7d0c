"""The deal of a day: one for each game, the same for everybody on a server, known to nobody before.

Pure. The secret of a deal is the HMAC of the server's key over the game and the day, so that the nodes of one server
need not agree, and nobody without the key can work it out. Nobody adds to the shuffle: who plays a deal that is the
same for all can't. That the deal was not chosen afterwards shows in its commitment, which is told the day before; the
secret is told when the day is closed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, NamedTuple

from bosquet.core import installed
from bosquet.core.errors import BosquetError
from bosquet.core.spec import check_options
from bosquet.server.base.clock import days_before, written

LABEL = "bosquet/daily/1"
LEVEL = "level3"
"""Who plays against everybody: quick on any machine, and the same every day, so that days can be compared."""
GRACE = timedelta(hours=6)
"""After its midnight games of a day that were begun in time still count for so long."""
ARCHIVE_DAYS = 60
"""Days before today that can be looked at and played late."""
ONE_DAY = timedelta(days=1)


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


def games_of_day() -> list[str]:
    """Return the games that have a deal every day: those for one or for two."""
    return [game for game in installed.names() if {1, 2} & set(installed.spec(game).options["players"])]


def phase(day: str, at: str) -> Literal["coming", "open", "ending", "closed"]:
    """Return how it stands with a day at some time; both as RFC 3339 has them."""
    if day > at[:10]:
        return "coming"
    if day == at[:10]:
        return "open"
    return "closed" if at >= closes(day) else "ending"


def closes(day: str) -> str:
    """Return the time from which no game counts for a day any more."""
    midnight = datetime.combine(date.fromisoformat(day) + ONE_DAY, datetime.min.time(), UTC)
    return written(midnight + GRACE)


def seconds_left(at: str) -> int:
    """Return the whole seconds until the next day."""
    moment = datetime.fromisoformat(at)
    midnight = datetime.combine(moment.date() + ONE_DAY, datetime.min.time(), UTC)
    return max(1, int((midnight - moment).total_seconds()))


def read_day(text: str) -> str:
    """Return a day as it is written here: `2026-11-23`. Raises BosquetError."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != text:
        raise BosquetError("a day is written as 2026-11-23")
    return text


def streaks(days: Collection[str], today: str) -> tuple[int, int]:
    """Return how many of some days follow each other up to today, or up to yesterday, and how many at most."""
    best = run = current = 0
    last = ""
    for day in sorted(set(days)):
        run = run + 1 if last and days_before(day, 1) == last else 1
        best, last = max(best, run), day
        if day in (today, days_before(today, 1)):
            current = run
    return current, best
