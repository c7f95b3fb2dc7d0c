"""How compiled code writes the words of `core.writing` that plain Python writes whole: byte by byte.

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
