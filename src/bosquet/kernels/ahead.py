"""Hints of what memory is needed soon. `kernels.native_ahead` has the compiled version.

A hint changes nothing but the time that code takes. Plain Python does nothing with it, nor do machines without such an
instruction.
"""

from __future__ import annotations

from typing import Any

from bosquet.kernels.kernel import kernel


@kernel
def expect(rows: Any, i: int, begin: int, size: int) -> None:
    """Tell the processor that `size` bytes from the byte `begin` of row i of an array on are needed soon.

    The rows of an array with one dimension are its entries. Of a record no bytes beyond its end are fetched.
    """
