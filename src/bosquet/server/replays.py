"""A record, position by position, for the page to step through. Pure; runs in a worker process."""

from __future__ import annotations

from typing import Any

import msgspec

import bosquet
from bosquet.core import record as records
from bosquet.core.errors import IllegalMove, RecordError
from bosquet.core.game import Game
from bosquet.games import topiary
from bosquet.games.topiary import TopiaryView
from bosquet.server.messages import Frame, Replay, ReplayRequest

LONGEST = 1500
"""With more moves than this a frame is a whole turn: the answer has to stay below 3 MB."""
NAME_LENGTH = 24


def replay(request: ReplayRequest) -> Replay:
    """The frames of a record as its eyes see them, checked move by move. Raises RecordError, or BosquetError for eyes.

    There is a frame for the deal and one after every move, moves of chance included; of a record with more than
    `LONGEST` moves, one for every turn.
    """
    game, moves = records.begin(request.record, bosquet.rules)
    eyes = _Eyes(game, request.eyes)
    frames = [eyes.frame(0, None, [])]
    said: list[str] = []
    for ply, move in enumerate(moves):
        seat = game.seat
        said.append(eyes.say(ply, move))
        records.make(game, ply, move)
        if len(moves) <= LONGEST or game.seat != seat or ply == len(moves) - 1:
            frames.append(eyes.frame(ply + 1, seat, said))
            said = []
    records.finish(game, request.record)
    return Replay(game=request.record["game"], names=names_of(game), frames=frames, sheet=game.score_sheet())


class _Eyes:
    """Somebody who looks on: a seat, a spectator, or one who sees all."""

    def __init__(self, game: Game, eyes: int | str) -> None:
        self.game = game
        self.all = eyes == "all"
        self.viewer = eyes if isinstance(eyes, int) else None

    def say(self, ply: int, move: Any) -> str:
        """A move about to be made, as these eyes may know it. Raises RecordError if it is illegal."""
        if not isinstance(move, str) or self.game.over or self.all:
            return str(move)
        if self.game.chance_due:
            return move.partition(" ")[0]  # the new pile lies face down
        try:
            return self.game.told_of(move, self.viewer)
        except IllegalMove as error:
            raise RecordError(str(error), ply) from None

    def frame(self, ply: int, seat: int | None, said: list[str]) -> Frame:
        """The position now, and what led to it."""
        view = self.game.view(self.viewer)
        return Frame(
            ply=ply,
            view=msgspec.structs.replace(view, moves=[]),
            seat=seat,
            say=", ".join(said) or None,
            hands=self._hands() if self.all else None,
            under=self._under(view) if self.all and isinstance(view, TopiaryView) else None,
        )

    def _hands(self) -> list[list[str]]:
        views: list[Any] = [self.game.view(seat) for seat in range(self.game.players)]
        return [[str(card) for card in view.hand] for view in views]

    def _under(self, view: TopiaryView) -> dict[str, str]:
        """The face-down tiles by cell: they lie as they were dealt."""
        dealt = self.game.deal["garden"]
        return {topiary.GRID.names[cell]: dealt[cell] for cell, tile in enumerate(view.garden) if tile is None}


def names_of(game: Game) -> list[str]:
    """The names in the record, cut to a length that can be shown; numbers where it has none."""
    given = game.extra.get("players")
    names = given if isinstance(given, list) else []
    fitting = [name.strip()[:NAME_LENGTH] if isinstance(name, str) else "" for name in names[: game.players]]
    fitting += [""] * (game.players - len(fitting))
    return [name or f"Player {seat}" for seat, name in enumerate(fitting, 1)]
