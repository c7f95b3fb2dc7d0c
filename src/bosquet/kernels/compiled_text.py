"""Writes and reads text byte by byte in compiled code; plain Python writes it whole (`core.text.writing`).

`out` is the record of a `Text`. A row of a compiled table of texts begins with its size.
"""

from __future__ import annotations

from typing import Any

from bosquet.kernels.bits import index
from bosquet.kernels.kernel import kernel


@kernel
def put(out: Any, word: bytes) -> None:
    """Compile `writing.put`."""
    start, end = out.end, out.end + len(word)
    if end <= len(out.bytes):
        for i in range(len(word)):
            out.bytes[index(start + i)] = word[i]
    out.end = end


@kernel
def put_row(out: Any, words: Any, i: int) -> None:
    """Compile `writing.put_row`."""
    row, start = words[i], out.end
    end = start + row[0]
    if end <= len(out.bytes):
        for k in range(row[0]):
            out.bytes[index(start + k)] = row[index(k + 1)]
    out.end = end


@kernel
def put_number(out: Any, value: int) -> None:
    """Compile `writing.put_number`."""
    if value < 0:
        put(out, b"-")
        value = -value
    digits, size = 1, 1
    while size * 10 <= value:
        digits += 1
        size *= 10
    end = out.end + digits
    if end <= len(out.bytes):
        for i in range(1, digits + 1):
            out.bytes[index(end - i)] = 48 + value % 10
            value //= 10
    out.end = end


@kernel
def begin(out: Any, key: bytes, value: bytes) -> None:
    """Compile `writing.begin`."""
    last = out.bytes[out.end - 1] if (out.end > 0) & (out.end <= len(out.bytes)) else 0x5B
    if (last != 0x5B) & (last != 0x7B) & (last != 0x3A):  # "[", "{" and ":"
        put(out, b",")
    if len(key) > 0:
        put(out, b'"')
        put(out, key)
        put(out, b'":')
    put(out, value)


@kernel
def begin_row(out: Any, key: bytes, words: Any, i: int) -> None:
    """Compile `writing.begin_row`."""
    begin(out, key, b"")
    put_row(out, words, i)


@kernel
def number(out: Any, key: bytes, value: int) -> None:
    """Compile `writing.number`."""
    begin(out, key, b"")
    put_number(out, value)


@kernel
def text(out: Any, key: bytes, word: bytes) -> None:
    """Compile `writing.text`."""
    begin(out, key, b'"')
    put(out, word)
    put(out, b'"')


@kernel
def name(out: Any, key: bytes, words: Any, i: int) -> None:
    """Compile `writing.name`."""
    if i < 0:
        begin(out, key, b"null")
    else:
        begin(out, key, b'"')
        put_row(out, words, i)
        put(out, b'"')


@kernel
def find(reader: Any, start: int, stop: int, mark: int) -> int:
    """Compile `position_reading.find`."""
    while (start < stop) and reader.bytes[index(start)] != mark:
        start += 1
    return start


@kernel
def same(reader: Any, one: int, other: int, length: int) -> bool:
    """Compile `position_reading.same`."""
    i = 0
    while (i < length) and reader.bytes[index(one + i)] == reader.bytes[index(other + i)]:
        i += 1
    return i == length


@kernel
def is_written(reader: Any, start: int, stop: int, word: bytes) -> bool:
    """Compile `position_reading.is_written`."""
    i = 0
    while (i < len(word)) and (start + i < stop) and reader.bytes[index(start + i)] == word[i]:
        i += 1
    return (i == len(word)) & (start + i == stop)


@kernel
def row_of(reader: Any, start: int, stop: int, words: Any) -> int:
    """Compile `position_reading.row_of`."""
    for i in range(len(words)):
        row = words[i]
        k = 0
        if row[0] == stop - start:
            while (k < row[0]) and reader.bytes[index(start + k)] == row[index(k + 1)]:
                k += 1
            if k == row[0]:
                return i
    return -1
