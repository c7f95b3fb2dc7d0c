"""The learned search model of Topas with two players: no rollout, a simulation ends with a new placement."""

from __future__ import annotations

from bosquet.core.objective import SearchSettings
from bosquet.core.state import NOBODY, Numbers, Options
from bosquet.kernels.jit import kernel
from bosquet.learning.network import output

from .learned_inputs import HIDDEN as HIDDEN
from .learned_inputs import INPUTS as INPUTS
from .learned_inputs import PLAYERS, describe, describe_position
from .learned_inputs import STAGES as STAGES
from .learned_inputs import Workspace as Workspace
from .rules import State
from .search import ACTIONS_ROOM as ACTIONS_ROOM
from .search import MAX_CANDIDATES as MAX_CANDIDATES
from .search import apply_candidate as apply_candidate
from .search import candidates as candidates
from .search import information_set_key as information_set_key
from .search import rollout_policy as rollout_policy
from .search import same_decision as same_decision
from .search import solve as solve
from .search import write_actions as write_actions

VARIANTS = ("expert",)
EXPLORED_DECISIONS = STAGES - 1


def learnable(options: Options) -> bool:
    """Return whether games with these options can be learned."""
    return bool(options["players"] == PLAYERS)


def gives_better_hints(options: Options) -> bool:
    """Return whether hints by learned values play better than by rollouts: for `expert`."""
    return bool(options["expert"])


@kernel
def may_evaluate(state: State) -> bool:
    """Return True: every position is evaluated at once."""
    return True


@kernel
def stage(state: State) -> int:
    """Return how many placements are left after the next one."""
    return STAGES - 1 - state.turn


@kernel
def points_so_far(state: State, workspace: Workspace, seat: int) -> int:
    """Return the points of a seat, in hundredths."""
    return 100 * state.points[seat]


@kernel
def evaluate(state: State, points: Numbers, workspace: Workspace) -> int:
    """Write the points that each seat should end with, in hundredths; return by how much a lead may still change."""
    for seat in range(state.players):
        points[seat] = points_so_far(state, workspace, seat)
    if state.seat == NOBODY:
        return 0
    left = stage(state)
    describe_position(state, workspace)
    for seat in range(state.players):
        describe(state, workspace, seat)
        points[seat] += output(workspace, workspace, left, INPUTS, HIDDEN)
    return workspace.spread[left]


@kernel
def default_settings(state: State, settings: SearchSettings) -> None:
    """Write the settings that are left to the game: values on the scale of the points of the variant."""
    if state.expert:
        settings.exploration, settings.temperature = 0.15, 1500.0
        settings.scale, settings.win_weight = 20000.0, 0.3
        settings.rounds = 0
    else:
        settings.exploration, settings.temperature = 0.3, 150.0
        settings.scale, settings.win_weight = 2000.0, 0.3
        settings.rounds = 0
