"""The journal of a finished game as one compressed value: 4 KB instead of 48 for a long one."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec

from bosquet.server.store.entries import JournalEntry

UNPACKED_BOUND = 1 << 22
"""More bytes than any journal has."""
ENTRIES = msgspec.json.Decoder(list[JournalEntry])


def pack(entries: Sequence[JournalEntry]) -> bytes:
    """Return a journal as one value."""
    return zlib.compress(msgspec.json.encode(entries), 9)


def unpack(value: bytes) -> list[JournalEntry]:
    """Return the journal that was packed. Raises ValueError if the value is none."""
    try:
        return ENTRIES.decode(zlib.decompressobj().decompress(value, UNPACKED_BOUND))
    except zlib.error as error:
        raise ValueError(str(error)) from None
