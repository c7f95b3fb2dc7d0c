"""Views, moves and score sheets as JSON, written by the kernels of a game's module `writing`; texts of positions, too.

That text is their one source: typed data is decoded from it. Nothing here compiles by itself: until `load` is called
for a game, and where nothing can be compiled, the kernels run as plain Python, with the same text. A game without a
module `writing` makes typed data itself (`core.rules.Views`), which `msgspec` encodes.

Texts are written by one thread after the other into a buffer that each thread has of its own.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
import numpy as np

from bosquet.core.assistance import AIDS, FULL, PLAIN
from bosquet.core.bound import conceal, legal, play, write_entries, write_move, write_totals, write_view
from bosquet.core.errors import IllegalMove, Reason, quoted
from bosquet.core.positions.position_text import write_text
from bosquet.core.rng import seed_rng
from bosquet.core.spec import GameSpec, check_options, optional_module
from bosquet.core.state import Numbers, StateRecord
from bosquet.core.text.reading_moves import NO_MOVE
from bosquet.core.text.text_buffers import BUFFERS, Buffer
from bosquet.core.text.writing import ROOM
from bosquet.core.view import Move, Sheet, View, limited, plain_move, to_json
from bosquet.kernels import jit
from bosquet.kernels.jit import kernel

V = TypeVar("V", bound=View)


class StateTexts:
    """The views of a state as JSON, its positions, and the moves that can be made in it. Each is written once.

    The state must not change meanwhile. One thread may use it at a time.
    """

    def __init__(self, spec: GameSpec, state: Any) -> None:
        self._spec = spec
        self._state = state
        self._writer = _writer(spec.package)
        self._given: Any = None if self._writer is None else self._writer.given(state)
        self._views: dict[tuple[int | None, int], bytes] = {}
        self._positions: dict[int | None, str] = {}
        self._actions: list[int] | None = None

    def view(self, viewer: int | None, assistance: int = FULL) -> bytes:
        """Return the view of a seat, or of a spectator (None).

        `assistance` is one of the levels of `core.assistance`. Raises OverflowError for a text longer than
        `core.text.writing.ROOM` bytes.
        """
        key = viewer, self._told(viewer, assistance)
        if key not in self._views:
            self._views[key] = self._written_view(*key)
        return self._views[key]

    @property
    def actions(self) -> list[int]:
        """The legal actions, in the order of the moves; none if no seat is to move."""
        if self._actions is None:
            self._actions = [] if self._state.seat < 0 else self._legal_actions()
        return self._actions

    def _legal_actions(self) -> list[int]:
        if self._writer is not None:
            return self._writer.legal(self._given)
        moves = [0] * self._spec.rules.MAX_MOVES
        return moves[: self._spec.rules.legal(self._state, moves)]

    def position(self, viewer: int | None) -> str | None:
        """Return what a seat, or a spectator (None), knows, as the text of a position; None if the game has none."""
        if self._writer is None or not self._writer.writes_positions:
            return None
        if viewer not in self._positions:
            self._positions[viewer] = self._spec.name + self._writer.position(self._given, viewer)
        return self._positions[viewer]

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
            self._actions = actions
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
    if compiled.writes_positions:
        compiled.position(compiled.given(state), None)
    _writers[spec.package] = compiled


def written_plainly(spec: GameSpec) -> int:
    """Return for how many states plain kernels have listed moves or views here; 0 once compiled ones are loaded."""
    writer = _writer(spec.package)
    return 0 if writer is None else writer.written_plainly


# --- Typed data ------------------------------------------------------------------------------------------------


def decoded(package: str, kind: type[V], state: Any, viewer: int | None) -> V:
    """Return the view that the kernels of a package write, as data of class `kind`. `view` of a game calls it."""
    writer = _writer(package)
    assert writer is not None, f"{package} has no module writing"
    return read_view(kind, writer.view(writer.given(state), viewer, FULL)[0])


def decoded_sheet(package: str, state: Any, plies: Iterable[tuple[Any, int]]) -> Sheet:
    """Return the score sheet that the kernels of a package write. `sheet` of a game calls it."""
    writer = _writer(package)
    assert writer is not None, f"{package} has no module writing"
    found: Sheet = _decoder(Sheet).decode(writer.sheet(state, plies))
    return found


def decoded_deal(package: str, state: Any) -> dict[str, Any]:
    """Return the deal that a kernel of a package writes of a state that has just been dealt."""
    return _object_written(package, "write_deal", state)


def decoded_revealed(package: str, state: Any) -> dict[str, str]:
    """Return what lies face down on the table, by cell, as a kernel of a package writes it."""
    return _object_written(package, "write_revealed", state)


def _object_written(package: str, kernel: str, state: Any) -> dict[str, Any]:
    return object_written(getattr(optional_module(f"{package}.writing"), kernel), state)


def object_written(write: Callable[..., None], *given: Any) -> dict[str, Any]:
    """Return the object that a plain kernel writes into the text that it is given last."""
    buffer = BUFFERS.plain
    write(*given, buffer.begin()[0])
    found: dict[str, Any] = msgspec.json.decode(buffer.written())
    return found


def decoded_reason(package: str, sentences: Mapping[str, str], state: Any, action: int) -> Reason:
    """Return why an action is not legal, as a kernel of a package writes it (`write_reason` of its `attempts`)."""
    attempts: Any = optional_module(f"{package}.attempts")
    return _reason(sentences, object_written(attempts.write_reason, state, action))


def read_action(package: str, sentences: Mapping[str, str], state: Any, text: str) -> int:
    """Return the action of a notation, legal or not, as a kernel of a package reads it: `read_move` of `move_text`.

    Raises IllegalMove for text that is not a move.
    """
    notation: Any = optional_module(f"{package}.move_text")
    buffer, given = BUFFERS.read, text.encode(errors="surrogatepass")[:ROOM]
    action: int = notation.read_move(state, buffer.begin(given)[0], len(given))
    if action == NO_MOVE:
        reason = _reason(sentences, msgspec.json.decode(buffer.written()))
        raise IllegalMove(f"{quoted(text)}: {reason}", reason)
    return action


def _reason(sentences: Mapping[str, str], written: dict[str, Any]) -> Reason:
    return Reason(written["key"], sentences[written["key"]], **written["about"])


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

VIEW, LEGAL, MOVE, ENTRIES, TOTALS, PLAY = range(6)
"""What is written: the kernels of `core.rules.Writing`; with LEGAL nothing, the moves are listed alone.

