"""The jit switch: rules are plain Python; a twin of them is compiled by numba when speed is wanted.

A function marked `@kernel` stays a plain Python function, quick to start and easy to step through. `bind` makes
the twin: the same code objects, with every kernel they call and every table they read replaced by its compiled
form. Both run side by side in one process, so a test can hold one against the other byte for byte.

A kernel uses only integers, `range`, records (`state.field`, `state.field[i]`), flat arrays, other kernels and tables
(module constants that are tuples of integers, nested to a rectangle).
"""

from __future__ import annotations

import functools
import hashlib
import os
import types
from collections.abc import Callable, Mapping
from pathlib import Path
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
    """Whether rules can be compiled here: numba is installed and `BOSQUET_JIT` is not `0`."""
    if os.environ.get(SWITCH) == "0":
        return False
    try:
        import numba  # noqa: F401  (heavy: only loaded when it is needed)
    except ImportError:
        return False
    return True


def bind(
    function: Callable[..., Any],
    bindings: Mapping[str, Any] | None = None,
    *,
    jit: bool = True,
    tag: str = "",
) -> Callable[..., Any]:
    """The twin of a kernel, with the global names in `bindings` replaced, compiled if `jit`.

    `tag` names what is bound (a game); it keeps the compile caches of different bindings apart.
    """
    return _Binder(dict(bindings or {}), jit, tag).twin(function)


class _Binder:
    """Rewrites a family of kernels once each, so that callers share their callees."""

    def __init__(self, bindings: dict[str, Any], jit: bool, tag: str) -> None:
        self.bindings, self.jit, self.tag = bindings, jit, tag
        self.done: dict[Any, Any] = {}
        if jit:
            _use_own_cache()

    def twin(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if function not in self.done:
            self.done[function] = self._make(function)
        made: Callable[..., Any] = self.done[function]
        return made

    def _make(self, function: Any) -> Callable[..., Any]:
        if self.jit:
            from bosquet.core.native import INTRINSICS

            if function in INTRINSICS:
                intrinsic: Callable[..., Any] = INTRINSICS[function]
                return intrinsic
        names = {
            name: self._value(self.bindings.get(name, function.__globals__.get(name)))
            for name in function.__code__.co_names
            if name in self.bindings or name in function.__globals__
        }
        clone = types.FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )
        clone.__module__ = function.__module__
        clone.__qualname__ = function.__qualname__ + (f".{self.tag}" if self.tag else "")
        if not self.jit:
            return clone
        import numba

        compiled: Callable[..., Any] = numba.njit(cache=True, nogil=True, error_model="numpy")(clone)
        return compiled

    def _value(self, value: Any) -> Any:
        if getattr(value, "__kernel__", False):
            return self.twin(value)
        if self.jit and isinstance(value, tuple):
            return _table(value)
        return value


@functools.cache
def _table(rows: tuple[Any, ...]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """A table of integers as the array that compiled code reads."""
    return np.array(rows, dtype=np.int64)


@functools.lru_cache(maxsize=1)
def _use_own_cache() -> None:
    """Keep compiled code under a hash of the package's sources: numba does not notice a change in a callee.

    Bounds checking has a folder of its own, since a warm cache would ignore it. `NUMBA_CACHE_DIR` wins if set.
    """
    import platformdirs
    from numba.core import config

    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for source in sorted(package.rglob("*.py")):
        digest.update(source.read_bytes())
    checked = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""
    folder = platformdirs.user_cache_path("bosquet") / f"jit-{digest.hexdigest()[:16]}{checked}"
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
