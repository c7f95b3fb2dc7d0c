"""The work of a request for a replay: from its body to that of its answer. Runs in a worker process.

Both may be large: the loop of the server only passes them on.
"""

from __future__ import annotations

import msgspec

from bosquet.core import installed
from bosquet.core.errors import BosquetError
from bosquet.engine.build import engine_file
from bosquet.server.base.messages import ENCODER, decoded
from bosquet.server.compute import messages
from bosquet.server.compute.replays import replay

REPLAY = msgspec.json.Decoder(messages.ReplayRequest)


def replayed(body: bytes) -> bytes:
    """Return the positions of a record. Raises BosquetError, also for a game with an engine."""
    try:
        asked = decoded(REPLAY, body)
        game = asked.record.get("game")
        if game in installed.names() and engine_file(installed.spec(game)).is_file():
            raise BosquetError(f"records of {game} are replayed by its engine; /api/games has its address")
        return ENCODER.encode(replay(asked))
    except RecursionError:
        raise BosquetError("that is nested too deeply") from None
