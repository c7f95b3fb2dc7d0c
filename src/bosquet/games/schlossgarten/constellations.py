"""The constellation cards of Schlossgarten: patterns of a king K, a gardener G and an architect A. Ruling 1.4.

`constellations.json` beside this module holds the house deck; other cards come with a box (see `box`). A card is up
to five rows of up to five marks, from north to south. The rules use only the offsets of gardener and architect from the
king, so a pattern is written in the smallest square frame that holds it, from 3 × 3 on.
"""

from __future__ import annotations

import functools
from importlib import resources

import msgspec

from bosquet.core.inputs.boxes import Drawn, read_picture
from bosquet.kernels.jit import kernel

CARDS = 32
WIDTH = 3
"""Rows and columns of the frame that patterns are written in, at least."""
MAX_WIDTH = 5
"""Rows and columns of a card, at most."""
REACH = 2 * MAX_WIDTH - 1
"""Width of the square of possible offsets: a subject stands at most four columns and four rows from its king."""
OFFSETS = REACH * REACH
MARKS = "KGA"

Rows = list[str]


@kernel
def offset(east: int, north: int) -> int:
    """Return the number of an offset from the king."""
    return (north + MAX_WIDTH - 1) * REACH + east + MAX_WIDTH - 1


def steps_of(offset: int) -> tuple[int, int]:
    """Return an offset as (east, north)."""
    return offset % REACH - (MAX_WIDTH - 1), offset // REACH - (MAX_WIDTH - 1)


DECK = Drawn(key="deck", field="pattern", count=CARDS, marks=MARKS, width=MAX_WIDTH, file_key="cards")
"""The form of the deck of a box."""


def pattern_of(rows: object, place: str = "card") -> int:
    """Return the pattern of a card: the offsets of gardener and architect in one number. Raises RecordError."""
    return read_picture(rows, DECK, place)


def rows_of(pattern: int) -> Rows:
    """Return the rows of a pattern, placed in the south-west corner of its frame."""
    cells = [(0, 0), steps_of(pattern // OFFSETS), steps_of(pattern % OFFSETS)]
    west = min(east for east, _ in cells)
    south = min(north for _, north in cells)
    marks = {(east - west, north - south): mark for (east, north), mark in zip(cells, MARKS, strict=True)}
    width = max(WIDTH, *(1 + step for cell in marks for step in cell))
    return ["".join(marks.get((east, north), ".") for east in range(width)) for north in reversed(range(width))]


def turned_rows(rows: Rows, quarters: int) -> Rows:
    """Return the rows of a card rotated clockwise by this many quarter turns."""
    for _ in range(quarters):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
    return rows


@functools.cache
def house_deck() -> tuple[int, ...]:
    """Return the patterns of the house deck."""
    data = msgspec.json.decode(resources.files(__package__).joinpath("constellations.json").read_bytes())
    return tuple(pattern_of(card["rows"]) for card in data["cards"])


def house_rows() -> list[Rows]:
    """Return the rows of the cards of the house deck, card 1 first."""
    return [rows_of(pattern) for pattern in house_deck()]
