"""The search model of a game that brings none: legal actions as candidates, random rollouts, open scores as values."""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import legal, play, scores
from bosquet.core.objective import Objective, SearchSettings
from bosquet.core.rng import below, shuffle
from bosquet.core.state import Int8, Numbers, StateRecord
from bosquet.kernels.jit import kernel

HORIZON = 500
"""Decisions of a simulation at most, so that a very long game takes no longer."""
MAX_CANDIDATES = 0
"""The search has room for all legal moves in any case."""
ACTIONS_ROOM = 1


class Workspace(StateRecord):
    """Nothing is computed in it."""

    unused: Int8


@kernel
def candidates(state: Any, found: Numbers, heuristics: Numbers, workspace: Any, rng_state: Numbers) -> int:
    """Write every legal action, all of them with the same heuristic value; return how many.

    They are in random order: of equal candidates a search tries the first one first, and with few simulations no other.
    """
    n = legal(state, found)
    shuffle(rng_state, found, n)
    for i in range(n):
        heuristics[i] = 0
    return n


@kernel
def apply_candidate(state: Any, candidate: int) -> None:
    """Make an action."""
    play(state, candidate)


@kernel
def rollout_policy(state: Any, rng_state: Numbers, found: Numbers, heuristics: Numbers, workspace: Any) -> None:
    """Make a random legal action."""
    play(state, found[below(rng_state, legal(state, found))])


@kernel
def information_set_key(state: Any, viewer: int) -> int:
    """Return a key of the legal actions: positions after the same actions are told apart by these only."""
    return 0


@kernel
def may_evaluate(state: Any) -> bool:
    """Return False: a rollout goes on to its horizon."""
    return False


@kernel
def evaluate(state: Any, points: Numbers, workspace: Any) -> int:
    """Write the open score of each seat, in hundredths of a point."""
    scores(state, points)
    for seat in range(state.players):
        points[seat] *= 100
    return 0


@kernel
def solve(state: Any, objective: Objective, found: Numbers, n: int, values: Any, workspace: Any) -> int:
    """Return 0: no ending is solved."""
    return 0


@kernel
def write_actions(states: Any, candidate: int, found: Numbers) -> int:
    """Write the actions of a candidate: it is one action."""
    found[0] = candidate
    return 1


@kernel
def default_settings(state: Any, settings: SearchSettings) -> None:
    """Play to the end, or to the horizon in a very long game; winning counts half, the lead half."""
    settings.exploration, settings.temperature = 1.0, 300.0
    settings.scale, settings.win_weight = 800.0, 0.5
    settings.rounds = (HORIZON + state.players - 1) // state.players


@kernel
def same_decision(first: Any, later: Any) -> bool:
    """Return False: every ply is a decision of its own."""
    return False
