"""Kernels that read the text of a position: fields `/name=value` (docs/positions.md), in any order.

A `Reader` holds the text. A word is a part of a value, as one integer: where it begins and ends, and its field. Words
are read in the order in which a position must hold them; the first thing that is wrong is the fault, of which a message
is written behind the text. After that every number, name and set that is read is 0::

    seat = read_number(reader, field(reader, b"seat"), 0, players - 1)
    if taken >> seat & 1:
        fault_of_numbers(reader, field(reader, b"seat"), b"has # pawns; # is taken", pawns, seat)

So `read_position` of a game checks as it goes, and need not stop; loops and indices must bear a position of zeros.
"""

from __future__ import annotations

from typing import Annotated

from bosquet.core.state import Field
from bosquet.core.text.writing import Text, Texts, put, put_number, put_row
from bosquet.kernels import compiled_text
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.kernel import compiled_as, kernel

MAX_LENGTH = 4096
"""No text of a position is longer."""
MAX_FIELDS = 64
MAX_OPTIONS = 8
SHOWN = 60
"""Characters of a word that a message quotes at most."""
SLASH, EQUALS, COMMA, DOT, COLON, ZERO, HASH = b"/=,.:0#"
BLANK, TILDE = 32, 126
"""The first and the last of the characters of which texts are made."""

Int32 = Annotated[int, Field("i4")]


class Reader(Text):
    """A text that is read. What is written stands behind it: the position as it was understood, or the message."""

    size: Int32
    """The length of the text."""
    is_faulty: Int32
    message: Int32
    """Where the message begins."""
    viewer: Int32
    """The seat of the viewer, or -1 for a spectator; `read_head` writes it."""
    count: Int32
    """The number of fields."""
    name: Annotated[list[int], Field("i4", MAX_FIELDS)]  # [field]: where its name begins
    name_end: Annotated[list[int], Field("i4", MAX_FIELDS)]
    start: Annotated[list[int], Field("i4", MAX_FIELDS)]  # [field]: where its value begins
    stop: Annotated[list[int], Field("i4", MAX_FIELDS)]  # [field]: where it ends
    is_read: Annotated[list[int], Field("i4", MAX_FIELDS)]
    option: Annotated[list[int], Field("i4", MAX_OPTIONS)]  # [option]: the number of its value


# --- Words -----------------------------------------------------------------------------------------------------


@kernel
def word_at(start: int, stop: int, number: int) -> int:
    """Return the word between two places in a field."""
    return number << 32 | stop << 16 | start


@kernel
def start_of(word: int) -> int:
    """Return where a word begins."""
    return word & 0xFFFF


@kernel
def stop_of(word: int) -> int:
    """Return where a word ends."""
    return word >> 16 & 0xFFFF


@kernel
def length_of(word: int) -> int:
    """Return how long a word is."""
    return stop_of(word) - start_of(word)


@kernel
def field_of(word: int) -> int:
    """Return the field of a word."""
    return word >> 32


@compiled_as(compiled_text.find)
def find(reader: Text, start: int, stop: int, mark: int) -> int:
    """Return where a character comes next, `stop` where it does not."""
    at = reader.bytes[start:stop].tobytes().find(mark)
    return stop if at < 0 else start + at


@compiled_as(compiled_text.same)
def same(reader: Text, one: int, other: int, length: int) -> bool:
    """Return whether two parts of the text are equal."""
    return reader.bytes[one : one + length] == reader.bytes[other : other + length]


@compiled_as(compiled_text.is_written)
def is_written(reader: Text, start: int, stop: int, word: bytes) -> bool:
    """Return whether a part of the text is a constant."""
    return reader.bytes[start:stop] == word


@compiled_as(compiled_text.row_of)
def row_of(reader: Text, start: int, stop: int, words: Texts) -> int:
    """Return which text of a table a part of the text is, -1 if it is none."""
    found = reader.bytes[start:stop].tobytes()
    return words.index(found) if found in words else -1


# --- Faults ----------------------------------------------------------------------------------------------------


@kernel
def is_first(reader: Reader) -> bool:
    """Return whether this is the first fault; then its message follows."""
    if reader.is_faulty:
        return False
    reader.is_faulty = 1
    reader.message = reader.end
    return True


@kernel
def fault(reader: Reader, word: int, complaint: bytes) -> None:
    """Say what is wrong with a word, if this is the first fault."""
    if begin_fault(reader, word):
        put(reader, complaint)


@kernel
def fault_of_numbers(reader: Reader, word: int, complaint: bytes, first: int, second: int) -> None:
    """Say what is wrong with a word; `#` in the complaint stands for a number."""
    if begin_fault(reader, word):
        number = first
        for i in range(len(complaint)):
            if complaint[i] == HASH:
                put_number(reader, number)
                number = second
            else:
                put_byte(reader, complaint[i])