With PLAY entries, and then the action is applied.
"""
NO_ACTION = -1


class Plies:
    """The plies of a game, as `Game.plies` yields them; compiled kernels go through them without that."""

    def __init__(self, first: Any, actions: Sequence[int], plies: Callable[[], Iterator[tuple[Any, int]]]) -> None:
        """Take the first state, the actions, NO_ACTION for a move of chance, and what yields the plies."""
        self.first = first
        self.actions = actions
        self._plies = plies

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        return self._plies()


@kernel
def write(what: int, states: Any, action: int, viewer: int, assistance: int, moves: Numbers, texts: Any) -> int:
    """Append to the first text what one of the kernels writes of the first state; return how many moves it lists.

    With PLAY the state is changed.

    It is one kernel, so that what they have in common is compiled once. Compiled code takes arrays in a tenth of the
    time of records.
    """
    if what == VIEW:
        return write_view(states[0], viewer, assistance, moves, texts[0])
    if what == LEGAL:
        return legal(states[0], moves)
    if what == MOVE:
        write_move(states[0], action, viewer, assistance, texts[0])
    elif what >= ENTRIES and what != TOTALS:
        write_entries(states[0], action, texts[0])
        if what == PLAY:
            play(states[0], action)
    else:
        write_totals(states[0], texts[0])
    return 0


@kernel
def write_known(states: Any, positions: Any, viewer: int, texts: Any) -> None:
    """Append to the first text what a viewer knows of the first state; the first position must be all zeros."""
    conceal(states[0], viewer, positions[0])
    write_text(positions[0], viewer, texts[0])


class _Writer:
    """The kernels of one game, plain or compiled."""

    def __init__(self, package: str, *, compiled: bool) -> None:
        module = optional_module(f"{package}.writing")
        assert module is not None
        rules: Any = optional_module(f"{package}.rules") or importlib.import_module(package).SPEC.rules
        names = ("write_view", "write_move", "write_entries", "write_totals")
        kernels = {"legal": rules.legal, "play": rules.play} | {name: getattr(module, name) for name in names}
        self.compiled = compiled
        self._write = jit.bind(write, kernels, jit=compiled)
        self._beginning = b'{"game":"%s","entries":[' % rules.NAME.encode()
        self._max_moves: int = rules.MAX_MOVES
        self.written_plainly = 0
        """How many views were written and lists of moves made, by plain kernels."""
        self._state: type[StateRecord] = rules.State
        texts: Any = optional_module(f"{package}.position_text")
        position: Any = optional_module(f"{package}.position")
        self.writes_positions = texts is not None and position is not None
        """Whether the game has texts of positions."""
        if self.writes_positions:
            kernels = {name: getattr(texts, name) for name in ("write_options", "write_position")}
            self._write_known = jit.bind(write_known, kernels | {"conceal": position.conceal}, jit=compiled)

    def given(self, state: Any) -> Any:
        """Return a copy of a state as kernels take it: they may change it while they run."""
        return state.pack() if self.compiled else [state.copy()]

    def view(self, given: Any, viewer: int | None, assistance: int) -> tuple[bytes, list[int]]:
        """Return a view, and the actions that it lists as moves."""
        self.written_plainly += not self.compiled
        buffer = self._buffer()
        moves = self._moves(self._max_moves if assistance >= PLAIN else 0)
        n = self._write(VIEW, given, 0, _number(viewer), assistance, moves, buffer.begin())
        actions: list[int] = moves[:n].tolist() if self.compiled else moves[:n]
        return buffer.written(), actions

    def legal(self, given: Any) -> list[int]:
        """Return the legal actions of the seat to move."""
        self.written_plainly += not self.compiled
        moves = self._moves(self._max_moves)
        n = self._write(LEGAL, given, 0, 0, 0, moves, self._buffer().begin())
        actions: list[int] = moves[:n].tolist() if self.compiled else moves[:n]
        return actions

    def position(self, given: Any, viewer: int | None) -> str:
        """Return the text of a position, without the name of the game before it. Plain kernels are quick enough."""
        buffer, number = self._buffer(), _number(viewer)
        concealed = np.zeros(1, self._state.dtype) if self.compiled else [self._state()]
        self._write_known(given, concealed, number, buffer.begin())
        return buffer.written().decode("ascii")

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
        if self.compiled and isinstance(plies, Plies) and NO_ACTION not in plies.actions:
            played = self.given(plies.first)
            for action in plies.actions:
                self._write(PLAY, played, action, -1, FULL, none, texts)
        else:
            for before, action in plies:
                self._write(ENTRIES, self.given(before), action, -1, FULL, none, texts)
        self._write(ENTRIES, last, -1, -1, FULL, none, texts)
        buffer.put(b"]")
        self._write(TOTALS, last, -1, -1, FULL, none, texts)
        buffer.put(b"}")
        return buffer.written()

    def _buffer(self) -> Buffer:
        return BUFFERS.packed if self.compiled else BUFFERS.plain

    def _moves(self, room: int) -> Any:
        return np.empty(room, np.int64) if self.compiled else [0] * room


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
