"""Many games between bots, on all cores, the same for the same seed."""

from __future__ import annotations

import itertools
import math
import multiprocessing
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bosquet import bots
from bosquet.core.chance import Chance, derived_seed
from bosquet.core.game import Game, check_options, new_game
from bosquet.core.record import dump
from bosquet.games import rules

FEW = 8
"""So few games are played here and now: starting workers would take longer."""
CHUNK = 16


@dataclass(frozen=True)
class Match:
    """What is played: a game with its options, the bot of each seat, the seed of it all."""

    game: str
    options: Mapping[str, Any]
    bots: Sequence[str]
    seed: int
    deck: Any = None

    def checked(self) -> Match:
        """The same with every option set and a bot for each seat, the named ones repeated. Raises OptionError."""
        options = check_options(rules(self.game), self.options)
        rules(self.game).new_state(options, self.deck)
        for name in self.bots:
            bots.make(name)
        seated = list(itertools.islice(itertools.cycle(self.bots), options["players"]))
        return Match(self.game, options, seated, self.seed, self.deck)

    def play(self, index: int) -> Game:
        """Game number `index` of the match, played to the end."""
        seed = derived_seed(self.seed, index)
        game = new_game(rules(self.game), self.options, seed=seed, deck=self.deck)
        game.extra["players"] = list(self.bots)
        seats = [(bots.make(name), Chance(seed, "bot", seat)) for seat, name in enumerate(self.bots)]
        while not game.over:
            assert game.seat is not None
            bot, chance = seats[game.seat]
            game.play(bot.choose(game.view(game.seat), chance))
        return game


class Outcome(NamedTuple):
    """What is left of a game: its points, its winners and its record as a line."""

    scores: list[int]
    winners: list[int]
    record: bytes


def outcomes(match: Match, games: int, workers: int | None = None) -> Iterator[Outcome]:
    """Play so many games and give what came of each, in order. `workers` are processes, by default one a core."""
    workers = workers or os.cpu_count() or 1
    if games <= FEW or workers == 1:
        yield from map(match_outcome, itertools.repeat(match), range(games))
        return
    starts = range(0, games, CHUNK)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_ignore_interrupt) as pool:
        waiting: list[Future[list[Outcome]]] = []
        todo = iter(starts)
        try:
            # A few chunks are under way ahead of the one that is due, so memory stays small however many games.
            for start in itertools.chain(todo, itertools.repeat(None)):
                if start is not None:
                    waiting.append(pool.submit(_chunk, match, start, min(start + CHUNK, games)))
                if start is None or len(waiting) >= 3 * workers:
                    if not waiting:
                        break
                    yield from waiting.pop(0).result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)  # not waiting races with the end of the process


def match_outcome(match: Match, index: int) -> Outcome:
    """What came of one game of a match."""
    game = match.play(index)
    return Outcome(game.scores, game.winners, dump(game))


def _chunk(match: Match, start: int, end: int) -> list[Outcome]:
    return [match_outcome(match, index) for index in range(start, end)]


def _ignore_interrupt() -> None:
    """Ctrl-C is for the parent, which then stops the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass
class Tally:
    """Mean, spread and extremes of one seat's points, and its wins (a shared win counts in part)."""

    games: int = 0
    mean: float = 0.0
    _squares: float = 0.0
    low: int | None = None
    high: int | None = None
    wins: float = 0.0

    def add(self, points: int, win: float) -> None:
        """Count one more game (Welford's update)."""
        self.games += 1
        step = points - self.mean
        self.mean += step / self.games
        self._squares += step * (points - self.mean)
        self.low = points if self.low is None else min(self.low, points)
        self.high = points if self.high is None else max(self.high, points)
        self.wins += win

    @property
    def deviation(self) -> float:
        """The sample standard deviation of the points."""
        return math.sqrt(self._squares / (self.games - 1)) if self.games > 1 else 0.0


@dataclass
class Table:
    """The result table of a match."""

    match: Match
    seats: list[Tally] = field(default_factory=list)
    games: int = 0

    def add(self, outcome: Outcome) -> None:
        """Count one more game."""
        if not self.seats:
            self.seats = [Tally() for _ in outcome.scores]
        self.games += 1
        for seat, points in enumerate(outcome.scores):
            win = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
            self.seats[seat].add(points, win)

    def to_json(self) -> dict[str, Any]:
        """The table as `simulate --json` prints it."""
        return {
            "game": self.match.game,
            "options": dict(self.match.options),
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
