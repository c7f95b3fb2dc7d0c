"""Text written by kernels: the bytes of constant texts and of numbers, into a flat array."""

from __future__ import annotations

from bosquet.kernels.bits import index
from bosquet.kernels.kernel import Numbers, kernel

Texts = tuple[tuple[int, ...], ...]
"""A table of texts: each row has the length of a text and its bytes, then zeros."""


def texts(*words: str) -> Texts:
    """Return a table of ASCII texts."""
    room = max(len(word) for word in words)
    return tuple((len(word), *word.encode("ascii"), *(0 for _ in range(room - len(word)))) for word in words)


@kernel
def put(out: Numbers, at: int, words: Texts, word: int) -> int:
    """Write one of some texts; return where it ends."""
    text = words[word]
    length = text[0]
    for i in range(length):
        out[index(at + i)] = text[index(i + 1)]
    return at + length


@kernel
def put_number(out: Numbers, at: int, number: int) -> int:
    """Write a whole number; return where it ends."""
    if number < 0:
        out[at] = 45  # "-"
        at += 1
        number = -number
    size = 1
    while size * 10 <= number:
        size *= 10
    while size:
        out[at] = 48 + number // size % 10
        at += 1
        size //= 10
    return at
