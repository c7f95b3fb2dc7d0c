"""The jit switch: rules are plain Python; a twin of them is compiled by numba when speed is wanted.

A function marked `@kernel` stays a plain Python function, quick to start and easy to step through. `bind` returns its
twin: the same code, with every kernel it calls and every table it reads replaced by their twins, and with other
functions in the place of names that depend on the game. Both run side by side in one process, so a test can compare
them byte for byte.

A kernel uses only integers, `range`, records (`state.field`, `state.field[i]`), flat arrays, other kernels and tables
(module constants that are tuples of integers, nested to a rectangle).

A twin is determined by the kernel's code and by the values of the global names that it reads, kernels included. Equal
ones are the same object, so whatever uses a game shares what is compiled. Their digest is the key of the cache on disk
(`kernels.cache`).
"""

from __future__ import annotations

import dis
import functools
import hashlib
import os
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

SWITCH = "BOSQUET_JIT"
"""Environment variable: `0` turns compiling off everywhere."""


def kernel(function: F) -> F:
    """Mark a function as compilable. It is returned as it is."""
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


def available() -> bool:
    """Return whether rules can be compiled here: numba is installed and `BOSQUET_JIT` is not `0`."""
    if os.environ.get(SWITCH) == "0":
        return False
    try:
        import numba  # noqa: F401  (heavy: only loaded when it is needed)
    except ImportError:
        return False
    return True


def bind(
    function: Callable[..., Any], bindings: Mapping[str, Any] | None = None, *, jit: bool = True
) -> Callable[..., Any]:
    """Return the twin of a kernel, compiled if `jit`.

    `bindings` gives the values of global names, in the kernel and in all kernels that it calls. Equal arguments give
    the same twin. A compiled one is compiled, or loaded from the cache, when it is first called.
    """
    twin = _twin_of(function, bindings or {}, {})
    return twin.compiled if jit else twin.plain


@dataclass(frozen=True, eq=False)
class Twin:
    """A kernel with the values of the global names that it reads."""

    function: Any
    names: Mapping[str, Any]
    """Values by name; kernels are twins themselves. Builtins are left out."""

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """Return the twin in plain Python."""
        values = {name: value.plain if isinstance(value, Twin) else value for name, value in self.names.items()}
        return self.clone(values)

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """Return the compiled twin, to be called from Python."""
        from bosquet.kernels.compiler import Entry

        entry: Callable[..., Any] = Entry(self)
        return entry

    @cached_property
    def inner(self) -> Any:
        """Return the compiled twin, to be called by other compiled twins."""
        from bosquet.kernels.compiler import Inner
        from bosquet.kernels.native import INTRINSICS

        return INTRINSICS.get(self.function) or Inner(self)

    def clone(self, values: dict[str, Any]) -> types.FunctionType:
        """Return the function with `values` as its globals."""
        function = self.function
        clone = types.FunctionType(
            function.__code__, values, function.__name__, function.__defaults__, function.__closure__
        )
        clone.__module__ = function.__module__
        clone.__qualname__ = function.__qualname__
        return clone

    @cached_property
    def digest(self) -> str:
        """Return a hash of everything that the compiled code is made from, without line numbers and docstrings."""
        function = self.function
        parts = [
            function.__module__,
            function.__qualname__,
            *_code_parts(function.__code__, function.__doc__),
            repr(function.__defaults__),
            *(repr(cell.cell_contents) for cell in function.__closure__ or ()),
            *_native_parts(function),
            *(f"{name}={self._described(name, value)}" for name, value in self.names.items()),
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _described(self, name: str, value: Any) -> str:
        """Return a global value as text that is equal for equal values, in every process."""
        if isinstance(value, Twin):
            return value.digest
        if isinstance(value, np.ndarray):
            return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
        if isinstance(value, (bool, int, float, str, tuple, types.NoneType)):
            return repr(value)
        if isinstance(value, types.ModuleType) and value.__name__ in ("math", "numpy"):
            return value.__name__
        if isinstance(value, (type, types.BuiltinFunctionType)):
            return f"{value.__module__}.{value.__qualname__}"
        raise TypeError(
            f"{self.function.__qualname__} reads {name}, a {type(value).__name__}; see `bosquet.kernels.jit`"
        )


_twins: dict[tuple[Any, ...], Twin] = {}


def _twin_of(function: Any, bindings: Mapping[str, Any], met: dict[Any, Twin | None]) -> Twin:
    """Return the one twin for these values. `met` has the twins of this call of `bind`, None while they are made."""
    if function in met:
        twin = met[function]
        if twin is None:
            raise TypeError(f"{function.__qualname__} calls itself; a kernel must not be recursive")
        return twin
    met[function] = None
    names = {}
    for name in _global_names(function.__code__):
        if name in bindings or name in function.__globals__:
            value = bindings[name] if name in bindings else function.__globals__[name]
            names[name] = _twin_of(value, bindings, met) if getattr(value, "__kernel__", False) else value
    key = (function, *((name, id(value)) for name, value in names.items()))  # the twin keeps the values alive
    met[function] = made = _twins.setdefault(key, Twin(function, names))
    return made


@functools.cache
def _global_names(code: types.CodeType) -> tuple[str, ...]:
    """Return the global names that code reads, sorted."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            names.update(_global_names(inner))
    return tuple(sorted(names))


def _code_parts(code: types.CodeType, doc: str | None = None) -> Iterator[str]:
    """Yield what code does, without its docstring, its place in a file, and its name."""
    constants = list(code.co_consts)
    if doc is not None and constants and constants[0] == doc:
        constants[0] = None
    yield code.co_code.hex()
    yield code.co_exceptiontable.hex()
    yield repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags))
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
    for constant in constants:
        if isinstance(constant, types.CodeType):
            yield from _code_parts(constant)
        else:
            yield repr(constant)


def _native_parts(function: Any) -> Iterator[str]:
    """Yield the code of the machine instructions that replace a kernel, if there are any."""
    from bosquet.kernels.native import INTRINSICS

    if function in INTRINSICS:
        yield from _code_parts(INTRINSICS[function]._defn.__code__)  # type: ignore[attr-defined]


@functools.cache
def table(rows: tuple[Any, ...]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return a table of integers as the array that compiled code reads."""
    return np.array(rows, dtype=np.int64)
