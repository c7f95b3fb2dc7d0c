"""The luck receipt: the same deal played by bots from each seat many times, and your score against that spread."""

from __future__ import annotations

import bisect
import statistics
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from bosquet import bots
from bosquet.core.chance import Chance
from bosquet.core.game import Game
from bosquet.games import rules

BOTS = {"topiary": "level2", "topas": "level3", "schlossgarten": "level3"}
"""Who plays a deal again: strong enough to be a measure, quick enough to do it a hundred times.

And never twice the same game: level 3 of Topiary overlooks nothing and so leaves nothing to chance.
"""
GAMES = 100


class Played(Protocol):
    """A game that is over: what each seat scored, and who won."""

    @property
    def scores(self) -> list[int]:
        """Points of each seat."""

    @property
    def winners(self) -> list[int]:
        """Ascending seats."""


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat of a deal came to."""

    seat: int
    points: list[int]
    """Points of the bot in each game, ascending."""
    mean: float
    won: float
    """Share of the games that the bot won here: how good the seat was."""
    yours: int
    beaten: float
    """Share of the bots' games with fewer points than the real one; equal points count half. 0 … 1"""


def replayed(game: Game, games: int = GAMES, bot: str | None = None, seed: int = 1) -> Iterator[Game]:
    """The deal of a game, played again by bots; only what was dealt is taken from it."""
    for index in range(games):
        yield replay(game, index, bot, seed)


def replay(game: Game, index: int, bot: str | None = None, seed: int = 1) -> Game:
    """One of the games that `replayed` gives."""
    state = rules(game.name).new_state(game.options, game.deal.get("deck"))
    rules(game.name).read_deal(state, game.deal)
    again = Game(game.rules, game.options, state, deal=game.deal, chance=Chance("luck", seed, index))
    player = bot or BOTS[game.name]
    seats = [(bots.make(player), Chance("luck", seed, index, seat)) for seat in range(game.players)]
    while again.seat is not None:
        sitter, chance = seats[again.seat]
        again.play(sitter.choose(again.view(again.seat), chance))
    return again


def receipt(game: Game, played: Sequence[Played]) -> list[Spread]:
    """Each seat's score in a game that is over, against its spread over the same deal."""
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
