"""The form of a box: the keys of a deal that say what is in it, each only where it is not the house's, and a box file.

A game that has boxes says it once, as a tuple of parts (`FORM` of its module `box`); boxes are checked and read by it,
here and in the page (`engine.facts`). Each part is a field of the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from bosquet.core.errors import RecordError, quoted
from bosquet.core.inputs.reading import expect_integer, expect_key, expect_list, expect_object, expect_only

NOTE = "note"
"""Key of a box file for whatever its owner wants to write down."""


class Drawn(Struct, frozen=True, tag="drawn", kw_only=True):
    """A list of pictures: rows of marks from north to south, each mark once. Offsets from the first mark count."""

    key: str
    field: str
    count: int
    marks: str
    width: int
    """Rows and columns of a picture, at most."""
    file_key: str
    """Key of a box file, which has them in any order, each as an object with `id`, from 1 on, and `rows`."""


class Summed(Struct, frozen=True, tag="summed", kw_only=True):
    """A list of how many there are of each sort of what covers the board."""

    key: str
    field: str
    count: int
    what: str
    total: int


class Placed(Struct, frozen=True, tag="placed", kw_only=True):
    """For each seat a list of cells, all different. A box file has them for each number of players."""

    key: str
    field: str
    cells: tuple[str, ...]
    count: int
    """Cells of each seat."""
    room: int
    """Length of the field; -1 stands for no cell."""


Form = tuple[Drawn | Summed | Placed, ...]


def read_box(box: Mapping[str, Any], form: Form, players: int, place: str) -> dict[str, list[int]]:
    """Return the fields that the keys of a deal give. Raises RecordError."""
    return {part.field: _read(box[part.key], part, players, f"{place}.{part.key}") for part in form if part.key in box}


def read_box_file(data: Mapping[str, Any], form: Form, players: int, seats: Sequence[int]) -> dict[str, list[int]]:
    """Return the fields that the content of a box file gives, for a number of players out of `seats`.

    Raises RecordError.
    """
    keys = [part.file_key if isinstance(part, Drawn) else part.key for part in form]
    expect_only(data, (NOTE, *keys), "the box file")
    if not data.keys() & set(keys):
        raise RecordError(f"the box file has none of {', '.join(keys)}")
    found = {}
    for key, part in zip(keys, form, strict=True):
        if key not in data:
            continue
        if isinstance(part, Drawn):
            found[part.field] = _cards(data[key], part)
        elif isinstance(part, Summed):
            found[part.field] = _read(data[key], part, players, key)
        else:
            numbers = [str(number) for number in seats]
            given = expect_object(data[key], key)
            expect_only(given, numbers, key)
            checked = {n: _read(given[n], part, int(n), f"{key}.{n}") for n in numbers if n in given}
            if str(players) in checked:
                found[part.field] = checked[str(players)]
    return found


def _read(given: object, part: Drawn | Summed | Placed, players: int, place: str) -> list[int]:
    if isinstance(part, Drawn):
        listed = expect_list(given, part.count, place)
        return [read_picture(rows, part, f"{place}[{i}]") for i, rows in enumerate(listed)]
    if isinstance(part, Summed):
        return _summed(given, part, place)
    return _placed(given, part, players, place)


def _summed(given: object, part: Summed, place: str) -> list[int]:
    listed = expect_list(given, part.count, place)
    numbers = [expect_integer(number, 0, part.total, f"{place}[{i}]") for i, number in enumerate(listed)]
    if sum(numbers) != part.total:
        raise RecordError(f"{place} has {sum(numbers)} {part.what}; the board has {part.total} cells")
    return numbers


def _placed(given: object, part: Placed, players: int, place: str) -> list[int]:
    cells: list[int] = []
    for seat, names in enumerate(expect_list(given, players, place)):
        for i, name in enumerate(expect_list(names, part.count, f"{place}[{seat}]")):
            at = f"{place}[{seat}][{i}]"
            if not isinstance(name, str) or name not in part.cells:
                raise RecordError(f"{at} is {quoted(name)}; it must be a cell from {part.cells[0]} to {part.cells[-1]}")
            if part.cells.index(name) in cells:
                raise RecordError(f"{at} is {name}, where another pawn starts already")
            cells.append(part.cells.index(name))
    return cells + [-1] * (part.room - len(cells))


def _cards(cards: object, part: Drawn) -> list[int]:
    """Return pictures in the order of their numbers."""
    key, pictures = part.file_key, dict[int, int]()
    for i, card in enumerate(expect_list(cards, part.count, key)):
        fields = expect_object(card, f"{key}[{i}]")
        number = expect_key(fields, "id", f"{key}[{i}]")
        if type(number) is not int or not 1 <= number <= part.count or number in pictures:
            every = f"every number from 1 to {part.count} must be there once"
            raise RecordError(f"{key}[{i}].id is {quoted(number)}; {every}")
        pictures[number] = read_picture(expect_key(fields, "rows", f"{key}[{i}]"), part, f"{key}[{i}]")
    return [pictures[number] for number in range(1, part.count + 1)]


def read_picture(rows: object, part: Drawn, place: str) -> int:
    """Return the number of a picture: the offsets of the other marks from the first one, as digits. Raises RecordError.

    An offset is `(north + width - 1) * reach + east + width - 1`, with `reach = 2 * width - 1`, and a digit has
    `reach * reach` values.
    """
    *others, last = list(part.marks)
    once = f"{', '.join(others)} and {last} once each"
    where = {}
    for south, line in enumerate(_lines_of(rows, part, f"{place}.rows")):
        for east, mark in enumerate(line):
            if mark in where:
                raise RecordError(f"{place} shows {mark} twice; it must show {once}")
            if mark != ".":
                where[mark] = (east, -south)
    if len(where) < len(part.marks):
        missing = ", ".join(mark for mark in part.marks if mark not in where)
        raise RecordError(f"{place} does not show {missing}; it must show {once}")
    east, north = where[part.marks[0]]
    most, number = part.width - 1, 0
    reach = 2 * most + 1
    for mark in part.marks[1:]:
        number = number * reach**2 + (where[mark][1] - north + most) * reach + where[mark][0] - east + most
    return number


def _lines_of(rows: object, part: Drawn, place: str) -> list[str]:
    """Return the rows of a picture if they are texts of marks, all of one length. Raises RecordError."""
    marks, width = part.marks, part.width
    if not isinstance(rows, list):
        raise RecordError(f"{place} is {quoted(rows)}; it must be a list of 1 to {width} rows")
    if not 1 <= len(rows) <= width:
        raise RecordError(f"{place} has {len(rows)} rows; it must have 1 to {width}")
    for line in rows:
        if not isinstance(line, str) or not 1 <= len(line) <= width or set(line) - set(marks + "."):
            allowed = f'{", ".join(marks)} and "."'
            like = f"{marks[1]}.{marks[2]}"
            raise RecordError(f'{place} has {quoted(line)}; a row is 1 to {width} of {allowed}, like "{like}"')
        if len(line) != len(rows[0]):
            raise RecordError(f"{place} has {quoted(line)} beside {quoted(rows[0])}; all rows must be equally long")
    return rows