@kernel
def fault_of_name(reader: Reader, word: int, complaint: bytes, words: Texts, name: int) -> None:
    """Say what is wrong with a word; `#` in the complaint stands for a text of a table."""
    if begin_fault(reader, word):
        for i in range(len(complaint)):
            if complaint[i] == HASH:
                put_row(reader, words, name)
            else:
                put_byte(reader, complaint[i])


@kernel
def begin_fault(reader: Reader, word: int) -> bool:
    """Begin the message that a word is wrong; return whether it is the first one, so that the complaint follows."""
    if not is_first(reader):
        return False
    put_place(reader, start_of(word), field_of(word))
    put_quoted(reader, start_of(word), stop_of(word), SHOWN)
    put(reader, b" ")
    return True


@kernel
def put_place(reader: Reader, start: int, number: int) -> None:
    """Write where a fault is."""
    put(reader, b"character ")
    put_number(reader, start + 1)
    put(reader, b", ")
    put_part(reader, reader.name[number], reader.name_end[number])
    put(reader, b": ")


@kernel
def put_part(reader: Reader, start: int, stop: int) -> None:
    """Write a part of the text."""
    for at in range(start, stop):
        put_byte(reader, reader.bytes[at])


@kernel
def put_byte(reader: Reader, byte: int) -> None:
    """Write one character."""
    reader.bytes[reader.end] = byte
    reader.end += 1


@kernel
def put_quoted(reader: Reader, start: int, stop: int, most: int) -> None:
    """Write a part of the text between quotes, `most` characters of it at most."""
    put(reader, b'"')
    if stop - start > most:
        put_part(reader, start, start + most - 1)
        put(reader, b"\xe2\x80\xa6")
    else:
        put_part(reader, start, stop)
    put(reader, b'"')


# --- Fields ----------------------------------------------------------------------------------------------------


@kernel
def begin_reading(reader: Reader, size: int) -> None:
    """Find the fields of the text, which is the first `size` bytes. The name of the game stands before them.

    Where `size` is more than MAX_LENGTH, that is the fault, and nothing is read.
    """
    reader.is_faulty, reader.count = 0, 0
    for option in range(MAX_OPTIONS):
        reader.option[option] = 0
    reader.size = reader.end = size if size <= MAX_LENGTH else 0
    if (size > MAX_LENGTH) and is_first(reader):
        put(reader, b"the text has ")
        put_number(reader, size)
        put(reader, b" characters; a position has at most ")
        put_number(reader, MAX_LENGTH)
    size = reader.size
    at = 0
    while at < size and (BLANK <= reader.bytes[at] <= TILDE):
        at += 1
    if (at < size) and is_first(reader):
        put(reader, b"character ")
        put_number(reader, at + 1)
        put(reader, b" is none of those of which texts of positions are made: letters, digits and /=,.:@_-")
    at = find(reader, 0, size, SLASH)
    while (at < size) & (reader.is_faulty == 0):
        stop = find(reader, at + 1, size, SLASH)
        add_field(reader, at + 1, stop)
        at = stop


@kernel
def add_field(reader: Reader, start: int, stop: int) -> None:
    """Take a field into the list."""
    number = reader.count
    equals = find(reader, start, stop, EQUALS)
    if number == MAX_FIELDS:
        if is_first(reader):
            put(reader, b"the text has more fields than any position")
        return
    if equals == start:
        if is_first(reader):
            put(reader, b"character ")
            put_number(reader, start + 1)
            put(reader, b" begins a field without a name; a field is name=value")
        return
    reader.name[number], reader.name_end[number] = start, equals
    reader.start[number], reader.stop[number] = min(equals + 1, stop), stop
    reader.is_read[number] = 0
    for other in range(number):
        length = equals - start
        if (reader.name_end[other] - reader.name[other] == length) and same(reader, reader.name[other], start, length):
            fault(reader, word_at(start, stop, number), b"is there twice")
    reader.count = number + 1


@kernel
def number_of(reader: Reader, name: bytes) -> int:
    """Return the number of a field, that of the fields if it is missing."""
    number = 0
    while number < reader.count and not is_written(reader, reader.name[number], reader.name_end[number], name):
        number += 1
    return number


@kernel
def has(reader: Reader, name: bytes) -> bool:
    """Return whether the text has a field."""
    return number_of(reader, name) < reader.count


@kernel
def field(reader: Reader, name: bytes) -> int:
    """Return the value of a field. A fault where it is missing."""
    number = number_of(reader, name)
    if number == reader.count:
        if is_first(reader):
            put(reader, b'the field "')
            put(reader, name)
            put(reader, b'=" is missing; it has ')
            if reader.count == 0:
                put(reader, b"none")
            for other in range(reader.count):
                put_after(reader, other)
                put_part(reader, reader.name[other], reader.name_end[other])
        return 0
    return value_of(reader, number)


@kernel
def value_of(reader: Reader, number: int) -> int:
    """Return the value of the field with a number."""
    reader.is_read[number] = 1
    return word_at(reader.start[number], reader.stop[number], number)


@kernel
def put_after(reader: Reader, i: int) -> None:
    """Write what stands between words that are listed, before all but the first."""
    if i > 0:
        put(reader, b", ")


