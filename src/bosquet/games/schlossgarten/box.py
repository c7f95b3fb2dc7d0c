"""The box of Schlossgarten: what only the printed game would settle. Rulings 1.1, 1.4, 2.2.

These are the patterns of the constellation cards, the number of landscape tiles of each value, and the starting cells.
The rules leave them open, so the house box is ours. Owners of the printed game can write theirs into a file and play
with `--box FILE` (docs/schlossgarten-box.md); what differs from the house box is written into the deal of a record.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bosquet.core.errors import BosquetError, OptionError, RecordError, quoted
from bosquet.core.json_text import decode_file
from bosquet.core.reading import expect_integer, expect_key, expect_list, expect_object, expect_only

from .board import CELLS, GRID, LANDSCAPE, MAX_PLAYERS, PAWNS, STARTS
from .constellations import CARDS, house_deck, pattern_of, patterns_of

VALUES = (1, 2, 3)
KEYS = ("deck", "tiles", "starts")
"""Keys of a deal that say what is in the box, each only where it is not the house's."""
FILE_KEYS = ("note", "cards", "tiles", "starts")
MAX_BYTES = 1 << 16
"""A file is at most this large."""


class Box(NamedTuple):
    """What is in the box, for a number of players."""

    patterns: list[int]
    """[card]: see `constellations.pattern_of`."""
    tiles: list[int]
    """[value - 1]: number of landscape tiles."""
    starts: list[int]
    """[3 × seat + kind]: starting cell, -1 beyond the players."""


@functools.cache
def house_box(players: int) -> Box:
    """Return the house box. It must not be changed: states have copies of its lists."""
    return Box(list(house_deck()), [LANDSCAPE.count(value) for value in VALUES], list(STARTS[players]))


def load_box(box: str | Path | Mapping[str, Any] | Sequence[Any] | None, players: int) -> Box:
    """Return a box: a path, the content of a file, keys of a deal, the `rows` of all cards, or None for the house box.

    Raises OptionError.
    """
    if box is None:
        return house_box(players)
    try:
        if isinstance(box, Mapping):
            in_deal = box.keys() <= set(KEYS) and not isinstance(box.get("starts"), Mapping)
            return read_box(box, players, "box") if in_deal else _read_file(box, players)
        if not isinstance(box, (str, Path)):
            return read_box({"deck": list(box)}, players, "box")
        return _parse(_read(box), players)
    except BosquetError as error:
        place = f"{box}: " if isinstance(box, (str, Path)) else ""
        counted = " (positions in [] are counted from 0)" if re.search(r"\[\d+\]", str(error)) else ""
        raise OptionError(f"{place}{error}{counted}") from None


def read_box(deal: Mapping[str, Any], players: int, place: str) -> Box:
    """Return the box that the keys `KEYS` of a deal describe; others are not looked at. Raises RecordError."""
    house = house_box(players)
    return Box(
        patterns_of(deal["deck"], f"{place}.deck") if "deck" in deal else house.patterns,
        _tiles(deal["tiles"], f"{place}.tiles") if "tiles" in deal else house.tiles,
        _starts(deal["starts"], players, f"{place}.starts") if "starts" in deal else house.starts,
    )


def _read(path: str | Path) -> bytes:
    """Return the content of a box file. Raises OptionError; the caller prepends the path."""
    if not str(path):
        raise OptionError("the name of the box file is empty; name a JSON file")
    if Path(path).is_dir():
        raise OptionError("this is a folder; name a box file")
    try:
        with open(path, "rb") as file:
            text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise OptionError(f"the box file can't be read: {error.strerror}") from None
    if len(text) > MAX_BYTES:
        raise OptionError(f"the box file is larger than {MAX_BYTES} bytes")
    return text


def _parse(text: bytes, players: int) -> Box:
    """Return the box of a file. Raises RecordError."""
    return _read_file(expect_object(decode_file(text, "a box file"), "the box file"), players)


def _read_file(data: Mapping[str, Any], players: int) -> Box:
    """Return the box that the content of a file describes. Raises RecordError."""
    expect_only(data, FILE_KEYS, "the box file")
    if not data.keys() & set(FILE_KEYS[1:]):
        raise RecordError(f"the box file has none of {', '.join(FILE_KEYS[1:])}")
    box = house_box(players)
    if "cards" in data:
        box = box._replace(patterns=_cards(data["cards"]))
    if "tiles" in data:
        box = box._replace(tiles=_tiles(data["tiles"], "tiles"))
    if "starts" in data:
        starts = expect_object(data["starts"], "starts")
        expect_only(starts, [str(number) for number in range(2, MAX_PLAYERS + 1)], "starts")
        checked = {number: _starts(cells, int(number), f"starts.{number}") for number, cells in starts.items()}
        box = box._replace(starts=checked.get(str(players), box.starts))
    return box


def _cards(cards: object) -> list[int]:
    """Return the patterns of cards, each with `id` and `rows`, in any order."""
    patterns: dict[int, int] = {}
    for i, card in enumerate(expect_list(cards, CARDS, "cards")):
        fields = expect_object(card, f"cards[{i}]")
        number = expect_key(fields, "id", f"cards[{i}]")
        if type(number) is not int or not 1 <= number <= CARDS or number in patterns:
            raise RecordError(f"cards[{i}].id is {quoted(number)}; every number from 1 to {CARDS} must be there once")
        patterns[number] = pattern_of(expect_key(fields, "rows", f"cards[{i}]"), f"cards[{i}]")
    return [patterns[number] for number in range(1, CARDS + 1)]


def _tiles(given: object, place: str) -> list[int]:
    """Return how many landscape tiles have the value 1, 2 and 3."""
    listed = expect_list(given, len(VALUES), place)
    tiles = [expect_integer(number, 0, CELLS, f"{place}[{i}]") for i, number in enumerate(listed)]
    if sum(tiles) != CELLS:
        raise RecordError(f"{place} has {sum(tiles)} tiles; the board has {CELLS} cells")
    return tiles


def _starts(given: object, players: int, place: str) -> list[int]:
    """Return the starting cells of all seats: for each a list of the cells of K, G and A."""
    starts: list[int] = []
    for seat, names in enumerate(expect_list(given, players, place)):
        for kind, name in enumerate(expect_list(names, len(PAWNS), f"{place}[{seat}]")):
            at = f"{place}[{seat}][{kind}]"
            if not isinstance(name, str) or name not in GRID.cell_of:
                raise RecordError(f"{at} is {quoted(name)}; it must be a cell from a1 to g7")
            if GRID.cell_of[name] in starts:
                raise RecordError(f"{at} is {name}, where another pawn starts already")
            starts.append(GRID.cell_of[name])
    return starts + [-1] * (len(PAWNS) * MAX_PLAYERS - len(starts))
