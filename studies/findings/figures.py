"""What results say, with 95 % intervals: who wins, which handicap evens the seats, and how much the deal decides.

A deal is played twice, and its two games are not independent: everything is averaged over a deal first, and intervals
are over deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studies.findings.games import Played

Floats = NDArray[np.float64]
Z = 1.96
SAMPLES = 400
"""Bootstrap samples."""
ENOUGH = 2
MOST_HANDICAP = 60
"""The search for a handicap ends when every seat has got the first number of points, or one the second."""


class Estimate(NamedTuple):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float

    def text(self, digits: int = 1, unit: str = "") -> str:
        """The figure and its interval in brackets."""
        value, low, high = (f"{one:.{digits}f}" for one in self)
        return f"{value}{unit} [{low}, {high}]"

    def percent(self, digits: int = 0) -> str:
        """The same for a share, which lies between 0 and 1."""
        return Estimate(*(100 * min(max(one, 0.0), 1.0) for one in self)).text(digits, " %")

    def signed_percent(self) -> str:
        """The same for what may be below 0."""
        return Estimate(*(round(100 * one) + 0.0 for one in self)).text(0, " %")


class Results(NamedTuple):
    """The games of a table: arrays of shape (deals, games of a deal, seats)."""

    scores: Floats
    wins: Floats
    """1 for the winner; a shared win counts in part."""

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self.scores.shape[2])


def results(deals: Sequence[Sequence[Played]]) -> Results:
    """Return the results of some deals."""
    scores = np.array([[game.scores for game in games] for games in deals], float)
    wins = np.array(
        [
            [[(seat in game.winners) / len(game.winners) for seat in range(len(game.scores))] for game in games]
            for games in deals
        ]
    )
    return Results(scores, wins)


def mean(of_deals: Floats) -> Estimate:
    """Return the mean of one number for each deal, with the interval of a normal distribution."""
    value = float(of_deals.mean())
    apart = Z * float(of_deals.std(ddof=1)) / len(of_deals) ** 0.5
    return Estimate(value, value - apart, value + apart)


def share(found: Results, seat: int) -> Estimate:
    """Return how many of the games a seat won."""
    return mean(found.wins[:, :, seat].mean(1))


def shares(found: Results) -> list[Estimate]:
    """Return how many of the games each seat won."""
    return [share(found, seat) for seat in range(found.seats)]


def points(found: Results, seat: int) -> Estimate:
    """Return the mean points of a seat."""
    return mean(found.scores[:, :, seat].mean(1))


def bootstrap(found: Results, figure: Callable[[Results], float]) -> Estimate:
    """Return a figure, with the interval in which 95 % of it lie when deals are drawn again (percentiles)."""
    low, high = bootstrapped(found, figure)
    return Estimate(figure(found), float(low), float(high))


def bootstrapped(found: Results, figure: Callable[[Results], float | NDArray[np.int64]]) -> tuple[Any, Any]:
    """Return between what 95 % of a figure, or of each of several, lie when deals are drawn again."""
    rng, count = np.random.default_rng(2026), len(found.scores)
    drawn = []
    for _ in range(SAMPLES):
        chosen = rng.integers(0, count, count)
        drawn.append(figure(Results(found.scores[chosen], found.wins[chosen])))
    low, high = np.percentile(np.array(drawn, float), [2.5, 97.5], axis=0)
    return low, high


def handicap(found: Results) -> NDArray[np.int64]:
    """Return the points to give to each seat by which all win as often as whole points allow; the least is 0.

    The seat that wins least gets a point, again and again, until each has some; of what comes by, the evenest is taken.
    """
    scores = found.scores.reshape(-1, found.seats)
    given, best = np.zeros(found.seats, np.int64), (np.inf, np.zeros(found.seats, np.int64))
    while given.min() < ENOUGH and given.max() < MOST_HANDICAP:
        shares = won(scores + given)
        uneven = float(np.abs(shares - 1 / found.seats).max())
        if uneven < best[0]:
            best = uneven, given - given.min()
        given[int(shares.argmin())] += 1
    return best[1]


def won(scores: Floats) -> Floats:
    """Return how many games each seat wins by points alone, a shared win in part; the shape is (games, seats)."""
    first = scores == scores.max(1, keepdims=True)
    shares: Floats = (first / first.sum(1, keepdims=True)).mean(0)
    return shares


def leads(found: Results) -> Floats:
    """Return by how much each seat is ahead of the mean of the others; the shape is that of the scores."""
    total = found.scores.sum(2, keepdims=True)
    ahead: Floats = found.scores - (total - found.scores) / (found.seats - 1)
    return ahead


def of_the_deal(found: Results) -> float:
    """Return the part of the variance of the leads that the deal decides: the correlation of its two games.

    The mean lead of each seat is taken off first, which is the advantage of the seat.
    """
    apart = leads(found) - leads(found).mean((0, 1))
    return float((apart[:, 0] * apart[:, 1]).mean() / (apart**2).mean())


def same_winner(found: Results) -> float:
    """Return how often both games of a deal are won by the same seat."""
    return float((found.wins[:, 0] * found.wins[:, 1]).sum(1).mean())


def by_chance(found: Results) -> float:
    """Return how often they would be if only the seats mattered."""
    return float((found.wins.mean((0, 1)) ** 2).sum())


def spread(found: Results) -> float:
    """Return the standard deviation of the lead in a single game, the advantage of the seats aside."""
    return float((leads(found) - leads(found).mean((0, 1))).std())


Counts = Counter[Hashable]
"""What the games of one deal come to: numbers with names."""


def ratio(counts: Sequence[Counts], above: Hashable, below: Hashable) -> Estimate:
    """Return how much of one there is for each of the other, in all deals together (delta method)."""
    tops, bottoms = (np.array([one[key] for one in counts], float) for key in (above, below))
    value = float(tops.sum() / bottoms.sum())
    left = mean((tops - value * bottoms) / bottoms.mean())
    return Estimate(value, value + left.low, value + left.high)


def per_game(counts: Sequence[Counts], key: Hashable, games: int = 2) -> Estimate:
    """Return how many there are in one of the games of a deal."""
    return mean(np.array([one[key] / games for one in counts], float))
