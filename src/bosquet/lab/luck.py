"""The luck receipt: bots play the same deal many times, and each seat's score is compared with theirs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from bosquet import bots
from bosquet.bots import outside
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.core.state import Numbers
from bosquet.kernels.bits import count_bits, mask_of
from bosquet.kernels.jit import kernel
from bosquet.lab.verdicts import rounded

GAMES = 100
POINTS, WINS, BEATEN, COUNTS = range(4)
"""What is counted in games of bots: points, wins in parts of `SHARES`, and twice the games with fewer points."""
SHARES = 12
"""Parts of a win, so that up to four seats share it in whole numbers."""


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
            again.play(bots.choose(seats[again.seat], again, rngs[again.seat]))
    return again


def receipt(game: Game, played: Sequence[Played]) -> list[Spread]:
    """Return for each seat of a finished game how its score compares with those of `played`."""
    return [_spread(seat, game.scores[seat], played) for seat in range(game.players)]


def _spread(seat: int, yours: int, played: Sequence[Played]) -> Spread:
    games = len(played)
    counts = [0] * COUNTS
    for again in played:
        count_game(counts, 0, again.scores[seat], mask_of(again.winners), seat, yours)
    return Spread(
        seat=seat,
        points=sorted(again.scores[seat] for again in played),
        mean=rounded(in_games(counts, 0, POINTS, games), 100),
        won=rounded(in_games(counts, 0, WINS, games), 10_000),
        yours=yours,
        beaten=rounded(in_games(counts, 0, BEATEN, games), 10_000),
    )


@kernel
def count_game(counts: Numbers, at: int, points: int, winners: int, seat: int, yours: int) -> None:
    """Add a game of bots to the counts of a seat, which begin at `counts[at]`.

    It adds the seat's points, its share of the win, and whether `yours` are more. `winners` is a mask of seats.
    """
    counts[at + POINTS] += points
    if winners >> seat & 1:
        counts[at + WINS] += SHARES // count_bits(winners)
    counts[at + BEATEN] += (points < yours) + (points <= yours)


@kernel
def in_games(counts: Numbers, at: int, count: int, games: int) -> float:
    """Return one of the counts of a seat in the mean of the games; wins and beaten games as shares."""
    parts = 1
    if count == WINS:
        parts = SHARES
    elif count == BEATEN:
        parts = 2
    return counts[at + count] / parts / games
