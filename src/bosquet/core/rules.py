"""What a game module offers. A fourth game is a module with these names; everything else works with it as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from bosquet.core.chance import Chance
from bosquet.core.state import StateRecord
from bosquet.core.view import Sheet, View

Options = Mapping[str, Any]

KERNELS = ("deal", "legal", "play", "scores", "winners", "roll", "resample")
"""The functions of a game that loops in compiled code are bound to."""


class Rules(Protocol):
    """The rules of one game. Kernels trust their input; the functions below them check it."""

    NAME: str
    TITLE: str
    OPTIONS: Mapping[str, tuple[Any, ...]]
    """Name of each option and its values, the first one by default. `players` is one."""
    MAX_MOVES: int
    """Room that `legal` needs."""
    ACTIONS: int
    """Actions are numbers below this."""
    State: type[StateRecord]

    # --- kernels ---

    def deal(self, state: Any, lanes: Any) -> None:
        """Deal a new game: reads what `new_state` set, overwrites all else of `state`, steps `lanes`."""

    def legal(self, state: Any, moves: Any) -> int:
        """Write every legal action into `moves` (`MAX_MOVES` integers), return how many."""

    def play(self, state: Any, action: int) -> None:
        """Make a legal action. Mutates `state`."""

    def scores(self, state: Any, points: Any) -> None:
        """Write the open count of every seat into `points` (4 integers)."""

    def winners(self, state: Any) -> int:
        """The winning seats of a game that is over, as a mask."""

    def roll(self, state: Any, lanes: Any) -> None:
        """Make the move of chance that is due. Mutates `state`, steps `lanes`."""

    def resample(self, state: Any, viewer: int, lanes: Any) -> None:
        """Lay anew all tiles and cards that a seat, or a spectator (-1), does not see.

        Uniform among what agrees with all that it has seen. Mutates `state`, steps `lanes`.
        """

    # --- records and notation ---

    def new_state(self, options: Options, deck: Any = None) -> Any:
        """A state with its options set, to be dealt. Raises OptionError for a deck that is not one."""

    def read_deal(self, state: Any, deal: Mapping[str, Any]) -> None:
        """Begin with the deal of a record. Mutates `state`; raises RecordError."""

    def write_deal(self, state: Any) -> dict[str, Any]:
        """The deal of a state that has just been dealt, for a record."""

    def say(self, state: Any, action: int) -> str:
        """The notation of an action."""

    def parse(self, state: Any, text: str) -> int:
        """The action that a notation means, legal or not. Raises IllegalMove if it is no move of this game."""

    def objection(self, state: Any, action: int) -> str:
        """Why an action is not legal now, in words that tell no more than the seat to move knows."""

    def say_roll(self, state: Any) -> str:
        """The notation of the move of chance that was just made."""

    def play_roll(self, state: Any, text: str) -> None:
        """Make the move of chance that is written so. Mutates `state`; raises IllegalMove."""

    def result(self, state: Any) -> dict[str, Any]:
        """The result of a game that is over, as in a record."""

    # --- what people see ---

    def view(self, state: Any, viewer: int | None) -> View:
        """All that a seat, or a spectator, may know."""

    def redeal(self, view: Any, chance: Chance) -> Any:
        """A state that agrees with everything the viewer has seen, uniformly among those."""

    def told(self, state: Any, action: int, viewer: int | None) -> str:
        """An action about to be made, as a viewer may know it."""

    def reveals(self, state: Any, action: int) -> bool:
        """Whether somebody sees something hidden by making this action, so that it can't be taken back."""

    def sheet(self, state: Any, plies: Iterable[tuple[Any, int]]) -> Sheet:
        """The score sheet of a state; `plies` are all states before it, each with the action made there."""
