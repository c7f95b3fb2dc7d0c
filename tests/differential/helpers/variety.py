"""Options, boxes and moves with which both implementations of a game are played."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tests.plain.purposeful import choose, is_special

OPTIONS: list[dict[str, str]] = [
    {},
    {"work": "each"},
    {"overbuild": "elements"},
    {"work": "each", "overbuild": "elements"},
    {"overbuild": "bordering"},
    {"work": "each", "overbuild": "bordering"},
]
"""The options of Schlossgarten beside the number of players."""
EACH_OPTION = [*((OPTIONS[0], players) for players in (2, 3, 4)), *zip(OPTIONS[1:], (2, 3, 4, 2, 3), strict=True)]
"""Options of Schlossgarten and numbers of players, each at least once."""


FRAMES = [(rows, columns) for rows in range(1, 6) for columns in range(1, 6) if rows * columns >= 3]
"""Rows and columns that a constellation card may have."""


def random_card(rng: random.Random, frame: tuple[int, int]) -> list[str]:
    """A constellation in a frame of some rows and columns."""
    rows, columns = frame
    marks = dict(zip(rng.sample(range(rows * columns), 3), "KGA", strict=True))
    return ["".join(marks.get(columns * row + column, ".") for column in range(columns)) for row in range(rows)]


def random_deck(rng: random.Random, frames: Sequence[tuple[int, int]] = FRAMES) -> list[list[str]]:
    """32 constellations of any kind, in frames of any of these sizes."""
    return [random_card(rng, rng.choice(frames)) for _ in range(32)]


def another_box(deal: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The deal with other tiles, constellations and starting cells, as of another box file."""
    first, second = sorted(rng.sample(range(1, 49), 2))
    tiles = [first, second - first, 49 - second]
    cells = rng.sample([column + row for column in "abcdefg" for row in "1234567"], 3 * len(deal["hands"]))
    return {
        **deal,
        "deck": random_deck(rng),
        "tiles": tiles,
        "starts": [cells[i : i + 3] for i in range(0, len(cells), 3)],
        "landscape": rng.sample((1, 2, 3), 49, counts=tiles),
    }


def chosen(name: str, plain: Any, legal: list[str], rng: random.Random, vary: float) -> str:
    """A random move, a purposeful one, or a shuffle."""
    if plain.seat is None:
        cards = plain.facts(None)["discard"]
        rng.shuffle(cards)
        return " ".join(["pile", *map(str, cards)])
    if name == "schlossgarten" and vary < 1:
        return choose(plain, rng, vary)
    return rng.choice(legal)


def kinds(name: str, plain: Any, move: str) -> list[str]:
    """What is special about a move of Schlossgarten."""
    words = move.split()
    if name != "schlossgarten":
        return []
    if words[0] == "pile":
        return ["shuffles"]
    if "hit" in words:
        return ["hits"]
    if len(words) == 2 and words[0] in "KGA":
        if not is_special(plain, move):
            return []
        home = plain.element_at(plain.pawns[plain.turn][words[0]])
        return ["shifts" if home is not None and words[1] in home.cells else "jumps"]
    if "build" in words:
        over = [e for e in plain.elements if set(e.cells) & set(words[3:])]
        return (
            ["builds"]
            + ["builds over others"] * any(e.seat != plain.turn for e in over)
            + ["builds by another"] * (plain.phase == "build" and plain.worker != words[0])
            + ["builds on elements alone"] * plain.excavations.isdisjoint(words[3:])
            + ["builds beside nothing"] * (not all(plain.borders(cell, tuple(words[3:])) for cell in words[3:]))
        )
    return []
