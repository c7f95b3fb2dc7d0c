"""Positions: what a seat, or a spectator, knows of a state. One line of text, or packed bytes (docs/positions.md).

A game that has texts of its positions brings a module `position` with

- `conceal(state, viewer, position)`, a kernel that writes what a seat, or a spectator (-1), knows of a state into a
  state of zeros, puts what follows from that into the hidden places and leaves every other byte 0;
- `write_position(position, viewer)`, which returns the fields of the text by name, in order; an empty text leaves a
  field out;
- `read_position(position, viewer, fields)`, which sets a new state with its options to the position of such fields
  (`Fields`) and raises PositionError for one that cannot be. Fields that follow from others need not be read: where the
  text has them, they are compared with what `write_position` makes of the position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, SupportsIndex, cast

import numpy as np

from bosquet.core.errors import OptionError, PositionError, quoted
from bosquet.core.installed import spec_or_variant
from bosquet.core.integers import checked_seed
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.core.state import NOBODY
from bosquet.core.view import Move, View

MAX_LENGTH = 4096
"""No text of a position is longer."""
NONE = "-"
"""Stands for an empty list, for no seat, and for a spectator."""


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


class Texts(Protocol):
    """The module `position` of a game."""

    def conceal(self, state: Any, viewer: int, position: Any) -> None:
        """Write what a viewer knows of a state into `position`, a state of zeros."""

    def write_position(self, position: Any, viewer: int | None) -> dict[str, str]:
        """Return the fields of the text by name, in order."""

    def read_position(self, position: Any, viewer: int | None, fields: Fields) -> None:
        """Set a new state with its options to a position. Mutates `position`; raises PositionError."""


class Position:
    """What a seat, or a spectator, knows of a state. Two positions are equal if nothing that is known differs."""

    def __init__(self, spec: GameSpec, options: Mapping[str, Any], viewer: int | None, state: Any) -> None:
        """Take a state as `GameSpec.conceal` returns it."""
        self.spec = spec
        self.options: dict[str, Any] = dict(options)
        self.viewer = viewer
        self._state = state

    def __str__(self) -> str:
        """Return the text of the position. Raises PositionError if the game has none."""
        fields = _texts_of(self.spec).write_position(self._state, self.viewer)
        return "/".join([self._head, *(f"{name}={text}" for name, text in fields.items() if text)])

    def __repr__(self) -> str:
        return f"<position of {self.spec.name}, viewer {self.viewer}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self._head, self._state) == (other._head, other._state)

    def __hash__(self) -> int:
        return hash((self._head, self._state.pack().tobytes()))

    @property
    def _head(self) -> str:
        """Return the text that says which game it is, its options, and who views it."""
        words = [self.spec.name]
        for name, values in self.spec.options.items():
            value = self.options[name]
            if name == "players" or value != values[0]:
                words.append(name if value is True else f"{name}={_written(value)}")
        return "/".join([*words, f"view={NONE if self.viewer is None else self.viewer}"])

    @property
    def seat(self) -> int | None:
        """Return the seat to move, or None if the game is over or a chance event is due."""
        seat: int = self._state.seat
        return seat if seat >= 0 else None

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return bool(self._state.seat == NOBODY)

    @property
    def state(self) -> Any:
        """Return a copy of the concealed state: where the viewer cannot look, it holds what follows from the rest."""
        return self._state.copy()

    def view(self) -> View:
        """Return all that the viewer knows, with the legal moves where it is to move."""
        return self.spec.view.view(self._state, self.viewer)

    def legal(self) -> list[str]:
        """Return the notation of every legal move; empty unless the viewer is to move."""
        moves: Sequence[Move] = self.view().moves
        return [move.say for move in moves]

    def determinize(self, *seed: SupportsIndex) -> Any:
        """Return a state drawn uniformly from those that agree with all that the viewer has seen.

        The seed is whole numbers; the same ones draw the same, and without any the draw is unpredictable. Raises
        OptionError.
        """
        return self.spec.determinize(self._state, self.viewer, Rng(*map(checked_seed, seed)))

    def pack(self) -> bytes:
        """Return the position as bytes: game, options and viewer as in the text, a zero, and the concealed record.

        Raises PositionError if the game has no texts.
        """
        _texts_of(self.spec)
        return self._head.encode() + b"\0" + _record_bytes(self.spec, self._state)


def read(given: object) -> Position:
    """Return the position of a text, or of what `pack` returned. Raises PositionError."""
    if isinstance(given, bytes):
        return _unpacked(given)
    if not isinstance(given, str):
        raise PositionError(f"{quoted(given)} is no position; it must be text, or bytes of `pack`")
    if len(given) > MAX_LENGTH:
        raise PositionError(f"the text has {len(given)} characters; a position has at most {MAX_LENGTH}")
    words = Word(given, "position", 1).split("/")
    position, fields = _begun(words)
    texts = _texts_of(position.spec)
    texts.read_position(position._state, position.viewer, fields)
    fields.check_rest(texts.write_position(position._state, position.viewer))
    return position


def _begun(words: Sequence[Word]) -> tuple[Position, Fields]:
    """Return a position of which the options are set, and the fields of its text. Raises PositionError."""
    game, *rest = words
    try:
        spec = spec_or_variant(game.text)
    except OptionError as error:
        raise PositionError(f"character 1: {error}") from None
    fields = Fields([Word(word.text, "field", word.at) for word in rest])
    options = {name: _option(fields[name], values) for name, values in spec.options.items() if name in fields}
    fields["players"]
    try:
        options = check_options(spec, options)
    except OptionError as error:
        raise PositionError(str(error)) from None
    view = fields["view"]
    viewer = None if view.text == NONE else view.number(0, options["players"] - 1)
    return Position(spec, options, viewer, spec.new_state(options)), fields


def _option(word: Word, values: Iterable[Any]) -> Any:
    """Return the value of an option. Raises PositionError."""
    written = {"" if value is True else _written(value): value for value in values}
    if word.text not in written:
        known = [quoted(text) if text else f'"{word.place}" alone' for text in written]
        raise word.error(f"is no value of this option; known: {', '.join(known)}")
    return written[word.text]


def _written(value: Any) -> str:
    """Return an option's value as text."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _unpacked(given: bytes) -> Position:
    """Return the position of bytes from `Position.pack`. Raises PositionError."""
    head, zero, record = given[:MAX_LENGTH].partition(b"\0")
    if not zero or not head.isascii():
        raise PositionError("these bytes are no position: they begin with its game, options and viewer, and a zero")
    record = given[len(head) + 1 :]
    blank, _ = _begun(Word(head.decode(), "position", 1).split("/"))
    spec = blank.spec
    _texts_of(spec)
    size = len(_record_bytes(spec, spec.rules.State()))
    if len(record) != size:
        raise PositionError(f"the record of a position of {spec.title} has {size} bytes; this one has {len(record)}")
    packed = np.frombuffer(record, spec.rules.State.tight).astype(spec.rules.State.dtype)
    _check_numbers(spec, packed)
    position = Position(spec, blank.options, blank.viewer, spec.rules.State.unpack(packed))
    try:
        text = str(position)
    except (IndexError, KeyError, ValueError):
        raise PositionError("the record holds numbers that no position has; pack a position of a game") from None
    again = read(text)
    if again != position or again.pack() != given:
        raise PositionError(f"the record is not what is known in {quoted(text, MAX_LENGTH)}; pack a position of a game")
    return position


