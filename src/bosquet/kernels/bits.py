"""Sets of small integers as bit masks: bit i is set if i is in the set.

Kernels keep masks below 2**63, so that Python integers and 64-bit integers give the same results. `kernels.native` has
the compiled versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bosquet.kernels.kernel import kernel


@kernel
def lowest_bit(mask: int) -> int:
    """Return the smallest member of a non-empty set."""
    return (mask & -mask).bit_length() - 1


@kernel
def count_bits(mask: int) -> int:
    """Return the number of members of a set."""
    return mask.bit_count()


@kernel
def index(number: int) -> int:
    """Return a non-negative number for use as an index. Compiled code then skips the handling of negative indices."""
    return number


@kernel
def write_members(numbers: Any, n: int, members: int, first: int, step: int) -> int:
    """Write `first + step * member` for every member of a set, from `numbers[n]` on; return the new end.

    `numbers` must have room for 8 more: compiled code writes eight at once, of which those after the end mean nothing.
    """
    while members:
        numbers[n] = first + step * lowest_bit(members)
        members &= members - 1
        n += 1
    return n


@kernel
def state_byte(state: Any, at: int) -> int:
    """Return one byte of the packed state."""
    byte: int = state.packed_byte(at)
    return byte


def members(mask: int) -> Iterator[int]:
    """Yield the members of a set in ascending order.

    Kernels cannot call this; they loop with `lowest_bit` and `mask &= mask - 1`.
    """
    while mask:
        yield lowest_bit(mask)
        mask &= mask - 1


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of the given numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
