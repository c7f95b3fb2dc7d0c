"""Hints of what memory is needed soon: they change nothing, and are left out where a machine has none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bosquet.kernels.ahead import expect
from bosquet.kernels.jit import bind, kernel
from bosquet.kernels.kernel import twin_of


@kernel
def hinted(rows: Any, i: int, begin: int, size: int) -> int:
    """Give a hint and return the row."""
    expect(rows, i, begin, size)
    return i


ROWS = (np.zeros(3, [("a", "i8"), ("b", "i2", (200,))]), np.zeros((3, 500), np.int32), np.zeros((0, 5), np.uint8))


def check_hints(jit: bool) -> None:
    for rows in ROWS:
        for i, begin, size in ((0, 0, 64), (2, 8, 400), (1, 0, 0), (-1, -128, 5000), (1 << 40, 0, 200)):
            assert bind(hinted, jit=jit)(rows, i, begin, size) == i
        assert not rows.view(np.uint8).any()


def test_a_hint_changes_nothing() -> None:
    check_hints(False)


@pytest.mark.compiled
def test_a_compiled_hint_changes_nothing_even_beside_the_memory() -> None:
    check_hints(True)


@pytest.mark.compiled
def test_other_machines_have_no_hints() -> None:
    from numba.core import types

    from bosquet.kernels.compiler import linked
    from bosquet.kernels.retarget import PTX, this_machine
    from bosquet.kernels.retarget import module_for as retargeted
    from bosquet.kernels.wasm import WASM

    arguments = types.Array(types.int32, 2, "C"), types.int64, types.int64, types.int64
    code = linked(twin_of(hinted, {}), arguments)
    for target, has_hints in ((this_machine(), True), (WASM, False), (PTX, False)):
        made, machine = retargeted(target, [code.module], "", [code.symbol])
        lines = [line.split()[0] for line in machine.emit_assembly(made).splitlines() if line.startswith("\t")]
        assert lines
        assert any(line.startswith(("prefetch", "prfm")) for line in lines) == has_hints, target.triple
