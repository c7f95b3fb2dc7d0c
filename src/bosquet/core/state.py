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

import copy
from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, get_type_hints

import numpy as np

CHANCE = -1
"""Value of `seat` when a chance event is due."""

NOBODY = -2
"""Value of `seat` when the game is over."""


Options = Mapping[str, Any]
"""The options of a game by name, including `players`."""

Numbers = MutableSequence[int]
"""A flat array of integers: a list in uncompiled rules, a NumPy array in compiled ones."""


@dataclass(frozen=True)
class Field:
    """Packed type of a field: the NumPy type code of its integers and, for a list, its length."""

    code: str
    length: int | None = None


Int8 = Annotated[int, Field("i1")]
Int16 = Annotated[int, Field("i2")]
Int64 = Annotated[int, Field("i8")]


@dataclass(frozen=True)
class Visibility:
    """Who sees a field; a field without this mark is hidden. `DefaultEncoder` reads it."""

    owner_only: bool
    """Whether the field is a list with one integer per seat that only this seat sees."""


PUBLIC = Visibility(owner_only=False)
"""Everybody sees the field."""
OWN = Visibility(owner_only=True)
"""Each seat sees only its own integer of the list."""


class StateRecord:
    """Base class of the states of all games. A new state is all zeros."""

    fields: ClassVar[dict[str, Field]]
    visibility: ClassVar[dict[str, Visibility]]
    """Visibility of each field that is not hidden."""
    dtype: ClassVar[np.dtype[Any]]

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
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
        cls.dtype = np.dtype(
            [
                (name, field.code) if field.length is None else (name, field.code, (field.length,))
                for name, field in cls.fields.items()
            ],
            align=True,
        )

    def __init__(self) -> None:
        for name, field in self.fields.items():
            setattr(self, name, 0 if field.length is None else [0] * field.length)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list):
                setattr(twin, name, value.copy())
        return twin

    def pack(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the state as an array of shape `(1,)`. Raises OverflowError if a number does not fit its field."""
        packed = np.zeros(1, self.dtype)
        for name in self.fields:
            packed[name][0] = getattr(self, name)
        return packed

    def packed_byte(self, at: int) -> int:
        """Return one byte of the packed state."""
        return int(self.pack().view(np.uint8)[at])

    @classmethod
    def unpack(cls, packed: np.ndarray[Any, np.dtype[Any]]) -> Self:
        """Return the state in an array of one record."""
        state = cls()
        for name in cls.fields:
            setattr(state, name, packed[name][0].tolist())
        return state
