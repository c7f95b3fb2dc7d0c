"""Import optional dependencies; the error for a missing one says how to install it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Run imports in this context. Raises ImportError, which names the extra to install, if a library is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{error.name} is not installed; it comes with pip install 'bosquet[{name}]'", name=error.name
        ) from error
