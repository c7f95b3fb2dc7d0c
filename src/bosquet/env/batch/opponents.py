"""Who plays the other seats of a batch with a learner.

`opponents` is one of:

- `"random"`, or `"greedy"` in a game that has a kernel for it: played in compiled code;
- a level or a search (`"level2"`, `"search:50"`): their search is compiled, a decision takes a millisecond or more;
- a policy, a function of yours: `policy(observations, masks, seats, games)` returns an action for each of the games in
  which another seat than the learner's is to move. `games` are their indices; row k of the others is of `games[k]`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bosquet import bots
from bosquet.core.bound import action_at, indices
from bosquet.core.errors import OptionError, quoted
from bosquet.core.inputs.integers import whole_number
from bosquet.core.rng import Rng, below
from bosquet.core.spec import GameSpec
from bosquet.core.state import Numbers, Options
from bosquet.kernels.jit import kernel
from bosquet.search.from_states import StateSearch

Policy = Callable[
    [npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.int8], npt.NDArray[np.int64]], npt.ArrayLike
]
"""Observations, masks, seats to move and indices of some games to an action for each of them."""
Opponents = str | Policy
ONE_BY_ONE = 'make environments of one game each: gymnasium.make_vec(…, vectorization_mode="sync")'
"""What to do where the games of a batch cannot differ."""


ONE_GAME_ONLY = ("illegal", "render_mode")
"""Arguments of environments of one game that vector environments do not take."""


def check_vector_options(given: Mapping[str, Any]) -> None:
    """Raise OptionError for an argument that only environments of one game take."""
    for name in ONE_GAME_ONLY:
        if name in given:
            raise OptionError(f"vector environments do not take {name}; leave it out, or {ONE_BY_ONE}")


def learner_seat(given: object, players: int) -> int:
    """Return the seat of the learner in a vector environment. Raises OptionError."""
    seat = whole_number(given)
    if seat is None or seat not in range(players):
        remedy = f"; for a drawn seat, {ONE_BY_ONE}" if given == "random" else ""
        raise OptionError(f"seat is {quoted(given)}; in a vector environment it is from 0 to {players - 1}{remedy}")
    return seat


def check_opponents(given: object, players: int, *, all_learn: bool = False) -> None:
    """Raise OptionError for opponents that have no seat: names, a list of names, or a function."""
    others = players - 1
    names = given if isinstance(given, list | tuple) else [given]
    shown = quoted(names[0]) if len(names) == 1 else f"{len(names)} names"
    if names and not others:
        raise OptionError(f"opponents is {shown}, but a game with one player has no other seats; leave it out")
    if names and all_learn:
        raise OptionError(
            f"opponents is {shown}, but all seats learn; leave it out, or let one seat learn (`learner` in a batch, "
            "no `self_play` in a vector environment)"
        )
    if len(names) > others or (others and not names):
        number = "1 name" if others == 1 else f"1 to {others} names, which are repeated until all seats are taken"
        raise OptionError(f"opponents has {len(names)} names; with {players} players it must have {number}")


class Games(Protocol):
    """The games of a batch, as opponents that are no kernels see them."""

    @property
    def observations(self) -> npt.NDArray[np.uint8]:
        """Return what the seat to move observes, `[n, length]`."""

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """Return its legal actions, `[n, actions]`."""

    @property
    def seats(self) -> npt.NDArray[np.int8]:
        """Return the seats to move, `[n]`."""

    def plain_state(self, game: int) -> Any:
        """Return a copy of the state of a game."""

    def draw_rng(self, game: int) -> Rng:
        """Return a generator whose state is drawn from the chance of a game, which advances."""

    def index_of(self, state: Any, action: int) -> int:
        """Return the index of an action."""


class Others(Protocol):
    """Opponents that are no kernels."""

    def choose(self, batch: Games, rows: npt.NDArray[np.int64]) -> npt.ArrayLike:
        """Return the index of an action for each of these games."""


def opponents_of(
    spec: GameSpec, options: Options, given: Opponents | None, *, all_learn: bool
) -> tuple[Callable[..., Any], Others | None]:
    """Return the kernel `other_action`, and opponents that are no kernels or None. Raises OptionError.

    None stands for the default, `"random"`.
    """
    if given is None:
        return random_index, None
    check_opponents([given], options["players"], all_learn=all_learn)
    if callable(given):
        return random_index, PolicyOpponents(given)
    if given == "random":
        return random_index, None
    if given == "greedy" and spec.greedy_action is not None:
        return spec.greedy_action, None
    if isinstance(given, str) and bots.is_search(given):
        return random_index, SearchOpponents(spec, options, given)
    raise OptionError(
        f'opponents is {quoted(given)}; in a batch of {spec.title} it must be "random", '
        + ('"greedy", ' if spec.greedy_action is not None else "")
        + "a level, a search, or a function; other bots play in gymnasium.make"
    )


class PolicyOpponents:
    """A function decides for the other seats."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def choose(self, batch: Games, rows: npt.NDArray[np.int64]) -> npt.ArrayLike:
        """Return what the function returns. Raises ValueError if these are no actions."""
        chosen = np.asarray(self.policy(batch.observations[rows], batch.masks[rows], batch.seats[rows], rows))
        if chosen.shape != rows.shape or not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(
                f"opponents returned an array of shape {chosen.shape}; it must be {len(rows)} whole numbers"
            )
        return chosen


class SearchOpponents:
    """A level or a search decides for the other seats."""

    def __init__(self, spec: GameSpec, options: Options, name: str) -> None:
        self.spec = spec
        self.options = options
        self.name = name
        self._made: dict[tuple[int, int], StateSearch] = {}
        """By game and seat: a candidate may be several actions, which are planned at once."""
        self._player()  # raises OptionError

    def choose(self, batch: Games, rows: npt.NDArray[np.int64]) -> npt.ArrayLike:
        """Search in each game. Its chance comes from that of the game, which advances."""
        chosen = []
        for i in rows:
            state, rng = batch.plain_state(int(i)), batch.draw_rng(int(i))
            place = int(i), state.seat
            if place not in self._made:
                self._made[place] = self._player()
            chosen.append(batch.index_of(state, self._made[place].choose(state, rng)))
        return np.array(chosen, np.int64)

    def _player(self) -> StateSearch:
        return bots.state_search_for(self.name, self.spec.name, self.options)


def other_action(state: Any, rng_state: Numbers, moves: Numbers) -> int:
    """Raise NotImplementedError: `bind` puts the kernel of an opponent in its place."""
    raise NotImplementedError("other_action is a placeholder: `bind` puts the kernel of an opponent in its place")


@kernel
def random_index(state: Any, rng_state: Numbers, moves: Numbers) -> int:
    """Return a random action, drawn among the indices. Overwrites `moves`, advances `rng_state`."""
    n = indices(state, moves)
    return action_at(state, moves[below(rng_state, n)])
