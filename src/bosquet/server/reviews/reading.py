"""The record of a game that is to be reviewed, replayed and checked. Pure; runs in a worker process."""

from __future__ import annotations

import contextlib
import zlib

import msgspec

import bosquet
from bosquet.core import ending
from bosquet.core.errors import BosquetError, RecordError
from bosquet.core.records import record as records
from bosquet.server.base.legible import LENGTH, tidy
from bosquet.server.base.messages import ENCODER, decoded
from bosquet.server.base.refusals import Refusal
from bosquet.server.reviews.messages import OpenReview

OPEN_REVIEW = msgspec.json.Decoder(OpenReview)
PEOPLE = "players", "bots"
"""Who played, as records say it; anything else that they hold besides the game is dropped."""


def read_finished(body: bytes) -> bytes:
    """Return the record of a request, compressed; checked move by move. Raises BosquetError."""
    try:
        given = decoded(OPEN_REVIEW, body).record
        game = records.load({key: given[key] for key in (*records.KEYS, ending.KEY) if key in given}, bosquet.spec)
    except RecursionError:
        raise BosquetError("that is nested too deeply") from None
    if not game.over:
        raise RecordError("result is null; a game is reviewed when it is over")
    kept = game.record() | {key: _texts(given[key], game.players) for key in PEOPLE if key in given}
    return zlib.compress(ENCODER.encode(kept), 9)


def _texts(given: object, players: int) -> list[str | None]:
    """Return a name for each seat; None where there is none that can be shown."""
    found: list[str | None] = [None] * players
    for seat, name in enumerate(given[:players] if isinstance(given, list) else []):
        if isinstance(name, str):
            with contextlib.suppress(Refusal):  # nothing of it can be seen
                found[seat] = tidy(name[:LENGTH])
    return found
