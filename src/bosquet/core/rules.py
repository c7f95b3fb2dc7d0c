"""What the modules `rules`, `notation` and `view` of a game must hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from bosquet.core.rng import Rng
from bosquet.core.state import Options, StateRecord
from bosquet.core.view import Sheet, View

KERNELS = ("deal", "legal", "play", "scores", "winners", "sample_chance", "determinize_in_place")
"""The functions of `rules` that compiled code may call."""


class Rules(Protocol):
    """The rules of one game. Kernels do not check their input; the other functions do."""

    NAME: str
    TITLE: str
    MAX_MOVES: int
    """Length of the array that `legal` needs; at least the greatest number of legal actions."""
    ACTIONS: int
    """Actions are integers in 0 … ACTIONS-1."""

    @property
    def OPTIONS(self) -> Mapping[str, tuple[Any, ...]]:  # noqa: N802  (a constant of the module)
        """Map the name of each option to its values, the default first. `players` is one of the options."""

    @property
    def State(self) -> type[StateRecord]:  # noqa: N802  (a class of the module)
        """Return the class of a state."""

    # --- kernels ---

    def deal(self, state: Any, rng_state: Any) -> None:
        """Deal a new game. Reads what `new_state` set, overwrites everything else in `state`, advances `rng_state`."""

    def legal(self, state: Any, moves: Any) -> int:
        """Write every legal action into `moves` (`MAX_MOVES` integers); return their number."""

    def play(self, state: Any, action: int) -> None:
        """Apply a legal action. Mutates `state`."""

    def scores(self, state: Any, points: Any) -> None:
        """Write the current score of every seat into `points` (4 integers)."""

    def winners(self, state: Any) -> int:
        """Return the winning seats of a finished game as a bit mask."""

    def sample_chance(self, state: Any, rng_state: Any) -> None:
        """Draw and apply the chance event that is due. Mutates `state`, advances `rng_state`."""

    def determinize_in_place(self, state: Any, viewer: int, rng_state: Any) -> None:
        """Replace everything that a seat, or a spectator (-1), cannot see.

        The result is uniform among the states consistent with all that the viewer has seen, and depends on nothing
        else: states that look the same to it become the same, byte for byte. Mutates `state`, advances `rng_state`.
        """

    # --- other functions ---

    def new_state(self, options: Options) -> Any:
        """Return a state with its options set, ready for `deal`.

        A game with `GameSpec.box_keys` takes a box as second argument, and raises OptionError if it is invalid.
        """

    def result(self, state: Any) -> dict[str, Any]:
        """Return the result of a finished game, as in a record."""

    def is_irreversible(self, state: Any, action: int) -> bool:
        """Return whether the action reveals hidden information, so that it must not be undone."""


class Notation(Protocol):
    """The text form of one game's deals and actions.

    One more function is used if a game has it: `with_open_part(deal, other)` returns a deal changed so that its
    `GameSpec.open_keys` are those of the other one. A game needs it if the rest of a deal depends on these keys.
    `deal_form(state)`, if a game has it, returns the form of a deal with the options of a new state
    (`core.inputs.deals`), by which pages read records of the game, and by which the open part of a deal is changed:
    `rules` then has `begin`.
    """

    def read_deal(self, state: Any, deal: Mapping[str, Any]) -> None:
        """Set `state` to the deal of a record. Mutates `state`; raises RecordError."""

    def write_deal(self, state: Any) -> dict[str, Any]:
        """Return the deal of a state that has just been dealt, for a record."""

    def to_notation(self, state: Any, action: int) -> str:
        """Return the notation of an action."""

    def parse(self, state: Any, text: str) -> int:
        """Return the action with this notation, legal or not. Raises IllegalMove for text that is not a move."""

    def illegal_reason(self, state: Any, action: int) -> str:
        """Return why an action is not legal now. The text must contain only what the seat to move knows."""

    def observed_action(self, state: Any, action: int, viewer: int | None) -> str:
        """Return the notation of an action about to be made, as a seat or a spectator (None) may see it."""

    def chance_to_notation(self, state: Any) -> str:
        """Return the notation of the chance event that has just been applied."""

    def apply_chance(self, state: Any, text: str) -> None:
        """Apply the chance event with this notation. Mutates `state`; raises IllegalMove."""


class Views(Protocol):
    """What the viewers of one game see, as typed data.

    In a game that has a module `writing` these functions decode what it writes (`core.view_texts`). In a game without
    one, one more function is used if the module has it: `move_data(state, action, viewer)` returns an action about to
    be made as a `Move`, with what the viewer may know. If that is the same for all viewers in every state, the module
    may say so with `MOVES_ARE_OPEN = True`.
    """

    def view(self, state: Any, viewer: int | None) -> View:
        """Return all that a seat, or a spectator (None), may know, with the legal moves if the seat is to move."""

    def determinize(self, view: Any, rng: Rng) -> Any:
        """Return a state drawn uniformly from those consistent with everything the viewer has seen."""

    def sheet(self, state: Any, plies: Iterable[tuple[Any, int]]) -> Sheet:
        """Return the score sheet of a state. `plies` are the earlier states, each with the action made there."""


class Writing(Protocol):
    """Kernels of the optional module `writing`, which write views, moves and score sheets as JSON.

    They append to `out` (a `core.text.writing.Text`) from `out.end` on, in the same bytes that `msgspec` encodes the
    typed data to. A viewer is a seat, or -1 for a spectator. `assistance` is one of the levels of `core.assistance`. A
    kernel may change the state while it runs, and must leave it as it was.
    """

    def write_view(self, state: Any, viewer: int, assistance: int, moves: Any, out: Any) -> int:
        """Write all that a viewer may know; return the number of moves that are listed.

        Moves are listed if `assistance` is PLAIN or more and the viewer is to move; only then are the legal actions
        computed. They are written into `moves` (`MAX_MOVES` integers), in the order in which they are listed.
        """

    def write_move(self, state: Any, action: int, viewer: int, assistance: int, out: Any) -> None:
        """Write a legal action about to be made, as the viewer may know it; its `ASSISTANCE` only if that is FULL."""

    def write_entries(self, state: Any, action: int, out: Any) -> None:
        """Write the entries of the score sheet that a legal action about to be made adds, as values of a list.

        With the action -1, write those that follow from the state itself; they come last.
        """

    def write_totals(self, state: Any, out: Any) -> None:
        """Write the fields of the score sheet that follow the entries: `scores`, `winners`, `columns`, …"""

    def write_deal(self, state: Any, out: Any) -> None:
        """Write the deal of a state that has just been dealt, as a record has it. Pages need it to write records."""

    def write_chance(self, state: Any, out: Any) -> None:
        """Write the notation of the chance event that has just been made. Only a game that has such events needs it."""

    def write_revealed(self, state: Any, out: Any) -> None:
        """Write what lies face down on the table by cell, as an object. Only a game that has such things needs it."""
