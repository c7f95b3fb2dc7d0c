"""Whole numbers given by callers, who often have those of NumPy, and truth values."""

from __future__ import annotations

import operator

from bosquet.core.errors import OptionError, quoted


def whole_number(value: object) -> int | None:
    """Return an integer of Python or NumPy as `int`; None for anything else, truth values included."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def at_least(least: int, name: str, given: object) -> int:
    """Return an argument as `int`. Raises OptionError for anything but a whole number from `least`."""
    number = whole_number(given)
    if number is None or number < least:
        raise OptionError(f"{name} is {quoted(given)}; it must be a whole number from {least}")
    return number


def truth_value(name: str, given: object) -> bool:
    """Return an argument unchanged. Raises OptionError for anything but True and False."""
    if not isinstance(given, bool):
        raise OptionError(f"{name} is {quoted(given)}; it must be True or False")
    return given


def checked_seed(given: object) -> int:
    """Return a seed as `int`. Raises OptionError for anything but a whole number."""
    number = whole_number(given)
    if number is None:
        raise OptionError(f"seed is {quoted(given)}; it must be a whole number")
    return number
