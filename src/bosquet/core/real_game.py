"""Score games that were played with the real box.

A game that supports this has a module `real_game` with a struct `RealGame`, whose tag `game` is the name of the game,
and a kernel `count_real`, which its engine has, too, or else a function `count`. A real game may be scored at any time;
it has winners once everything is placed.

    count_real(state, given, moves, out)

`state` is a new one with its options. `given` holds the entries as numbers (`numbers_of`), then zeros, ROOM numbers in
all; what follows the entries is for the kernel, as are `moves`. It writes one object: `sheet`, `view` (null if there is
none) and `shown`, which takes the place of parts of the view; or `fault`, which says what is impossible, and `reason`
where that ends with a sentence of the game.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Protocol, TypeAlias

import msgspec
from msgspec import Meta, Struct

from bosquet.core.errors import BosquetError, quoted
from bosquet.core.inputs.reading import expect_name
from bosquet.core.text.writing import Text, begin_object, begin_text, end_object, end_text, put, put_number
from bosquet.core.view import Sheet, View
from bosquet.kernels.kernel import kernel

SeatNumber = Annotated[int, Meta(ge=0, le=3)]

ROOM = 512
"""How many numbers a kernel is given."""
LISTED = 12
"""How many names a message lists at most."""


class Counted(Struct):
    """The result of scoring a real game."""

    sheet: Sheet
    view: View | None
    """View of the final state; None if the game cannot make one."""


class RealGames(Protocol):
    """The module `real_game` of a game without a kernel."""

    RealGame: type[Struct]
    """A real game as the page sends it."""

    def count(self, real: Any) -> Counted:
        """Score a real game. Raises BosquetError, which names what is impossible."""


CountKernel: TypeAlias = Callable[..., None]


def count_kernel(module: object) -> CountKernel | None:
    """Return the kernel of a module `real_game` that counts, None if it has a function instead, or there is none."""
    found: CountKernel | None = getattr(module, "count_real", None)
    return found


# --- Entries as numbers ----------------------------------------------------------------------------------------

Form: TypeAlias = Mapping[str, Any]
"""A JSON schema without references; `nullable` says that null may stand there, too."""


def names(words: Collection[str], what: str, **more: str) -> Meta:
    """Declare that a text is one of some names. `rule` says which there are, for the keys of a mapping."""
    return Meta(extra_json_schema={"names": list(words), "what": what, **more})


def move(words: Collection[str], what: str, rest: str, letters: str, says: str, each: str) -> Meta:
    """Declare that a text is a move: a name, and what the groups of the pattern `rest` match.

    These are whole numbers, and one of some letters. `says` is the end of a message about a text that is no move,
    `each` how messages call one of a list of moves.
    """
    parts = {"rest": rest, "letters": letters, "says": says, "each": each}
    return Meta(extra_json_schema={"names": list(words), "what": what, "move": parts})


@functools.cache
def form_of(kind: type[Struct]) -> Form:
    """Return the form of real games of a class."""
    schema = msgspec.json.schema(kind)
    found: Form = _resolved(schema, schema["$defs"])
    return found


def _resolved(schema: Any, kinds: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_resolved(part, kinds) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _resolved(kinds[schema["$ref"].rpartition("/")[2]], kinds)
    told = {
        name: _resolved(part, kinds) for name, part in schema.items() if name not in ("$defs", "description", "title")
    }
    if "anyOf" not in told:
        return told
    one, _ = told.pop("anyOf")  # the other one is null
    return {**one, **told, "nullable": True}


def numbers_of(real: Struct, options: Collection[str]) -> list[int]:
    """Return the entries of a real game but its options as numbers: a list or a mapping begins with its length.

    Names are their places among all, null is -1. Raises BosquetError.
    """
    form, data = form_of(type(real)), msgspec.to_builtins(real)
    entries = [name for name in form["properties"] if name not in ("game", *options)]
    return [number for name in entries for number in _numbers(data[name], form["properties"][name], name)]


def _numbers(value: Any, form: Form, place: str) -> list[int]:
    if value is None:
        return [-1]
    if "move" in form:
        return _move(value, form, place)
    if "names" in form:
        return [_name(value, form, place)]
    if isinstance(value, list):
        items = form["items"]
        each = items.get("move", {}).get("each")
        places = [f"{each} {i + 1}" if each else f"{place}[{i}]" for i in range(len(value))]
        return [len(value), *_joined(_numbers(one, items, at) for one, at in zip(value, places, strict=True))]
    if isinstance(value, dict) and "propertyNames" in form:
        return [len(value), *_joined(_entry(key, one, form, place) for key, one in value.items())]
    if isinstance(value, dict):
        return _joined(_numbers(value[name], part, f"{place}.{name}") for name, part in form["properties"].items())
    return [int(value)]


def _joined(lists: Any) -> list[int]:
    return list(itertools.chain.from_iterable(lists))


def _name(value: str, form: Form, place: str) -> int:
    return expect_name(value, {name: number for number, name in enumerate(form["names"])}, form["what"], place)


def _entry(key: str, value: Any, form: Form, place: str) -> list[int]:
    keys = form["propertyNames"]
    if key not in keys["names"]:
        raise BosquetError(f"{place}: {quoted(key)} is no {keys['what']}; {keys['rule']}")
    return [keys["names"].index(key), *_numbers(value, form["additionalProperties"], f"{place}.{key}")]


def _move(value: str, form: Form, place: str) -> list[int]:
    parts = form["move"]
    word = value.partition("@")[0]
    number = _name(word, form, f"{place}: the {form['what']}")
    found = re.fullmatch(parts["rest"], value[len(word) :])
    if found is None:
        raise BosquetError(f"{place}: {quoted(value)} {parts['says']}")
    letters = parts["letters"]
    return [number, *(letters.index(group) if group in letters else int(group) for group in found.groups())]


# --- What kernels write ----------------------------------------------------------------------------------------


@kernel
def begin_fault(out: Text) -> None:
    """Begin to say what is impossible, in the place of what was written so far."""
    out.end = 0
    begin_object(out, b"")
    begin_text(out, b"fault")


@kernel
def end_fault(out: Text) -> None:
    """End what `begin_fault` has begun."""
    end_text(out)
    end_object(out)


@kernel
def put_item(out: Text, number: int) -> bool:
    """Write what stands before an item of a list in a message; return whether the item is shown itself."""
    if (number > 0) & (number < LISTED):
        put(out, b", ")
    return number < LISTED


@kernel
def end_items(out: Text, count: int) -> None:
    """Write how many more items there are than a message shows."""
    if count > LISTED:
        put(out, b" \xe2\x80\xa6 (")
        put_number(out, count - LISTED)
        put(out, b" more)")


@kernel
def check_lists(given: int, players: int, name: bytes, out: Text) -> bool:
    """Return whether there are no more lists than seats; say so otherwise."""
    if given <= players:
        return True
    begin_fault(out)
    put(out, name)
    put(out, b" has ")
    put_number(out, given)
    put(out, b" entries; with ")
    put_number(out, players)
    put(out, b" players it has at most ")
    put_number(out, players)
    end_fault(out)
    return False


@kernel
def check_seat(seat: int, players: int, name: bytes, number: int, out: Text) -> bool:
    """Return whether there is the seat of an entry in the list with a name; say so otherwise."""
    if seat < players:
        return True
    begin_fault(out)
    put_place(out, name, number)
    put(out, b": there is no seat ")
    put_number(out, seat)
    put(out, b"; with ")
    put_number(out, players)
    put(out, b" players seats are 0 to ")
    put_number(out, players - 1)
    end_fault(out)
    return False


@kernel
def put_place(out: Text, name: bytes, number: int) -> None:
    """Write the place of an entry in a list."""
    put(out, name)
    put(out, b"[")
    put_number(out, number)
    put(out, b"]")
