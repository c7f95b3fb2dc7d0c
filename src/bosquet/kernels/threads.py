"""A kernel as a program for a GPU: each thread calls it for one row of every array.

Threads of a GPU that run side by side should touch memory side by side. A row of an array may therefore lie `ACROSS`:
its entries are as far apart as there are rows, so that entry k of all rows is one block of memory. A small row that is
used often is `COPIED` by its thread into memory of its own, and back at the end. Needs numba.
"""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba.core import types
from numba.np.numpy_support import from_dtype

from bosquet.kernels import cache
from bosquet.kernels.compiler import linked, toolchain
from bosquet.kernels.kernel import Twin
from bosquet.kernels.retarget import Target, array_arguments, module_for


class Place(enum.Enum):
    """Where the entries of a row are in a device's memory."""

    OWN = "own"
    """Next to each other."""
    ACROSS = "across"
    """As far apart as the array has rows: entry k of row i of n is entry `k * n + i` of the array."""
    COPIED = "copied"
    """As `ACROSS`, in words; while it is used, a thread has a copy of it with the entries next to each other."""
    WHOLE = "whole"
    """The array is not divided: every thread is given all of it."""


class By(enum.Enum):
    """Which row a thread is given."""

    GAME = "game"
    """The row that the launch names for the thread, by default that of its number."""
    THREAD = "thread"
    """The row of its number."""
    FIRST = "first"
    """The first row, which all threads share."""


@dataclass(frozen=True)
class DeviceRows:
    """An array of which each thread is given one row, as an array of length 1."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...] = ()
    """Shape of a row; of the whole array where it is not divided."""
    place: Place = Place.OWN
    word: int = 0
    """Size in bytes of the words of a row that is copied."""
    by: By = By.GAME
    empty: bool = False
    """Whether the array has no rows."""

    @property
    def size(self) -> int:
        """Return the size of a row in bytes."""
        return int(self.dtype.itemsize * np.prod(self.shape, dtype=int))

    @property
    def spread(self) -> int:
        """Return the size in bytes of what lies side by side for all rows: an entry, a word, or a whole row."""
        return {Place.ACROSS: self.dtype.itemsize, Place.COPIED: self.word}.get(self.place, self.size)

    @property
    def type(self) -> Any:
        """Return numba's type of what the kernel is given."""
        dimensions = len(self.shape) + (self.place is not Place.WHOLE)
        return types.Array(from_dtype(self.dtype), dimensions, "A" if self.place is Place.ACROSS else "C")

    @property
    def strides_within(self) -> list[int]:
        """Return the strides within a row, in bytes, if its entries lie next to each other."""
        return [self.dtype.itemsize * int(np.prod(self.shape[k + 1 :], dtype=int)) for k in range(len(self.shape))]

    @property
    def _index(self) -> str:
        return {By.GAME: "%game", By.THREAD: "%thread", By.FIRST: "0"}[self.by]

    @property
    def _count(self) -> str:
        """Return the number of rows of the array."""
        return {By.GAME: "%n", By.THREAD: "%count", By.FIRST: "1"}[self.by]

    @property
    def is_copied(self) -> bool:
        """Return whether a thread has a copy of its row."""
        return self.place is Place.COPIED and not self.empty

    def memory(self) -> str:
        """Return the code that makes room for a copy."""
        return f"  %row_{self.name} = alloca [{self.size} x i8], align 16\n" if self.is_copied else ""

    def find(self) -> str:
        """Return the code that finds the row of a thread, where it is used in its place."""
        name, index = self.name, self._index
        if self.place in (Place.WHOLE, Place.COPIED) or self.empty:
            return ""
        lines = [
            f"%first_{name} = mul i64 {index}, {self.spread}",
            f"%row_{name} = getelementptr i8, ptr %{name}, i64 %first_{name}",
        ]
        if self.place is Place.ACROSS:
            strides = enumerate(self.strides_within)
            lines += [f"%stride_{name}_{k} = mul i64 {self._count}, {stride}" for k, stride in strides]
        return "".join(f"  {line}\n" for line in lines)

    def argument(self) -> str:
        """Return the arguments that stand for the row, in a call of the kernel."""
        name, item = self.name, self.dtype.itemsize
        if self.place is Place.WHOLE:
            return array_arguments(f"%{name}", self.shape, self.strides_within, item)
        shape = [0 if self.empty else 1, *self.shape]
        if self.place is Place.ACROSS and not self.empty:
            strides = [f"%stride_{name}_{k}" for k in range(len(self.shape))]
            return array_arguments(f"%row_{name}", shape, [item, *strides], item)
        row = f"%{name}" if self.empty else f"%row_{name}"
        return array_arguments(row, shape, [self.size, *self.strides_within], item)

    def copy(self, before: str, *, back: bool) -> tuple[str, str]:
        """Return the loop that copies the row, to the thread or back, and the block in which it ends.

        `before` is the block in which it begins.
        """
        if not self.is_copied:
            return "", before
        loop, kind = f"{'back' if back else 'copy'}_{self.name}", f"i{8 * self.word}"
        far, near = f"%far_{loop}", f"%near_{loop}"
        source, target = (near, far) if back else (far, near)
        return (
            f"""  br label %{loop}
{loop}:
  %k_{loop} = phi i64 [ 0, %{before} ], [ %next_{loop}, %{loop} ]
  %above_{loop} = mul i64 %k_{loop}, {self._count}
  %at_{loop} = add i64 %above_{loop}, {self._index}
  {far} = getelementptr {kind}, ptr %{self.name}, i64 %at_{loop}
  {near} = getelementptr {kind}, ptr %row_{self.name}, i64 %k_{loop}
  %word_{loop} = load {kind}, ptr {source}
  store {kind} %word_{loop}, ptr {target}
  %next_{loop} = add i64 %k_{loop}, 1
  %more_{loop} = icmp ult i64 %next_{loop}, {self.size // self.word}
  br i1 %more_{loop}, label %{loop}, label %end_{loop}
end_{loop}:
""",
            f"end_{loop}",
        )


