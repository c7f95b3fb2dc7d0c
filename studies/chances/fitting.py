"""Fits the sharpness of chances to games, by maximum likelihood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bosquet.lab.chances import Fitted
from studies.chances.figures import Floats

Rows = Sequence[Sequence[float]]
BOUNDS = 0.1, 5.0
STEPS = 60
GOLDEN = (5**0.5 - 1) / 2


def fit(shares: Rows, won: Rows, simulations: int) -> Fitted:
    """Return the sharpness that makes the winners most likely. `shares` and `won` are [decision][seat].

    The logarithm of the likelihood is concave in the sharpness, so its maximum is found by golden section.
    """
    groups = [
        (np.log(np.array(some_shares) + 0.5 / simulations), np.array(some_won))
        for some_shares, some_won in _by_seats(shares, won)
    ]
    low, high = BOUNDS
    for _ in range(STEPS):
        lower, upper = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        if _likelihood(groups, lower) > _likelihood(groups, upper):
            high = upper
        else:
            low = lower
    return Fitted(sharpness=round((low + high) / 2, 2))


def _by_seats(shares: Rows, won: Rows) -> Iterator[tuple[Rows, Rows]]:
    """Yield shares and wins for each number of seats."""
    for seats in {len(one) for one in shares}:
        chosen = [i for i, one in enumerate(shares) if len(one) == seats]
        yield [shares[i] for i in chosen], [won[i] for i in chosen]


def _likelihood(groups: Sequence[tuple[Floats, Floats]], sharpness: float) -> float:
    """Return the log-likelihood."""
    total = 0.0
    for merits, won in groups:
        powers = sharpness * merits
        total += float((won * (powers - np.log(np.exp(powers).sum(1, keepdims=True)))).sum())
    return total
