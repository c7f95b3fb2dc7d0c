"""A record, position by position, for the page to step through. Pure; runs in a worker process."""

from __future__ import annotations

from typing import Any

import bosquet
from bosquet.core.errors import IllegalMove, RecordError
from bosquet.core.game import Game
from bosquet.core.records import record as records
from bosquet.core.view import Move
from bosquet.server.base.messages import Ending
from bosquet.server.compute.messages import Frame, Replay, ReplayRequest

LONGEST = 1500
"""With more moves than this a frame is a whole turn: the answer has to stay below 3 MB."""
NAME_LENGTH = 24


def replay(request: ReplayRequest) -> Replay:
    """Return the frames of a record from a viewpoint, checked move by move. Raises BosquetError.

    There is a frame for the deal and one after every move, moves of chance included; of a record with more than
    `LONGEST` moves, one for every turn.
    """
    game, moves = records.begin(request.record, bosquet.spec)
    viewpoint = _Viewpoint(game, request.viewpoint)
    frames = [viewpoint.frame(0, None, [])]
    made: list[Move] = []
    for ply, move in enumerate(moves):
        seat = game.seat
        made.append(viewpoint.move(ply, move))
        records.make(game, ply, move)
        if len(moves) <= LONGEST or game.seat != seat or ply == len(moves) - 1:
            frames.append(viewpoint.frame(ply + 1, seat, made))
            made = []
    records.finish(game, request.record)
    if game.ending is not None:
        last = frames[-1]
        frames[-1] = viewpoint.frame(last.ply, last.seat, last.moves)
    return Replay(
        game=request.record["game"],
        names=names_of(game),
        bots=bots_of(game),
        frames=frames,
        sheet=game.score_sheet(),
        ending=ending_of(game),
    )


class _Viewpoint:
    """Somebody who looks on: a seat, a spectator, or one who sees all."""

    def __init__(self, game: Game, viewpoint: int | str) -> None:
        self.game = game
        self.all = viewpoint == "all"
        self.viewer = viewpoint if isinstance(viewpoint, int) else None

    def move(self, ply: int, move: Any) -> Move:
        """Return a move about to be made, as it may be known there. Raises RecordError if it is illegal."""
        game = self.game
        if not isinstance(move, str) or game.over:
            return Move(say=str(move), cells=[])  # it is refused when it is made
        if game.chance_due:
            word = move.partition(" ")[0]
            return Move(say=move if self.all else word, kind=word, cells=[])  # the new pile lies face down
        try:
            return game.observed_action(game.parse(move), game.seat if self.all else self.viewer)
        except IllegalMove as error:
            raise RecordError(str(error), ply) from None

    def frame(self, ply: int, seat: int | None, made: list[Move]) -> Frame:
        """Return the position now, and what led to it."""
        return Frame(
            ply=ply,
            view=self.game.view(self.viewer, moves=False),
            seat=seat,
            say=", ".join(move.say for move in made) or None,
            moves=made,
            hands=self._hands() if self.all else None,
            revealed=self._revealed() if self.all else None,
        )

    def _hands(self) -> list[list[str]]:
        """Return everybody's hand; empty in a game without hands."""
        views = [self.game.view(seat, moves=False) for seat in range(self.game.players)]
        return [[str(card) for card in getattr(view, "hand", None) or []] for view in views]

    def _revealed(self) -> dict[str, str] | None:
        """Return what lies face down on the table, in a game that has such things."""
        revealed = self.game.spec.revealed
        return None if revealed is None else revealed(self.game.state)


def ending_of(game: Game) -> Ending | None:
    """Return how a game ended other than by its rules, as it is told."""
    return None if game.ending is None else Ending(*game.ending)


def names_of(game: Game) -> list[str]:
    """Return the names in the record, cut to a length that can be shown; numbers where it has none."""
    given = game.extra.get("players")
    names = given if isinstance(given, list) else []
    fitting = [name.strip()[:NAME_LENGTH] if isinstance(name, str) else "" for name in names[: game.players]]
    fitting += [""] * (game.players - len(fitting))
    return [name or f"Player {seat}" for seat, name in enumerate(fitting, 1)]


def bots_of(game: Game) -> list[str | None]:
    """Return which bot played on each seat, as the record says; None for people, and where it does not say."""
    given = game.extra.get("bots")
    bots = given if isinstance(given, list) else []
    fitting = [bot[:NAME_LENGTH] if isinstance(bot, str) else None for bot in bots[: game.players]]
    return fitting + [None] * (game.players - len(fitting))