INDEX = "  %{0} = call i32 @llvm.nvvm.read.ptx.sreg.{1}.x()\n"
REGISTERS = (("lane", "tid"), ("block", "ctaid"), ("width", "ntid"))
"""Where a thread of a GPU reads its number in the block, the number of the block, and the threads in a block."""


@dataclass(frozen=True)
class Program:
    """A kernel that is called by many threads, with a row of each array and some numbers."""

    twin: Twin
    rows: tuple[DeviceRows, ...]
    numbers: tuple[str | int, ...] = ()
    """The numbers after the arrays: a name for one that is given at the launch, or the number itself.

    `"game"` is the row of the thread.
    """

    @property
    def name(self) -> str:
        """Return the name of the function that is launched.

        It takes a pointer for each array, the numbers, a pointer to the indices of the rows or null for all, the number
        of these, and the number of all rows.
        """
        return str(self.twin.function.__name__)

    @property
    def given(self) -> list[str]:
        """Return the names of the numbers that are given at the launch."""
        return [number for number in self.numbers if isinstance(number, str) and number != "game"]

    def code(self, target: Target) -> bytes:
        """Return the assembly text for a target, compiled or from the cache."""
        parts = [self.twin.digest, repr(self.types), repr(target), self._wrapper("kernel", target), toolchain()]
        function = self.twin.function
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
        file = f"{function.__module__}.{function.__name__}-{digest}.asm".removeprefix("bosquet.")
        content = cache.load(file)
        if content is None:
            with cache.claimed(file):
                content = cache.load(file)
                if content is None:
                    module, machine = self.module(target)
                    content = machine.emit_assembly(module).encode()
                    cache.save(file, content)
        return content

    def module(self, target: Target) -> tuple[Any, Any]:
        """Return the optimized module for a target, and LLVM's machine for it."""
        kernel = linked(self.twin, self.types)
        return module_for(target, [kernel.module], self._wrapper(kernel.symbol, target), [self.name])

    @cached_property
    def types(self) -> tuple[Any, ...]:
        """Return numba's types of the kernel's arguments."""
        return (*(rows.type for rows in self.rows), *(types.int64 for _ in self.numbers))

    def _wrapper(self, symbol: str, target: Target) -> str:
        """Return the function that is launched, and the one that it calls for one thread."""
        kinds = [*(f"ptr %{rows.name}" for rows in self.rows), *(f"i64 %{name}" for name in self.given)]
        taken = ", ".join([*kinds, "ptr %listed", "i64 %count", "i64 %n"])
        return f"\ndefine internal void @one_thread({taken}, i64 %thread) {{\n{self._one(symbol)}}}\n" + (
            _launched_on_gpu if target.is_gpu else _launched_here
        )(self.name, taken)

    def _one(self, symbol: str) -> str:
        memory = "".join(rows.memory() for rows in self.rows)
        text = f"""entry:
{memory}  %result = alloca i64, align 8
  %error = alloca ptr, align 8
  %by_list = icmp ne ptr %listed, null
  br i1 %by_list, label %look, label %work
look:
  %entry_of_list = getelementptr i64, ptr %listed, i64 %thread
  %from_list = load i64, ptr %entry_of_list
  br label %work
work:
  %game = phi i64 [ %thread, %entry ], [ %from_list, %look ]
"""
        text += "".join(rows.find() for rows in self.rows)
        block = "work"
        for rows in self.rows:
            copied, block = rows.copy(block, back=False)
            text += copied
        arguments = [rows.argument() for rows in self.rows]
        arguments += [f"i64 {number if isinstance(number, int) else f'%{number}'}" for number in self.numbers]
        text += f"  %status = call i32 @{symbol}(ptr %result, ptr %error, {', '.join(arguments)})\n"
        for rows in self.rows:
            copied, block = rows.copy(block, back=True)
            text += copied
        return text + "  ret void\n"


