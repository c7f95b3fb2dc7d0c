"""The layout of every observation and the space of actions, as a table that is kept: `python -m tests.env.layouts`.

A line of the table changes only together with the encoder's VERSION. Its digest covers every observation and every
index of a legal action on the way to the positions that `tests/perft` keeps.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

import bosquet
from bosquet.core import installed
from bosquet.core.encoding import observation_size
from tests.helpers.cases import CASES, IDS

TABLE = Path(__file__).with_suffix(".txt")
POSITIONS = Path(__file__).parents[1] / "perft" / "positions.jsonl"


def line(case: str, name: str, options: dict[str, Any]) -> str:
    """What is pinned of a game with its options."""
    encoder = installed.spec(name).encoder
    layout = encoder.layout(options)
    parts = "; ".join(f"{part.name} {'×'.join(map(str, part.shape))}" for part in layout)
    return f"{case} | v{encoder.VERSION} | {encoder.action_count(options)} actions | {parts} | {digest(name, options)}"


def digest(name: str, options: dict[str, Any]) -> str:
    """A digest of what is seen and legal on the way to positions of this game."""
    encoder, found = installed.spec(name).encoder, hashlib.sha256()
    out = np.zeros(observation_size(encoder.layout(options)), np.uint8)
    for game in bosquet.read_all(POSITIONS):
        if (game.name, game.options) != (name, options):
            continue
        moves = [0] * game.spec.rules.MAX_MOVES
        for state, _ in game.plies():
            for seat in range(game.players):
                encoder.observe(state, seat, out)
                found.update(out.tobytes())
            found.update(repr(sorted(moves[: encoder.indices(state, moves)])).encode())
    return found.hexdigest()[:16]


def lines() -> list[str]:
    """The whole table."""
    return [line(case, name, options) for case, (name, options) in zip(IDS, CASES, strict=True)]


if __name__ == "__main__":
    TABLE.write_text("\n".join(lines()) + "\n", encoding="utf-8")
