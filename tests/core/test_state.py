"""Records of integers: objects and packed bytes, with other records in them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import pytest

from bosquet.core.state import Field, Int8, Int64, Records, StateRecord
from bosquet.kernels.jit import bind, kernel


class Pawn(StateRecord):
    """A record without other records."""

    cell: Int8
    hits: Annotated[list[int], Field("i8", 2)]


class Tray(StateRecord):
    """A record of one kind in each of the ways in which a field can hold it."""

    first: Int8
    pawn: Pawn
    pawns: Annotated[list[Pawn], Records(3)]
    note: Annotated[memoryview, Field("u1", 5, compact=True)]
    last: Int64


class Room(StateRecord):
    """A record of records of records."""

    open: Int8
    trays: Annotated[list[Tray], Records(2)]


@kernel
def furnish(room: Room, moved: Tray) -> int:
    """Write into every record, and read what was written."""
    for i in range(2):
        tray = room.trays[i]
        tray.first = i
        tray.pawn.cell = 10 + i
        tray.pawn.hits[1] = -5
        for k in range(3):
            tray.pawns[k].cell = 3 * i + k
            tray.pawns[k].hits[k % 2] = 1 << 40
        tray.note[i] = 200
    moved.pawn.cell = room.trays[1].pawn.cell
    room.open = 1
    return room.trays[1].pawns[2].cell + room.trays[0].pawns[1].hits[1] + room.trays[1].note[1]


def furnished() -> tuple[Room, Tray, int]:
    room, moved = Room(), Tray()
    return room, moved, furnish(room, moved)


def test_records_in_records_are_packed_and_unpacked() -> None:
    room, _, _ = furnished()
    packed = room.pack()
    assert packed.dtype == Room.dtype
    assert packed["trays"]["pawns"]["cell"].tolist() == [[[0, 1, 2], [3, 4, 5]]]
    assert packed["trays"][0, 1]["note"].tobytes() == b"\0\xc8\0\0\0"
    assert Room.unpack(packed) == room
    assert Room.unpack(packed).pack().tobytes() == packed.tobytes()
    assert packed.astype(Room.tight).itemsize < packed.itemsize
    assert Room.unpack(packed.astype(Room.tight).astype(Room.dtype)) == room


def test_a_copy_of_a_record_shares_no_other_record() -> None:
    room, _, _ = furnished()
    twin = room.copy()
    assert twin == room
    twin.trays[1].pawns[2].hits[0] += 1
    assert twin != room
    assert Tray() == Tray()
    assert Room().trays[0] is not Room().trays[0]


def test_a_number_of_another_record_must_fit() -> None:
    room = Room()
    room.trays[0].pawn.cell = 128
    with pytest.raises(OverflowError, match="does not fit"):
        room.pack()


@pytest.mark.compiled
def test_compiled_kernels_read_and_write_records_in_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    right, moved, found = furnished()
    room, tray = Room().pack(), Tray().pack()
    assert bind(furnish)(room[0], tray[0]) == found
    assert Room.unpack(room) == right
    assert Tray.unpack(tray) == moved
    assert np.array_equal(room, right.pack())