# --- Parts of words --------------------------------------------------------------------------------------------


@kernel
def is_none(reader: Reader, word: int) -> bool:
    """Return whether a word stands for an empty list, for no seat, or for a spectator."""
    return is_written(reader, start_of(word), stop_of(word), b"-")


@kernel
def count_parts(reader: Reader, word: int, mark: int) -> int:
    """Return how many words there are between marks."""
    count, at, stop = 1, find(reader, start_of(word), stop_of(word), mark), stop_of(word)
    while at < stop:
        at = find(reader, at + 1, stop, mark)
        count += 1
    return count


@kernel
def part_between(reader: Reader, word: int, mark: int, i: int) -> int:
    """Return one of the words between marks; they are counted from 0."""
    start, stop = start_of(word), stop_of(word)
    end = find(reader, start, stop, mark)
    for _ in range(i):
        start = min(end + 1, stop)
        end = find(reader, start, stop, mark)
    return word_at(start, end, field_of(word))


@kernel
def check_parts(reader: Reader, word: int, count: int, what: bytes) -> int:
    """Return a word. A fault unless it has `count` parts between commas, one for each `what`."""
    parts = count_parts(reader, word, COMMA)
    if parts != count:
        is_first_fault = reader.is_faulty == 0
        fault_of_numbers(reader, word, b"has # parts between commas; it must have #, one for each ", parts, count)
        if is_first_fault:
            put(reader, what)
    return word


@kernel
def part(reader: Reader, word: int, i: int) -> int:
    """Return one of the words between commas."""
    return part_between(reader, word, COMMA, i)


@kernel
def count_items(reader: Reader, word: int) -> int:
    """Return how many words there are between dots; none in an empty list, or after a fault."""
    if (reader.is_faulty != 0) or is_none(reader, word):
        return 0
    return count_parts(reader, word, DOT)


@kernel
def item(reader: Reader, word: int, i: int) -> int:
    """Return one of the words between dots."""
    return part_between(reader, word, DOT, i)


# --- Values ----------------------------------------------------------------------------------------------------


@kernel
def read_number(reader: Reader, word: int, low: int, high: int) -> int:
    """Return a word as a number. A fault unless it is one from `low` to `high`."""
    value, digits = 0, length_of(word)
    is_number = (digits > 0) & (digits < 6)
    if is_number:
        is_number = (digits == 1) | (reader.bytes[start_of(word)] != ZERO)
        for at in range(start_of(word), stop_of(word)):
            digit = reader.bytes[at] - ZERO
            is_number &= (digit >= 0) & (digit <= 9)
            value = 10 * value + digit
    if is_number & (low <= value) & (value <= high) & (reader.is_faulty == 0):
        return value
    if low == high:
        fault_of_numbers(reader, word, b"must be #", low, low)
    else:
        fault_of_numbers(reader, word, b"must be a whole number from # to #", low, high)
    return 0


@kernel
def read_name(reader: Reader, word: int, words: Texts, what: bytes) -> int:
    """Return which text of a table a word is. A fault if it is none."""
    found = row_of(reader, start_of(word), stop_of(word), words)
    if (found >= 0) & (reader.is_faulty == 0):
        return found
    if begin_fault(reader, word):
        put(reader, b"is no ")
        put(reader, what)
        put(reader, b"; a ")
        put(reader, what)
        put(reader, b' is written like "')
        put_row(reader, words, 0)
        put(reader, b'"')
    return 0


@kernel
def read_names(reader: Reader, word: int, words: Texts, what: bytes) -> int:
    """Return the names between dots as a set. A fault for a name that is none, or that is there twice."""
    found = 0
    for i in range(min(count_items(reader, word), len(words) + 1)):  # of one more, one is there twice
        at = item(reader, word, i)
        number = read_name(reader, at, words, what)
        if found >> number & 1:
            fault(reader, at, b"is there twice")
        found |= 1 << number
    return 0 if reader.is_faulty else found


@kernel
def read_hand(reader: Reader, word: int, seat: int, size: int, is_known: int, words: Texts, what: bytes) -> int:
    """Return a seat's hand as a set, empty where it is not known. A fault if it has not this size."""
    if not is_known:
        read_number(reader, word, size, size)
        return 0
    held = read_names(reader, word, words, what)
    if count_bits(held) != size:
        is_first_fault = reader.is_faulty == 0
        fault_of_numbers(reader, word, b"has #; seat # must have ", count_bits(held), seat)
        if is_first_fault:
            put_number(reader, size)
    return held


@kernel
def check_once(reader: Reader, word: int, found: int, others: int, words: Texts, what: bytes) -> int:
    """Return two sets as one. A fault if they share a member."""
    both = found & others
    if both:
        if begin_fault(reader, word):
            put(reader, b"has ")
            put(reader, what)
            put(reader, b" ")
            put_row(reader, words, lowest_bit(both))
            put(reader, b", which is somewhere else, too")
    return found | others
