"""Statistics of matches: win rates, Elo, a sequential test, OpenSkill.

The unit of observation is the *deal*: all games on the same cards, with the seats exchanged. The games of a deal are
correlated and different deals are independent, so uncertainty is estimated between deals. A score is 1 for a win, 0.5
for equal shares, and 0 for a loss. Arrays are float64; D is the number of deals, B of bots, P of pairs of bots, and R
of bootstrap samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Z = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations of the mean."""
RESAMPLES = 1000
ELO_PER_NAT = 400 / math.log(10)
STEP = 1.0
"""Maximum step of Newton's method, in nats. Without it, the method diverges for lopsided matches."""


class Estimate(NamedTuple):
    """A number with its 95 % confidence interval; infinite or nan if the games do not determine it."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> Estimate:
        """Return the estimate in another unit."""
        return Estimate(*(factor * number for number in self))


# --- shares and means ---


def share(scores: Array) -> Estimate:
    """Return the mean of scores [D] in 0 … 1, with Wilson's interval for an effective number of games.

    The effective number is the number of independent games with the variance observed between deals. That variance
    includes one added deal won and one lost (as in Agresti and Coull 1998 for single games), so that few or equal deals
    do not give an interval of length 0.
    """
    deals = len(scores)
    if deals == 0:
        return Estimate(math.nan, 0.0, 1.0)
    value = float(scores.mean())
    padded = np.append(scores, (0.0, 1.0))
    middle = float(padded.mean())
    worth = deals * middle * (1 - middle) / float(padded.var())
    return _wilson(value, worth)


def _wilson(value: float, games: float) -> Estimate:
    """Return Wilson's interval (1927) of a rate observed in `games` independent games."""
    scale = 1 + Z * Z / games
    centre = (value + Z * Z / (2 * games)) / scale
    reach = Z / scale * math.sqrt(value * (1 - value) / games + (Z / (2 * games)) ** 2)
    return Estimate(value, max(0.0, min(centre - reach, value)), min(1.0, max(centre + reach, value)))


def mean(values: Array) -> Estimate:
    """Return the mean of values [D] with Student's interval, which is infinite for a single deal."""
    deals = len(values)
    if deals == 0:
        return Estimate(math.nan, math.nan, math.nan)
    value = float(values.mean())
    if deals == 1:
        return Estimate(value, -math.inf, math.inf)
    reach = student(deals - 1) * float(values.std(ddof=1)) / math.sqrt(deals)
    return Estimate(value, value - reach, value + reach)


def student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t, exact for 1 and 2 degrees of freedom, else by Fisher and Cornish."""
    if freedom == 1:
        return math.tan(0.475 * math.pi)
    if freedom == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z, n = Z, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


# --- Elo ---


def elo(score: float) -> float:
    """Return the Elo difference with this expected score; infinite for 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO_PER_NAT * math.log(score / (1 - score))


def smoothed(score: float, games: int) -> float:
    """Return a score with half a point more in one game more, so that its Elo is finite."""
    return (score * games + 0.5) / (games + 1)


def expected(difference: float) -> float:
    """Return the expected score at an Elo difference."""
    return 1 / (1 + math.exp(-difference / ELO_PER_NAT))


def elo_difference(scores: Array) -> Estimate:
    """Return the Elo difference of a pair, estimated from its scores [D]."""
    return Estimate(*(math.nan if math.isnan(number) else elo(number) for number in share(scores)))


def bradley_terry(points: Array) -> Array:
    """Return maximum-likelihood Elo ratings [R, B] with mean 0 for points [R, B, B] that row won against column.

    Uses Newton's method on the concave log-likelihood. Every bot must have won points from every other bot, directly or
    through other bots (`is_connected`); otherwise the likelihood has no maximum.
    """
    bots = points.shape[-1]
    met = points + points.swapaxes(-1, -2)
    won = points.sum(-1)
    nats = np.zeros(points.shape[:-1])
    level = np.full((bots, bots), 1 / bots)  # fixes the mean at 0: the likelihood depends on differences only
    for _ in range(200):
        chance = 1 / (1 + np.exp(nats[..., None, :] - nats[..., :, None]))
        slope = won - (met * chance).sum(-1)
        bend = met * chance * (1 - chance)
        curve = np.einsum("...i,ij->...ij", bend.sum(-1), np.eye(bots)) - bend
        step = np.clip(np.linalg.solve(curve + level, slope[..., None])[..., 0], -STEP, STEP)
        nats += step
        if np.abs(step).max() < 1e-10:
            break
    ratings: Array = ELO_PER_NAT * (nats - nats.mean(-1, keepdims=True))
    return ratings


def is_connected(points: Array) -> bool:
    """Return whether points [B, B] connect every bot to every other one, so that all ratings are finite."""
    reached = (points > 0) | np.eye(len(points), dtype=bool)
    for _ in points:
        reached = reached @ reached
    return bool(reached.all())


