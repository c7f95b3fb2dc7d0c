"""Kernels as a module of WebAssembly, for a page that has no Python.

A module has one block of memory, described by the type of a record, which is the first argument of every kernel that is
exported; the others, and what it returns, are integers. Its functions take and return 32-bit integers, which JavaScript
has as numbers. For each part of the record that is wanted, such as the field `text`, `text_at()` is where it lies in
the memory and `text_size()` its size in bytes, so nobody has to know the layout. A module imports nothing, and its
memory does not grow. Making one needs numba, and the linker that the package `ziglang` brings.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import types
from numba.np.numpy_support import from_dtype

from bosquet.kernels.compiler import Linked, linked
from bosquet.kernels.kernel import Twin
from bosquet.kernels.retarget import Target, module_for

WASM = Target(
    "wasm32-unknown-unknown",
    features="+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext",
    vectors=False,
    inlining=50,  # three quarters of the size at the same speed
)
"""What browsers can run since 2021: Safari 15, Chrome 75, Firefox 79."""
STACK = 1 << 20
"""Bytes for the local variables of all functions that run at once."""


def module(exports: Mapping[str, Twin], memory: np.dtype[Any], parts: Sequence[str]) -> bytes:
    """Return a module that exports kernels by these names, with a block of memory of this type and places of its parts.

    `parts` are fields; `a.b` is the field b of the field a, of its first record if that is an array. The names of its
    functions begin with `a_b`.

    It has the same bytes wherever the versions of the tools are the same and numba makes code for no special processor
    (`NUMBA_CPU_NAME=generic`). Raises RuntimeError without the linker, and TypeError for a kernel that does not return
    an integer.
    """
    record = from_dtype(memory)
    kernels = {name: _linked(twin, record) for name, twin in exports.items()}
    code = f"\n@memory_block = internal global [{memory.itemsize} x i8] zeroinitializer, align 64\n"
    code += "declare void @llvm.trap()\n"
    code += "".join(_function(name, exports[name], kernel) for name, kernel in kernels.items())
    places = dict(_places(memory, parts))
    code += "".join(f"define i32 @{name}() {{\n  ret i32 {value}\n}}\n" for name, value in places.items())
    exported = [*exports, *places]
    made, machine = module_for(WASM, [kernel.module for kernel in kernels.values()], code, exported)
    return _linked_by_tool(machine.emit_object(made), exported)


def _linked(twin: Twin, record: Any) -> Linked:
    found = linked(twin, (record, *[types.int64] * (_count_arguments(twin) - 1)))
    if not isinstance(found.result, types.Integer):
        raise TypeError(f"{twin.function.__qualname__} returns {found.result}; what is exported returns an integer")
    return found


def _count_arguments(twin: Twin) -> int:
    return len(inspect.signature(twin.function).parameters)


def _function(name: str, twin: Twin, kernel: Linked) -> str:
    """Return the exported function that calls a kernel. An exception, of which kernels have none, ends in a trap."""
    numbers = range(_count_arguments(twin) - 1)
    given = ", ".join(f"i32 %a{i}" for i in numbers)
    widened = "".join(f"  %b{i} = sext i32 %a{i} to i64\n" for i in numbers)
    passed = "".join(f", i64 %b{i}" for i in numbers)
    bits = kernel.result.bitwidth
    value = "%told" if bits == 32 else "%value"
    turned = "" if bits == 32 else f"  %value = {'trunc' if bits > 32 else 'sext'} i{bits} %told to i32\n"
    return f"""
define i32 @{name}({given}) {{
  %result = alloca i64, align 8
  %error = alloca ptr, align 8
{widened}  %status = call i32 @{kernel.symbol}(ptr %result, ptr %error, ptr @memory_block{passed})
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %return, label %stop
stop:
  call void @llvm.trap()
  unreachable
return:
  %told = load i{bits}, ptr %result
{turned}  ret i32 {value}
}}
"""


def _places(memory: np.dtype[Any], parts: Sequence[str]) -> Iterator[tuple[str, str | int]]:
    """Yield the names and results of the functions that tell where parts lie and how long they are."""
    for part in parts:
        kind, at = memory, 0
        for name in part.split("."):
            kind, offset = kind.base.fields[name][:2]  # type: ignore[index]
            at += offset
        name = part.replace(".", "_")
        yield f"{name}_at", f"ptrtoint (ptr getelementptr (i8, ptr @memory_block, i32 {at}) to i32)"
        yield f"{name}_size", kind.itemsize


def _linked_by_tool(code: bytes, exported: list[str]) -> bytes:
    """Return the module that the linker makes of an object file."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "module.o", Path(folder) / "module.wasm"
        source.write_bytes(code)
        options = ["--no-entry", "--gc-sections", "--strip-all", "-z", f"stack-size={STACK}", "--stack-first"]
        names = [f"--export={name}" for name in exported]
        command = [sys.executable, "-m", "ziglang", "wasm-ld", *options, *names, "-o", str(target), str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"the linker fails; is the package ziglang installed? {done.stderr.strip()}")
        return target.read_bytes()


# --- Sections ------------------------------------------------------------------------------------------------------


def with_section(module: bytes, name: str, content: bytes) -> bytes:
    """Return a module with one more custom section, which tells something of it and changes nothing that it does."""
    named = _length(len(name)) + name.encode() + content
    return module + b"\0" + _length(len(named)) + named


def sections(module: bytes) -> dict[str, bytes]:
    """Return the custom sections of a module by name. Raises ValueError for what is no module."""
    if module[:8] != b"\0asm\1\0\0\0":
        raise ValueError("not a module of WebAssembly")
    found, at = {}, 8
    while at < len(module):
        kind, (size, begin) = module[at], _read_length(module, at + 1)
        at = begin + size
        if kind == 0:
            length, name = _read_length(module, begin)
            found[module[name : name + length].decode()] = module[name + length : at]
    return found


def _length(number: int) -> bytes:
    """Return a length as WebAssembly writes it: seven bits in a byte, the lowest first (LEB128)."""
    written = []
    while number >= 128:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes([*written, number])


def _read_length(content: bytes, at: int) -> tuple[int, int]:
    """Return a length, and where it ends."""
    number, shift = 0, 0
    while content[at] >= 128:
        number |= (content[at] & 127) << shift
        at, shift = at + 1, shift + 7
    return number | content[at] << shift, at + 1
