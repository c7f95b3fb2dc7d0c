"""Play many games between bots on all cores. The same seed gives the same games.

Many games between bots that are compiled are played without views (`lab.compiled_play`), which gives the same games.

A bot from outside that gives no legal move in time forfeits the game: random moves are made for it from then on, so
that the record is complete, and the game counts as lost for its seat.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import msgspec

from bosquet import bots
from bosquet.bots import learned, outside
from bosquet.bots.outside import DEFAULT_LIMITS, BotError, Limits
from bosquet.bots.uniform import Random
from bosquet.core.errors import OptionError
from bosquet.core.game import Game, new_game
from bosquet.core.installed import spec
from bosquet.core.records import duel
from bosquet.core.records.record import dump
from bosquet.core.rng import Rng, derived_seed
from bosquet.core.spec import check_options
from bosquet.lab import compiled_play
from bosquet.lab.pools import in_order, pool

FEW = 8
"""Up to this many games are played in this process: starting workers would take longer."""
CHUNK = 16
COMPILED_FROM = 200
"""From this many games on, compiled play is worth the seconds that its kernels may take to compile."""
COMPILED_CHUNK = 512


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
    duel_game: int | None = None
    """Which game of a duel is played; None if each game is one of its own."""

    def checked(self) -> Match:
        """Return these settings with all options set, the box read and a bot for each seat. Raises OptionError."""
        options = check_options(spec(self.game), self.options)
        box = spec(self.game).normalized_box(options, self.box)
        outside.check(self.bots, self.limits)
        if not 0 < len(self.bots) <= options["players"]:
            raise OptionError(
                f"{len(self.bots)} bots for {options['players']} seats; name one or more, at most one a seat"
            )
        for name in self.bots:
            if name.partition(":")[0] == learned.NAME:
                learned.check(name, self.game, options)
        seated = list(itertools.islice(itertools.cycle(self.bots), options["players"]))
        return replace(self, options=options, bots=seated, box=box)

    def play(self, index: int) -> Game:
        """Play game `index` of the match to the end."""
        game, seed = self.dealt(index)
        game.extra["players"] = list(self.bots)
        rngs = [Rng(seed, "bot", seat) for seat in range(len(self.bots))]
        forfeits: list[Forfeit] = []
        with outside.seated(self.bots, self.limits) as seats:
            while not game.over:
                assert game.seat is not None
                seat = game.seat
                try:
                    game.play(bots.choose(seats[seat], game, rngs[seat]))
                except BotError as error:
                    forfeits.append(Forfeit(seat, len(game.moves), error.reason))
                    seats[seat] = Random()
        if forfeits:
            game.extra["forfeits"] = msgspec.to_builtins(forfeits)
        return game

    def dealt(self, index: int) -> tuple[Game, int]:
        """Return game `index` before its first move, and its seed."""
        seed = derived_seed(self.seed, index)
        game = new_game(spec(self.game), self.options, seed=seed, box=self.box)
        if self.duel_game is None:
            return game, seed
        number = self.duel_game
        later = derived_seed(seed, "duel", number)
        if number:
            game = new_game(spec(self.game), self.options, seed=later, box=self.box, open_as_in=game.deal)
        game.extra[duel.KEY] = msgspec.to_builtins(duel.DuelGame(str(seed), number, game.players))
        return game, later if number else seed


class Outcome(NamedTuple):
    """Result of a game as it counts in a match: points and winners, its record as a line, and who forfeited it."""

    scores: list[int]
    winners: list[int]
    record: bytes
    forfeits: Sequence[Forfeit] = ()

    def after_forfeits(self) -> Outcome:
        """Return the result as it counts if seats forfeited: they have no points, or the fewest, and do not win.

        The other winners of the game win, else the other seats with most points. If all seats forfeit, all share the
        win.
        """
        lost = {forfeit.seat for forfeit in self.forfeits}
        others = [seat for seat in range(len(self.scores)) if seat not in lost]
        fewest = min(0, *self.scores)
        scores = [fewest if seat in lost else points for seat, points in enumerate(self.scores)]
        most = max((scores[seat] for seat in others), default=0)
        winners = [seat for seat in self.winners if seat in others]
        winners = winners or [seat for seat in others if scores[seat] == most] or list(range(len(scores)))
        return self._replace(scores=scores, winners=winners)


def outcomes(match: Match, games: int, workers: int | None = None, *, records: bool = True) -> Iterator[Outcome]:
    """Play games and yield their outcomes in order. `workers` is the number of processes, one per core by default.

    Without `records` those of games that are played without views are empty, since writing them takes longest.
    """
    few = 1 if games <= FEW else workers
    compiled = is_compiled(match.game, match.bots, games)
    size = COMPILED_CHUNK if compiled and not compiled_play.searches(match.bots) else CHUNK
    pieces = [range(start, min(start + size, games)) for start in range(0, games, size)]
    with pool(few) as given:
        for chunk in in_order(given, functools.partial(match_outcomes, match, compiled, records), pieces):
            yield from chunk


def is_compiled(game: str, names: Sequence[str], games: int) -> bool:
    """Return whether this number of games between these bots is played without views."""
    return games >= COMPILED_FROM and compiled_play.plays(game, names)


def match_outcomes(match: Match, compiled: bool, records: bool, indices: Iterable[int]) -> list[Outcome]:
    """Play some games of a match; return their outcomes. `compiled` and `records` are as `outcomes` uses them."""
    if not compiled:
        return [match_outcome(match, index) for index in indices]
    player = compiled_play.CompiledPlay(match.game, match.options, match.bots, match.box)
    found = []
    for index in indices:
        seed = derived_seed(match.seed, index)
        played = player.play(seed)
        record = dump(player.game(seed, played.actions)) if records else b""
        found.append(Outcome(played.scores, played.winners, record, []))
    return found


def match_outcome(match: Match, index: int) -> Outcome:
    """Play one game of a match; return its outcome."""
    game = match.play(index)
    return outcome_of(game, dump(game))


def outcome_of(game: Game, record: bytes = b"") -> Outcome:
    """Return the result, as it counts, of a game that `Match.play` has played."""
    forfeits = msgspec.convert(game.extra.get("forfeits", []), list[Forfeit])
    return Outcome(game.scores, game.winners, record, forfeits).after_forfeits()


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
