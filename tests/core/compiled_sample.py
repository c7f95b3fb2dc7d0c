"""A program with small kernels of two kinds of records, which tests of the cache of compiled code start as processes.

`garden` and `shelf` print what compiled kernels return; `types` makes record types, so that later ones have other
numbers in numba.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import numpy as np

from bosquet.core.jit import bind, kernel
from bosquet.core.state import Field, Int8, StateRecord


class Garden(StateRecord):
    """Beds of two sizes: arrays in a record that differ in their shape alone."""

    near: Annotated[list[int], Field("i8", 2)]
    far: Annotated[list[int], Field("i8", 3)]


class Shelf(StateRecord):
    """Another record."""

    books: Annotated[list[int], Field("i8", 2)]
    seat: Int8


@kernel
def nothing(record: Any) -> None:
    """Do nothing: a kernel without a statement."""


@kernel
def total(numbers: Any, n: int) -> int:
    """Add numbers, with one of numba's own functions."""
    found = 0
    for i in range(n):
        found += max(numbers[i], 0)
    return found


@kernel
def of_garden(garden: Garden) -> int:
    """Add what is in both beds."""
    nothing(garden)
    return 100 * total(garden.near, 2) + total(garden.far, 3)


@kernel
def of_shelf(shelf: Shelf) -> int:
    """Add what is on the shelf."""
    return min(total(shelf.books, 2), 999)


@kernel
def count_garden(garden: Garden, numbers: Any) -> int:
    """Be called from Python."""
    return of_garden(garden) + 10000 * total(numbers, 2)


@kernel
def count_shelf(shelf: Shelf, numbers: Any) -> int:
    """Be called from Python."""
    return of_shelf(shelf) + 10000 * total(numbers, 2)


def count_types() -> None:
    """Make numba number some types of records."""
    from numba import typeof

    for size in range(1, 10):
        typeof(np.zeros(size, np.dtype([("field", "i8", size)]))[0])


def main() -> None:
    """Do what the arguments say, in their order."""
    garden, shelf, numbers = Garden(), Shelf(), np.arange(1, 4)
    garden.near, garden.far, shelf.books = [1, 2], [3, 4, 5], [6, 7]
    for wanted in sys.argv[1:]:
        if wanted == "types":
            count_types()
        elif wanted == "garden":
            print(bind(count_garden)(garden.pack()[0], numbers))
        elif wanted == "shelf":
            print(bind(count_shelf)(shelf.pack()[0], numbers))


if __name__ == "__main__":
    main()
