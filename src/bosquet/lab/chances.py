"""Win probabilities, calibrated from the share of simulations won.

In simulations all seats play alike, by rules of thumb. The sharpness of the probabilities was fitted to games between
players of the levels 2 to 6, without knowing who sits where. `python -m studies.chances` makes the `chances.json` in
the folder of each game; studies/chances says how good the probabilities are.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from bosquet.core.installed import names, spec

FILE = "chances.json"


class Fitted(Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters fitted to a game."""

    sharpness: float
    """Chances are proportional to this power of the shares. Above 0; values below 1 bring them closer together."""

    def chances(self, shares: Sequence[float], simulations: int) -> list[float]:
        """Return the chance of every seat, from its share of the simulations. Chances increase with the shares.

        Half a simulation is added for every seat, so that no result is certain before a game is over.
        """
        merits = [(share + 0.5 / simulations) ** self.sharpness for share in shares]
        total = sum(merits)
        return [merit / total for merit in merits]


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


def in_order(chances: Sequence[Sequence[float]], seat: int) -> list[list[float]]:
    """Return the chances [choice][seat] of choices, the best first, with those of `seat` made non-increasing.

    An increase is noise: neighbours then get their mean (pool adjacent violators, Ayer et al. 1955). The sum over the
    seats stays the same.
    """
    blocks: list[tuple[list[float], int]] = []
    for one in chances:
        mean, count = list(one), 1
        while blocks and blocks[-1][0][seat] < mean[seat]:
            before, more = blocks.pop()
            mean = [(count * a + more * b) / (count + more) for a, b in zip(mean, before, strict=True)]
            count += more
        blocks.append((mean, count))
    return [mean for mean, count in blocks for _ in range(count)]
