"""Duels: as many games as there are seats; after each game, every player moves on by one seat. Total points decide.

What lies open in the first deal is the same in all games, so that it favours no player. All hidden things are dealt
anew, so that what the first game showed of them is worth nothing in the next one. The key `duel` of a record says which
game of which duel it is; in a file, the games of a duel follow each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from bosquet.core.errors import RecordError, quoted
from bosquet.core.game import Game
from bosquet.core.inputs.reading import expect_integer, expect_key, expect_object

KEY = "duel"
"""Key of a record that says which game of a duel it is."""
LONGEST = 100
"""Characters of the name of a duel, at most."""


class DuelGame(Struct, frozen=True):
    """Which game of a duel a record is: the value of its key `duel`."""

    id: Annotated[str, Meta(max_length=LONGEST)]
    """The same text in all games of the duel."""
    game: Annotated[int, Meta(ge=0)]
    """Number of the game, the first is 0."""
    games: Annotated[int, Meta(ge=2, le=4)]
    """How many games the duel has: one for each seat."""


def of_record(game: Game) -> DuelGame | None:
    """Return which game of a duel a recorded game is, or None if it is a game of its own. Raises RecordError."""
    if KEY not in game.extra:
        return None
    said = expect_object(game.extra[KEY], KEY)
    name = expect_key(said, "id", KEY)
    if not isinstance(name, str) or len(name) > LONGEST:
        raise RecordError(f"{KEY}.id is {quoted(name)}; it must be text of at most {LONGEST} characters")
    games = expect_integer(expect_key(said, "games", KEY), 2, 4, f"{KEY}.games")
    if games != game.players:
        raise RecordError(f"{KEY}.games is {games}; it must be the number of players, {game.players}")
    return DuelGame(name, expect_integer(expect_key(said, "game", KEY), 0, games - 1, f"{KEY}.game"), games)


def player_at(seat: int, game: int, players: int) -> int:
    """Return who sits on a seat in a game of the duel. Players are numbered by their seats in the first game."""
    return (seat - game) % players


def totals(results: Sequence[Sequence[int]]) -> list[int]:
    """Return the total points of each player, given the scores of each game by seat."""
    players = len(results[0])
    points = [0] * players
    for game, scores in enumerate(results):
        for seat, score in enumerate(scores):
            points[player_at(seat, game, players)] += score
    return points


def winners(points: Sequence[int], resigned: Sequence[int] = ()) -> list[int]:
    """Return the players with the most points in total of those who have not resigned; several share the win.

    There is no winner if all have resigned.
    """
    left = [player for player in range(len(points)) if player not in resigned]
    most = max((points[player] for player in left), default=0)
    return [player for player in left if points[player] == most]


class DuelResult(NamedTuple):
    """How a duel ended. Players are numbered by their seats in its first game."""

    points: list[int]
    winners: list[int]


class Follower:
    """Follows the records of a file, to check the games of a duel against each other and to add up their points."""

    def __init__(self) -> None:
        self._before: Game | None = None
        self._results: list[list[int]] = []
        self._resigned: set[int] = set()

    def add(self, game: Game) -> DuelResult | None:
        """Take the next game of the file; return how its duel ended if it did with this game.

        Raises RecordError if it is not played as the duel was begun.
        """
        this = of_record(game)
        before, self._before = self._before, game if this else None
        if this is None:
            return None
        last = of_record(before) if before is not None else None
        if before is None or last is None or (last.id, last.game + 1) != (this.id, this.game):
            self._results, self._resigned = [], set()
        else:
            _check_alike(before, game)
        if not game.over or this.game != len(self._results):
            return None  # it still runs, or its first games are not in the file
        if game.is_void:
            self._before = before  # it is played again
            return None
        self._results.append(game.scores)
        how, resigned = game.ending or (None, [])
        self._resigned |= {player_at(seat, this.game, this.games) for seat in resigned}
        if how != "resigned" and len(self._results) < this.games:
            return None
        points = totals(self._results)
        return DuelResult(points, winners(points, sorted(self._resigned)))


def _check_alike(before: Game, game: Game) -> None:
    """Check that a game is played with what lay open in the game before. Raises RecordError."""
    if (before.name, before.options) != (game.name, game.options):
        raise RecordError("duel: the games of a duel have the same options")
    for key, value in before.spec.open_part(before.deal).items():
        if game.deal.get(key) != value:
            raise RecordError(f"deal.{key} is not that of the game before; in a duel it stays the same")
