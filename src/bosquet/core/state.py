"""The state of a game: a record of integers, stored as a Python object or as packed bytes.

A game declares its state as a class whose annotations give the packed type of each field:

    class State(StateRecord):
        seat: Int8
        garden: Annotated[list[int], Field("i1", 25)]
        pile: Pile  # another StateRecord
        pawns: Annotated[list[Pawn], Records(4)]

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
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_args, get_type_hints

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
    """Whether a list is kept as an `array`, or as a `memoryview` of unsigned bytes: less memory and copied at once, but
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

    def compacted(self, packed: Any) -> array[Any] | memoryview:
        """Return the value of a compact list, given its packed bytes, which are copied."""
        return memoryview(bytearray(packed)) if self.code == "u1" else array(self.letter, bytes(packed))

    @property
    def layout(self) -> str:
        """Return the format of the packed field for the module `struct`."""
        if self.length is None:
            return self.letter
        size = struct.calcsize(self.letter)
        return f"{self.length * size}s" if self.compact else f"{self.length}{self.letter}"


@dataclass(frozen=True)
class Records:
    """Mark of a field that is a list of other records: `Annotated[list[Pawn], Records(4)]`."""

    length: int


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
    """Fields of integers."""
    records: ClassVar[dict[str, tuple[type[StateRecord], int | None]]]
    """Class of each field that is another record, or a list of them, with its length."""
    visibility: ClassVar[dict[str, Visibility]]
    """Visibility of each field that is not hidden."""
    ranges: ClassVar[dict[str, Range]]
    """Range of each field for which one is declared."""
    dtype: ClassVar[np.dtype[Any]]
    tight: ClassVar[np.dtype[Any]]
    """The same fields without padding, whose bytes are undefined."""
    _names: ClassVar[list[str]]
    """All fields, as they are packed."""
    _lists: ClassVar[list[str]]
    """The lists of integers."""
    _compact: ClassVar[list[str]]
    """The compact ones."""
    _zeros: ClassVar[dict[str, Any]]
    """The values of a new state."""
    _packing: ClassVar[struct.Struct]
    """The same layout as `dtype`, to pack a whole state at once."""

    def __init_subclass__(cls) -> None:
        known = get_type_hints(cls, include_extras=True)
        # Own fields stand before those of the base class: numba takes a record for any other that it begins with.
        declared = [name for kind in cls.__mro__ for name in inspect.get_annotations(kind)]
        hints = {name: known[name] for name in declared}
        cls.fields = _marked(hints, Field)
        cls.visibility = _marked(hints, Visibility)
        cls.ranges = _marked(hints, Range)
        cls.records = {name: (hint, None) for name, hint in hints.items() if _is_record(hint)}
        for name, mark in _marked(hints, Records).items():
            (kind,) = get_args(get_args(hints[name])[0])
            cls.records[name] = kind, mark.length
        cls._names = [name for name in hints if name in cls.fields or name in cls.records]
        cls.dtype, cls.tight = np.dtype(cls._layout("dtype"), align=True), np.dtype(cls._layout("tight"))
        cls._lists = [name for name, field in cls.fields.items() if field.length is not None and not field.compact]
        cls._compact = [name for name, field in cls.fields.items() if field.compact]
        cls._zeros = {name: field.zero for name, field in cls.fields.items()}
        cls._packing = _packing(cls)

    @classmethod
    def _layout(cls, kind: str) -> list[Any]:
        """Return the fields as NumPy takes them; `kind` is the layout of other records."""
        codes = {name: (field.code, field.length) for name, field in cls.fields.items()} | {
            name: (getattr(record, kind), length) for name, (record, length) in cls.records.items()
        }
        shaped = {name: code if length is None else (code, (length,)) for name, (code, length) in codes.items()}
        return [(name, shaped[name]) for name in cls._names]

    def __init__(self) -> None:
        values = self.__dict__
        values.update(self._zeros)
        for name in self._lists:
            values[name] = values[name][:]
        for name in self._compact:
            values[name] = self.fields[name].compacted(values[name])
        for name, (record, length) in self.records.items():
            values[name] = record() if length is None else [record() for _ in range(length)]

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
        for name in self._compact:
            values[name] = self.fields[name].compacted(values[name])
        for name in self.records:
            value = values[name]
            values[name] = [record.copy() for record in value] if isinstance(value, list) else value.copy()
        return twin

    def pack(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the state as an array of shape `(1,)`. Raises OverflowError if a number does not fit its field."""
        given: list[Any] = []
        values = vars(self)
        if self.records:
            values = values | {name: _packed(values[name]) for name in self.records}
        for value in map(values.__getitem__, self._names):
            if isinstance(value, list):
                given += value
            else:
                given.append(bytes(value) if isinstance(value, (array, memoryview)) else value)
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
        for name, (record, length) in cls.records.items():
            found = [record.unpack(packed[name].reshape(-1)[i : i + 1]) for i in range(length or 1)]
            setattr(state, name, found[0] if length is None else found)
        return state


class StateList(list[Any]):
    """States in plain Python: like an array of records, it takes a copy of what is put into it."""

    def __setitem__(self, place: Any, state: Any) -> None:
        super().__setitem__(place, state.copy())


M = TypeVar("M")


def _marked(hints: Mapping[str, Any], kind: type[M]) -> dict[str, M]:
    """Return the marks of a kind by the fields that have one."""
    marks = ((name, mark) for name, hint in hints.items() for mark in getattr(hint, "__metadata__", ()))
    return {name: mark for name, mark in marks if isinstance(mark, kind)}


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, StateRecord)


def _packed(value: StateRecord | list[StateRecord]) -> bytes:
    """Return the packed bytes of another record, or of a list of them."""
    return b"".join(record.pack().tobytes() for record in (value if isinstance(value, list) else [value]))


def _packing(kind: type[StateRecord]) -> struct.Struct:
    """Return the layout of a record for the module `struct`, with the gaps between its fields."""
    layout, end = "=", 0
    for name in kind._names:
        part, offset = kind.dtype.fields[name][:2]  # type: ignore[index]
        field = kind.fields.get(name)
        layout += f"{offset - end}x{field.layout if field else f'{part.itemsize}s'}"
        end = offset + part.itemsize
    return struct.Struct(f"{layout}{kind.dtype.itemsize - end}x")
