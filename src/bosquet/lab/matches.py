"""Play many games between bots on all cores. The same seed gives the same games.

A bot from outside that gives no legal move in time forfeits the game: random moves are made for it from then on, so
that the record is complete, and the game counts as lost for its seat.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import msgspec

from bosquet.bots import outside
from bosquet.bots.outside import DEFAULT_LIMITS, BotError, Limits
from bosquet.bots.uniform import Random
from bosquet.core.game import Game, new_game
from bosquet.core.record import dump
from bosquet.core.rng import Rng, derived_seed
from bosquet.core.spec import check_options
from bosquet.games import spec
from bosquet.lab.pools import in_order, pool

FEW = 8
"""Up to this many games are played in this process: starting workers would take longer."""
CHUNK = 16


class Forfeit(msgspec.Struct, frozen=True):
    """A seat that lost a game because its bot failed. The key `forfeits` of a record lists them."""

    seat: int
    ply: int
    """Index of the first move that was made for it."""
    reason: str


@dataclass(frozen=True)
class Match:
    """Settings of a match: a game with its options, the bot of each seat, the seed, and limits of outside bots."""

    game: str
    options: Mapping[str, Any]
    bots: Sequence[str]
    seed: int
    box: Any = None
    limits: Limits = DEFAULT_LIMITS

    def checked(self) -> Match:
        """Return these settings with all options set, the box read and a bot for each seat. Raises OptionError."""
        options = check_options(spec(self.game), self.options)
        box = spec(self.game).normalized_box(options, self.box)
        outside.check(self.bots, self.limits)
        seated = list(itertools.islice(itertools.cycle(self.bots), options["players"]))
        return replace(self, options=options, bots=seated, box=box)

    def play(self, index: int) -> Game:
        """Play game `index` of the match to the end."""
        seed = derived_seed(self.seed, index)
        game = new_game(spec(self.game), self.options, seed=seed, box=self.box)
        game.extra["players"] = list(self.bots)
        rngs = [Rng(seed, "bot", seat) for seat in range(len(self.bots))]
        forfeits: list[Forfeit] = []
        with outside.seated(self.bots, self.limits) as seats:
            while not game.over:
                assert game.seat is not None
                seat = game.seat
                try:
                    game.play(seats[seat].choose(game.view(seat), rngs[seat]))
                except BotError as error:
                    forfeits.append(Forfeit(seat, len(game.moves), error.reason))
                    seats[seat] = Random()
        if forfeits:
            game.extra["forfeits"] = msgspec.to_builtins(forfeits)
        return game


class Outcome(NamedTuple):
    """Result of a game as it counts in a match: points and winners, its record as a line, and who forfeited it."""

    scores: list[int]
    winners: list[int]
    record: bytes
    forfeits: Sequence[Forfeit] = ()

    def after_forfeits(self) -> Outcome:
        """Return the result as it counts if seats forfeited: they have no points and do not win.

        The other winners of the game win, else the other seats with most points. If all seats forfeit, all share the
        win.
        """
        lost = {forfeit.seat for forfeit in self.forfeits}
        others = [seat for seat in range(len(self.scores)) if seat not in lost]
        scores = [0 if seat in lost else points for seat, points in enumerate(self.scores)]
        most = max((scores[seat] for seat in others), default=0)
        winners = [seat for seat in self.winners if seat in others]
        winners = winners or [seat for seat in others if scores[seat] == most] or list(range(len(scores)))
        return self._replace(scores=scores, winners=winners)


def outcomes(match: Match, games: int, workers: int | None = None) -> Iterator[Outcome]:
    """Play games and yield their outcomes in order. `workers` is the number of processes, one per core by default."""
    few = 1 if games <= FEW else workers
    with pool(few) as given:
        for chunk in in_order(given, functools.partial(_chunk, match, games), range(0, games, CHUNK)):
            yield from chunk


def match_outcome(match: Match, index: int) -> Outcome:
    """Play one game of a match; return its outcome."""
    game = match.play(index)
    forfeits = msgspec.convert(game.extra.get("forfeits", []), list[Forfeit])
    return Outcome(game.scores, game.winners, dump(game), forfeits).after_forfeits()


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
    forfeits: int = 0

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
        for forfeit in outcome.forfeits:
            self.seats[forfeit.seat].forfeits += 1

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
                    "forfeits": tally.forfeits,
                }
                for seat, tally in enumerate(self.seats)
            ],
        }
