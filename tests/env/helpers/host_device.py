"""A device that is this processor: programs run as they do on a GPU, one thread after the other."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from bosquet.env.gpu.device import Content, Foreign
from bosquet.kernels.retarget import this_machine
from bosquet.kernels.threads import Program


class HostDevice:
    """Memory of this process stands for that of the device."""

    def __init__(self) -> None:
        self.launches = 0

    def allocate(self, size: int) -> Any:
        return np.zeros(max(size, 1), np.uint8)

    def pointer(self, memory: Any) -> int:
        return int(memory.ctypes.data)

    def write(self, memory: Any, content: Content) -> None:
        memory[: content.size] = content

    def read(self, memory: Any) -> Content:
        copied: Content = memory.copy()
        return copied

    def copy(self, source: Any) -> Any:
        return source.copy()

    def load(self, program: Program) -> Any:
        return loaded(program)

    def launch(self, loaded: Any, threads: int, arguments: Sequence[int]) -> None:
        self.launches += 1
        loaded(*arguments)

    def view(self, memory: Any, offset: int, dtype: np.dtype[Any], shape: Sequence[int], strides: Sequence[int]) -> Any:
        return np.ndarray(tuple(shape), dtype, memory, offset, tuple(strides))

    def order(self, stream: Any) -> None:
        """Do nothing: everything is done at once."""

    def stream(self) -> int | None:
        return None

    def foreign(self, array: Any) -> Foreign | None:
        return None

    def synchronize(self) -> None:
        """Do nothing: everything is done at once."""


@functools.cache
def loaded(program: Program) -> Any:
    module, machine = program.module(this_machine())
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    pointers = [ctypes.c_void_p] * len(program.rows)
    numbers = [ctypes.c_int64] * len(program.given)
    kind = ctypes.CFUNCTYPE(None, *pointers, *numbers, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    function: Any = kind(engine.get_function_address(program.name))
    function.engine = engine  # the code lives as long as its engine
    return function
