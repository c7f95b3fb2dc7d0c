"""The text of a position: fields `/name=value`, one after the other (docs/positions.md).

Kernels write it with these words, beside `put`, `put_row` and `put_number` of `core.text.writing`: a set is a bit mask,
and a negative seat is none. They read it with those of `core.positions.position_reading`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bosquet.core.text.writing import Text, Texts, put, put_number, put_row
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel


def write_options(position: Any, out: Text) -> None:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("write_options is a placeholder: `bind` puts the kernel of a game in its place")


def write_position(position: Any, viewer: int, out: Text) -> None:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("write_position is a placeholder: `bind` puts the kernel of a game in its place")


@kernel
def write_head(position: Any, viewer: int, out: Text) -> None:
    """Write the fields of the options and that of the viewer. The name of the game stands before them."""
    write_options(position, out)
    put_seat(out, b"view", viewer)


@kernel
def write_text(position: Any, viewer: int, out: Text) -> None:
    """Write the whole text but the name of the game."""
    write_head(position, viewer, out)
    write_position(position, viewer, out)


@kernel
def begin_field(out: Text, name: bytes) -> None:
    """Begin a field; its value follows."""
    put(out, b"/")
    put(out, name)
    put(out, b"=")


@kernel
def put_seat(out: Text, name: bytes, seat: int) -> None:
    """Write a field that is a seat."""
    begin_field(out, name)
    if seat < 0:
        put(out, b"-")
    else:
        put_number(out, seat)


@kernel
def put_name(out: Text, name: bytes, words: Texts, i: int) -> None:
    """Write a field that is a text of a table; leave it out if `i` is negative."""
    if i >= 0:
        begin_field(out, name)
        put_row(out, words, i)


@kernel
def separate(out: Text, mark: bytes, i: int) -> None:
    """Write what stands between the entries of a list, before all but entry 0."""
    if i > 0:
        put(out, mark)


@kernel
def put_items(out: Text, words: Texts, members: int) -> None:
    """Write the names of the members of a set."""
    if members == 0:
        put(out, b"-")
    for i in range(count_bits(members)):
        separate(out, b".", i)
        put_row(out, words, lowest_bit(members))
        members &= members - 1


@kernel
def put_sets(out: Text, name: bytes, words: Texts, sets: Sequence[int], seats: int) -> None:
    """Write a field that has a set of names for each seat."""
    begin_field(out, name)
    for seat in range(seats):
        separate(out, b",", seat)
        put_items(out, words, sets[seat])


@kernel
def put_hands(out: Text, words: Texts, hands: Sequence[int], seats: int, known: int) -> None:
    """Write the field of the hands. `known` is a set of seats."""
    begin_field(out, b"hands")
    for seat in range(seats):
        separate(out, b",", seat)
        put_hand(out, words, hands[seat], known >> seat & 1)


@kernel
def put_hand(out: Text, words: Texts, hand: int, is_known: int) -> None:
    """Write the names of what is in a hand that is known; of another one, how much it is."""
    if is_known:
        put_items(out, words, hand)
    else:
        put_number(out, count_bits(hand))


@kernel
def put_points(out: Text, points: Sequence[int], n: int) -> None:
    """Write the field of the points of each seat."""
    begin_field(out, b"points")
    for i in range(n):
        separate(out, b",", i)
        put_number(out, points[i])
