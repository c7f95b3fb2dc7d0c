"""Writes the `strengths.json` of each game, by which ratings of people are measured, from ladder.json.

    python -m studies.ladder.strengths

It holds the Elo between neighbouring levels with two players, that of the champion above the strongest one, and the
share of the games that each seat wins between equals.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import msgspec

from bosquet.bots import LEVELS, champion
from bosquet.bots.strengths import FILE, Measured
from bosquet.core.installed import spec
from studies.ladder import results as ladder_results
from studies.ladder.results import Results


def of_results(results: Results) -> dict[str, Measured]:
    """Return the strengths of the levels and seats of each game."""
    found = {}
    for game in results.games:
        elo = {
            match.one: match.elo
            for match in results.of_game(game)
            if match.options == {"players": 2} and match.other in LEVELS
        }
        best = elo.get(champion.NAME)
        found[game] = Measured(
            steps=[float(round(elo[level].value)) for level in list(LEVELS)[1:]],
            seats={str(row.players): row.won for row in results.seats if row.game == game},
            champion=best and (float(round(best.value)), float(round((best.high - best.low) / 2))),
        )
    return found


def write() -> None:
    """Write the strengths into the packages of the games."""
    for game, measured in of_results(ladder_results.read()).items():
        file = files(spec(game).package) / FILE
        Path(str(file)).write_bytes(msgspec.json.format(msgspec.json.encode(measured), indent=1) + b"\n")


if __name__ == "__main__":
    write()
