"""A program with small kernels, which tests of the cache of compiled code start as processes.

`once` and `twice` print what two compiled kernels return, which call a third one. `texts` prints what a kernel writes.
`types` makes record types, so that later ones have other numbers in numba.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import numpy as np

from bosquet.core.state import Field, StateRecord
from bosquet.core.text.writing import Text, begin_object, end_object, names, number, text, texts
from bosquet.kernels.jit import bind, kernel

CELLS = texts("a1", "b12", "")


class Garden(StateRecord):
    """Beds of two sizes: arrays in a record that differ in their shape alone."""

    near: Annotated[list[int], Field("i8", 2)]
    far: Annotated[list[int], Field("i8", 3)]


@kernel
def nothing(garden: Garden) -> None:
    """Do nothing: a kernel without a statement."""


@kernel
def total(numbers: Any, n: int) -> int:
    """Add numbers, by way of one of numba's own functions."""
    found = 0
    for i in range(n):
        found += max(numbers[i], 0)
    return found


@kernel
def weight(garden: Garden) -> int:
    """Be called from other kernels."""
    nothing(garden)
    return 100 * total(garden.near, 2) + total(garden.far, 3)


@kernel
def half(garden: Garden) -> int:
    """Call a kernel."""
    return weight(garden) // 2


@kernel
def double(garden: Garden) -> int:
    """Call the same."""
    return min(2 * weight(garden), 9999)


@kernel
def once(garden: Garden, numbers: Any) -> int:
    """Be called from Python."""
    return half(garden) + 10000 * total(numbers, 2)


@kernel
def twice(garden: Garden, numbers: Any) -> int:
    """Be called from Python."""
    return double(garden) + 10000 * total(numbers, 2)


@kernel
def spell(out: Text) -> int:
    """Write constants, texts of a table and numbers."""
    begin_object(out, b"")
    text(out, b"game", b"topiary")
    names(out, b"cells", CELLS, 5)
    number(out, b"points", -120)
    end_object(out)
    return out.end


def count_types() -> None:
    """Make numba number some record types."""
    from numba import typeof

    for size in range(1, 10):
        typeof(np.zeros(size, np.dtype([("field", "i8", size)]))[0])


def main() -> None:
    """Do what the arguments say, in their order."""
    garden, numbers = Garden(), np.arange(1, 4)
    garden.near, garden.far = [1, 2], [3, 4, 5]
    for wanted in sys.argv[1:]:
        if wanted == "types":
            count_types()
        elif wanted == "texts":
            written = np.zeros(1, Text.dtype)
            print(written["bytes"][0][: bind(spell)(written[0])].tobytes().decode())
        else:
            print(bind({"once": once, "twice": twice}[wanted])(garden.pack()[0], numbers))


if __name__ == "__main__":
    main()
