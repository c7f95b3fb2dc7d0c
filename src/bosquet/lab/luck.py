"""The luck receipt: bots play the same deal many times, and each seat's score is compared with theirs."""

from __future__ import annotations

import bisect
import statistics
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from bosquet.bots import outside
from bosquet.core.game import Game
from bosquet.core.rng import Rng

GAMES = 100


class Played(Protocol):
    """A finished game: scores and winners."""

    @property
    def scores(self) -> list[int]:
        """Return the points of each seat."""

    @property
    def winners(self) -> list[int]:
        """Return the winning seats in ascending order."""


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """Distribution of the scores of one seat of a deal."""

    seat: int
    points: list[int]
    """Points of the bot in each game, ascending."""
    mean: float
    won: float
    """Share of the games that a bot won in this seat: how good the seat was."""
    yours: int
    beaten: float
    """Share of the bots' games with fewer points than the actual game, 0 … 1; equal points count half."""


def replayed(game: Game, games: int = GAMES, bot: str | None = None, seed: int = 1) -> Iterator[Game]:
    """Yield games that bots play with the deal of a game; nothing else of the game is used."""
    for index in range(games):
        yield replay(game, index, bot, seed)


def replay(game: Game, index: int, bot: str | None = None, seed: int = 1) -> Game:
    """Return one of the games of `replayed`."""
    state = game.spec.new_state(game.options)
    game.spec.notation.read_deal(state, game.deal)
    again = Game(game.spec, game.options, state, deal=game.deal, rng=Rng("luck", seed, index))
    rngs = [Rng("luck", seed, index, seat) for seat in range(game.players)]
    with outside.seated([bot or game.spec.luck_bot] * game.players) as seats:
        while again.seat is not None:
            again.play(seats[again.seat].choose(again.view(again.seat), rngs[again.seat]))
    return again


def receipt(game: Game, played: Sequence[Played]) -> list[Spread]:
    """Return for each seat of a finished game how its score compares with those of `played`."""
    return [_spread(seat, game.scores[seat], played) for seat in range(game.players)]


def _spread(seat: int, yours: int, played: Sequence[Played]) -> Spread:
    points = sorted(again.scores[seat] for again in played)
    below, upto = bisect.bisect_left(points, yours), bisect.bisect_right(points, yours)
    return Spread(
        seat=seat,
        points=points,
        mean=round(statistics.fmean(points), 2),
        won=round(sum(1 / len(again.winners) for again in played if seat in again.winners) / len(played), 4),
        yours=yours,
        beaten=round((below + upto) / 2 / len(points), 4),
    )
