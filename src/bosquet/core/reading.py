"""Checking foreign material: each function takes what should be there and raises RecordError with place and remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bosquet.core.errors import RecordError, listed, quoted


def expect_object(value: object, place: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise RecordError(f"{place} is {quoted(value)}; it must be an object")
    return value


def expect_key(value: Mapping[str, Any], key: str, place: str) -> Any:
    """A part that must be there."""
    if key not in value:
        raise RecordError(f"{place} has no {quoted(key)}")
    return value[key]


def expect_only(value: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    """No parts but the known ones."""
    for key in value:
        if key not in known:
            raise RecordError(f"{place} has an unknown part {quoted(key)}; known: {', '.join(known)}")


def expect_list(value: object, length: int, place: str) -> list[Any]:
    """A list of a given length."""
    if not isinstance(value, list):
        raise RecordError(f"{place} is {quoted(value)}; it must be a list of {length}")
    if len(value) != length:
        raise RecordError(f"{place} has {len(value)} entries; it must have {length}")
    return value


def expect_integer(value: object, low: int, high: int, place: str) -> int:
    """A whole number in a range, both ends included."""
    if type(value) is not int or not low <= value <= high:
        raise RecordError(f"{place} is {quoted(value)}; it must be a whole number from {low} to {high}")
    return value


def expect_name(value: object, names: Mapping[str, int], what: str, place: str) -> int:
    """One of some names, as its number."""
    if not isinstance(value, str) or value not in names:
        raise RecordError(
            f"{place} is {quoted(value)}, no {what}; a {what} is written like {quoted(next(iter(names)))}"
        )
    return names[value]


def expect_names(value: object, length: int, names: Mapping[str, int], what: str, place: str) -> list[int]:
    """A list of so many names, as their numbers."""
    entries = expect_list(value, length, place)
    return [expect_name(entry, names, what, f"{place}[{i}]") for i, entry in enumerate(entries)]


def expect_each_once(numbers: Sequence[int], all_numbers: Sequence[int], names: Sequence[str], what: str) -> None:
    """Every one of a set exactly once."""
    counts = Counter(numbers)
    twice = [names[n] for n in sorted(counts) if counts[n] > 1]
    missing = [names[n] for n in all_numbers if n not in counts]
    extra = [names[n] for n in sorted(counts) if n not in set(all_numbers)]
    faults = [
        f"{what} {text}: {listed(some)}"
        for text, some in (
            ("there twice", twice),
            ("missing", missing),
            ("that can't be there", extra),
        )
        if some
    ]
    if faults:
        raise RecordError("; ".join(faults))
