"""The record of a game that was played on a device, replayed and checked. Pure; runs in a worker process."""

from __future__ import annotations

import contextlib
import zlib
from typing import Any, NamedTuple

import msgspec

import bosquet
from bosquet import bots
from bosquet.core import ending
from bosquet.core.errors import BosquetError, RecordError, quoted
from bosquet.core.game import Game
from bosquet.core.inputs.reading import expect_list
from bosquet.core.records import duel, fair
from bosquet.core.records import record as records
from bosquet.server.base.legible import LENGTH, tidy
from bosquet.server.base.messages import ENCODER, decoded
from bosquet.server.base.refusals import Refusal
from bosquet.server.history.messages import BringGame
from bosquet.server.table.messages import Assistance

BRING_GAME = msgspec.json.Decoder(BringGame)


class ReadGame(NamedTuple):
    """A game that was brought, as far as it is kept."""

    commitment: str
    game: str
    options: dict[str, Any]
    assistance: Assistance
    ended: str
    names: list[str | None]
    bots: list[str | None]
    scores: list[int] | None
    """None of a game that does not count."""
    winners: list[int]
    how: str | None
    resigned: list[int]
    duel: int | None
    moves: int
    record: bytes
    """Compressed."""


def read_game(body: bytes) -> ReadGame:
    """Return the game of a request, checked move by move and with its deal dealt again. Raises BosquetError."""
    try:
        asked = decoded(BRING_GAME, body)
        given = asked.record
        told = (*records.KEYS, ending.KEY, fair.KEY, duel.KEY)
        game = records.load({key: given[key] for key in told if key in given}, bosquet.spec)
    except RecursionError:
        raise BosquetError("that is nested too deeply") from None
    if not game.over:
        raise RecordError("result is null; a game is brought when it is over")
    fair.verify(game)
    names, seated = _names(given.get("players"), game), _bots(given.get("bots"), game)
    if None not in seated:
        raise RecordError("bots has one on every seat; a game is brought by somebody who played")
    proof, of_duel = game.extra[fair.KEY], duel.of_record(game)
    kept = game.record() | {
        fair.KEY: fair.statement(proof["secret"], proof["nonces"]),
        **({} if of_duel is None else {duel.KEY: of_duel}),
        "players": names,
        "bots": seated,
    }
    how, resigned = game.ending or (None, [])
    return ReadGame(
        commitment=proof["commitment"],
        game=game.name,
        options=dict(game.options),
        assistance=asked.assistance,
        ended=asked.ended,
        names=names,
        bots=seated,
        scores=None if game.is_void else game.scores,
        winners=game.winners,
        how=how,
        resigned=list(resigned),
        duel=None if of_duel is None else of_duel.game,
        moves=len(game.moves),
        record=zlib.compress(ENCODER.encode(kept), 9),
    )


def _names(given: object, game: Game) -> list[str | None]:
    """Return what the people and bots are called. Raises RecordError."""
    found: list[str | None] = []
    for name in expect_list(given, game.players, "players"):
        found.append(None)
        if isinstance(name, str):
            with contextlib.suppress(Refusal):  # nothing of it can be seen
                found[-1] = tidy(name[:LENGTH])
    return found


def _bots(given: object, game: Game) -> list[str | None]:
    """Return which bot played on each seat. Raises RecordError."""
    found = expect_list(given, game.players, "bots")
    for seat, bot in enumerate(found):
        if bot is not None and (not isinstance(bot, str) or bot not in bots.NAMES):
            raise RecordError(f"bots[{seat}] is {quoted(bot)}; it must be the name of a bot of this server, or null")
    return list(found)
