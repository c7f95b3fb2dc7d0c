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

from bosquet.core.errors import BosquetError, OptionError
from bosquet.core.inputs import boxes
from bosquet.core.inputs.boxes import Form, Placed, Summed
from bosquet.core.inputs.json_text import decode_file
from bosquet.core.inputs.reading import expect_object

from .board import CELLS, GRID, LANDSCAPE, MAX_PLAYERS, PAWNS, STARTS
from .constellations import DECK, house_deck

VALUES = (1, 2, 3)
FORM: Form = (
    DECK,
    Summed(key="tiles", field="tiles", count=len(VALUES), what="tiles", total=CELLS),
    Placed(key="starts", field="start", cells=tuple(GRID.names), count=len(PAWNS), room=len(PAWNS) * MAX_PLAYERS),
)
KEYS = tuple(part.key for part in FORM)
"""Keys of a deal that say what is in the box, each only where it is not the house's."""
MAX_BYTES = 1 << 16
"""A file is at most this large."""


class Box(NamedTuple):
    """What is in the box, for a number of players."""

    pattern: list[int]
    """[card]: see `constellations.pattern_of`."""
    tiles: list[int]
    """[value - 1]: number of landscape tiles."""
    start: list[int]
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
    return house_box(players)._replace(**boxes.read_box(deal, FORM, players, place))


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
    return house_box(players)._replace(**boxes.read_box_file(data, FORM, players, range(2, MAX_PLAYERS + 1)))
