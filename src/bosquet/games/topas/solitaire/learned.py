"""The learned player of Topas alone: weights from a file, and the action that it chooses in a state."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from bosquet.core.state import Field, Numbers, Options
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import available, bind, kernel
from bosquet.learning.network import filled
from bosquet.learning.weights import NETWORK, read_weights

from ..rules import COLUMNS, DECK, HALVES, MAX_MOVES, TURNS, State, heading_of, legal, neighbour, square_of
from .column import GRID, Column, read_column, small_square
from .learned_inputs import Network
from .lookahead import MOST_POINTS, Stakes, choose_option, set_stakes

FILE = "learned.npz"
FIELDS = {
    **{name: Network.fields[name] for name in NETWORK},
    "errors": Stakes.fields["errors"],
    "reach": Stakes.fields["reach"],
}
"""The arrays of the weights."""
PLAYS = "topas with one player and without expert"
"""What there are weights for, for an error."""
PLANS = tuple(
    (*plan, *[0] * (24 - len(plan)))
    for plan in (
        (24, 0),
        (24, 12, 6, 0, 1, 0),
        (24, 12, 6, 0, 1, 5, 5, 2, 1, 3, 0, 2, 0),
        (24, 12, 6, 0, 1, 5, 5, 2, 1, 3, 0, 2, 3, 4, 2, 2, 3, 2, 3, 3, 0, 3, 0),
    )
)
"""[cards looked ahead]: numbers of placements to look at, see `lookahead.choose_option`."""


class Workspace(Network, Stakes, Column):
    """The record that the kernel computes in. The weights are in its fields `FIELDS`."""

    plan: Annotated[list[int], Field("i8", len(PLANS[0]))]


def plays(options: Options) -> bool:
    """Return whether there are weights for a game with these options."""
    return options["players"] == 1 and not options["expert"]


class Player:
    """Chooses actions in states of Topas alone. Equal tables, cards and points give equal actions."""

    def __init__(self, ahead: int, *, weights: str = "", jit: bool | None = None) -> None:
        """Choose how many cards to look ahead; `jit` is whether to compile, by default where possible.

        `weights` is the folder of a training run whose weights take the place of those of the package. Raises
        OptionError where it has none.
        """
        self._jit = available() if jit is None else jit
        self._ahead = ahead
        self._choose = bind(choose_in, jit=self._jit)
        self._workspaces = filled(Workspace, stored_weights(weights), jit=self._jit)
        self._moves: Any = np.zeros(MAX_MOVES, np.int64) if self._jit else [0] * MAX_MOVES

    def choose(self, state: Any) -> int:
        """Return the action of the seat to move in an uncompiled state, which is left as it was."""
        states = state.pack() if self._jit else [state]
        action = int(self._choose(states, self._workspaces, self._moves, self._ahead))
        assert action >= 0, "the placement is not among the legal actions"
        return action


def stored_weights(folder: str = "") -> dict[str, Any]:
    """Return the arrays of the weights, of a training run in a folder or else of the package. Raises OptionError."""
    return read_weights((Path(folder) if folder else files(__package__)) / FILE, FIELDS)


@kernel
def choose_in(states: Any, workspaces: Any, moves: Numbers, ahead: int) -> int:
    """Return `choose_ahead` of one state in an array."""
    return choose_ahead(states[0], workspaces[0], moves, ahead)


@kernel
def choose_ahead(state: State, workspace: Workspace, moves: Numbers, ahead: int) -> int:
    """Return the action that is worth most, looking ahead over some of the cards to come, 0 to 3.

    Overwrites `moves` and all of `workspace` but the weights. -1 if the action is not legal, which does not happen.
    """
    read_state(state, workspace, workspace)
    for i in range(len(PLANS[0])):
        workspace.plan[i] = PLANS[ahead][i]
    card = lowest_bit(state.hand[0])
    left = TURNS - 1 - state.turn
    option = choose_option(workspace, workspace, workspace, card, unseen_cards(state), left, workspace.plan)
    at = option & (GRID - 1)
    beside = option >> 10 & (GRID - 1)
    if option >> 20 & 15 != HALVES[card][0]:
        at, beside = beside, at
    for i in range(legal(state, moves)):
        on = square_of(moves[i])
        if (small_square(on) == at) & (small_square(neighbour(on, heading_of(moves[i]))) == beside):
            return int(moves[i])
    return -1


@kernel
def read_state(state: State, column: Column, stakes: Stakes) -> None:
    """Take over the table of a state, and compute what points are worth with its finished columns."""
    read_column(state, column)
    lowest = MOST_POINTS - 1
    for i in range(state.column):
        lowest = min(lowest, state.columns[i])
    set_stakes(stakes, state.points[0], lowest, COLUMNS - 1 - state.column)


@kernel
def unseen_cards(state: State) -> int:
    """Return the cards of the pile as a set: their order is hidden and plays no part."""
    unseen = 0
    for i in range(state.drawn, DECK):
        unseen |= 1 << state.deck[i]
    return unseen
