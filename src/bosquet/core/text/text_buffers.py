"""Texts that kernels write: buffers of each thread for plain kernels, for compiled ones, for notation that is read."""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np

from bosquet.core.text.writing import ROOM, Text


class Buffer:
    """A text that kernels write."""

    end: int
    """Where it ends."""
    _texts: Any
    """What kernels take."""
    _bytes: memoryview

    def begin(self, word: bytes = b"") -> Any:
        """Begin the text with these bytes; return what kernels take."""
        self.end = 0
        self.put(word)
        return self._texts

    def put(self, word: bytes) -> None:
        """Append bytes."""
        end = self.end + len(word)
        if end <= ROOM:
            self._bytes[end - len(word) : end] = word
        self.end = end

    def written(self) -> bytes:
        """Return the text. Raises OverflowError if there was no room for it."""
        end = self.end
        if end > ROOM:
            raise OverflowError(f"a text of {end} bytes; there is room for {ROOM}")
        return bytes(self._bytes[:end])


class _PlainBuffer(Buffer):
    """A text for plain kernels."""

    def __init__(self) -> None:
        self._texts = [Text()]
        self._bytes = memoryview(self._texts[0].bytes)

    @property
    def end(self) -> int:
        end: int = self._texts[0].end
        return end

    @end.setter
    def end(self, end: int) -> None:
        self._texts[0].end = end


class _PackedBuffer(Buffer):
    """A text for compiled kernels. It is read through memory views: fields of records are looked up slowly."""

    def __init__(self) -> None:
        self._texts = np.zeros(1, Text.dtype)
        self._bytes = self._texts["bytes"][0].data
        self._end = self._texts["end"].data

    @property
    def end(self) -> int:
        end: int = self._end[0]
        return end

    @end.setter
    def end(self, end: int) -> None:
        self._end[0] = end


class _Buffers(threading.local):
    """The buffers of one thread, each made when it is first needed."""

    @functools.cached_property
    def plain(self) -> Buffer:
        return _PlainBuffer()

    @functools.cached_property
    def read(self) -> Buffer:
        """The buffer for notation that is read, which may happen while another text is written."""
        return _PlainBuffer()

    @functools.cached_property
    def packed(self) -> Buffer:
        return _PackedBuffer()


BUFFERS = _Buffers()
