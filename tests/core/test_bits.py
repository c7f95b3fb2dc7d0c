"""Sets as bit masks: what compiled code does in its own way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bosquet.core.state import Numbers
from bosquet.kernels.bits import members, write_members
from bosquet.kernels.jit import bind, kernel

ROOM = 8
"""Numbers after the end that `write_members` may overwrite."""


@kernel
def written(numbers: Numbers, n: int, mask: int, first: int, step: int) -> int:
    """Return the new end."""
    return write_members(numbers, n, mask, first, step)


def check_written(jit: bool, dtype: Any, mask: int, n: int, first: int, step: int) -> None:
    """The members stand in order from n on; what was before is kept, and what comes after the room."""
    numbers = np.full(n + 63 + 2 * ROOM, -7, dtype)
    end = bind(written, jit=jit)(numbers, n, mask, first, step)
    assert numbers[n:end].tolist() == [first + step * member for member in members(mask)]
    assert (numbers[:n] == -7).all()
    assert (numbers[end + ROOM :] == -7).all()


SETS = st.one_of(
    st.integers(0, (1 << 63) - 1), st.sampled_from([0, 1, 1 << 62, (1 << 63) - 1, 0x8001 << 20, 0xFF << 8])
)


@given(SETS, st.integers(0, 9), st.integers(-500, 500), st.sampled_from([1, 12, 64, -3]))
def test_members_are_written_in_order(mask: int, n: int, first: int, step: int) -> None:
    check_written(False, np.int64, mask, n, first, step)


@pytest.mark.compiled
@settings(deadline=None)  # the first example is compiled
@given(
    SETS,
    st.integers(0, 9),
    st.integers(-500, 500),
    st.sampled_from([1, 12, 64, -3]),
    st.sampled_from([np.int16, np.int32, np.int64]),
)
def test_compiled_code_writes_the_same(mask: int, n: int, first: int, step: int, dtype: Any) -> None:
    check_written(True, dtype, mask, n, first, step)
