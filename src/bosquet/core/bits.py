"""Sets of small numbers as the bits of an integer: bit i is set when i is in the set.

Kernels keep masks below 2**63, so that Python's integers and a machine word agree. `core.native` has the compiled
twins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bosquet.core.jit import kernel


@kernel
def lowest_bit(mask: int) -> int:
    """The smallest member of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


@kernel
def count_bits(mask: int) -> int:
    """How many members a set has."""
    return mask.bit_count()


@kernel
def index(number: int) -> int:
    """A number that is never negative, as an index: compiled code then leaves out Python's wrap-around from the end."""
    return number


def members(mask: int) -> Iterator[int]:
    """The members of a set, ascending. Not for kernels: they loop with `lowest_bit` and `mask &= mask - 1`."""
    while mask:
        yield lowest_bit(mask)
        mask &= mask - 1


def mask_of(numbers: Iterable[int]) -> int:
    """The set of the given numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
