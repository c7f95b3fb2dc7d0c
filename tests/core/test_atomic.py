"""Numbers that several threads share."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest

from bosquet.core.state import Numbers
from bosquet.kernels.atomic import exchange_if
from bosquet.kernels.jit import bind, kernel


@kernel
def replaced(numbers: Numbers, at: int, expected: int, new: int) -> int:
    """Return what was there before."""
    return exchange_if(numbers, at, expected, new)


@kernel
def count_up(numbers: Numbers, times: int) -> None:
    """Add 1 to the first number this many times."""
    for _ in range(times):
        before = numbers[0]
        while exchange_if(numbers, 0, before, before + 1) != before:
            before = numbers[0]


@pytest.mark.parametrize("jit", [False, pytest.param(True, marks=pytest.mark.compiled)])
def test_only_the_expected_number_is_replaced(jit: bool) -> None:
    numbers = np.array([5, 6, 7], np.int64)
    replace = bind(replaced, jit=jit)
    assert replace(numbers, 1, 6, 9) == 6
    assert replace(numbers, 1, 6, 8) == 9
    assert numbers.tolist() == [5, 9, 7]


@pytest.mark.compiled
def test_no_change_of_two_threads_is_lost() -> None:
    numbers, count = np.zeros(1, np.int64), bind(count_up)
    count(numbers, 0)
    threads = [Thread(target=count, args=(numbers, 200_000)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert numbers[0] == 400_000
