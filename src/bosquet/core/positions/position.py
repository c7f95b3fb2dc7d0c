"""Positions: what a seat, or a spectator, knows of a state. One line of text, or packed bytes (docs/positions.md).

A game that has its own positions brings a module `position` with `conceal(state, viewer, position)`, a kernel that
writes what a seat, or a spectator (-1), knows of a state into a state of zeros, puts what follows from that into the
hidden places and leaves every other byte 0; `position_of(view)` of its module `view` returns the same of a view. One
that has texts of positions brings a module `position_text`, too: `Texts`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, SupportsIndex, cast

import numpy as np

from bosquet.core import assistance
from bosquet.core.errors import OptionError, PositionError, quoted
from bosquet.core.inputs.integers import checked_seed
from bosquet.core.installed import spec_or_variant
from bosquet.core.positions.position_head import bindings, check_rest, read_head
from bosquet.core.positions.position_reading import MAX_LENGTH, Reader, begin_reading
from bosquet.core.positions.position_text import write_head
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec
from bosquet.core.state import NOBODY
from bosquet.core.text.writing import Text
from bosquet.core.view import Move, View, limited, to_json
from bosquet.kernels.jit import bind


class Texts(Protocol):
    """The module `position_text` of a game. A viewer is a seat, or -1 for a spectator."""

    def write_options(self, position: Any, out: Text) -> None:
        """Write the fields of the options: a kernel, with the words of `core.positions.position_text`."""

    def write_position(self, position: Any, viewer: int, out: Text) -> None:
        """Write the other fields, in order: a kernel."""

    def read_position(self, position: Any, viewer: int, reader: Reader) -> None:
        """Set a new state with its options to the position of a text: a kernel, with the words of `position_reading`.

        Fields that follow from others need not be read: where the text has them, they are compared with what
        `write_position` makes of the position.
        """


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
        return self._head + _written(_texts_of(self.spec).write_position, self._state, self.viewer)

    def __repr__(self) -> str:
        return f"<position of {self.spec.name}, viewer {self.viewer}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self._key, self._state) == (other._key, other._state)

    def __hash__(self) -> int:
        return hash((self._key, self._state.pack().tobytes()))

    @property
    def _key(self) -> tuple[Any, ...]:
        """Return which game it is, its options, and who views it."""
        return self.spec.name, tuple(self.options.items()), self.viewer

    @property
    def _head(self) -> str:
        """Return how the text begins, which says the same. Raises PositionError if the game has no texts."""
        return self.spec.name + _written(_bound(self.spec, write_head), self._state, self.viewer)

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
        return self._head.encode() + b"\0" + _record_bytes(self.spec, self._state)


def read(given: object) -> Position:
    """Return the position of a text, or of what `pack` returned. Raises PositionError."""
    if isinstance(given, bytes):
        return _unpacked(given)
    if not isinstance(given, str):
        raise PositionError(f"{quoted(given)} is no position; it must be text, or bytes of `pack`")
    position, reader = _begun(given.encode(errors="surrogatepass"))
    kernels = _texts_of(position.spec)
    kernels.read_position(position._state, reader.viewer, reader)
    _bound(position.spec, check_rest)(reader, position._state)
    _check(reader)
    return position


def decision_rng(who: str, view: View) -> Rng:
    """Return the generator with which a bot or a hint decides, which `who` and the position determine.

    So equal positions get equal answers, whatever lies behind them, here and in the page (`seeding.seed_decision`).
    `who` is the name of the bot, or "hint". A bot that plays against people has a salt in it (`fair.bot_salt`), which
    they do not know. In a game without texts of positions, the view determines it. `greedy` of a game in which a turn
    has several decisions follows the plan that it made at the first one.
    """
    spec = spec_or_variant(view.game)
    if spec.module("position_text") is None:
        return Rng(who, to_json(limited(view, assistance.NONE)).decode())
    state = cast(Any, spec.view).position_of(view)
    return Rng(who, Position(spec, view.options, view.viewer, state))


def _begun(given: bytes) -> tuple[Position, Reader]:
    """Return a position of which the options are set, and the reader of its text. Raises PositionError."""
    reader = reader_of(given)
    try:
        spec = spec_or_variant(given.partition(b"/")[0].decode())
    except OptionError as error:
        raise PositionError(f"character 1: {error}") from None
    _texts_of(spec)
    _bound(spec, read_head)(reader)
    _check(reader)
    options = {name: values[reader.option[i]] for i, (name, values) in enumerate(spec.options.items())}
    viewer = None if reader.viewer < 0 else reader.viewer
    return Position(spec, options, viewer, spec.new_state(options)), reader


def reader_of(text: bytes) -> Reader:
    """Return the reader of a text, of which the fields are found. Raises PositionError."""
    reader = Reader()
    beginning = text[:MAX_LENGTH]
    reader.bytes[: len(beginning)] = beginning
    begin_reading(reader, len(text))
    _check(reader)
    return reader


def _check(reader: Reader) -> None:
    """Raise PositionError with the message of a fault, if there is one."""
    if reader.is_faulty:
        raise PositionError(bytes(reader.bytes[reader.message : reader.end]).decode())


def _unpacked(given: bytes) -> Position:
    """Return the position of bytes from `Position.pack`. Raises PositionError."""
    head, zero, record = given[:MAX_LENGTH].partition(b"\0")
    if not zero or not head.isascii():
        raise PositionError("these bytes are no position: they begin with its game, options and viewer, and a zero")
    record = given[len(head) + 1 :]
    blank, _ = _begun(head)
    spec = blank.spec
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
    """Return the module `position_text` of a game. Raises PositionError if it has none."""
    module = spec.module("position_text")
    if module is None:
        raise PositionError(
            f"positions of {spec.title} have no text and no packed form: its package has no module `position_text` "
            "(see bosquet.core.positions.position); views, legal moves and `determinize` work without it"
        )
    return cast(Texts, module)


@functools.cache
def _bound(spec: GameSpec, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel, uncompiled, for the texts of a game. Raises PositionError if it has none."""
    texts = _texts_of(spec)
    kernels = {"write_options": texts.write_options, "write_position": texts.write_position}
    return bind(kernel, bindings(spec) | kernels, jit=False)


def _written(kernel: Callable[[Any, int, Text], None], state: Any, viewer: int | None) -> str:
    """Return what a kernel writes of a position."""
    out = Text()
    kernel(state, _number(viewer), out)
    return bytes(out.bytes[: out.end]).decode("ascii")


def _number(viewer: int | None) -> int:
    """Return a viewer as kernels number it."""
    return -1 if viewer is None else viewer


def packed_sizes(sizes: Sequence[int]) -> int:
    """Return the number of cards or tiles in each hand, as `lay_unseen` of a game takes them: 8 bits per seat."""
    return sum(size << 8 * seat for seat, size in enumerate(sizes))
