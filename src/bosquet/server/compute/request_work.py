"""The work of requests: from the body of a request to that of its answer. Runs in a worker process.

Both may be large: the loop of the server only passes them on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from bosquet.core.errors import BosquetError
from bosquet.core.real_games import count, real_game_decoder
from bosquet.server.base.messages import ENCODER, decoded
from bosquet.server.compute import messages
from bosquet.server.compute.replays import replay

Asked = TypeVar("Asked")

REPLAY = msgspec.json.Decoder(messages.ReplayRequest)


def replayed(body: bytes) -> bytes:
    """Return the positions of a record. Raises BosquetError."""
    return _worked_out(REPLAY, replay, body)


def counted(body: bytes) -> bytes:
    """Return the score sheet of a real game. Raises BosquetError."""
    return _worked_out(real_game_decoder(), count, body)


def _worked_out(decoder: msgspec.json.Decoder[Asked], work: Callable[[Asked], object], body: bytes) -> bytes:
    try:
        return ENCODER.encode(work(decoded(decoder, body)))
    except RecursionError:
        raise BosquetError("that is nested too deeply") from None
