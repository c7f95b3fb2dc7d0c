"""Duels at tables: each game has a table of its own, and each table knows what came before (`core.records.duel`)."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct

from bosquet.core.game import Game
from bosquet.core.records.duel import DuelGame, player_at, totals, winners
from bosquet.server.table import messages

T = TypeVar("T")


class Duel(Struct, frozen=True):
    """Which game of a duel is played at a table, as the table keeps it."""

    games: int
    id: str | None = None
    """The commitment of the first game; None in the first game itself."""
    open: dict[str, Any] | None = None
    """The open part of the deals of all games, as the first game has it; None in the first game itself."""
    tables: list[str] = []
    """The tables of the games before."""
    results: list[list[int]] = []
    """The scores of each of them, by seat."""
    resigned: list[int] = []
    """The players who have resigned in one of them: they can't win the duel."""

    @property
    def game(self) -> int:
        """Return the number of the game; the first is 0."""
        return len(self.results)

    def goes_on(self, game: Game) -> bool:
        """Return whether another game follows this finished one. A player who resigns gives up the whole duel."""
        if game.is_void:
            return True
        given_up = game.ending is not None and game.ending.how == "resigned"
        return not given_up and self.game + 1 < self.games

    def after(self, table: str, commitment: str, game: Game) -> Duel:
        """Return what the table of the next game keeps, given this one. One that does not count is played again."""
        if game.is_void:
            return self
        return Duel(
            games=self.games,
            id=self.id or commitment,
            open=self.open if self.open is not None else game.spec.open_part(game.deal),
            tables=[*self.tables, table],
            results=[*self.results, game.scores],
            resigned=self._resigned(game),
        )

    def _resigned(self, game: Game) -> list[int]:
        seats = [] if game.ending is None else game.ending.resigned
        return sorted({*self.resigned, *(player_at(seat, self.game, self.games) for seat in seats)})

    def in_record(self, commitment: str) -> DuelGame:
        """Return what the record of this game says of the duel."""
        return DuelGame(self.id or commitment, self.game, self.games)

    def state(self, game: Game | None) -> messages.DuelState:
        """Return how the duel stands with this game, by seats of its table."""
        ended = game if game is not None and game.over else None
        results = self.results if ended is None or ended.is_void else [*self.results, ended.scores]
        points = totals(results) if results else [0] * self.games
        last = ended if ended is not None and not self.goes_on(ended) else None
        best = [] if last is None else winners(points, self._resigned(last))
        seated = [player_at(seat, self.game, self.games) for seat in range(self.games)]
        return messages.DuelState(
            game=self.game,
            games=self.games,
            over=last is not None,
            points=[points[player] for player in seated],
            winners=[seat for seat, player in enumerate(seated) if player in best],
            tables=self.tables,
        )


def moved_on(chairs: list[T]) -> list[T]:
    """Return who sits where in the next game: everybody one seat further (`player_at`)."""
    return chairs[-1:] + chairs[:-1]
