"""Rows lie in a device's memory as they are said to, and each thread is given its own."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the compiler")
from bosquet.kernels.jit import kernel
from bosquet.kernels.kernel import twin_of
from bosquet.kernels.retarget import PTX
from bosquet.kernels.threads import By, DeviceRows, Place, Program, laid_out, read_back
from tests.env.helpers.host_device import HostDevice

pytestmark = pytest.mark.compiled
N = 5
PLACES = ((Place.OWN, 0), (Place.ACROSS, 0), (Place.COPIED, 2), (Place.COPIED, 4))


@kernel
def add(numbers: Any, given: Any, total: Any, factor: int) -> None:
    """Add a row, times a factor, to a row, and count in the first entry of a whole array."""
    for k in range(numbers.shape[1]):
        for m in range(numbers.shape[2]):
            numbers[0, k, m] += factor * given[0, k, m]
    total[0] += 1


def program(place: Place, word: int, by: By) -> Program:
    numbers, one = np.dtype(np.int16), np.dtype(np.int64)
    rows = (
        DeviceRows("numbers", numbers, (3, 2), place, word),
        DeviceRows("given", numbers, (3, 2), place, word, by=by),
        DeviceRows("total", one, (1,), Place.WHOLE),
    )
    return Program(twin_of(add, {}), rows, ("factor",))


@pytest.mark.parametrize(("place", "word"), PLACES)
@pytest.mark.parametrize("by", By)
def test_a_thread_is_given_the_rows_that_it_asks_for(place: Place, word: int, by: By) -> None:
    made, device = program(place, word, by), HostDevice()
    rows = np.array([4, 1, 2])
    numbers = np.arange(N * 6, dtype=np.int16).reshape(N, 3, 2)
    given = 100 * np.arange({By.GAME: N, By.THREAD: len(rows), By.FIRST: 1}[by] * 6, dtype=np.int16).reshape(-1, 3, 2)
    memory = [laid_out(made.rows[0], numbers), laid_out(made.rows[1], given), np.zeros(8, np.uint8)]
    pointers = [device.pointer(part) for part in memory]
    device.launch(device.load(made), len(rows), [*pointers, 3, device.pointer(rows), len(rows), N])
    expected = numbers.copy()
    for thread, row in enumerate(rows):
        expected[row] += 3 * given[{By.GAME: row, By.THREAD: thread, By.FIRST: 0}[by]]
    assert np.array_equal(read_back(made.rows[0], memory[0], N), expected)
    assert np.array_equal(read_back(made.rows[1], memory[1], len(given)), given)
    assert memory[2].view(np.int64)[0] == len(rows)


def test_an_array_without_rows_is_empty_for_every_thread() -> None:
    made = Program(
        twin_of(shape_of, {}), (DeviceRows("none", np.dtype(np.int8), (2,), empty=True), program_of_one()), ()
    )
    device, out = HostDevice(), np.full(8 * N, 255, np.uint8)
    device.launch(device.load(made), N, [0, device.pointer(out), 0, N, N])
    assert not out.any()


@kernel
def shape_of(none: Any, out: Any) -> None:
    """Write the number of rows."""
    out[0] = none.shape[0]


def program_of_one() -> DeviceRows:
    return DeviceRows("out", np.dtype(np.int64))


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="needs ptxas")
@pytest.mark.parametrize(("place", "word"), PLACES)
def test_programs_are_assembled_for_a_gpu(place: Place, word: int) -> None:
    code = program(place, word, By.GAME).code(PTX)
    assert b".visible .entry add(" in code
    subprocess.run(["ptxas", "-arch=sm_75", "-", "-o", "/dev/null"], input=code, check=True)
