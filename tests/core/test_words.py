"""The words in which kernels write JSON: the same bytes plainly and compiled, and where there is no room for them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from bosquet.core.state import Numbers
from bosquet.core.text.writing import (
    ROOM,
    Text,
    begin_list,
    begin_object,
    begin_row,
    begin_text,
    empty_list,
    end_list,
    end_object,
    end_text,
    flag,
    key,
    name,
    names,
    null,
    number,
    number_or_null,
    numbers,
    objects,
    put,
    put_number,
    put_row,
    seats,
    text,
    texts,
)
from bosquet.core.view import Move
from bosquet.kernels.jit import bind, kernel

LARGEST = 10**18 - 1
WORDS = texts("a1", "", "north east", "x" * 255)
MOVES = objects(Move(say="pass", cells=[]), Move(say="take a1", kind="take", cells=["a1"], points=-3))


@kernel
def write(out: Text, given: Numbers, n: int, members: int, i: int) -> None:
    """Write with every word."""
    begin_object(out, b"")
    text(out, b"game", b"words")
    text(out, b"empty", b"")
    null(out, b"null")
    flag(out, b"yes", 1)
    flag(out, b"no", 0)
    begin_list(out, b"numbers")
    for k in range(n):
        number(out, b"", given[k])
        number_or_null(out, b"", given[k])
    end_list(out)
    numbers(out, b"again", given, n)
    seats(out, b"seats", members)
    names(out, b"names", WORDS, members)
    empty_list(out, b"nobody")
    name(out, b"name", WORDS, i)
    begin_object(out, b"by name")
    for k in range(4):
        key(out, WORDS, k)
        if k % 2:
            name(out, b"", WORDS, 3 - k)
        else:
            begin_list(out, b"")
            empty_list(out, b"")
            end_list(out)
    end_object(out)
    begin_list(out, b"moves")
    begin_row(out, b"", MOVES, 0)
    number(out, b"points", 7)
    end_object(out)
    begin_row(out, b"", MOVES, 1)
    end_object(out)
    end_list(out)
    begin_text(out, b"say")
    put(out, b"put ")
    put_row(out, WORDS, 0)
    put(out, b" ")
    put_number(out, given[0])
    end_text(out)
    end_object(out)


def expected(given: list[int], members: int, i: int) -> dict[str, Any]:
    """Return what is written."""
    words = [word.decode() for word in WORDS]
    chosen = [k for k in range(4) if members >> k & 1]
    return {
        "game": "words",
        "empty": "",
        "null": None,
        "yes": True,
        "no": False,
        "numbers": [value for one in given for value in (one, None if one < 0 else one)],
        "again": given,
        "seats": chosen,
        "names": [words[k] for k in chosen],
        "nobody": [],
        "name": None if i < 0 else words[i],
        "by name": {words[0]: [[]], words[1]: words[2], words[2]: [[]], words[3]: words[0]},
        "moves": [
            {"say": "pass", "cells": [], "points": 7},
            {"say": "take a1", "kind": "take", "cells": ["a1"], "points": -3},
        ],
        "say": f"put a1 {given[0]}",
    }


class Written:
    """A text that plain or compiled kernels write."""

    def __init__(self, *, compiled: bool) -> None:
        self._write: Callable[..., None] = bind(write) if compiled else write
        packed = np.zeros(1, Text.dtype).view(np.recarray)
        self.out: Any = packed[0] if compiled else Text()
        self.bytes = memoryview(packed["bytes"][0] if compiled else self.out.bytes)

    def write(self, given: list[int], members: int, i: int, start: int = 0) -> bytes:
        """Write from `start` on; return what lies there."""
        self.out.end = start
        self._write(self.out, np.array(given, np.int64), len(given), members, i)
        return bytes(self.bytes[start : min(self.out.end, ROOM)])


KINDS = [False, pytest.param(True, marks=pytest.mark.compiled)]


@pytest.mark.parametrize("compiled", KINDS)
def test_words_are_json(compiled: bool) -> None:
    chance, written = random.Random(1), Written(compiled=compiled)
    ends = [0, 1, 9, 10, -1, -10, 99, 100, LARGEST, -LARGEST]
    for case in range(50):
        given = ends if not case else [chance.randint(-(10**k), 10**k) for k in range(chance.randint(1, 18))]
        members, i = chance.randrange(16), chance.randrange(-1, 4)
        right = expected(given, members, i)
        assert written.write(given, members, i) == msgspec.json.encode(right)
        assert json.loads(written.write(given, members, i)) == right


@pytest.mark.parametrize("compiled", KINDS)
def test_words_without_room_are_counted_and_not_written(compiled: bool) -> None:
    """Nothing is written behind a word that would end behind the last byte."""
    written = Written(compiled=compiled)
    whole = written.write([1, -20], 9, 2)
    for room in (*range(len(whole)), len(whole)):
        written.bytes[ROOM - room - 1 :] = b"[" + bytes(room)
        found = written.write([1, -20], 9, 2, ROOM - room)
        if room == len(whole):
            assert (found, written.out.end) == (whole, ROOM)
        else:
            assert ROOM < written.out.end <= ROOM - room + len(whole)
            end = len(found.rstrip(b"\0"))
            assert found[:end] == whole[:end]


@pytest.mark.parametrize("word", ['"', "\\", "\n", "é", "\x7f\x80"])
def test_words_that_json_escapes_are_refused(word: str) -> None:
    with pytest.raises(ValueError, match="can't be written by kernels"):
        texts("a1", word)
