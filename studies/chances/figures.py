"""Measures how well chances agree with results: Brier score, calibration error and reliability, with 95 % intervals.

The decisions of a game are not independent, so intervals come from the bootstrap over games (percentiles).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studies.findings.figures import Estimate

Floats = NDArray[np.float64]
BINS = 10
SAMPLES = 1000
"""Bootstrap samples."""


class Forecasts(NamedTuple):
    """Chances of seats and their results: arrays of one length."""

    games: NDArray[np.int64]
    """[forecast]: number of its game."""
    chances: Floats
    results: Floats
    """1 for a win; a shared win counts in part."""
    weights: Floats
    """The weights of all seats of a decision add up to 1."""


class Sums(NamedTuple):
    """Sums over the forecasts of each game: arrays of shape (games, bins), and of shape (games,) for the errors."""

    weights: Floats
    chances: Floats
    results: Floats
    errors: Floats


class Bin(NamedTuple):
    """Similar forecasts: their mean, the share that came true, and their share of all forecasts."""

    chance: float
    came: Estimate
    share: float


def together(parts: Sequence[Forecasts]) -> Forecasts:
    """Return the forecasts of several tables with renumbered games."""
    numbers, offset = [], 0
    for part in parts:
        numbers.append(part.games + offset)
        offset += int(part.games.max(initial=-1)) + 1
    return Forecasts(
        np.concatenate(numbers),
        *(np.concatenate([part[i] for part in parts]) for i in range(1, len(Forecasts._fields))),
    )


def brier(found: Forecasts) -> Estimate:
    """Return the mean squared error of a seat's chance."""
    return _estimate(_sums(found), _brier)


def calibration_error(found: Forecasts) -> Estimate:
    """Return the expected calibration error (ECE) over ten bins of equal width."""
    return _estimate(_sums(found), _calibration_error)


def mean_chance(found: Forecasts) -> float:
    """Return the mean chance of a seat."""
    return float(np.average(found.chances, weights=found.weights))


def frequency(found: Forecasts) -> Estimate:
    """Return the share of the seats that won."""
    return _estimate(_sums(found), lambda sums: float(sums.results.sum() / sums.weights.sum()))


def improvement(before: Forecasts, after: Forecasts) -> Estimate:
    """Return how much the Brier score fell. Both arguments describe the same decisions."""
    falls = _sums(before).errors - _sums(after).errors
    return _estimate(_sums(after)._replace(errors=falls), _brier)


def reliability(found: Forecasts) -> list[Bin]:
    """Return the bins that are not empty."""
    sums = _sums(found)
    weights = sums.weights.sum(0)
    there = np.flatnonzero(weights)
    drawn = [_came(_drawn(sums, chosen))[there] for chosen in _samples(len(sums.errors))]
    lows, highs = np.nanpercentile(np.array(drawn), [2.5, 97.5], axis=0)
    came = _came(sums)
    return [
        Bin(
            float(sums.chances[:, i].sum() / weights[i]),
            Estimate(float(came[i]), float(low), float(high)),
            float(weights[i] / weights.sum()),
        )
        for i, low, high in zip(there, lows, highs, strict=True)
    ]


def _sums(found: Forecasts) -> Sums:
    _, games = np.unique(found.games, return_inverse=True)
    bins = np.minimum((found.chances * BINS).astype(np.int64), BINS - 1)
    shape = (int(games.max()) + 1, BINS)

    def summed(values: Floats) -> Floats:
        sums = np.zeros(shape)
        np.add.at(sums, (games, bins), found.weights * values)
        return sums

    errors = summed((found.chances - found.results) ** 2).sum(1)
    return Sums(summed(np.ones(len(games))), summed(found.chances), summed(found.results), errors)


def _brier(sums: Sums) -> float:
    return float(sums.errors.sum() / sums.weights.sum())


def _calibration_error(sums: Sums) -> float:
    return float(np.abs(sums.chances.sum(0) - sums.results.sum(0)).sum() / sums.weights.sum())


def _came(sums: Sums) -> Floats:
    with np.errstate(invalid="ignore"):
        came: Floats = sums.results.sum(0) / sums.weights.sum(0)
    return came


def _estimate(sums: Sums, figure: Callable[[Sums], float]) -> Estimate:
    drawn = [figure(_drawn(sums, chosen)) for chosen in _samples(len(sums.errors))]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Estimate(figure(sums), float(low), float(high))


def _samples(count: int) -> NDArray[np.int64]:
    return np.random.default_rng(2026).integers(0, count, (SAMPLES, count))


def _drawn(sums: Sums, chosen: NDArray[np.int64]) -> Sums:
    return Sums(*(part[chosen] for part in sums))
