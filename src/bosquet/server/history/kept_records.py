"""Records of finished games, made from what is kept of their tables. Pure; runs in a worker process."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from bosquet.server.base.messages import ENCODER
from bosquet.server.base.refusals import Refusal, Unreadable
from bosquet.server.store.entries import JournalEntry
from bosquet.server.table.actions import replay
from bosquet.server.table.session import Session


class KeptGame(NamedTuple):
    """What is kept of a table whose game is over."""

    row: dict[str, Any]
    seats: list[dict[str, Any]]
    entries: list[JournalEntry]


def records(games: Sequence[KeptGame]) -> bytes:
    """Return the records of some games, each on a line; one that can't be read, or runs, is left out."""
    lines = []
    for game in games:
        with contextlib.suppress(Refusal):
            lines.append(_record(game))
    return b"".join(lines)


def _record(game: KeptGame) -> bytes:
    """Return the record of a game as a line. Raises Refusal where the game runs, Unreadable."""
    session = Session.read(game.row, game.seats)
    session.ensure_dealt()
    for entry in game.entries:
        replay(session, entry)
    try:
        return ENCODER.encode(session.record()) + b"\n"
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Unreadable(type(error).__name__) from None
