"""Views, moves and score sheets as JSON, written by the kernels of a game's module `writing`.

That text is their one source: typed data is decoded from it. Nothing here compiles by itself: until `load` is called
for a game, and where nothing can be compiled, the kernels run as plain Python, with the same text. A game without a
module `writing` makes typed data itself (`core.rules.Views`), which `msgspec` encodes.

Texts are written by one thread after the other into a buffer that each thread has of its own.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
import numpy as np

from bosquet.core.assistance import AIDS, FULL, PLAIN
from bosquet.core.bound import write_entries, write_move, write_totals, write_view
from bosquet.core.rng import seed_rng
from bosquet.core.spec import GameSpec, check_options, optional_module
from bosquet.core.state import Numbers
from bosquet.core.view import Move, Sheet, View, limited, plain_move, to_json
from bosquet.core.writing import ROOM, Text
from bosquet.kernels import jit
from bosquet.kernels.jit import kernel

M = TypeVar("M", bound=Move)
V = TypeVar("V", bound=View)


class StateTexts:
    """The views of a state as JSON, and the moves that can be made in it. Each view is written once.

    The state must not change meanwhile. One thread may use it at a time.
    """

    def __init__(self, spec: GameSpec, state: Any) -> None:
        self._spec = spec
        self._state = state
        self._writer = _writer(spec.package)
        self._given: Any = None if self._writer is None else self._writer.given(state)
        self._views: dict[tuple[int | None, int], bytes] = {}
        self.actions: list[int] | None = None
        """The legal actions, in the order of the moves; None until a view was written that lists them."""

    def view(self, viewer: int | None, assistance: int = FULL) -> bytes:
        """Return the view of a seat, or of a spectator (None).

        `assistance` is one of the levels of `core.assistance`. Raises OverflowError for a text longer than
        `core.writing.ROOM` bytes.
        """
        key = viewer, self._told(viewer, assistance)
        if key not in self._views:
            self._views[key] = self._written_view(*key)
        return self._views[key]

    def typed_view(self, viewer: int | None, assistance: int = FULL) -> View:
        """Return the same view as typed data."""
        if self._writer is None:
            return limited(self._spec.view.view(self._state, viewer), self._told(viewer, assistance))
        return read_view(self._spec.view_type, self.view(viewer, assistance))

    def move(self, action: int, viewer: int | None, assistance: int = FULL) -> bytes:
        """Return a legal action about to be made, with no more than a seat or a spectator (None) may know of it.

        Its `ASSISTANCE` is left out unless `assistance` is FULL.
        """
        if self._writer is None:
            made = self.typed_move(action, viewer)
            return to_json(made if assistance == FULL else plain_move(made))
        return self._writer.move(self._given, action, viewer, assistance)

    def typed_move(self, action: int, viewer: int | None) -> Move:
        """Return the same move as typed data, with its `ASSISTANCE`."""
        if self._writer is not None:
            found: Move = _decoder(_move_type(self._spec.view_type)).decode(self.move(action, viewer))
            return found
        make: Callable[[Any, int, int | None], Move] | None = getattr(self._spec.view, "move_data", None)
        if make is not None:
            return make(self._state, action, viewer)
        return Move(say=self._spec.notation.observed_action(self._state, action, viewer), cells=[])

    def _told(self, viewer: int | None, assistance: int) -> int:
        """Return the assistance that a viewer gets: only the seat to move is told of moves."""
        return assistance if viewer == self._state.seat else min(assistance, AIDS)

    def _written_view(self, viewer: int | None, assistance: int) -> bytes:
        if self._writer is None:
            return to_json(self.typed_view(viewer, assistance))
        text, actions = self._writer.view(self._given, viewer, assistance)
        if assistance >= PLAIN:
            self.actions = actions
        return text


def written_sheet(spec: GameSpec, state: Any, plies: Iterable[tuple[Any, int]]) -> bytes:
    """Return the score sheet of a state as JSON. `plies` are the earlier states, each with the action made there."""
    writer = _writer(spec.package)
    return to_json(spec.view.sheet(state, plies)) if writer is None else writer.sheet(state, plies)


def load(spec: GameSpec) -> None:
    """Compile the kernels that write a game's texts, or load them from the cache. Takes seconds the first time.

    Does nothing if they are loaded, if the game has none, or if nothing can be compiled.
    """
    writer = _writer(spec.package)
    if writer is None or writer.compiled or not jit.available():
        return
    compiled = _Writer(spec.package, compiled=True)
    state = spec.rules.new_state(check_options(spec, {}))
    spec.rules.deal(state, seed_rng(0, "deal"))
    compiled.view(compiled.given(state), None, AIDS)
    _writers[spec.package] = compiled


def written_plainly(spec: GameSpec) -> int:
    """Return how many views plain kernels have written in this process; 0 once compiled ones are loaded."""
    writer = _writer(spec.package)
    return 0 if writer is None else writer.plain_views


# --- Typed data ------------------------------------------------------------------------------------------------


def decoded(package: str, kind: type[V], state: Any, viewer: int | None) -> V:
    """Return the view that the kernels of a package write, as data of class `kind`. `view` of a game calls it."""
    writer = _writer(package)
    assert writer is not None, f"{package} has no module writing"
    return read_view(kind, writer.view(writer.given(state), viewer, FULL)[0])


def decoded_move(package: str, kind: type[M], state: Any, action: int, viewer: int | None) -> M:
    """Return the move that the kernels of a package write, as data of class `kind`."""
    writer = _writer(package)
    assert writer is not None, f"{package} has no module writing"
    found: M = _decoder(kind).decode(writer.move(writer.given(state), action, viewer, FULL))
    return found


def decoded_sheet(package: str, state: Any, plies: Iterable[tuple[Any, int]]) -> Sheet:
    """Return the score sheet that the kernels of a package write. `sheet` of a game calls it."""
    writer = _writer(package)
    assert writer is not None, f"{package} has no module writing"
    found: Sheet = _decoder(Sheet).decode(writer.sheet(state, plies))
    return found


def decoded_deal(package: str, state: Any) -> dict[str, Any]:
    """Return the deal that a kernel of a package writes of a state that has just been dealt."""
    writing: Any = optional_module(f"{package}.writing")
    buffer = _buffers.plain
    writing.write_deal(state, buffer.begin()[0])
    found: dict[str, Any] = msgspec.json.decode(buffer.written())
    return found


def read_view(kind: type[V], text: bytes) -> V:
    """Return a view that was written as JSON as data of class `kind`."""
    found: V = _decoder(kind).decode(text)
    return found


@functools.cache
def _decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


@functools.cache
def _move_type(kind: type[View]) -> type[Move]:
    """Return the class of the moves that a class of views lists."""
    found: type[Move] = get_args(get_type_hints(kind)["moves"])[0]
    return found


# --- Kernels ---------------------------------------------------------------------------------------------------

VIEW, MOVE, ENTRIES, TOTALS = range(4)
"""What is written: the kernels of `core.rules.Writing`."""


@kernel
def write(what: int, states: Any, action: int, viewer: int, assistance: int, moves: Numbers, texts: Any) -> int:
    """Append to the first text what one of the kernels writes of the first state; return how many moves it lists.

    It is one kernel, so that what they have in common is compiled once. Compiled code takes arrays in a tenth of the
    time of records.
    """
    if what == VIEW:
        return write_view(states[0], viewer, assistance, moves, texts[0])
    if what == MOVE:
        write_move(states[0], action, viewer, assistance, texts[0])
    elif what == ENTRIES:
        write_entries(states[0], action, texts[0])
    else:
        write_totals(states[0], texts[0])
    return 0


class _Writer:
    """The kernels of one game, plain or compiled."""

    def __init__(self, package: str, *, compiled: bool) -> None:
        module, rules = optional_module(f"{package}.writing"), optional_module(f"{package}.rules")
        assert module is not None
        assert rules is not None
        kernels = {
            name: getattr(module, name) for name in ("write_view", "write_move", "write_entries", "write_totals")
        }
        self.compiled = compiled
        self._write = jit.bind(write, kernels, jit=compiled)
        self._beginning = b'{"game":"%s","entries":[' % rules.NAME.encode()
        self._max_moves: int = rules.MAX_MOVES
        self.plain_views = 0
        """How many views were written, by plain kernels."""

    def given(self, state: Any) -> Any:
        """Return a copy of a state as kernels take it: they may change it while they run."""
        return state.pack() if self.compiled else [state.copy()]

    def view(self, given: Any, viewer: int | None, assistance: int) -> tuple[bytes, list[int]]:
        """Return a view, and the actions that it lists as moves."""
        self.plain_views += not self.compiled
        buffer = self._buffer()
        moves = self._moves(self._max_moves if assistance >= PLAIN else 0)
        n = self._write(VIEW, given, 0, _number(viewer), assistance, moves, buffer.begin())
        actions: list[int] = moves[:n].tolist() if self.compiled else moves[:n]
        return buffer.written(), actions

    def move(self, given: Any, action: int, viewer: int | None, assistance: int) -> bytes:
        """Return a move."""
        buffer = self._buffer()
        self._write(MOVE, given, action, _number(viewer), assistance, self._moves(0), buffer.begin())
        return buffer.written()

    def sheet(self, state: Any, plies: Iterable[tuple[Any, int]]) -> bytes:
        """Return a score sheet."""
        buffer, none = self._buffer(), self._moves(0)
        texts = buffer.begin(self._beginning)
        last = self.given(state)
        for before, action in plies:
            self._write(ENTRIES, self.given(before), action, -1, FULL, none, texts)
        self._write(ENTRIES, last, -1, -1, FULL, none, texts)
        buffer.put(b"]")
        self._write(TOTALS, last, -1, -1, FULL, none, texts)
        buffer.put(b"}")
        return buffer.written()

    def _buffer(self) -> _Buffer:
        return _buffers.packed if self.compiled else _buffers.plain

    def _moves(self, room: int) -> Any:
        return np.zeros(room, np.int64) if self.compiled else [0] * room


_writers: dict[str, _Writer | None] = {}
"""The writers by the package of their game, None for a game without kernels that write."""


def _writer(package: str) -> _Writer | None:
    """Return what writes the texts of a game, None if it has no module `writing`."""
    if package not in _writers:
        has_kernels = optional_module(f"{package}.writing") is not None
        _writers[package] = _Writer(package, compiled=False) if has_kernels else None
    return _writers[package]


def _number(viewer: int | None) -> int:
    """Return a viewer as kernels number it."""
    return -1 if viewer is None else viewer


# --- Buffers ---------------------------------------------------------------------------------------------------


class _Buffer:
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


class _PlainBuffer(_Buffer):
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


class _PackedBuffer(_Buffer):
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
    def plain(self) -> _Buffer:
        return _PlainBuffer()

    @functools.cached_property
    def packed(self) -> _Buffer:
        return _PackedBuffer()


_buffers = _Buffers()