def _launched_on_gpu(name: str, taken: str) -> str:
    """Return the function that every thread of a GPU runs."""
    indices = "".join(INDEX.format(*pair) for pair in REGISTERS)
    declared = "".join(f"declare i32 @llvm.nvvm.read.ptx.sreg.{register}.x()\n" for _, register in REGISTERS)
    return f"""
define ptx_kernel void @{name}({taken}) {{
entry:
{indices}  %before = mul i32 %block, %width
  %own = add i32 %before, %lane
  %thread = zext i32 %own to i64
  %mine = icmp slt i64 %thread, %count
  br i1 %mine, label %work, label %end
work:
  call void @one_thread({taken}, i64 %thread)
  br label %end
end:
  ret void
}}
{declared}"""


def _launched_here(name: str, taken: str) -> str:
    """Return the function that does on a processor, thread after thread, what a GPU does at once."""
    return f"""
define void @{name}({taken}) {{
entry:
  br label %next
next:
  %thread = phi i64 [ 0, %entry ], [ %after, %work ]
  %mine = icmp slt i64 %thread, %count
  br i1 %mine, label %work, label %end
work:
  call void @one_thread({taken}, i64 %thread)
  %after = add i64 %thread, 1
  br label %next
end:
  ret void
}}
"""


def rows_in_bytes(rows: DeviceRows, n: int) -> int:
    """Return the size in bytes of an array of n rows."""
    return 0 if rows.empty else rows.size * (1 if rows.place is Place.WHOLE else n)


def laid_out(rows: DeviceRows, array: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the bytes of an array, shape `(n, *rows.shape)`, as they lie in a device's memory."""
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8).copy()  # NumPy copies no gaps of records
    if rows.place is Place.WHOLE or rows.empty or not len(array):
        return flat
    return np.ascontiguousarray(flat.reshape(len(array), -1, rows.spread).transpose(1, 0, 2)).reshape(-1)


def read_back(rows: DeviceRows, content: np.ndarray[Any, np.dtype[np.uint8]], n: int) -> np.ndarray[Any, Any]:
    """Return the array of n rows whose bytes lie in a device's memory like this."""
    if rows.place is Place.WHOLE:
        return content.view(rows.dtype).reshape(rows.shape)
    if rows.empty:
        return np.zeros((0, *rows.shape), rows.dtype)
    flat = content.reshape(-1, n, rows.spread).transpose(1, 0, 2).reshape(-1)
    return np.ascontiguousarray(flat).view(rows.dtype).reshape(n, *rows.shape)
