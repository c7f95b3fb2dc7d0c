"""Libraries that come with an extra: an import without them says how to get them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import inside; where a library is missing, an ImportError names the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{error.name} is not installed; it comes with pip install 'bosquet[{name}]'", name=error.name
        ) from error
