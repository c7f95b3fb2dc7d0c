"""Validation of decoded JSON. Each function raises RecordError, which names the place and what would be valid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bosquet.core.errors import RecordError, listed, quoted


def expect_object(value: object, place: str) -> Mapping[str, Any]:
    """Return the value if it is a JSON object."""
    if not isinstance(value, dict):
        raise RecordError(f"{place} is {quoted(value)}; it must be an object")
    return value


def expect_key(value: Mapping[str, Any], key: str, place: str) -> Any:
    """Return the value of a required key."""
    if key not in value:
        raise RecordError(f"{place} has no {quoted(key)}")
    return value[key]


def expect_only(value: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    """Check that an object has no unknown keys."""
    for key in value:
        if key not in known:
            raise RecordError(f"{place} has an unknown part {quoted(key)}; known: {', '.join(known)}")


def expect_list(value: object, length: int, place: str) -> list[Any]:
    """Return the value if it is a list of this length."""
    if not isinstance(value, list):
        raise RecordError(f"{place} is {quoted(value)}; it must be a list of {length}")
    if len(value) != length:
        raise RecordError(f"{place} has {len(value)} entries; it must have {length}")
    return value


def expect_integer(value: object, low: int, high: int, place: str) -> int:
    """Return the value if it is an integer with low <= value <= high."""
    if type(value) is not int or not low <= value <= high:
        raise RecordError(f"{place} is {quoted(value)}; it must be a whole number from {low} to {high}")
    return value


def expect_name(value: object, names: Mapping[str, int], what: str, place: str) -> int:
    """Return the number of a name."""
    if not isinstance(value, str) or value not in names:
        raise RecordError(
            f"{place} is {quoted(value)}, no {what}; a {what} is written like {quoted(next(iter(names)))}"
        )
    return names[value]


def expect_names(value: object, length: int, names: Mapping[str, int], what: str, place: str) -> list[int]:
    """Return the numbers of a list of `length` names."""
    entries = expect_list(value, length, place)
    return [expect_name(entry, names, what, f"{place}[{i}]") for i, entry in enumerate(entries)]


def expect_each_once(numbers: Sequence[int], all_numbers: Sequence[int], names: Sequence[str], what: str) -> None:
    """Check that `numbers` has each of `all_numbers` exactly once."""
    counts = Counter(numbers)
    twice = [names[n] for n in sorted(counts) if counts[n] > 1]
    missing = [names[n] for n in all_numbers if n not in counts]
    extra = [names[n] for n in sorted(counts) if n not in set(all_numbers)]
    faults = [
        f"{what} {text}: {listed(some)}"
        for text, some in (
            ("there twice", twice),
            ("missing", missing),
            ("that do not belong there", extra),
        )
        if some
    ]
    if faults:
        raise RecordError("; ".join(faults))
