"""JSON written by kernels: a vocabulary in which `write_view` reads line by line like the view that it writes.

Every word of it appends to a `Text`. A word that writes a value takes its key: a `bytes` literal, which is empty
(`b""`) in a list, for the outermost value, and after `key`. Commas are written where they are needed::

    begin_object(out, b"")
    text(out, b"phase", b"over")
    begin_list(out, b"scores")
    for seat in range(state.players):
        number(out, b"", score(state, seat))
    end_list(out)
    name(out, b"gap", CELL_TEXTS, state.gap)
    end_object(out)

Text is ASCII, without what JSON escapes; numbers have at most 18 digits. Where there is no room nothing is written, but
`end` counts on: a text whose `end` is more than ROOM is useless.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from bosquet.core.state import Field, Int64, StateRecord
from bosquet.kernels import compiled_text
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.kernel import Numbers, compiled_as, kernel

ROOM = 1 << 21
"""Bytes of the longest text."""

OPENED = b"[{:"
"""After these a value needs no comma."""

Texts = tuple[bytes, ...]
"""A table of texts."""


class Text(StateRecord):
    """A text that is being written."""

    end: Int64
    """Its length in bytes; more than ROOM if it is too long."""
    bytes: Annotated[memoryview, Field("u1", ROOM, compact=True)]


def texts(*words: str) -> Texts:
    """Return a table of names, for `name`, `names`, `key` and `put_row`. Raises ValueError for what JSON escapes."""
    for word in words:
        if not word.isascii() or msgspec.json.encode(word) != b'"%b"' % word.encode():
            raise ValueError(f"{word!r} can't be written by kernels: it must be ASCII without quotes and backslashes")
    return tuple(word.encode() for word in words)


def objects(*values: msgspec.Struct) -> Texts:
    """Return a table of objects as they are encoded, without the brace at their end, for `begin_row`."""
    return tuple(msgspec.json.encode(value).removesuffix(b"}") for value in values)


# --- What plain Python writes whole, and compiled code byte by byte ----------------------------------------------


@compiled_as(compiled_text.put)
def put(out: Text, word: bytes) -> None:
    """Write a constant as it is."""
    end = out.end + len(word)
    if end <= ROOM:
        out.bytes[out.end : end] = word
    out.end = end


@compiled_as(compiled_text.put_row)
def put_row(out: Text, words: Texts, i: int) -> None:
    """Write a text of a table as it is."""
    put(out, words[i])


@compiled_as(compiled_text.put_number)
def put_number(out: Text, value: int) -> None:
    """Write a whole number as it is."""
    put(out, b"%d" % value)


@compiled_as(compiled_text.begin)
def begin(out: Text, key: bytes, value: bytes) -> None:
    """Write a comma where one is needed, the key, and how the value begins, as it is."""
    start, room = out.end, out.bytes
    if 0 < start <= ROOM and room[start - 1] not in OPENED:
        value = b',"%b":%b' % (key, value) if key else b"," + value
    elif key:
        value = b'"%b":%b' % (key, value)
    end = out.end = start + len(value)
    if end <= ROOM:
        room[start:end] = value


@compiled_as(compiled_text.begin_row)
def begin_row(out: Text, key: bytes, words: Texts, i: int) -> None:
    """Write how a value begins that is a text of a table, as it is: an object of `objects`, whose fields may follow."""
    begin(out, key, words[i])


@compiled_as(compiled_text.number)
def number(out: Text, key: bytes, value: int) -> None:
    """Write a whole number."""
    begin(out, key, b"%d" % value)


@compiled_as(compiled_text.text)
def text(out: Text, key: bytes, word: bytes) -> None:
    """Write a constant text."""
    begin(out, key, b'"%b"' % word)


@compiled_as(compiled_text.name)
def name(out: Text, key: bytes, words: Texts, i: int) -> None:
    """Write a text of a table, null if `i` is negative."""
    begin(out, key, b"null" if i < 0 else b'"%b"' % words[i])


# --- Values ----------------------------------------------------------------------------------------------------


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
def number_or_null(out: Text, key: bytes, value: int) -> None:
    """Write a whole number, null if it is negative."""
    if value < 0:
        null(out, key)
    else:
        number(out, key, value)


@kernel
def begin_text(out: Text, key: bytes) -> None:
    """Begin a text that is put together, by `put`, `put_row` and `put_number`."""
    begin(out, key, b'"')


@kernel
def end_text(out: Text) -> None:
    """End a text that is put together."""
    put(out, b'"')


# --- Values made of others -------------------------------------------------------------------------------------


@kernel
def begin_object(out: Text, key: bytes) -> None:
    """Begin an object, whose fields follow."""
    begin(out, key, b"{")


@kernel
def end_object(out: Text) -> None:
    """End an object."""
    put(out, b"}")


@kernel
def key(out: Text, words: Texts, i: int) -> None:
    """Write a key of an object that is a text of a table; its value follows with an empty key."""
    name(out, b"", words, i)
    put(out, b":")


@kernel
def begin_list(out: Text, key: bytes) -> None:
    """Begin a list, whose values follow with an empty key."""
    begin(out, key, b"[")


@kernel
def end_list(out: Text) -> None:
    """End a list."""
    put(out, b"]")


@kernel
def begin_reason(out: Text, kind: bytes) -> None:
    """Begin to write why a move is illegal: which of the sentences of the game says so. What it names follows."""
    begin_object(out, b"")
    text(out, b"key", kind)
    begin_object(out, b"about")


@kernel
def end_reason(out: Text) -> None:
    """End what `begin_reason` has begun."""
    end_object(out)
    end_object(out)


@kernel
def reason(out: Text, kind: bytes) -> None:
    """Write why a move is illegal, where the sentence names nothing."""
    begin_reason(out, kind)
    end_reason(out)


@kernel
def empty_list(out: Text, key: bytes) -> None:
    """Write a list of nothing."""
    begin(out, key, b"[]")


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


@kernel
def seats(out: Text, key: bytes, members: int) -> None:
    """Write the seats of a set (a bit mask) as a list of numbers."""
    begin_list(out, key)
    while members:
        number(out, b"", lowest_bit(members))
        members &= members - 1
    end_list(out)
