"""The text of a position: fields `/name=value`, one after the other (docs/positions.md).

Kernels write it with the words of the first half, beside `put`, `put_row` and `put_number` of `core.writing`: a set is
a bit mask, and a negative seat is none. `Fields` and `Word` read it, and know where each character stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bosquet.core.errors import PositionError, quoted
from bosquet.core.writing import Text, Texts, put, put_number, put_row
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

MAX_LENGTH = 4096
"""No text of a position is longer."""
NONE = "-"
"""Stands for an empty list, for no seat, and for a spectator."""

# --- Writing ---------------------------------------------------------------------------------------------------


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


# --- Reading ---------------------------------------------------------------------------------------------------


class Word(NamedTuple):
    """A part of the text of a position, with its place."""

    text: str
    place: str
    """The field that it belongs to."""
    at: int
    """Its first character in the text, counted from 1."""

    def error(self, complaint: str) -> PositionError:
        """Return the error that this word is."""
        return PositionError(f"character {self.at}, {self.place}: {quoted(self.text)} {complaint}")

    def split(self, separator: str) -> list[Word]:
        """Return the words between separators."""
        words, at = [], self.at
        for text in self.text.split(separator):
            words.append(Word(text, self.place, at))
            at += len(text) + len(separator)
        return words

    def lists(self, count: int, what: str) -> list[Word]:
        """Return the words between commas. Raises PositionError unless there are `count`."""
        words = self.split(",")
        if len(words) != count:
            raise self.error(f"has {len(words)} parts between commas; it must have {count}, one for each {what}")
        return words

    def items(self) -> list[Word]:
        """Return the words between dots; none where the list is empty."""
        return [] if self.text == NONE else self.split(".")

    def number(self, low: int, high: int) -> int:
        """Return the word as a number. Raises PositionError."""
        digits = self.text.isascii() and self.text.isdigit() and len(self.text) < 6
        if not digits or str(int(self.text)) != self.text or not low <= int(self.text) <= high:
            raise self.error(f"must be {low}" if low == high else f"must be a whole number from {low} to {high}")
        return int(self.text)

    def known(self, names: Mapping[str, int], what: str) -> int:
        """Return the number of a name. Raises PositionError."""
        if self.text not in names:
            raise self.error(f"is no {what}; a {what} is written like {quoted(next(iter(names)))}")
        return names[self.text]

    def all_known(self, names: Mapping[str, int], what: str) -> int:
        """Return the names between dots as a set of numbers. Raises PositionError, also for a name that is twice."""
        found = 0
        for word in self.items():
            number = word.known(names, what)
            if found >> number & 1:
                raise word.error("is there twice")
            found |= 1 << number
        return found


class Fields:
    """The fields of the text of a position, by name."""

    def __init__(self, words: Sequence[Word]) -> None:
        """Take words `name=value`, or `name` alone. Raises PositionError for a name that is there twice."""
        self._words: dict[str, Word] = {}
        for word in words:
            name, equals, value = word.text.partition("=")
            if name in self._words:
                raise Word(word.text, name, word.at).error("is there twice")
            self._words[name] = Word(value, name, word.at + len(name) + len(equals))
        self._read: set[str] = set()

    def __contains__(self, name: object) -> bool:
        return name in self._words

    def __getitem__(self, name: str) -> Word:
        """Return the value of a field. Raises PositionError where it is missing."""
        if name not in self._words:
            raise PositionError(f'the field "{name}=…" is missing; it has {", ".join(self._words)}')
        self._read.add(name)
        return self._words[name]

    def check_rest(self, due: Mapping[str, str]) -> None:
        """Check the fields that nobody has read against those that a position has. Raises PositionError."""
        for name, word in self._words.items():
            if name in self._read:
                continue
            if not due.get(name):
                raise word.error("is in a field that this position has not; it has " + ", ".join(filter(due.get, due)))
            if word.text != due[name]:
                raise word.error(f"must be {quoted(due[name], MAX_LENGTH)}, which follows from the rest")


def read_hands(word: Word, sizes: Sequence[int], known: int, numbers: Mapping[str, int], what: str) -> list[int]:
    """Return the hand of each seat as a set, empty where it is not known. Raises PositionError for a wrong size.

    `known` is the set of seats whose hands are.
    """
    hands = []
    for seat, (hand, size) in enumerate(zip(word.lists(len(sizes), "seat"), sizes, strict=True)):
        held = hand.all_known(numbers, what) if known >> seat & 1 else 0
        if not known >> seat & 1:
            hand.number(size, size)
        elif held.bit_count() != size:
            raise hand.error(f"has {held.bit_count()}; seat {seat} must have {size}")
        hands.append(held)
    return hands


def check_once(word: Word, found: int, others: int, names: Sequence[str], what: str) -> int:
    """Return two sets as one. Raises PositionError if they share a member."""
    if both := found & others:
        raise word.error(f"has {what} {names[(both & -both).bit_length() - 1]}, which is somewhere else, too")
    return found | others
