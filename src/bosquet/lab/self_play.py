"""Self-play for training: games that the search with learned values plays against itself, with how they end.

`play_games` is a kernel; it is bound to the rules and the learned search model of a game, as the tree search is.
"""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import deal, determinize_in_place, legal, play, sample_chance, scores
from bosquet.core.rng import below
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.kernels.bits import index
from bosquet.kernels.jit import kernel
from bosquet.search.learned_model import EXPLORED_DECISIONS, INPUTS, describe, describe_position, points_so_far, stage
from bosquet.search.model import apply_candidate, candidates, may_evaluate, rollout_policy
from bosquet.search.tree import ROOT, simulate, start_search

GAME = 2
"""Index in `states`: the game that is played, after `tree.ROOT` and `tree.WORK`."""
LABELS = 3
"""Numbers of a sample before its inputs: stage, points so far, points that were still made."""


@kernel
def play_games(
    states: Any,
    trees: Any,
    workspaces: Any,
    rng_state: Numbers,
    found: Numbers,
    heuristics: Numbers,
    samples: Any,
    room: int,
    simulations: int,
    explored: int,
) -> int:
    """Play whole games until there is no room for more samples; return how many were written, `room` or some fewer.

    A sample is a seat of a position that `may_evaluate`: `LABELS` and inputs, one after the other in `samples`. With 0
    `simulations` games are played by the rollout policy. `explored` is the percentage of decisions sampled by visit
    count; without search, sampled uniformly from the legal moves. With `EXPLORED_DECISIONS` this holds for the first
    decisions only, whose number is drawn for each game; without search they are sampled from the candidates, and only
    positions after them are samples. Mutates all arguments but the last three.
    """
    state = states[GAME]
    tree = trees[0]
    workspace = workspaces[0]
    size = LABELS + INPUTS
    n = 0
    while n + state.players <= room:
        deal(state, rng_state)
        first = n
        decisions = 0
        opening = below(rng_state, EXPLORED_DECISIONS + 1) if EXPLORED_DECISIONS else 0
        while state.seat != NOBODY:
            if state.seat == CHANCE:
                sample_chance(state, rng_state)
                continue
            if may_evaluate(state) & (n + state.players <= room) & (decisions >= opening):
                describe_position(state, workspace)
                for seat in range(state.players):
                    describe(state, workspace, seat)
                    samples[index(n * size)] = stage(state)
                    samples[index(n * size + 1)] = points_so_far(state, workspace, seat)
                    samples[index(n * size + 2)] = seat
                    for i in range(INPUTS):
                        samples[index(n * size + LABELS + i)] = workspace.inputs[index(i)]
                    n += 1
            drawn = (below(rng_state, 100) < explored) & ((decisions < opening) | (EXPLORED_DECISIONS == 0))
            decisions += 1
            if simulations == 0:
                if drawn & (EXPLORED_DECISIONS > 0):
                    count = candidates(state, found, heuristics, workspace, rng_state)
                    apply_candidate(state, found[below(rng_state, count)])
                elif drawn:
                    play(state, found[below(rng_state, legal(state, found))])
                else:
                    rollout_policy(state, rng_state, found, heuristics, workspace)
            elif legal(state, found) == 1:
                play(state, found[0])
            else:
                states[ROOT] = state
                tree.viewer = state.seat
                determinize_in_place(states[ROOT], state.seat, rng_state)
                start_search(states, trees, workspaces, rng_state, found, heuristics)
                simulate(states, trees, workspaces, rng_state, found, heuristics, simulations)
                apply_candidate(state, tree.candidate[chosen_edge(tree, rng_state, drawn)])
        scores(state, tree.points)
        for i in range(first, n):
            seat = samples[index(i * size + 2)]
            samples[index(i * size + 2)] = 100 * tree.points[seat] - samples[index(i * size + 1)]
    return n


@kernel
def make_candidate(states: Any, candidate: int) -> None:
    """Make a candidate in the first state."""
    apply_candidate(states[0], candidate)


@kernel
def chosen_edge(tree: Any, rng_state: Numbers, drawn: bool) -> int:
    """Return the most visited edge of the root, or one drawn by their visits."""
    total = 0
    best = 0
    for edge in range(tree.root_edge_count):
        total += tree.visits[edge]
        if tree.visits[edge] > tree.visits[best]:
            best = edge
    if drawn:
        at = below(rng_state, total)
        best = 0
        while at >= tree.visits[best]:
            at -= tree.visits[best]
            best += 1
    return best
