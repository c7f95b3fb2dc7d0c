"""Integers that several threads share. `kernels.native` has the compiled versions."""

from __future__ import annotations

from bosquet.kernels.kernel import Numbers, kernel


@kernel
def exchange_if(numbers: Numbers, at: int, expected: int, new: int) -> int:
    """Replace a number if it is `expected`, in one step; return what it was.

    What a thread wrote before, another thread that finds the new number can read.
    """
    found = numbers[at]
    if found == expected:
        numbers[at] = new
    return found
