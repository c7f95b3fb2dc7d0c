"""What a seat is given at the end of a game.

- `win`: 1 for winning alone, -1/(n-1) for losing at a table of n; who shares a win is between. A table sums to 0.
- `points`: the own points less the mean of the others'. A table sums to 0.

Who plays alone gets the points, with either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bosquet.core.bits import count_bits, mask_of
from bosquet.core.errors import OptionError, quoted
from bosquet.core.jit import kernel
from bosquet.core.state import Numbers

KINDS = ("win", "points")
WIN, POINTS = range(2)


def kind_of(name: object) -> int:
    """The number of a kind of reward. Raises OptionError."""
    if name not in KINDS:
        raise OptionError(f"reward is {quoted(name)}; it must be {' or '.join(map(quoted, KINDS))}")
    return KINDS.index(str(name))


@kernel
def write_rewards(kind: int, points: Numbers, winners: int, players: int, out: Any) -> None:
    """Write the reward of every seat into `out`, floating-point numbers of shape `(players,)`."""
    total = 0
    for seat in range(players):
        total += points[seat]
    for seat in range(players):
        if players == 1:
            out[seat] = points[seat]
        elif kind == WIN:
            share = (winners >> seat & 1) / count_bits(winners)
            out[seat] = (players * share - 1) / (players - 1)
        else:
            out[seat] = points[seat] - (total - points[seat]) / (players - 1)


def rewards(name: str, scores: Sequence[int], winners: Sequence[int]) -> list[float]:
    """The rewards of a game that is over, for every seat. Raises OptionError."""
    out = [0.0] * len(scores)
    write_rewards(kind_of(name), list(scores), mask_of(winners), len(scores), out)
    return out
