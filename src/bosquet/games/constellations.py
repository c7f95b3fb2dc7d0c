"""The constellation cards of Schlossgarten: patterns of a king K, a gardener G and an architect A. Ruling 1.4.

The house deck lies in `constellations.json` beside this module. Whoever owns the printed cards can write them down in a
file of the same form and play with `--deck FILE`. A card is three rows of three marks, north to south; for the rules it
is where gardener and architect stand as seen from the king.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from bosquet.core.errors import BosquetError, OptionError, RecordError, quoted
from bosquet.core.reading import expect_key, expect_list, expect_object

CARDS = 32
WIDTH = 3
REACH = 2 * WIDTH - 1
"""A subject stands at most two columns and rows from its king: one of 5 × 5 offsets."""
OFFSETS = REACH * REACH
MARKS = "KGA"

Rows = list[str]


def offset(east: int, north: int) -> int:
    """The number of an offset from the king."""
    return (north + WIDTH - 1) * REACH + east + WIDTH - 1


def steps_of(offset: int) -> tuple[int, int]:
    """An offset as (east, north)."""
    return offset % REACH - (WIDTH - 1), offset // REACH - (WIDTH - 1)


def pattern_of(rows: object, place: str = "card") -> int:
    """The pattern of a card's rows: gardener's and architect's offset in one number. Raises RecordError."""
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
    """The rows of a pattern, pushed to the south-west corner of the card."""
    cells = [(0, 0), steps_of(pattern // OFFSETS), steps_of(pattern % OFFSETS)]
    west = min(east for east, _ in cells)
    south = min(north for _, north in cells)
    marks = {(east - west, north - south): mark for (east, north), mark in zip(cells, MARKS, strict=True)}
    return ["".join(marks.get((east, north), ".") for east in range(WIDTH)) for north in (2, 1, 0)]


def turned_rows(rows: Rows, quarters: int) -> Rows:
    """The rows of a card turned clockwise by so many quarters."""
    for _ in range(quarters):
        rows = ["".join(row[column] for row in reversed(rows)) for column in range(WIDTH)]
    return rows


def patterns_of(deck: object, place: str) -> list[int]:
    """The patterns of a deck: a list of `rows`, card 1 first. Raises RecordError."""
    return [pattern_of(rows, f"{place}[{i}]") for i, rows in enumerate(expect_list(deck, CARDS, place))]


def parse_deck(text: bytes) -> list[int]:
    """The patterns of a deck file: an object with `cards`, each with `id` 1-32 and `rows`. Raises RecordError."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise RecordError(f"the deck is no JSON: {error}") from None
    cards = expect_list(expect_key(expect_object(data, "the deck"), "cards", "the deck"), CARDS, "cards")
    patterns: dict[int, int] = {}
    for i, card in enumerate(cards):
        fields = expect_object(card, f"cards[{i}]")
        number = expect_key(fields, "id", f"cards[{i}]")
        if type(number) is not int or not 1 <= number <= CARDS or number in patterns:
            raise RecordError(f"cards[{i}].id is {quoted(number)}; every number from 1 to {CARDS} must be there once")
        patterns[number] = pattern_of(expect_key(fields, "rows", f"cards[{i}]"), f"cards[{i}]")
    return [patterns[number] for number in range(1, CARDS + 1)]


@functools.cache
def house_deck() -> tuple[int, ...]:
    """The patterns of the house deck."""
    return tuple(parse_deck(resources.files("bosquet.games").joinpath("constellations.json").read_bytes()))


def load_deck(deck: str | Path | Sequence[Any] | None) -> list[int]:
    """The patterns of a deck: None for the house deck, a list of `rows`, or a file's path. Raises OptionError."""
    if deck is None:
        return list(house_deck())
    try:
        if not isinstance(deck, (str, Path)):
            return patterns_of(list(deck), "deck")
        with open(deck, "rb") as file:
            return parse_deck(file.read(1 << 20))
    except OSError as error:
        raise OptionError(f"{deck}: the deck can't be read: {error.strerror}") from None
    except BosquetError as error:
        raise OptionError(f"{deck}: {error}" if isinstance(deck, (str, Path)) else str(error)) from None