def ratings(scores: Array, pairs: Sequence[tuple[int, int]], bots: int, seed: int = 0) -> list[Estimate]:
    """Return the Elo of each bot, with mean 0, by Bradley and Terry from scores [D, P] of the first of each pair.

    A score is nan where a pair did not meet on a deal. If the pairs do not connect all bots, their Elo is nan.

    Intervals are from the Bayesian bootstrap (Rubin 1981), which gives the deals random weights. If a bot has won or
    lost everything, one deal on which every pair shares the points is added, so that its rating is finite.
    """
    unknown = [Estimate(math.nan, math.nan, math.nan)] * bots
    if len(scores) == 0 or bots < 2:
        return unknown
    total = _points(*_sums(scores, np.ones(len(scores))), pairs, bots)
    if not is_connected(total):
        scores = np.vstack([scores, np.full(len(pairs), 0.5)])
        total = _points(*_sums(scores, np.ones(len(scores))), pairs, bots)
        if not is_connected(total):
            return unknown
    best = bradley_terry(total[None])[0]
    generator = np.random.default_rng(seed)
    samples = []
    for _ in range(RESAMPLES):
        weights = generator.standard_exponential(len(scores))
        samples.append(_points(*_sums(scores, weights / weights.mean()), pairs, bots))
    low, high = np.percentile(bradley_terry(np.array(samples)), (2.5, 97.5), axis=0)
    return [Estimate(float(best[bot]), float(low[bot]), float(high[bot])) for bot in range(bots)]


def _sums(scores: Array, weights: Array) -> tuple[Array, Array]:
    """Return the weighted sums [P] of scores [D, P], and of the deals on which each pair met."""
    met = ~np.isnan(scores)
    return weights @ np.where(met, scores, 0.0), weights @ met


def _points(won: Array, met: Array, pairs: Sequence[tuple[int, int]], bots: int) -> Array:
    """Return points [B, B] that row won against column, from the sums [P] of each pair."""
    points = np.zeros((bots, bots))
    for (one, other), score, deals in zip(pairs, won, met, strict=True):
        points[one, other] = score
        points[other, one] = deals - score
    return points


# --- sequential test ---


class Hypotheses(NamedTuple):
    """Hypotheses of a sequential test, Elo differences `elo0` and `elo1`, and its two error rates."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratios at which the test accepts `elo0` and `elo1` (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


class Sprt:
    """The generalised sequential probability ratio test on the scores of deals.

    The test assumes nothing about the distribution of scores. Each hypothesis uses the most likely distribution with
    its mean, as in the pentanomial test of Fishtest (Van den Bergh, "Comments on normalized Elo", 2020). Half a deal
    won and half a deal lost are added, so that a few equal results do not end the test.
    """

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.deals: int = 0
        self.ratio: float = 0.0
        """The log-likelihood ratio of `elo1` over `elo0`."""
        self.decision: str | None = None
        """`elo0` or `elo1` once one is accepted; further deals change nothing."""
        self._counts = {0.0: 0.5, 1.0: 0.5}

    def add(self, score: float) -> None:
        """Add the score of a deal."""
        if self.decision:
            return
        self.deals += 1
        score = round(score, 9)
        self._counts[score] = self._counts.get(score, 0.0) + 1
        low, high = self.hypotheses.bounds
        self.ratio = log_likelihood_ratio(self._counts, expected(self.hypotheses.elo0), expected(self.hypotheses.elo1))
        if self.ratio <= low:
            self.decision = "elo0"
        elif self.ratio >= high:
            self.decision = "elo1"


def log_likelihood_ratio(counts: Mapping[float, float], mean0: float, mean1: float) -> float:
    """Return the log-likelihood ratio of mean1 over mean0 for counts of scores.

    The means must lie between the least and the greatest score. The most likely distribution with mean m has the
    weights n / (1 + t (score - m)), for the unique t that gives this mean (Owen, "Empirical likelihood", 2001).
    """
    tilt0, tilt1 = _tilt(counts, mean0), _tilt(counts, mean1)
    return sum(
        count * (math.log1p(tilt0 * (score - mean0)) - math.log1p(tilt1 * (score - mean1)))
        for score, count in counts.items()
    )


def _tilt(counts: Mapping[float, float], mean: float) -> float:
    """Return the t at which the weighted scores have this mean, by bisection; the mean decreases in t."""
    low, high = -1 / (max(counts) - mean), 1 / (mean - min(counts))
    for _ in range(60):
        middle = (low + high) / 2
        if sum(count * (score - mean) / (1 + middle * (score - mean)) for score, count in counts.items()) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


# --- OpenSkill ---


class Skill(NamedTuple):
    """OpenSkill rating: estimated skill and its uncertainty. The initial rating is 25 ± 8.33."""

    mu: float
    sigma: float


def skills(bots: int, meetings: Iterable[tuple[Sequence[int], Sequence[float]]]) -> list[Skill]:
    """Return Plackett-Luce ratings (Weng and Lin 2011) after `meetings`, in order: bots that met and their scores."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known = [model.rating() for _ in range(bots)]
    for who, scores in meetings:
        ranks = [float(sum(other > score for other in scores)) for score in scores]
        rated = model.rate([[known[bot]] for bot in who], ranks=ranks)
        for bot, team in zip(who, rated, strict=True):
            known[bot] = team[0]
    return [Skill(rating.mu, rating.sigma) for rating in known]
