"""The search model of Schlossgarten: candidates are whole turns (see `planning.candidate`).

A figure counts as within reach when the pawns can walk to it one after the other, in one of the six orders; for a
candidate that wins one of them may first make way. At the root of a search without candidate dropout, one of them may
first hit a subject (`hits`). So a figure for which the pawns must take turns in walking, mostly to jump over each
other, or to hit, is not found; where it wins at once, `endings` finds it at the root of a search.
"""

from __future__ import annotations

from bosquet.core.objective import SearchSettings
from bosquet.core.state import Numbers
from bosquet.kernels.jit import kernel

from .board import CARD, MOVE, State
from .planning.candidate import MAX_CANDIDATES as MAX_CANDIDATES
from .planning.candidate import STAND_BITS, WORK_BITS, card_of, hits_of, steps_left
from .planning.candidate import apply_candidate as apply_candidate
from .planning.choices import DEPTH, list_choices, survey
from .planning.endings import solve as solve
from .planning.hits import add_hits, can_walk_after_hit
from .planning.marches import can_walk
from .planning.paths import ACTIONS_ROOM as ACTIONS_ROOM
from .planning.paths import write_actions as write_actions
from .planning.quiet import QUIET, QUIET_CANDIDATES, add_candidate, add_quiet
from .planning.works import BIAS, VALUE_AT, VICTORY, number_in, value_in
from .planning.workspace import Workspace as Workspace
from .rules import score
from .walking import foreign_pawns, hurdles

# Variety: how many candidates may be alike.
SAME_WORK = 2
"""Candidates that do the same work with the same card, from different stands."""
SAME_STAND = 4
"""Candidates of one stand with the same card."""
SAME_CARD = 32
MAX_HITS = 12
"""Candidates that begin with a hit, at the root."""
WINNING_KEY = BIAS + VICTORY // 2 << VALUE_AT


@kernel
def candidates(state: State, found: Numbers, heuristics: Numbers, workspace: Workspace, rng_state: Numbers) -> int:
    """Write up to MAX_CANDIDATES different turns for the seat to move and their heuristic values, the best first.

    Returns how many. Steps `rng_state`. None of them has a hit.
    """
    return list_candidates(state, 0, found, heuristics, workspace, rng_state)


@kernel
def root_candidates(state: State, found: Numbers, heuristics: Numbers, workspace: Workspace, rng_state: Numbers) -> int:
    """Write candidates as `candidates` does; up to MAX_HITS of them begin with a hit."""
    return list_candidates(state, MAX_HITS, found, heuristics, workspace, rng_state)


