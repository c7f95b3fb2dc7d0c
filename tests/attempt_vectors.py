"""Positions of which the page must let every legal move be tried, though it is not told the legal moves.

`python -m tests.attempt_vectors` writes the files that the page's tests read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bosquet.core import installed
from bosquet.core.assistance import NONE
from bosquet.core.game import Game
from tests.helpers.cases import CASES, walk

FOLDER = Path("web/src/games")
LATE = 12
"""Number of positions of a phase after which one more is written, besides those that first meet a kind of move."""


def target(name: str) -> Path:
    """Return the file of a game."""
    return FOLDER / name / "attempts.vectors.json"


def vectors(name: str) -> str:
    """Return the text of a game's file: views without moves, and the moves that are legal there, for some options."""
    some = [options for game, options in CASES if game == name][-2:]
    made = [_vector(game) for options in some for game in _positions(name, options)]
    return "[\n" + ",\n".join(f"  {json.dumps(vector)}" for vector in made) + "\n]\n"


def _positions(name: str, options: dict[str, object]) -> Iterator[Game]:
    phases: Counter[str] = Counter()
    kinds: set[str] = set()
    for game in walk(name, options, 5):
        if game.seat is not None:
            view = game.view(game.seat)
            new = {move.kind for move in view.moves} - kinds
            if new or phases[view.phase] == LATE:
                yield game
            kinds |= new
            phases[view.phase] += 1


def _vector(game: Game) -> dict[str, object]:
    return {"view": msgspec.json.decode(game.view_json(game.seat, NONE)), "legal": game.legal()}


if __name__ == "__main__":
    for name in installed.names():
        target(name).write_text(vectors(name))
