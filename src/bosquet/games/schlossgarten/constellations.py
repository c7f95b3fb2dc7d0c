"""The constellation cards of Schlossgarten: patterns of a king K, a gardener G and an architect A. Ruling 1.4.

`constellations.json` beside this module holds the house deck; other cards come with a box (see `box`). A card is three
rows of three marks, from north to south. The rules use only the offsets of gardener and architect from the king.
"""

from __future__ import annotations

import functools
from importlib import resources

import msgspec

from bosquet.core.errors import RecordError, quoted
from bosquet.core.reading import expect_list

CARDS = 32
WIDTH = 3
REACH = 2 * WIDTH - 1
"""Width of the square of possible offsets: a subject stands at most two columns and two rows from its king."""
OFFSETS = REACH * REACH
MARKS = "KGA"

Rows = list[str]


def offset(east: int, north: int) -> int:
    """Return the number of an offset from the king."""
    return (north + WIDTH - 1) * REACH + east + WIDTH - 1


def steps_of(offset: int) -> tuple[int, int]:
    """Return an offset as (east, north)."""
    return offset % REACH - (WIDTH - 1), offset // REACH - (WIDTH - 1)


def pattern_of(rows: object, place: str = "card") -> int:
    """Return the pattern of a card: the offsets of gardener and architect in one number. Raises RecordError."""
    lines = expect_list(rows, WIDTH, f"{place}.rows")
    where = {}
    for north, line in zip((2, 1, 0), lines, strict=True):
        if not isinstance(line, str) or len(line) != WIDTH or set(line) - set(MARKS + "."):
            raise RecordError(f'{place}.rows has {quoted(line)}; a row is three of K, G, A and ".", like "G.A"')
        for east, mark in enumerate(line):
            if mark in where:
                raise RecordError(f"{place} shows {mark} twice; it must show K, G and A once each")
            if mark != ".":
                where[mark] = (east, north)
    if len(where) < len(MARKS):
        missing = ", ".join(mark for mark in MARKS if mark not in where)
        raise RecordError(f"{place} does not show {missing}; it must show K, G and A once each")
    east, north = where["K"]
    gardener, architect = (offset(where[mark][0] - east, where[mark][1] - north) for mark in "GA")
    return gardener * OFFSETS + architect


def rows_of(pattern: int) -> Rows:
    """Return the rows of a pattern, placed in the south-west corner of the card."""
    cells = [(0, 0), steps_of(pattern // OFFSETS), steps_of(pattern % OFFSETS)]
    west = min(east for east, _ in cells)
    south = min(north for _, north in cells)
    marks = {(east - west, north - south): mark for (east, north), mark in zip(cells, MARKS, strict=True)}
    return ["".join(marks.get((east, north), ".") for east in range(WIDTH)) for north in (2, 1, 0)]


def turned_rows(rows: Rows, quarters: int) -> Rows:
    """Return the rows of a card rotated clockwise by this many quarter turns."""
    for _ in range(quarters):
        rows = ["".join(row[column] for row in reversed(rows)) for column in range(WIDTH)]
    return rows


def patterns_of(deck: object, place: str) -> list[int]:
    """Return the patterns of a deck given as a list of `rows`, card 1 first. Raises RecordError."""
    return [pattern_of(rows, f"{place}[{i}]") for i, rows in enumerate(expect_list(deck, CARDS, place))]


@functools.cache
def house_deck() -> tuple[int, ...]:
    """Return the patterns of the house deck."""
    data = msgspec.json.decode(resources.files(__package__).joinpath("constellations.json").read_bytes())
    return tuple(pattern_of(card["rows"]) for card in data["cards"])


def house_rows() -> list[Rows]:
    """Return the rows of the cards of the house deck, card 1 first."""
    return [rows_of(pattern) for pattern in house_deck()]
