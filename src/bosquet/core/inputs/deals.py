"""The form of a deal: what its keys hold, and where that belongs in a state before the first move.

A game says it once, as a tuple of parts that depends on its options; `read_parts` checks and reads a deal by it, here,
and the page does so by the same form (`engine.facts`). A list of numbers `places` is `[start, stop, step]`, as `range`
takes them. `core.inputs.boxes` has the parts of a deal that say what is in the box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from bosquet.core.errors import RecordError, quoted
from bosquet.core.inputs.reading import expect_each_once, expect_integer, expect_key, expect_list, expect_name

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
    counts_key: str = ""
    """The key of the box that gives other counts, where a deal has it; then `otherwise` is not said."""


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
    """Return the values of fields of the state that a deal gives. Raises RecordError.

    The counts of a form are those of the box of the deal.
    """
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
            otherwise = "" if part.counts_key in deal else part.otherwise
            raise RecordError(f"{there}; it must have {count}{otherwise}")
    return numbers


def _spread(deal: Mapping[str, Any], part: Spread, removed: int) -> list[int]:
    def read(value: Any, places: Any, place: str) -> None:
        if isinstance(places, int):
            found[places] = _entry(value, part, place)
            return
        inner: Sequence[Any] = range(*places) if isinstance(places[0], int) else places
        for i, (entry, at) in enumerate(zip(expect_list(value, len(inner), place), inner, strict=True)):
            read(entry, at, f"{place}[{i}]")

    found: dict[int, int] = {}
    for key, places in part.parts.items():
        read(expect_key(deal, key, "deal"), places, f"deal.{key}")
    names = _names(part)
    there = [n for n in range(len(names)) if removed < 0 or n // part.size != removed]
    spread = [found[at] for at in sorted(found)]
    expect_each_once(spread, there, names, f"{part.what}s")
    return spread


def _names(part: Spread) -> Sequence[str]:
    return [str(n + 1) for n in range(part.names)] if isinstance(part.names, int) else part.names


def _entry(value: object, part: Spread, place: str) -> int:
    """Return the number of a card, or other thing."""
    if isinstance(part.names, int):
        return expect_integer(value, 1, part.names, place) - 1
    return expect_name(value, {name: number for number, name in enumerate(part.names)}, part.what, place)


def lay(state: Any, found: Mapping[str, Any]) -> None:
    """Set fields of a state to what `read_parts` has found."""
    for field, values in found.items():
        if isinstance(values, int):
            setattr(state, field, values)
        else:
            getattr(state, field)[: len(values)] = values


def with_open_part(
    deal: Mapping[str, Any], other: Mapping[str, Any], form: Form, open_keys: Sequence[str]
) -> dict[str, Any]:
    """Return what `read_parts` finds in a deal, changed so that what lies open is as in another one.

    A card changes places with the one that lay there, and what is removed with what was. Raises RecordError.
    """
    found = read_parts(deal, form)
    for part in form:
        if isinstance(part, Counted) and part.key in open_keys:
            found[part.field] = _counted(other, part)
        elif isinstance(part, Chosen) and part.key in open_keys:
            before, after = found[part.field], _chosen(other, part)
            found[part.field] = after
            for spread in form:
                if isinstance(spread, Spread) and spread.removed == part.field:
                    groups = {before: after, after: before}
                    found[spread.field] = [
                        groups.get(n // spread.size, n // spread.size) * spread.size + n % spread.size
                        for n in found[spread.field]
                    ]
        elif isinstance(part, Spread):
            for key in open_keys:
                if isinstance(place := part.parts.get(key), int):
                    numbers = found[part.field]
                    first = _entry(expect_key(other, key, "deal"), part, f"deal.{key}")
                    numbers[numbers.index(first)], numbers[place] = numbers[place], first
    return found
