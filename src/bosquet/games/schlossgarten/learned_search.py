"""The learned search model of Schlossgarten with two players: no rollout goes beyond the running turn.

The package has no weights for it: earlier ones won no more games than rollouts in the same time (studies/search.md).
"""

from __future__ import annotations

from bosquet.core.objective import SearchSettings
from bosquet.core.state import NOBODY, Numbers, Options
from bosquet.kernels.jit import kernel
from bosquet.learning.network import output

from .board import CARD, State
from .learned_inputs import HIDDEN as HIDDEN
from .learned_inputs import INPUTS as INPUTS
from .learned_inputs import PLAYERS, POINTS_OF_STAGE, describe, describe_position
from .learned_inputs import STAGES as STAGES
from .learned_inputs import Workspace as Workspace
from .rules import score
from .search import ACTIONS_ROOM as ACTIONS_ROOM
from .search import MAX_CANDIDATES as MAX_CANDIDATES
from .search import apply_candidate as apply_candidate
from .search import candidates as candidates
from .search import information_set_key as information_set_key
from .search import rollout_policy as rollout_policy
from .search import root_candidates as root_candidates
from .search import same_decision as same_decision
from .search import solve as solve
from .search import write_actions as write_actions

VARIANTS = ()
EXPLORED_DECISIONS = 12


def learnable(options: Options) -> bool:
    """Return whether games with these options can be learned."""
    return bool(options["players"] == PLAYERS)


def gives_better_hints(options: Options) -> bool:
    """Return False: rollouts give hints."""
    return False


@kernel
def may_evaluate(state: State) -> bool:
    """Return whether a turn begins."""
    return state.phase == CARD


@kernel
def stage(state: State) -> int:
    """Return the range of the leader's points."""
    most = 0
    for seat in range(state.players):
        most = max(most, score(state, seat))
    return most // POINTS_OF_STAGE


@kernel
def points_so_far(state: State, workspace: Workspace, seat: int) -> int:
    """Return the points of a seat, in hundredths."""
    return 100 * score(state, seat)


@kernel
def evaluate(state: State, points: Numbers, workspace: Workspace) -> int:
    """Write the points that each seat should end with, in hundredths; return by how much a lead may still change."""
    for seat in range(state.players):
        points[seat] = points_so_far(state, workspace, seat)
    if state.seat == NOBODY:
        return 0
    leading = stage(state)
    describe_position(state, workspace)
    for seat in range(state.players):
        describe(state, workspace, seat)
        points[seat] += output(workspace, workspace, leading, INPUTS, HIDDEN)
    return workspace.spread[leading]


@kernel
def default_settings(state: State, settings: SearchSettings) -> None:
    """Write the settings that are left to the game."""
    settings.exploration, settings.temperature = 1.0, 300.0
    settings.scale, settings.win_weight = 800.0, 0.5
    settings.rounds = 0