@kernel
def list_candidates(
    state: State, max_hits: int, found: Numbers, heuristics: Numbers, workspace: Workspace, rng_state: Numbers
) -> int:
    """Write candidates of which at most `max_hits` begin with a hit; return how many."""
    steps = steps_left(state)
    foreign = foreign_pawns(state)
    jumped = hurdles(state, foreign)
    n = survey(state, steps, foreign, jumped, rng_state, workspace)
    left = list_choices(state, steps, foreign, DEPTH, 0, n, rng_state, workspace)
    moves = (state.phase == CARD) | (state.phase == MOVE)
    if moves & (max_hits > 0):
        left = add_hits(state, steps, left, n, rng_state, workspace)
    for at in range(left // 2 - 1, -1, -1):
        sift(workspace, at, left)
    count = 0
    hits = 0
    while (left > 0) & (count < MAX_CANDIDATES - QUIET_CANDIDATES):
        key = workspace.choice_keys[0]
        candidate = workspace.choices[number_in(key)]
        left -= 1
        workspace.choice_keys[0] = workspace.choice_keys[left]
        sift(workspace, 0, left)
        if moves:
            wins = key > WINNING_KEY
            hit = hits_of(candidate) != 0
            if (hit & (hits == max_hits)) or not is_fresh(candidate, found, count):
                continue
            if hit:
                walks = can_walk_after_hit(state, candidate, wins, steps)
            else:
                walks = can_walk(state, candidate, wins, steps, foreign, jumped)
            if not walks:
                continue
            hits += hit
        count = add_candidate(candidate, value_in(key), found, heuristics, count)
    count = add_quiet(state, steps, foreign, jumped, n, workspace, found, heuristics, count)
    sort_candidates(found, heuristics, count)
    return count


@kernel
def sift(workspace: Workspace, at: int, n: int) -> None:
    """Let the key at a place of the heap of n choices sink to where it belongs."""
    key = workspace.choice_keys[at]
    while 2 * at + 1 < n:
        below = 2 * at + 1
        if below + 1 < n and workspace.choice_keys[below + 1] > workspace.choice_keys[below]:
            below += 1
        if workspace.choice_keys[below] <= key:
            break
        workspace.choice_keys[at] = workspace.choice_keys[below]
        at = below
    workspace.choice_keys[at] = key


@kernel
def is_fresh(candidate: int, found: Numbers, n: int) -> bool:
    """Return whether a candidate adds variety.

    Few of the n found that hit as it does do the same work, stand alike or play its card.
    """
    works = 0
    stands = 0
    cards = 0
    for i in range(n):
        if found[i] == candidate:
            return False
        differs = found[i] ^ candidate
        if hits_of(differs) == 0:
            works += differs & WORK_BITS == 0
            stands += differs & STAND_BITS == 0
            cards += card_of(differs) == 0
    return (works < SAME_WORK) & (stands < SAME_STAND) & (cards < SAME_CARD)


@kernel
def sort_candidates(found: Numbers, heuristics: Numbers, n: int) -> None:
    """Put the best candidates first."""
    for i in range(1, n):
        candidate = found[i]
        value = heuristics[i]
        at = i
        while at > 0 and heuristics[at - 1] < value:
            found[at] = found[at - 1]
            heuristics[at] = heuristics[at - 1]
            at -= 1
        found[at] = candidate
        heuristics[at] = value


@kernel
def rollout_policy(state: State, rng_state: Numbers, found: Numbers, heuristics: Numbers, workspace: Workspace) -> None:
    """Make the turn with the best heuristic value, as far as a quick look tells."""
    steps = steps_left(state)
    foreign = foreign_pawns(state)
    jumped = hurdles(state, foreign)
    n = survey(state, steps, foreign, jumped, rng_state, workspace)
    left = list_choices(state, steps, foreign, 1, 0, n, rng_state, workspace)
    moves = (state.phase == CARD) | (state.phase == MOVE)
    quiet = BIAS << VALUE_AT
    if moves:
        quiet = (BIAS + QUIET) << VALUE_AT
    while left > 0:
        best = 0
        for i in range(1, left):
            if workspace.choice_keys[i] > workspace.choice_keys[best]:
                best = i
        key = workspace.choice_keys[best]
        if key < quiet:
            break
        candidate = workspace.choices[number_in(key)]
        if (not moves) or can_walk(state, candidate, key > WINNING_KEY, steps, foreign, jumped):
            apply_candidate(state, candidate)
            return
        left -= 1
        workspace.choice_keys[best] = workspace.choice_keys[left]
    add_quiet(state, steps, foreign, jumped, n, workspace, found, heuristics, 0)
    apply_candidate(state, found[0])


@kernel
def information_set_key(state: State, viewer: int) -> int:
    """Return 0: nothing is to be told apart, since a card that was drawn shows in the candidates to come."""
    return 0


@kernel
def may_evaluate(state: State) -> bool:
    """Return False: a rollout goes on to its horizon."""
    return False


@kernel
def evaluate(state: State, points: Numbers, workspace: Workspace) -> int:
    """Write the points that each seat has so far, in hundredths."""
    for seat in range(state.players):
        points[seat] = 100 * score(state, seat)
    return 0


@kernel
def default_settings(state: State, settings: SearchSettings) -> None:
    """Write the settings that are left to the game."""
    settings.exploration, settings.temperature = 1.0, 300.0
    settings.scale, settings.win_weight = 800.0, 0.5
    settings.rounds = 3


@kernel
def same_decision(first: State, later: State) -> bool:
    """Return whether a later ply of a seat belongs to the same turn."""
    return first.turn == later.turn
