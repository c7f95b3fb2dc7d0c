"""The state of a game: one record of integers, as a plain object or as packed bytes.

A game declares its state as a class; the annotations give the machine form of each field:

    class State(StateRecord):
        seat: Int8
        garden: Annotated[list[int], Field("i1", 25)]

Plain rules work on the object (`state.seat`, `state.garden[cell]`); compiled rules on a NumPy record of the same
layout, with the same words. `pack` and `unpack` go between the two; packing refuses a number that its field can't hold.
"""

from __future__ import annotations

import copy
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, get_type_hints

import numpy as np

CHANCE = -1
"""Seat to move when chance decides next."""

NOBODY = -2
"""Seat to move when the game is over."""


Numbers = MutableSequence[int]
"""A flat array of integers: a list for plain rules, a NumPy array for compiled ones."""


@dataclass(frozen=True)
class Field:
    """Machine form of a field: NumPy code of its integers and, for a list, its length."""

    code: str
    length: int | None = None


Int8 = Annotated[int, Field("i1")]
Int16 = Annotated[int, Field("i2")]
Int64 = Annotated[int, Field("i8")]


class StateRecord:
    """Base of every game's state. A new one is all zeros."""

    fields: ClassVar[dict[str, Field]]
    dtype: ClassVar[np.dtype[Any]]

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        cls.fields = {
            name: mark
            for name, hint in hints.items()
            for mark in getattr(hint, "__metadata__", ())
            if isinstance(mark, Field)
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
        """An independent copy."""
        twin = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list):
                setattr(twin, name, value.copy())
        return twin

    def pack(self) -> np.ndarray[Any, np.dtype[Any]]:
        """The same state as an array of shape `(1,)`. Raises OverflowError for a number that its field can't hold."""
        packed = np.zeros(1, self.dtype)
        for name in self.fields:
            packed[name][0] = getattr(self, name)
        return packed

    @classmethod
    def unpack(cls, packed: np.ndarray[Any, np.dtype[Any]]) -> Self:
        """The state held by an array of one record."""
        state = cls()
        for name in cls.fields:
            setattr(state, name, packed[name][0].tolist())
        return state
