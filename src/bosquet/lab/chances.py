"""Win probabilities, calibrated from the share of simulations won.

In simulations all seats play alike, by rules of thumb. The sharpness of the probabilities was fitted to games between
players of the levels 2 to 6, without knowing who sits where. `python -m studies.chances` makes the `chances.json` in
the folder of each game; studies/chances says how good the probabilities are.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, MutableSequence, Sequence
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from bosquet.core.installed import names, spec
from bosquet.core.state import MAX_SEATS, Numbers
from bosquet.kernels.jit import kernel

FILE = "chances.json"
ROOTS = 52
"""Square roots by which `power` comes as near as a float can."""

Reals = MutableSequence[float]
"""A flat array of floats, as `Numbers` are of integers."""


class Fitted(Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters fitted to a game."""

    sharpness: float
    """Chances are proportional to this power of the shares. Above 0; values below 1 bring them closer together."""

    def chances(self, shares: Sequence[float], simulations: int) -> list[float]:
        """Return the chance of every seat, from its share of the simulations. Chances increase with the shares.

        Half a simulation is added for every seat, so that no result is certain before a game is over.
        """
        chances = list(shares)
        sharpen(chances, 0, len(chances), simulations, self.sharpness)
        return chances


def fitted(game: str, options: Mapping[str, Any]) -> Fitted | None:
    """Return the fit for games with these options, or None if there is none."""
    usual = all(options[name] == values[0] for name, values in spec(game).options.items() if name != "players")
    return _of_game(game) if usual and options["players"] > 1 else None


@functools.cache
def _of_game(game: str) -> Fitted | None:
    if game not in names():
        return None
    file = files(spec(game).package) / FILE
    return msgspec.json.decode(file.read_bytes(), type=Fitted) if file.is_file() else None


# --- Kernels: chances are rows of MAX_SEATS floats -----------------------------------------------------------------


@kernel
def power(base: float, exponent: float) -> float:
    """Return a number above 0 to a power of 0 or more, by products and square roots: the same on every machine."""
    result = 1.0
    while exponent >= 1.0:
        result *= base
        exponent -= 1.0
    root = base
    for _ in range(ROOTS):
        root = math.sqrt(root)
        exponent *= 2.0
        if exponent >= 1.0:
            result *= root
            exponent -= 1.0
    return result


@kernel
def sharpen(chances: Reals, at: int, players: int, simulations: int, sharpness: float) -> None:
    """Turn the shares from `chances[at]` on into chances, see `Fitted.chances`."""
    total = 0.0
    for seat in range(players):
        chances[at + seat] = power(chances[at + seat] + 0.5 / simulations, sharpness)
        total += chances[at + seat]
    for seat in range(players):
        chances[at + seat] /= total


@kernel
def pool(chances: Reals, sizes: Numbers, n: int, seat: int) -> None:
    """Make the chances of a seat in n rows non-increasing, those of the best choice first.

    An increase is noise: neighbours then get their mean (pool adjacent violators, Ayer et al. 1955). The sum over the
    seats stays the same. `sizes` has room for n; it is overwritten.
    """
    blocks = 0
    for i in range(n):
        copy_row(chances, i, blocks)
        sizes[blocks] = 1
        while blocks and chances[MAX_SEATS * (blocks - 1) + seat] < chances[MAX_SEATS * blocks + seat]:
            count = sizes[blocks]
            more = sizes[blocks - 1]
            for other in range(MAX_SEATS):
                a = chances[MAX_SEATS * blocks + other]
                b = chances[MAX_SEATS * (blocks - 1) + other]
                chances[MAX_SEATS * (blocks - 1) + other] = (count * a + more * b) / (count + more)
            sizes[blocks - 1] = count + more
            blocks -= 1
        blocks += 1
    end = n
    for block in range(blocks - 1, -1, -1):
        for _ in range(sizes[block]):
            end -= 1
            copy_row(chances, block, end)


@kernel
def copy_row(chances: Reals, source: int, target: int) -> None:
    """Write a row over another one."""
    for seat in range(MAX_SEATS):
        chances[MAX_SEATS * target + seat] = chances[MAX_SEATS * source + seat]
