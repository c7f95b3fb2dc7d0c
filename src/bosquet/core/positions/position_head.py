"""What is read of the text of a position in every game: options and viewer, and at the end what follows from the rest.

Names in capitals, and those of kernels of a game, are bound (`bindings`).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from typing import Any

from bosquet.core.errors import OptionError
from bosquet.core.positions.position_reading import (
    EQUALS,
    MAX_LENGTH,
    SLASH,
    Reader,
    begin_fault,
    field,
    find,
    is_first,
    is_none,
    put_after,
    put_part,
    put_quoted,
    read_number,
    row_of,
    same,
    value_of,
)
from bosquet.core.positions.position_text import write_position
from bosquet.core.spec import GameSpec
from bosquet.core.text.writing import Texts, put, put_row
from bosquet.kernels.kernel import kernel

OPTION_NAMES: Texts = (b"players",)
OPTION_FIELDS: Texts = (b"players=2",)
"""The fields of all values, option by option."""
FIRST_OPTION_FIELD = (0, 1)
"""[option]: its first field, and how many fields there are."""
OPTION_PLAYERS = (2,)
"""[number of the value of `players`]: how many these are."""
PLAYERS_OPTION = 0
REFUSED_OPTIONS = (0,)
"""[combination of values]: 0, or 1 + the reason why they do not go together."""
OPTION_REASONS: Texts = (b"",)


@functools.cache
def bindings(spec: GameSpec) -> dict[str, Any]:
    """Return what the names in capitals stand for in a game."""
    fields = [[_field(name, value).encode() for value in values] for name, values in spec.options.items()]
    reasons = [_refusal(spec, chosen) for chosen in itertools.product(*spec.options.values())]
    known = list(dict.fromkeys(filter(None, reasons)))
    return {
        "OPTION_NAMES": tuple(name.encode() for name in spec.options),
        "OPTION_FIELDS": tuple(itertools.chain(*fields)),
        "FIRST_OPTION_FIELD": tuple(itertools.accumulate(map(len, fields), initial=0)),
        "OPTION_PLAYERS": tuple(spec.options["players"]),
        "PLAYERS_OPTION": list(spec.options).index("players"),
        "REFUSED_OPTIONS": tuple(1 + known.index(reason) if reason else 0 for reason in reasons),
        "OPTION_REASONS": tuple(reason.encode() for reason in known) or (b"",),
    }


def _field(name: str, value: Any) -> str:
    """Return the field of an option with a value."""
    return name if value is True else f"{name}={str(value).lower() if value is False else value}"


def _refusal(spec: GameSpec, chosen: tuple[Any, ...]) -> str:
    """Return why values of all options do not go together; nothing if they do."""
    options: Mapping[str, Any] = dict(zip(spec.options, chosen, strict=True))
    try:
        if spec.check_together is not None:
            spec.check_together(options)
    except OptionError as error:
        return str(error)
    return ""


@kernel
def read_head(reader: Reader) -> None:
    """Read the options, those that are missing as their defaults, and the viewer."""
    for number in range(reader.count):
        option = row_of(reader, reader.name[number], reader.name_end[number], OPTION_NAMES)
        if option >= 0:
            read_option(reader, option, number)
    combination = 0
    for option in range(len(OPTION_NAMES)):
        combination *= FIRST_OPTION_FIELD[option + 1] - FIRST_OPTION_FIELD[option]
        combination += reader.option[option]
    field(reader, b"players")
    if REFUSED_OPTIONS[combination] > 0 and is_first(reader):
        put_row(reader, OPTION_REASONS, REFUSED_OPTIONS[combination] - 1)
    view = field(reader, b"view")
    reader.viewer = -1
    if not is_none(reader, view):
        reader.viewer = read_number(reader, view, 0, OPTION_PLAYERS[reader.option[PLAYERS_OPTION]] - 1)


@kernel
def read_option(reader: Reader, option: int, number: int) -> None:
    """Read the field that is an option."""
    value = value_of(reader, number)
    found = row_of(reader, reader.name[number], reader.stop[number], OPTION_FIELDS)
    if found >= 0:
        reader.option[option] = found - FIRST_OPTION_FIELD[option]
    elif begin_fault(reader, value):
        put(reader, b"is no value of this option; known: ")
        for i in range(FIRST_OPTION_FIELD[option + 1] - FIRST_OPTION_FIELD[option]):
            put_after(reader, i)
            put_row(reader, OPTION_FIELDS, FIRST_OPTION_FIELD[option] + i)


@kernel
def check_rest(reader: Reader, position: Any) -> None:
    """Check the fields that nobody has read against those that the position has, which are written behind the text."""
    if reader.is_faulty:
        return
    begin = reader.end
    write_position(position, reader.viewer, reader)
    end = reader.end
    for number in range(reader.count):
        if not reader.is_read[number]:
            check_field(reader, number, begin, end)


@kernel
def check_field(reader: Reader, number: int, begin: int, end: int) -> None:
    """Check a field against those that are written between two places."""
    length = reader.name_end[number] - reader.name[number]
    at = equals = stop = begin
    found = False
    while (not found) & (stop < end):
        at = stop + 1
        stop = find(reader, at, end, SLASH)
        equals = find(reader, at, stop, EQUALS)
        found = (equals - at == length) and same(reader, at, reader.name[number], length)
    value = value_of(reader, number)
    if not found or equals + 1 >= stop:
        if begin_fault(reader, value):
            put(reader, b"is in a field that this position has not; it has ")
            put_names(reader, begin, end)
    elif stop - equals - 1 != reader.stop[number] - reader.start[number] or not same(
        reader, equals + 1, reader.start[number], stop - equals - 1
    ):
        if begin_fault(reader, value):
            put(reader, b"must be ")
            put_quoted(reader, equals + 1, stop, MAX_LENGTH)
            put(reader, b", which follows from the rest")


@kernel
def put_names(reader: Reader, begin: int, end: int) -> None:
    """Write the names of the fields that are written between two places, and not empty."""
    listed, at = 0, begin
    while at < end:
        stop = find(reader, at + 1, end, SLASH)
        equals = find(reader, at + 1, stop, EQUALS)
        if equals + 1 < stop:
            put_after(reader, listed)
            put_part(reader, at + 1, equals)
            listed += 1
        at = stop
