"""Play many games between bots on all cores. The same seed gives the same games."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bosquet import bots
from bosquet.core.game import Game, new_game
from bosquet.core.record import dump
from bosquet.core.rng import Rng, derived_seed
from bosquet.core.spec import check_options
from bosquet.games import spec
from bosquet.lab.pools import in_order, pool

FEW = 8
"""Up to this many games are played in this process: starting workers would take longer."""
CHUNK = 16


@dataclass(frozen=True)
class Match:
    """Settings of a match: a game with its options, the bot of each seat, and the seed."""

    game: str
    options: Mapping[str, Any]
    bots: Sequence[str]
    seed: int
    box: Any = None

    def checked(self) -> Match:
        """Return these settings with all options set, the box read and a bot for each seat. Raises OptionError."""
        options = check_options(spec(self.game), self.options)
        box = spec(self.game).normalized_box(options, self.box)
        for name in self.bots:
            bots.make(name)
        seated = list(itertools.islice(itertools.cycle(self.bots), options["players"]))
        return Match(self.game, options, seated, self.seed, box)

    def play(self, index: int) -> Game:
        """Play game `index` of the match to the end."""
        seed = derived_seed(self.seed, index)
        game = new_game(spec(self.game), self.options, seed=seed, box=self.box)
        game.extra["players"] = list(self.bots)
        seats = [(bots.make(name), Rng(seed, "bot", seat)) for seat, name in enumerate(self.bots)]
        while not game.over:
            assert game.seat is not None
            bot, rng = seats[game.seat]
            game.play(bot.choose(game.view(game.seat), rng))
        return game


class Outcome(NamedTuple):
    """Result of a game: its points, its winners, and its record as a line."""

    scores: list[int]
    winners: list[int]
    record: bytes


def outcomes(match: Match, games: int, workers: int | None = None) -> Iterator[Outcome]:
    """Play games and yield their outcomes in order. `workers` is the number of processes, one per core by default."""
    few = 1 if games <= FEW else workers
    with pool(few) as given:
        for chunk in in_order(given, functools.partial(_chunk, match, games), range(0, games, CHUNK)):
            yield from chunk


def match_outcome(match: Match, index: int) -> Outcome:
    """Play one game of a match; return its outcome."""
    game = match.play(index)
    return Outcome(game.scores, game.winners, dump(game))


def _chunk(match: Match, games: int, start: int) -> list[Outcome]:
    return [match_outcome(match, index) for index in range(start, min(start + CHUNK, games))]


@dataclass
class Tally:
    """Mean, standard deviation and extremes of one seat's points, and its wins (a shared win counts in part)."""

    games: int = 0
    mean: float = 0.0
    _squares: float = 0.0
    low: int | None = None
    high: int | None = None
    wins: float = 0.0

    def add(self, points: int, win: float) -> None:
        """Add a game (Welford's update)."""
        self.games += 1
        step = points - self.mean
        self.mean += step / self.games
        self._squares += step * (points - self.mean)
        self.low = points if self.low is None else min(self.low, points)
        self.high = points if self.high is None else max(self.high, points)
        self.wins += win

    @property
    def deviation(self) -> float:
        """Return the sample standard deviation of the points."""
        return math.sqrt(self._squares / (self.games - 1)) if self.games > 1 else 0.0


@dataclass
class Table:
    """The result table of a match."""

    match: Match
    seats: list[Tally] = field(default_factory=list)
    games: int = 0

    def add(self, outcome: Outcome) -> None:
        """Add a game."""
        if not self.seats:
            self.seats = [Tally() for _ in outcome.scores]
        self.games += 1
        for seat, points in enumerate(outcome.scores):
            win = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
            self.seats[seat].add(points, win)

    def to_json(self) -> dict[str, Any]:
        """Return the table as `simulate --json` prints it."""
        return {
            "game": self.match.game,
            "options": spec(self.match.game).options_in_records(self.match.options),
            "bots": list(self.match.bots),
            "seed": self.match.seed,
            "games": self.games,
            "seats": [
                {
                    "seat": seat,
                    "bot": self.match.bots[seat],
                    "mean": round(tally.mean, 4),
                    "sd": round(tally.deviation, 4),
                    "min": tally.low,
                    "max": tally.high,
                    "wins": round(tally.wins, 4),
                }
                for seat, tally in enumerate(self.seats)
            ],
        }
