"""Deals that the page must make as well: `python -m tests.fair_vectors` writes the files that the page's tests read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bosquet.core import fair, installed
from tests.helpers.cases import CASES

FOLDER = Path("web/src/games")
BOXES = {"schlossgarten": [{"tiles": [10, 20, 19], "starts": [["d2", "c2", "e2"], ["d6", "e6", "c6"]]}]}
"""Other boxes than those of the house."""
FIRST = "f" * 64
"""The secret of the first game of a duel."""
SECRETS = {players: f"{players:064x}" for players in (1, 2, 3, 4)}


def target(name: str) -> Path:
    """Return the file of a game."""
    return FOLDER / name / "deal.vectors.json"


def vectors(name: str) -> str:
    """Return the text of a game's file: a secret, nonces, and what follows, for all sizes and some options."""
    made = [_vector(name, {"players": players}) for players in sorted(installed.spec(name).options["players"])]
    others = [options for game, options in CASES if game == name and options["players"] == 2][-1]
    made.append(_vector(name, installed.spec(name).options_in_records(others)))
    made += [_vector(name, {"players": 2}, box) for box in BOXES.get(name, ())]
    made += [_vector(name, {"players": players}, later=True) for players in (2, 4)]
    return "[\n" + ",\n".join(f"  {json.dumps(vector)}" for vector in made) + "\n]\n"


def _vector(name: str, options: dict[str, Any], box: Any = None, later: bool = False) -> dict[str, Any]:
    """Return a deal; a `later` one is of a duel that began with another deal, `first`."""
    players = options["players"]
    secret = SECRETS[players]
    # Bots add no nonce.
    nonces = [None if seat == 1 else f"nonce of seat {seat}" for seat in range(players)]
    first = fair.deal(installed.spec(name), options, FIRST, nonces).deal if later else None
    game = fair.deal(installed.spec(name), options, secret, nonces, box, first)
    return {
        "options": options,
        "secret": secret,
        "nonces": nonces,
        "commitment": fair.commitment(secret),
        "deal": game.deal,
        **({"first": first} if first else {}),
    }


if __name__ == "__main__":
    for name in installed.names():
        target(name).write_text(vectors(name))
