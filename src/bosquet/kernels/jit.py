"""The jit switch: rules are plain Python; a twin of them is compiled by numba when speed is wanted.

`kernels.kernel` says what a kernel may use, and what a twin of it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from bosquet.kernels.kernel import kernel, twin_of

__all__ = ["SWITCH", "available", "bind", "kernel"]

SWITCH = "BOSQUET_JIT"
"""Environment variable: `0` turns compiling off everywhere."""


def available() -> bool:
    """Return whether rules can be compiled here: numba is installed, and neither it nor `BOSQUET_JIT` is off."""
    if os.environ.get(SWITCH) == "0":
        return False
    try:
        import numba  # heavy: only loaded when it is needed
    except ImportError:
        return False
    return not numba.config.DISABLE_JIT  # NUMBA_DISABLE_JIT, with which numba's decorators leave functions as they are


def bind(
    function: Callable[..., Any], bindings: Mapping[str, Any] | None = None, *, jit: bool = True
) -> Callable[..., Any]:
    """Return the twin of a kernel, compiled if `jit`.

    `bindings` gives the values of global names, in the kernel and in all kernels that it calls. Equal arguments give
    the same twin. A compiled one is compiled, or loaded from the cache, when it is first called.
    """
    twin = twin_of(function, bindings or {})
    if not jit:
        return twin.plain
    from bosquet.kernels.compiler import entry  # imports numba

    return entry(twin)
