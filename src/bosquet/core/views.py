"""Views, moves and score sheets as JSON, written by the kernels of a game's module `writing`.

That text is their one source: typed data is decoded from it. Nothing here compiles by itself: until `load` is called
for a game, and where nothing can be compiled, the kernels run as plain Python, with the same text. A game without a
module `writing` makes typed data itself (`core.rules.Views`), which `msgspec` encodes.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec
import numpy as np

from bosquet.core.assistance import FULL, PLAIN
from bosquet.core.rng import seed_rng
from bosquet.core.spec import GameSpec, check_options, optional_module
from bosquet.core.view import Move, Sheet, View, limited, plain_move, to_json
from bosquet.core.writing import ROOM, Text
from bosquet.kernels import jit

V = TypeVar("V", bound=View)


class WrittenView(NamedTuple):
    """The view of a viewer as JSON."""

    json: bytes
    actions: Sequence[int] | None
    """The legal actions, in the order of the moves; None if the view lists no moves."""


def written_view(spec: GameSpec, state: Any, viewer: int | None, assistance: int = FULL) -> WrittenView:
    """Return the view of a seat, or of a spectator (None), as JSON.

    `assistance` is one of the levels of `core.assistance`. Raises OverflowError for a text longer than
    `core.writing.ROOM` bytes.
    """
    writer = _writer(spec.package)
    if writer is None:
        return WrittenView(to_json(view(spec, state, viewer, assistance)), None)
    return writer.view(state, viewer, assistance)


def view(spec: GameSpec, state: Any, viewer: int | None, assistance: int = FULL) -> View:
    """Return the view of a seat, or of a spectator (None). Arguments and errors are those of `written_view`."""
    if _writer(spec.package) is None:
        return limited(spec.view.view(state, viewer), assistance)
    return decoded(spec.package, spec.view_type, state, viewer, assistance)


def decoded(package: str, kind: type[V], state: Any, viewer: int | None, assistance: int = FULL) -> V:
    """Return the view that the kernels of a package write, as typed data of class `kind`. `view` of a game calls it."""
    writer = _writer(package)
    assert writer is not None, f"{package} has no module writing"
    return read_view(kind, writer.view(state, viewer, assistance).json)


def read_view(kind: type[V], text: bytes) -> V:
    """Return a view that was written as JSON, as typed data of class `kind`."""
    found: V = _decoder(kind).decode(text)
    return found


def written_move(spec: GameSpec, state: Any, action: int, viewer: int | None, assistance: int = FULL) -> bytes:
    """Return a legal action about to be made as JSON, with no more than a seat or a spectator may know of it.

    Its `ASSISTANCE` is left out unless `assistance` is FULL.
    """
    writer = _writer(spec.package)
    if writer is None:
        made = move(spec, state, action, viewer)
        return to_json(made if assistance == FULL else plain_move(made))
    return writer.move(state, action, viewer, assistance)


def move(spec: GameSpec, state: Any, action: int, viewer: int | None) -> Move:
    """Return a legal action about to be made, with no more than a seat or a spectator may know of it."""
    if _writer(spec.package) is not None:
        made: Move = _decoder(_move_type(spec.view_type)).decode(written_move(spec, state, action, viewer))
        return made
    make: Callable[[Any, int, int | None], Move] | None = getattr(spec.view, "move_data", None)
    if make is not None:
        return make(state, action, viewer)
    return Move(say=spec.notation.observed_action(state, action, viewer), cells=[])


def written_sheet(spec: GameSpec, state: Any, plies: Iterable[tuple[Any, int]]) -> bytes:
    """Return the score sheet of a state as JSON. `plies` are the earlier states, each with the action made there."""
    writer = _writer(spec.package)
    return to_json(spec.view.sheet(state, plies)) if writer is None else writer.sheet(state, plies)


def decoded_sheet(package: str, state: Any, plies: Iterable[tuple[Any, int]]) -> Sheet:
    """Return the score sheet that the kernels of a package write. `sheet` of a game calls it."""
    writer = _writer(package)
    assert writer is not None, f"{package} has no module writing"
    found: Sheet = _decoder(Sheet).decode(writer.sheet(state, plies))
    return found


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
    actions = compiled.view(state, state.seat, FULL).actions
    assert actions, f"{spec.package} lists no moves after the deal"
    compiled.move(state, actions[0], None, FULL)
    compiled.sheet(state, [(state, actions[0])])
    _writers[spec.package] = compiled


def written_plainly(spec: GameSpec) -> int:
    """Return how many views plain kernels have written, though they could be compiled; 0 once they are loaded."""
    writer = _writer(spec.package)
    return 0 if writer is None else writer.plain_views


# --- Writers ---------------------------------------------------------------------------------------------------


class _Output:
    """A text that kernels write: `text` is what they take."""

    text: Any
    end: int
    _bytes: memoryview

    def begin(self, word: bytes = b"") -> Any:
        """Begin a text with these bytes; return what kernels take."""
        self.end = 0
        self.put(word)
        return self.text

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


class _PlainOutput(_Output):
    """A text for plain kernels."""

    def __init__(self) -> None:
        self.text = Text()
        self._bytes = memoryview(self.text.bytes).cast("B")

    @property
    def end(self) -> int:
        """Where the text ends."""
        end: int = self.text.end
        return end

    @end.setter
    def end(self, end: int) -> None:
        self.text.end = end


class _PackedOutput(_Output):
    """A text for compiled kernels. A record is read through memory views: its fields are looked up slowly."""

    def __init__(self) -> None:
        packed = np.zeros(1, Text.dtype)
        self.text = packed[0]
        self._bytes = memoryview(packed["bytes"][0]).cast("B")
        self._end = memoryview(packed["end"])

    @property
    def end(self) -> int:
        """Where the text ends."""
        end: int = self._end[0]
        return end

    @end.setter
    def end(self, end: int) -> None:
        self._end[0] = end


class _Outputs(threading.local):
    """The texts of one thread, each made when it is first needed."""

    @functools.cached_property
    def plain(self) -> _Output:
        return _PlainOutput()

    @functools.cached_property
    def compiled(self) -> _Output:
        return _PackedOutput()


class _Writer:
    """The kernels of one game, plain or compiled."""

    def __init__(self, package: str, *, compiled: bool) -> None:
        module, rules = optional_module(f"{package}.writing"), optional_module(f"{package}.rules")
        assert module is not None
        assert rules is not None
        self.compiled = compiled
        self._view = self._bound(module.write_view)
        self._move = self._bound(module.write_move)
        self._entries = self._bound(module.write_entries)
        self._totals = self._bound(module.write_totals)
        self._beginning = b'{"game":"%s","entries":[' % rules.NAME.encode()
        self._max_moves: int = rules.MAX_MOVES
        self.plain_views = 0
        """How many views were written, by plain kernels."""

    def _bound(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        return jit.bind(kernel) if self.compiled else kernel

    def _output(self) -> _Output:
        return _outputs.compiled if self.compiled else _outputs.plain

    def _given(self, state: Any) -> Any:
        """Return a copy of a state as kernels take it: they may change it while they run."""
        return state.pack()[0] if self.compiled else state.copy()

    def view(self, state: Any, viewer: int | None, assistance: int) -> WrittenView:
        """Return a view, as `written_view` does."""
        self.plain_views += not self.compiled
        output = self._output()
        room = self._max_moves if assistance >= PLAIN else 0
        moves: Any = np.zeros(room, np.int64) if self.compiled else [0] * room
        n = self._view(self._given(state), _number(viewer), assistance, moves, output.begin())
        actions = list(map(int, moves[:n])) if assistance >= PLAIN and viewer == state.seat else None
        return WrittenView(output.written(), actions)

    def move(self, state: Any, action: int, viewer: int | None, assistance: int) -> bytes:
        """Return a move, as `written_move` does."""
        output = self._output()
        self._move(self._given(state), action, _number(viewer), assistance, output.begin())
        return output.written()

    def sheet(self, state: Any, plies: Iterable[tuple[Any, int]]) -> bytes:
        """Return a score sheet, as `written_sheet` does."""
        output = self._output()
        out = output.begin(self._beginning)
        for before, action in plies:
            self._entries(self._given(before), action, out)
        self._entries(self._given(state), -1, out)
        output.put(b"]")
        self._totals(self._given(state), out)
        output.put(b"}")
        return output.written()


_outputs = _Outputs()
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


@functools.cache
def _decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


@functools.cache
def _move_type(kind: type[View]) -> type[Move]:
    """Return the class of the moves of a class of views."""
    found: type[Move] = get_args(get_type_hints(kind)["moves"])[0]
    return found
