"""What a kernel is: a plain Python function, and its twins, from which compilers work.

A function marked `@kernel` stays a plain Python function, quick to start and easy to step through. Its twin is the same
code, with every kernel it calls and every table it reads replaced by their twins, and with other functions in the place
of names that depend on the game. Compiled and plain twins run side by side in one process, so a test can compare them
byte for byte.

A kernel uses only integers, `range`, records (`state.field`, `state.field[i]`), flat arrays, other kernels, `bytes`
literals as arguments, and tables (module constants that are tuples of integers, nested to a rectangle, or of `bytes`).

A twin is determined by the kernel's code and by the values of the global names that it reads, kernels included. Equal
ones are the same object, so whatever uses a game shares what is compiled. Their digest names what is compiled from
them, in every process.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import types
from collections.abc import Callable, Iterator, Mapping, MutableSequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

Numbers = MutableSequence[int]
"""A flat array of integers: a list in uncompiled rules, a NumPy array in compiled ones."""


def kernel(function: F) -> F:
    """Mark a function as compilable. It is returned as it is."""
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


def compiled_as(other: Callable[..., Any]) -> Callable[[F], F]:
    """Mark a function that is compiled as another kernel, which does the same and which plain Python would run slowly.

    It must read no name that `bind` gives another value.
    """

    def mark(function: F) -> F:
        function.__compiled_as__ = other  # type: ignore[attr-defined]
        return kernel(function)

    return mark


@dataclass(frozen=True, eq=False)
class Twin:
    """A kernel with the values of the global names that it reads."""

    function: Any
    """What is compiled."""
    names: Mapping[str, Any]
    """Values by name; kernels are twins themselves. Builtins are left out."""
    instead: Any = None
    """What plain Python runs instead; see `compiled_as`."""

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """Return the twin in plain Python."""
        if self.instead is not None:
            return self.instead  # type: ignore[no-any-return]
        values = {name: value.plain if isinstance(value, Twin) else value for name, value in self.names.items()}
        return self.clone(values)

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
            *code_parts(function.__code__, function.__doc__),
            repr(function.__defaults__),
            *(f"{name}={self._described(name, value)}" for name, value in self._values()),
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _values(self) -> Iterator[tuple[str, Any]]:
        """Yield the names that the code reads from outside, with their values."""
        yield from self.names.items()
        for name, cell in zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True):
            yield name, cell.cell_contents

    def _described(self, name: str, value: Any) -> str:
        """Return a global value as text that is equal for equal values, in every process."""
        if isinstance(value, Twin):
            return value.digest
        if isinstance(value, np.ndarray):
            return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
        if isinstance(value, (bool, int, float, str, bytes, tuple, types.NoneType)):
            return repr(value)
        if isinstance(value, types.ModuleType) and value.__name__ in ("math", "numpy"):
            return value.__name__
        if isinstance(value, (type, types.BuiltinFunctionType)):
            return f"{value.__module__}.{value.__qualname__}"
        where = self.function.__qualname__
        raise TypeError(f"{where} reads {name}, a {type(value).__name__}; see `bosquet.kernels.kernel`")


_twins: dict[tuple[Any, ...], Twin] = {}


def twin_of(function: Callable[..., Any], bindings: Mapping[str, Any]) -> Twin:
    """Return the twin of a kernel. `bindings` gives the values of global names, in it and in all kernels it calls."""
    return _twin_of(function, bindings, {})


def _twin_of(given: Any, bindings: Mapping[str, Any], met: dict[Any, Twin | None]) -> Twin:
    """Return the one twin for these values. `met` has the twins of this call of `twin_of`, None while they are made."""
    if given in met:
        twin = met[given]
        if twin is None:
            raise TypeError(f"{given.__qualname__} calls itself; a kernel must not be recursive")
        return twin
    met[given] = None
    function = getattr(given, "__compiled_as__", given)
    names = {}
    for name in _global_names(function.__code__):
        if name in bindings or name in function.__globals__:
            value = bindings[name] if name in bindings else function.__globals__[name]
            names[name] = _twin_of(value, bindings, met) if getattr(value, "__kernel__", False) else value
    key = (given, *((name, id(value)) for name, value in names.items()))  # the twin keeps the values alive
    met[given] = made = _twins.setdefault(key, Twin(function, names, given if given is not function else None))
    return made


@functools.cache
def _global_names(code: types.CodeType) -> tuple[str, ...]:
    """Return the global names that code reads, sorted."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            names.update(_global_names(inner))
    return tuple(sorted(names))


def code_parts(code: types.CodeType, doc: str | None = None) -> Iterator[str]:
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
            yield from code_parts(constant)
        else:
            yield repr(constant)
