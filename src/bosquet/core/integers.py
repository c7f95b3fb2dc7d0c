"""Whole numbers given by callers, who often have those of NumPy."""

from __future__ import annotations

import operator


def whole_number(value: object) -> int | None:
    """Return an integer of Python or NumPy as `int`; None for anything else, truth values included."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
