"""The rewards of seats at the end of a game.

- `win`: 1 for the only winner and -1/(n-1) for a loser at a table of n; players who share a win get a value in between.
  The rewards of a table sum to 0.
- `points`: the seat's points minus the mean of the other seats' points. The rewards of a table sum to 0.

In a game with one player the reward is its points, with either kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.state import Numbers
from bosquet.kernels.bits import count_bits, mask_of
from bosquet.kernels.jit import kernel

KINDS = ("win", "points")
WIN, POINTS = range(2)


def kind_of(name: object) -> int:
    """Return the number of a kind of reward. Raises OptionError."""
    if name not in KINDS:
        raise OptionError(f"reward is {quoted(name)}; it must be {' or '.join(map(quoted, KINDS))}")
    return KINDS.index(str(name))


@kernel
def write_rewards(kind: int, points: Numbers, winners: int, players: int, out: Any) -> None:
    """Write the reward of every seat into `out`, floats of shape `(players,)`."""
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
    """Return the reward of every seat of a finished game. Raises OptionError.

    Raises BosquetError if there is no winner, as in a game that still runs.
    """
    if len(scores) > 1 and not winners:
        raise BosquetError("winners is empty; rewards are those of a game that is over, which has at least one winner")
    out = [0.0] * len(scores)
    write_rewards(kind_of(name), list(scores), mask_of(winners), len(scores), out)
    return out
