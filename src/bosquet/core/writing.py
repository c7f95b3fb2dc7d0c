"""JSON written by kernels: a vocabulary in which `write_view` reads line by line like the view that it writes.

Every word of it appends to a `Text` and takes the key of a field: a `bytes` literal, empty (`b""`) in a list, for the
outermost value, and after `key`. Commas are written where they are needed. Text is ASCII, keys and names contain
nothing that JSON escapes:

    begin_object(out, b"")
    text(out, b"game", b"topiary")
    begin_list(out, b"scores")
    for seat in range(state.players):
        number(out, b"", score(state, seat))
    end_list(out)
    end_object(out)

A word for which there is no room is not written, but counts in `end`: after `end > ROOM` the text is useless.
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field, Int64, StateRecord
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.kernel import Numbers, kernel
from bosquet.kernels.text import Texts, texts

__all__ = [
    "ROOM",
    "Text",
    "Texts",
    "begin",
    "begin_list",
    "begin_object",
    "begin_text",
    "end_list",
    "end_object",
    "end_text",
    "flag",
    "key",
    "name",
    "names",
    "null",
    "number",
    "number_or_null",
    "numbers",
    "put",
    "put_number",
    "put_row",
    "text",
    "texts",
]

ROOM = 1 << 21
"""Bytes of the longest text."""


class Text(StateRecord):
    """A text that is being written, in ASCII."""

    end: Int64
    """Its length in bytes; more than ROOM if it is too long."""
    bytes: Annotated[list[int], Field("i1", ROOM, compact=True)]


# --- Bytes as they are -----------------------------------------------------------------------------------------


@kernel
def put(out: Text, word: bytes) -> None:
    """Write a constant as it is."""
    size = len(word)
    if out.end + size <= ROOM:
        for i in range(size):
            out.bytes[out.end + i] = word[i]
    out.end += size


@kernel
def put_row(out: Text, words: Texts, i: int) -> None:
    """Write a text of a table as it is."""
    size = words[i][0]
    if out.end + size <= ROOM:
        for k in range(size):
            out.bytes[out.end + k] = words[i][k + 1]
    out.end += size


@kernel
def put_number(out: Text, value: int) -> None:
    """Write a whole number as it is."""
    if value < 0:
        put(out, b"-")
        value = -value
    digits, size = 1, 1
    while size * 10 <= value:
        digits += 1
        size *= 10
    if out.end + digits <= ROOM:
        for i in range(digits):
            out.bytes[out.end + i] = 48 + value // size % 10
            size //= 10
    out.end += digits


# --- Values ----------------------------------------------------------------------------------------------------


@kernel
def begin(out: Text, key: bytes, value: bytes) -> None:
    """Write a comma unless it is the first value or follows its key, then the key, and how the value begins."""
    last = out.bytes[out.end - 1] if (out.end > 0) & (out.end <= ROOM) else 0x5B
    if (last != 0x7B) & (last != 0x5B) & (last != 0x3A):  # {, [ and :
        put(out, b",")
    if len(key) > 0:
        put(out, b'"')
        put(out, key)
        put(out, b'":')
    put(out, value)


@kernel
def null(out: Text, key: bytes) -> None:
    """Write null."""
    begin(out, key, b"null")


@kernel
def flag(out: Text, key: bytes, value: int) -> None:
    """Write true, or false for 0."""
    if value:
        begin(out, key, b"true")
    else:
        begin(out, key, b"false")


@kernel
def number(out: Text, key: bytes, value: int) -> None:
    """Write a whole number."""
    begin(out, key, b"")
    put_number(out, value)


@kernel
def number_or_null(out: Text, key: bytes, value: int) -> None:
    """Write a whole number, null if it is negative."""
    if value < 0:
        null(out, key)
    else:
        number(out, key, value)


@kernel
def text(out: Text, key: bytes, word: bytes) -> None:
    """Write a constant text."""
    begin(out, key, b'"')
    put(out, word)
    put(out, b'"')


@kernel
def name(out: Text, key: bytes, words: Texts, i: int) -> None:
    """Write a text of a table, null if `i` is negative."""
    if i < 0:
        null(out, key)
    else:
        begin(out, key, b'"')
        put_row(out, words, i)
        put(out, b'"')


# --- Values made of others -------------------------------------------------------------------------------------


@kernel
def begin_text(out: Text, key: bytes) -> None:
    """Begin a text that is put together, by `put`, `put_row` and `put_number`."""
    begin(out, key, b'"')


@kernel
def end_text(out: Text) -> None:
    """End a text that is put together."""
    put(out, b'"')


@kernel
def begin_object(out: Text, key: bytes) -> None:
    """Begin an object, whose fields follow."""
    begin(out, key, b"{")


@kernel
def end_object(out: Text) -> None:
    """End an object."""
    put(out, b"}")


@kernel
def begin_list(out: Text, key: bytes) -> None:
    """Begin a list, whose values follow with an empty key."""
    begin(out, key, b"[")


@kernel
def end_list(out: Text) -> None:
    """End a list."""
    put(out, b"]")


@kernel
def key(out: Text, words: Texts, i: int) -> None:
    """Write a key of an object that is a text of a table; its value follows with an empty key."""
    begin(out, b"", b'"')
    put_row(out, words, i)
    put(out, b'":')


@kernel
def names(out: Text, key: bytes, words: Texts, members: int) -> None:
    """Write the names of the members of a set (a bit mask) as a list, by their numbers."""
    begin_list(out, key)
    while members:
        name(out, b"", words, lowest_bit(members))
        members &= members - 1
    end_list(out)


@kernel
def numbers(out: Text, key: bytes, values: Numbers, n: int) -> None:
    """Write the first `n` of some whole numbers as a list."""
    begin_list(out, key)
    for i in range(n):
        number(out, b"", values[i])
    end_list(out)
