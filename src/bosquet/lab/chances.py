"""Chances to win: how often a seat wins that won a share of the simulations of a search.

In simulations all seats play alike, and by rules of thumb. How sharp their shares are as chances between players of
different strength was fitted to games of the levels 2 to 6; who sits where is not known to it. `chances.json` in the
folder of each game is made by `python -m docs.chances`; docs/chances.md says how good the chances are.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from bosquet.games import names, spec

FILE = "chances.json"


class Fitted(Struct, frozen=True, forbid_unknown_fields=True):
    """What was fitted to the games of a game."""

    sharpness: float
    """Chances are in proportion to this power of the shares: below 1 they are nearer to each other. Above 0."""

    def chances(self, shares: Sequence[float], simulations: int) -> list[float]:
        """Return the chance of every seat, from the shares of so many simulations. They increase with the shares.

        Every seat gets half a simulation more, so that nothing is certain before a game is over.
        """
        merits = [(share + 0.5 / simulations) ** self.sharpness for share in shares]
        total = sum(merits)
        return [merit / total for merit in merits]


def fitted(game: str, options: Mapping[str, Any]) -> Fitted | None:
    """Return what was fitted to games with these options, None where nothing was."""
    usual = all(options[name] == values[0] for name, values in spec(game).options.items() if name != "players")
    return _of_game(game) if usual and options["players"] > 1 else None


@functools.cache
def _of_game(game: str) -> Fitted | None:
    if game not in names():
        return None
    file = files(spec(game).package) / FILE
    return msgspec.json.decode(file.read_bytes(), type=Fitted) if file.is_file() else None


def in_order(chances: Sequence[Sequence[float]], seat: int) -> list[list[float]]:
    """Return the chances [choice][seat] of choices, the best first, so that those of a seat do not increase.

    Where they did, which is noise, neighbours get their mean (pool adjacent violators, Ayer et al. 1955). All seats
    together still have the same sum.
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
