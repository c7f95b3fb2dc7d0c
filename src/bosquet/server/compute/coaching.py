"""Hints, the coach and the luck receipt. Pure; runs in worker processes.

An analysis is asked for step by step, so that it can be sent as it goes on, and stops when the reader closes it.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import msgspec

import bosquet
from bosquet.core.errors import BosquetError, RecordError
from bosquet.core.game import Game
from bosquet.core.position import decision_rng
from bosquet.core.view import View
from bosquet.lab import coach, luck
from bosquet.server.base.messages import decoded
from bosquet.server.compute import messages
from bosquet.server.compute.choosing import check_ready, has_learned
from bosquet.server.compute.messages import AnalysisBegun, Hinted, Judged, Receipt
from bosquet.server.compute.replays import bots_of, names_of

BATCH = 5
"""Games that bots play in one step."""

ANALYSIS = msgspec.json.Decoder(messages.AnalysisRequest)


class NotOver(BosquetError):  # noqa: N818  (what it says of a game)
    """The game of a record still runs."""


class Opened(NamedTuple):
    """A finished game that is analysed."""

    game: Game
    decisions: list[list[coach.Ply]]


class Outcome(NamedTuple):
    """How a game of bots ended."""

    scores: list[int]
    winners: list[int]


def hint(view: View) -> list[Hinted]:
    """Return the best choices for the seat to move, from its own view. Raises NotReady.

    Until learned values can be used, they are found by rollouts. The same view gets the same hint.
    """
    check_ready(view.game)
    assert view.seat is not None
    alone = view.players == 1
    return [
        Hinted(
            moves=choice.moves,
            data=choice.data,
            win=None if alone else choice.wins[view.seat],
            points=choice.points[view.seat],
        )
        for choice in coach.best(view, decision_rng("hint", view), learned=None if has_learned(view.game) else False)
    ]


def begin_coach(body: bytes) -> AnalysisBegun:
    """Open a record for the coach. Raises BosquetError; NotOver where the game still runs."""
    game, decisions = _opened(body)
    return AnalysisBegun(game=game.name, names=names_of(game), bots=bots_of(game), steps=len(decisions))


def weigh(body: bytes, index: int) -> coach.Decision | None:
    """Return one decision of the record that these bytes ask about; None where it was forced."""
    game, decisions = _opened(body)
    return coach.weigh(game, decisions[index])


def judge(body: bytes, made: list[coach.Decision]) -> Judged:
    """Return what the decisions come to."""
    report = coach.report(_opened(body).game, made)
    decisions = [sum(decision.seat == seat for decision in made) for seat in range(len(report.lost))]
    return Judged(costliest=report.costliest, lost=[round(lost, 4) for lost in report.lost], decisions=decisions)


def begin_luck(body: bytes) -> AnalysisBegun:
    """Open a record whose deal is to be played again. Raises BosquetError; NotOver where the game still runs."""
    game = _opened(body).game
    if game.ending is not None and game.ending.how != "played":
        raise NotOver("the game was ended early; its points can't be compared with those of whole games")
    return AnalysisBegun(game=game.name, names=names_of(game), bots=bots_of(game), steps=luck.GAMES // BATCH)


def play_again(body: bytes, step: int) -> list[Outcome]:
    """Let bots play the deal some times."""
    game = _opened(body).game
    played = [luck.replay(game, index) for index in range(step * BATCH, (step + 1) * BATCH)]
    return [Outcome(again.scores, again.winners) for again in played]


def receipt(body: bytes, played: list[Outcome]) -> Receipt:
    """Return the real scores against those of the bots."""
    game = _opened(body).game
    return Receipt(bot=game.spec.luck_bot, spreads=luck.receipt(game, played))


@functools.lru_cache(maxsize=4)
def _opened(body: bytes) -> Opened:
    """Return the game of a record, kept for the next step."""
    try:
        record = decoded(ANALYSIS, body).record
        game = bosquet.load(record)
    except RecursionError:
        raise RecordError("not a record: nested too deeply") from None
    if not game.over:
        raise NotOver("the game still runs; it can be analysed when it is over")
    return Opened(game, coach.decisions(game))
