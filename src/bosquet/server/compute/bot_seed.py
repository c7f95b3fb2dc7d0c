"""The seed of a bot in the deal of a day, which is the same for all of its players."""

from __future__ import annotations

LABEL = "bosquet/daily/1/bot"


def bot_seed(secret: str, moves: int) -> str:
    """Return the seed of a bot in the position after a number of moves."""
    return f"{LABEL}/{secret}/{moves}"
