"""The form of a deal: what its keys hold, and where that belongs in a state before the first move.

A game says it once, as a tuple of parts that depends on its options; `read_parts` checks and reads a deal by it, here,
and the page does so by the same form (`engine.facts`). A list of numbers `places` is `[start, stop, step]`, as `range`
takes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from bosquet.core.errors import RecordError, quoted
from bosquet.core.reading import expect_each_once, expect_integer, expect_key, expect_list, expect_name

Places = tuple[int, int, int]


class Chosen(Struct, frozen=True, tag="chosen", kw_only=True):
    """A key with one of some values, such as what was removed; it is a number in the state."""

    key: str
    field: str
    values: tuple[tuple[str | None, int], ...]
    """Each value with its number; None is null."""
    rule: str
    """What must hold, for the message: `it must be …`."""


class Counted(Struct, frozen=True, tag="counted", kw_only=True):
    """A key with a list of whole numbers, each of which is there a certain number of times."""

    key: str
    field: str
    low: int
    counts: tuple[int, ...]
    """How often the numbers `low`, `low + 1`, … are there."""
    what: str
    """What a number is on, in the plural."""
    otherwise: str
    """What else may be done about a wrong number of them."""


class Spread(Struct, frozen=True, tag="spread", kw_only=True):
    """Keys that hold every card, or other thing, exactly once; in the state they are in one list, by number."""

    field: str
    what: str
    names: tuple[str, ...] | int
    """The name of each; or how many there are that are named by 1, 2, …."""
    parts: dict[str, int | Places | tuple[Places, ...]]
    """By key the place of one, the places of a list, or those of lists."""
    removed: str | None = None
    """The field of a part before this one whose number says what is not in the deal: `size` of them from there."""
    size: int = 0


Part = Chosen | Counted | Spread
Form = tuple[Part, ...]


def keys_of(form: Form) -> list[str]:
    """Return the keys of a deal of this form."""
    return [key for part in form for key in (part.parts if isinstance(part, Spread) else [part.key])]


def read_parts(deal: Mapping[str, Any], form: Form) -> dict[str, Any]:
    """Return the values of fields of the state that a deal gives. Raises RecordError."""
    found: dict[str, Any] = {}
    for part in form:
        if isinstance(part, Chosen):
            found[part.field] = _chosen(deal, part)
        elif isinstance(part, Counted):
            found[part.field] = _counted(deal, part)
        else:
            found[part.field] = _spread(deal, part, found[part.removed] if part.removed else -1)
    return found


def _chosen(deal: Mapping[str, Any], part: Chosen) -> int:
    value = expect_key(deal, part.key, "deal")
    for allowed, number in part.values:
        if type(value) is type(allowed) and value == allowed:
            return number
    raise RecordError(f"deal.{part.key} is {quoted(value)}; {part.rule}")


def _counted(deal: Mapping[str, Any], part: Counted) -> list[int]:
    place = f"deal.{part.key}"
    listed = expect_list(expect_key(deal, part.key, "deal"), sum(part.counts), place)
    high = part.low + len(part.counts) - 1
    numbers = [expect_integer(value, part.low, high, f"{place}[{i}]") for i, value in enumerate(listed)]
    for number, count in enumerate(part.counts, part.low):
        if numbers.count(number) != count:
            there = f"{place} has {numbers.count(number)} {part.what} of {number}"
            raise RecordError(f"{there}; it must have {count}{part.otherwise}")
    return numbers


def _spread(deal: Mapping[str, Any], part: Spread, removed: int) -> list[int]:
    names = [str(n + 1) for n in range(part.names)] if isinstance(part.names, int) else part.names
    numbers = {name: number for number, name in enumerate(names)}

    def read(value: Any, places: Any, place: str) -> None:
        if not isinstance(places, int):
            inner: Sequence[Any] = range(*places) if isinstance(places[0], int) else places
            for i, (entry, at) in enumerate(zip(expect_list(value, len(inner), place), inner, strict=True)):
                read(entry, at, f"{place}[{i}]")
        elif isinstance(part.names, int):
            found[places] = expect_integer(value, 1, part.names, place) - 1
        else:
            found[places] = expect_name(value, numbers, part.what, place)

    found: dict[int, int] = {}
    for key, places in part.parts.items():
        read(expect_key(deal, key, "deal"), places, f"deal.{key}")
    there = [n for n in range(len(names)) if removed < 0 or n // part.size != removed]
    spread = [found[at] for at in sorted(found)]
    expect_each_once(spread, there, names, f"{part.what}s")
    return spread