def _check_numbers(spec: GameSpec, packed: Any) -> None:
    """Check that indices are in their range and sets not negative, as code trusts. Raises PositionError."""
    for name, field in spec.rules.State.fields.items():
        mark = spec.rules.State.ranges.get(name)
        low = mark.low if mark else 0 if field.code == "i8" else None
        numbers = packed[name].reshape(-1)
        if (low is not None and numbers.min() < low) or (mark is not None and numbers.max() > mark.high):
            raise PositionError(f"the record holds a number in {name} that no position has; pack a position of a game")


def _record_bytes(spec: GameSpec, state: Any) -> bytes:
    tight: bytes = state.pack().astype(spec.rules.State.tight).tobytes()
    return tight


def _texts_of(spec: GameSpec) -> Texts:
    """Return the module `position` of a game. Raises PositionError if it has none."""
    module = spec.module("position")
    if module is None:
        raise PositionError(
            f"positions of {spec.title} have no text and no packed form: its package has no module `position` "
            "(bosquet.core.position says what that holds); views, legal moves and `determinize` work without it"
        )
    return cast(Texts, module)


def packed_sizes(sizes: Sequence[int]) -> int:
    """Return the number of cards or tiles in each hand, as `lay_unseen` of a game takes them: 8 bits per seat."""
    return sum(size << 8 * seat for seat, size in enumerate(sizes))


def joined(names: Iterable[str]) -> str:
    """Return the text of a list."""
    return ".".join(names) or NONE


def write_hands(hands: Sequence[int], known: Sequence[int], names: Callable[[int], list[str]]) -> str:
    """Return the text of hands (sets): the names of what is in those that are known, of the others how much it is."""
    return ",".join(joined(names(hand)) if seat in known else str(hand.bit_count()) for seat, hand in enumerate(hands))


def read_hands(
    word: Word, sizes: Sequence[int], known: Sequence[int], numbers: Mapping[str, int], what: str
) -> list[int]:
    """Return the hand of each seat as a set, empty where it is not known. Raises PositionError for a wrong size."""
    hands = []
    for seat, (hand, size) in enumerate(zip(word.lists(len(sizes), "seat"), sizes, strict=True)):
        held = hand.all_known(numbers, what) if seat in known else 0
        if seat not in known:
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
