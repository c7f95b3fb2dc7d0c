"""The learned search model of Topiary: no rollout goes beyond the running turn."""

from __future__ import annotations

from bosquet.core.objective import SearchSettings
from bosquet.core.state import NOBODY, Numbers, Options
from bosquet.kernels.jit import kernel
from bosquet.learning.network import output

from .learned_inputs import HIDDEN as HIDDEN
from .learned_inputs import INPUTS as INPUTS
from .learned_inputs import STAGES as STAGES
from .learned_inputs import Workspace as Workspace
from .learned_inputs import describe, describe_position
from .rules import LINE, VISITORS, State, score
from .search import ACTIONS_ROOM as ACTIONS_ROOM
from .search import MAX_CANDIDATES as MAX_CANDIDATES
from .search import apply_candidate as apply_candidate
from .search import candidates as candidates_at_once
from .search import information_set_key as information_set_key
from .search import rollout_policy as rollout_policy
from .search import same_decision as same_decision
from .search import solve as solve
from .search import write_actions as write_actions
from .turn_values import value_lines

VARIANTS = ()
EXPLORED_DECISIONS = 0


def learnable(options: Options) -> bool:
    """Return whether games with these options can be learned."""
    return True


def gives_better_hints(options: Options) -> bool:
    """Return True: hints by learned values play better than by rollouts, with and without the draft."""
    return True


@kernel
def candidates(state: State, found: Numbers, heuristics: Numbers, workspace: Workspace, rng_state: Numbers) -> int:
    """Write every legal action and what it is worth, in hundredths of a point; return how many."""
    if state.phase == LINE:
        return value_lines(state, workspace, found, heuristics)
    return candidates_at_once(state, found, heuristics, workspace, rng_state)


@kernel
def may_evaluate(state: State) -> bool:
    """Return whether a turn begins."""
    return state.phase == LINE


@kernel
def stage(state: State) -> int:
    """Return how many visitors are left, of all seats together."""
    return state.players * VISITORS[state.players] - state.placed


@kernel
def points_so_far(state: State, workspace: Workspace, seat: int) -> int:
    """Return what a seat would score if the game ended now, in hundredths."""
    return 100 * workspace.now[seat]


@kernel
def evaluate(state: State, points: Numbers, workspace: Workspace) -> int:
    """Write the points that each seat should end with, in hundredths; return by how much a lead may still change."""
    if state.seat == NOBODY:
        for seat in range(state.players):
            points[seat] = 100 * score(state, seat)
        return 0
    left = stage(state)
    describe_position(state, workspace)
    for seat in range(state.players):
        describe(state, workspace, seat)
        points[seat] = points_so_far(state, workspace, seat) + output(workspace, workspace, left, INPUTS, HIDDEN)
    return workspace.spread[left]


@kernel
def default_settings(state: State, settings: SearchSettings) -> None:
    """Write the settings that are left to the game."""
    settings.exploration, settings.temperature = 1.0, 150.0
    settings.scale, settings.win_weight = 800.0, 0.5
    settings.rounds = 0
