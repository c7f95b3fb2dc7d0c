"""The search model: what a game tells the tree search, and where the search finds it.

A game that has a module `search` implements `SearchModel` with it. Every other game is searched by `default_model`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, cast

import numpy as np

from bosquet.core.bound import placeholder
from bosquet.core.installed import spec_or_variant
from bosquet.core.objective import Objective, SearchSettings
from bosquet.core.state import Numbers, StateList, StateRecord
from bosquet.kernels.jit import available, bind
from bosquet.search import default_model

MAX_ACTIONS = 32
"""Actions of a candidate at most."""


class SearchModel(Protocol):
    """How one game is searched.

    A *candidate* is something that the search considers, as one integer: a move, or a whole turn. Kernels get a record
    `workspace` of the class `Workspace`, which they may use as they like; none of it has to be kept between calls.
    """

    MAX_CANDIDATES: int
    """Room that `candidates` needs."""
    ACTIONS_ROOM: int
    """Room that `write_actions` needs."""

    @property
    def Workspace(self) -> type[StateRecord]:  # noqa: N802  (a class of the module)
        """Return the record that kernels compute in."""

    # --- kernels ---

    def candidates(self, state: Any, found: Numbers, heuristics: Numbers, workspace: Any, rng_state: Numbers) -> int:
        """Write the candidates of the seat to move, at least one, and their heuristic values; return how many.

        A heuristic value tells how good a candidate looks before search, in hundredths of a point. `state` is left as
        it was; steps `rng_state`.
        """

    def apply_candidate(self, state: Any, candidate: int) -> None:
        """Make a candidate. Mutates `state`."""

    def rollout_policy(
        self, state: Any, rng_state: Numbers, found: Numbers, heuristics: Numbers, workspace: Any
    ) -> None:
        """Make a decision of the seat to move by rule of thumb. Mutates `state`, steps `rng_state`."""

    def information_set_key(self, state: Any, viewer: int) -> int:
        """Return what tells positions after the same candidates apart for a seat, beyond the candidates to come."""

    def may_evaluate(self, state: Any) -> bool:
        """Return whether a rollout ends here, before the end of the game, and the position is evaluated."""

    def evaluate(self, state: Any, points: Numbers, workspace: Any) -> int:
        """Write the points that each seat is expected to end with, in hundredths; at the end the final ones.

        Returns by how many hundredths a lead may still change (a standard deviation); 0 where the leader is taken
        for the winner.
        """

    def solve(self, state: Any, objective: Objective, found: Numbers, n: int, values: Any, workspace: Any) -> int:
        """Solve the position: write candidates and their exact values to the mover, 0 … 1; return how many.

        On entry `found` holds the n candidates of the search. Returns 0 where the position is not solved; otherwise the
        best candidate is among those written. `state` is left as it was.
        """

    def write_actions(self, states: Any, candidate: int, found: Numbers) -> int:
        """Write the legal actions, in order, by which a candidate is made in `states[0]`; return how many.

        There are MAX_ACTIONS at most, and none if it can't be made. Overwrites `states[1]` and the rest of `found`.
        """

    def default_settings(self, state: Any, settings: SearchSettings) -> None:
        """Write the settings that are left to the game: exploration, temperature, scale, win_weight, rounds."""

    def same_decision(self, first: Any, later: Any) -> bool:
        """Return whether a later ply of a seat is part of the candidate that it began with the first."""


class RootModel(SearchModel, Protocol):
    """A search model with other candidates at the root of a search than below it."""

    def root_candidates(
        self, state: Any, found: Numbers, heuristics: Numbers, workspace: Any, rng_state: Numbers
    ) -> int:
        """Do what `candidates` does, for the root of a search without candidate dropout.

        It is called once for a search, so it may take longer than `candidates`.
        """


MODEL_KERNELS = (
    "candidates",
    "root_candidates",
    "apply_candidate",
    "rollout_policy",
    "information_set_key",
    "may_evaluate",
    "evaluate",
    "solve",
    "write_actions",
    "default_settings",
    "same_decision",
)
"""The functions of a search model that the tree search is bound to."""

candidates: Final = placeholder(SearchModel.candidates)
root_candidates: Final = placeholder(RootModel.root_candidates)
apply_candidate: Final = placeholder(SearchModel.apply_candidate)
rollout_policy: Final = placeholder(SearchModel.rollout_policy)
information_set_key: Final = placeholder(SearchModel.information_set_key)
may_evaluate: Final = placeholder(SearchModel.may_evaluate)
evaluate: Final = placeholder(SearchModel.evaluate)
solve: Final = placeholder(SearchModel.solve)
write_actions: Final = placeholder(SearchModel.write_actions)
default_settings: Final = placeholder(SearchModel.default_settings)
same_decision: Final = placeholder(SearchModel.same_decision)


def search_model(game: str) -> SearchModel:
    """Return the search model of a game. Raises OptionError for a name that is none."""
    return cast(SearchModel, spec_or_variant(game).module("search") or default_model)


def model_kernels(model: SearchModel) -> dict[str, Callable[..., Any]]:
    """Return the kernels of a search model by name, to bind the tree search to.

    A model without `root_candidates` has the same candidates everywhere.
    """
    everywhere = {"root_candidates": model.candidates}
    return everywhere | {name: getattr(model, name) for name in MODEL_KERNELS if hasattr(model, name)}


def actions_of(model: SearchModel, state: Any, candidate: int, *, jit: bool | None = False) -> list[int]:
    """Return the legal actions, in order, by which a candidate is made in an uncompiled state.

    `jit` is whether to compile what finds them, which pays where many are asked for; None: where possible. Raises
    ValueError if there are none.
    """
    compiled = available() if jit is None else jit
    states: Any = np.repeat(state.pack(), 2) if compiled else StateList([state, state])
    found: Any = np.zeros(model.ACTIONS_ROOM, np.int64) if compiled else [0] * model.ACTIONS_ROOM
    n = bind(model.write_actions, {}, jit=compiled)(states, candidate, found)
    if n == 0:
        raise ValueError(f"the candidate {candidate} can't be made")
    return [int(action) for action in found[:n]]
