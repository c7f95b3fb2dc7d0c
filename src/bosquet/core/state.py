"""The state of a game: a record of integers, stored as a Python object or as packed bytes.

A game declares its state as a class whose annotations give the packed type of each field:

    class State(StateRecord):
        seat: Int8
        garden: Annotated[list[int], Field("i1", 25)]

Uncompiled rules work on the object (`state.seat`, `state.garden[cell]`); compiled rules work on a NumPy record with the
same field names. `pack` and `unpack` convert between the two. `pack` raises OverflowError for a number that does not
fit its field.
"""

from __future__ import annotations

import inspect
import struct
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, get_type_hints

import numpy as np

from bosquet.kernels.kernel import Numbers as Numbers

CHANCE = -1
"""Value of `seat` when a chance event is due."""

NOBODY = -2
"""Value of `seat` when the game is over."""

MAX_SEATS = 4
"""Most seats at a table: the length of every array of points, and the number of colours."""

Options = Mapping[str, Any]
"""The options of a game by name, including `players`."""


@dataclass(frozen=True)
class Field:
    """Packed type of a field: the NumPy type code of its integers and, for a list, its length."""

    code: str
    length: int | None = None
    compact: bool = False
    """Whether a list is kept as an `array` or, of unsigned bytes, a `bytearray`: less memory and copied at once, but
    read more slowly."""

    @property
    def letter(self) -> str:
        """Return the type code of the modules `struct` and `array`."""
        return {"u1": "B", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "f8": "d"}[self.code]

    @property
    def zero(self) -> Any:
        """Return the value of a field in a new state."""
        if self.length is None:
            return 0
        return self.compacted(bytes(self.length * np.dtype(self.code).itemsize)) if self.compact else [0] * self.length

    def compacted(self, packed: bytes) -> array[Any] | bytearray:
        """Return the value of a compact list, given its packed bytes."""
        return bytearray(packed) if self.code == "u1" else array(self.letter, packed)

    @property
    def layout(self) -> str:
        """Return the format of the packed field for the module `struct`."""
        if self.length is None:
            return self.letter
        size = struct.calcsize(self.letter)
        return f"{self.length * size}s" if self.compact else f"{self.length}{self.letter}"


Int8 = Annotated[int, Field("i1")]
Int16 = Annotated[int, Field("i2")]
Int64 = Annotated[int, Field("i8")]


@dataclass(frozen=True)
class Visibility:
    """Who sees a field; a field without this mark is hidden. `DefaultEncoder` reads it."""

    owner_only: bool
    """Whether the field is a list with one integer per seat that only this seat sees."""


PUBLIC = Visibility(owner_only=False)
"""Every viewer sees the field."""
OWN = Visibility(owner_only=True)
"""Each seat sees only its own integer of the list."""


@dataclass(frozen=True)
class Range:
    """The least and the greatest number that a field has in any game; of a list, every number in it.

    `Batch.load_states` refuses other numbers, with which compiled code would read and write beside its arrays.
    """

    low: int
    high: int


class StateRecord:
    """Base class of the states of all games. A new state is all zeros."""

    fields: ClassVar[dict[str, Field]]
    visibility: ClassVar[dict[str, Visibility]]
    """Visibility of each field that is not hidden."""
    ranges: ClassVar[dict[str, Range]]
    """Range of each field for which one is declared."""
    dtype: ClassVar[np.dtype[Any]]
    tight: ClassVar[np.dtype[Any]]
    """The same fields without padding, whose bytes are undefined."""
    _lists: ClassVar[list[str]]
    """The fields that have a length."""
    _zeros: ClassVar[dict[str, Any]]
    """The values of a new state."""
    _packing: ClassVar[struct.Struct]
    """The same layout as `dtype`, to pack a whole state at once."""

    def __init_subclass__(cls) -> None:
        known = get_type_hints(cls, include_extras=True)
        # Own fields stand before those of the base class: numba takes a record for any other that it begins with.
        declared = [name for kind in cls.__mro__ for name in inspect.get_annotations(kind)]
        hints = {name: known[name] for name in declared}
        cls.fields = {
            name: mark
            for name, hint in hints.items()
            for mark in getattr(hint, "__metadata__", ())
            if isinstance(mark, Field)
        }
        cls.visibility = {
            name: mark
            for name, hint in hints.items()
            for mark in getattr(hint, "__metadata__", ())
            if isinstance(mark, Visibility)
        }
        cls.ranges = {
            name: mark
            for name, hint in hints.items()
            for mark in getattr(hint, "__metadata__", ())
            if isinstance(mark, Range)
        }
        packed = [
            (name, field.code) if field.length is None else (name, field.code, (field.length,))
            for name, field in cls.fields.items()
        ]
        cls.dtype, cls.tight = np.dtype(packed, align=True), np.dtype(packed)
        cls._lists = [name for name, field in cls.fields.items() if field.length is not None]
        cls._zeros = {name: field.zero for name, field in cls.fields.items()}
        cls._packing = _packing(cls.fields, cls.dtype)

    def __init__(self) -> None:
        values = self.__dict__
        values.update(self._zeros)
        for name in self._lists:
            values[name] = values[name][:]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__: ClassVar[None]  # type: ignore[assignment]

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        values = twin.__dict__
        values.update(self.__dict__)
        for name in self._lists:
            values[name] = values[name][:]
        return twin

    def pack(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the state as an array of shape `(1,)`. Raises OverflowError if a number does not fit its field."""
        given: list[Any] = []
        for value in map(vars(self).__getitem__, self.fields):
            if isinstance(value, list):
                given += value
            else:
                given.append(bytes(value) if isinstance(value, (array, bytearray)) else value)
        try:
            packed = bytearray(self._packing.pack(*given))
        except struct.error as error:
            raise OverflowError(f"a number of the state does not fit its field: {error}") from None
        return np.frombuffer(packed, self.dtype)

    def packed_byte(self, at: int) -> int:
        """Return one byte of the packed state."""
        return int(self.pack().view(np.uint8)[at])

    @classmethod
    def unpack(cls, packed: np.ndarray[Any, np.dtype[Any]]) -> Self:
        """Return the state in an array of one record."""
        state = cls()
        for name, field in cls.fields.items():
            value = packed[name][0]
            setattr(state, name, field.compacted(value.tobytes()) if field.compact else value.tolist())
        return state


def _packing(fields: Mapping[str, Field], dtype: np.dtype[Any]) -> struct.Struct:
    """Return the layout of a record for the module `struct`, with the gaps between its fields."""
    layout, end = "=", 0
    for name, field in fields.items():
        kind, offset = dtype.fields[name][:2]  # type: ignore[index]
        layout += f"{offset - end}x{field.layout}"
        end = offset + kind.itemsize
    return struct.Struct(f"{layout}{dtype.itemsize - end}x")
