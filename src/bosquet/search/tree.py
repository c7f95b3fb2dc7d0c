"""Information-set Monte Carlo tree search with one observer (Cowling, Powley, Whitehouse 2012), for every game.

A simulation determinizes what the seat can't see, then makes the four steps of the field. It *selects* a path down the
tree along candidates that can be made in this determinization, *expands* the nodes on it by their new candidates, plays
a rollout to the horizon and *evaluates* where it ends, and *backs up* the values along the path. The candidate to
follow has the greatest mean value plus a bonus for a high prior and few visits (PUCT, Rosin 2011). Only additions,
products, quotients and square roots are used, so that equal seeds give equal searches on every machine.

Every function here is a kernel; `bind` puts the rules and the search model of a game in the place of the names that are
imported from `core.bound` and `search.model`.
"""

from __future__ import annotations

import math
from typing import Any

from bosquet.core.bound import determinize_in_place, legal, play, sample_chance, winners
from bosquet.core.objective import value_of_lead
from bosquet.core.rng import below
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.kernels.jit import kernel
from bosquet.search.memory import BRANCHING, DEPTH, EDGES, NODES, NONE, Tree
from bosquet.search.model import (
    apply_candidate,
    candidates,
    evaluate,
    information_set_key,
    may_evaluate,
    rollout_policy,
    root_candidates,
    solve,
)

ROOT, WORK = range(2)
"""Indices in `states`: the position, and the copy that is played on."""
TO_THE_END = 1 << 20
"""More decisions than a game has."""
FIRST_PLAY_URGENCY = 0.3
"""Value of an unvisited candidate in a node without visits; elsewhere it is the mean of the visited ones."""


@kernel
def start_search(
    states: Any, trees: Any, workspaces: Any, rng_state: Numbers, found: Numbers, heuristics: Numbers
) -> None:
    """Reset everything but the settings, and expand the root at `states[ROOT]`. Arguments as of `simulate`."""
    tree = trees[0]
    tree.horizon = TO_THE_END
    if tree.rounds:
        tree.horizon = tree.rounds * states[ROOT].players
    tree.edge_count = 0
    tree.node_count = 1
    tree.first_edge[0] = NONE
    tree.sibling[0] = NONE
    tree.root_edge_count = 0
    for seat in range(4):
        tree.total_value[seat] = 0.0
        tree.total_wins[seat] = 0.0
        tree.total_points[seat] = 0.0
    if tree.first_action_count:
        return
    if tree.candidate_dropout:
        n = min(BRANCHING, candidates(states[ROOT], found, heuristics, workspaces[0], rng_state))
        n = drop_candidates(tree.candidate_dropout, rng_state, found, heuristics, n)
    else:
        n = min(BRANCHING, root_candidates(states[ROOT], found, heuristics, workspaces[0], rng_state))
    expand(tree, 0, states[ROOT].seat, found, n)
    for i in range(n):
        edge = found[i]
        tree.heuristic_value[edge] = heuristics[i]
        for seat in range(4):
            tree.win_sum[4 * edge + seat] = 0.0
            tree.point_sum[4 * edge + seat] = 0.0
    tree.root_edge_count = tree.edge_count


@kernel
def drop_candidates(thousandths: int, rng_state: Numbers, found: Numbers, heuristics: Numbers, n: int) -> int:
    """Leave out candidates at random, but never all; return how many are left. A weaker level errs in this way."""
    spared = below(rng_state, n)
    kept = 0
    for i in range(n):
        if (i == spared) | (below(rng_state, 1000) >= thousandths):
            found[kept] = found[i]
            heuristics[kept] = heuristics[i]
            kept += 1
    return kept


@kernel
def solve_root(states: Any, trees: Any, workspaces: Any, found: Numbers, values: Any) -> int:
    """Write candidates into `found` and their exact values to the mover into `values` (floats, 0 … 1).

    Returns how many; 0 where the position is no ending that can be solved. Otherwise the best is among them. To be
    called after `start_search`.
    """
    tree = trees[0]
    for i in range(tree.root_edge_count):
        found[i] = tree.candidate[i]
    return solve(states[ROOT], tree, found, tree.root_edge_count, values, workspaces[0])


@kernel
def simulate(
    states: Any,
    trees: Any,
    workspaces: Any,
    rng_state: Numbers,
    found: Numbers,
    heuristics: Numbers,
    simulations: int,
) -> None:
    """Make a number of simulations from `states[ROOT]`. Mutates all but `states[ROOT]`; steps `rng_state`.

    `trees` and `workspaces` hold one record each; `found` and `heuristics` have room for `MAX_CANDIDATES` of the
    search model and `MAX_MOVES` of the game.
    """
    tree = trees[0]
    workspace = workspaces[0]
    for _ in range(simulations):
        states[WORK] = states[ROOT]
        state = states[WORK]
        if not tree.perfect_information:
            determinize_in_place(state, tree.viewer, rng_state)
        for i in range(tree.first_action_count):
            play(state, tree.first_actions[i])
        depth = select(state, tree, workspace, rng_state, found, heuristics)
        rollout(state, tree, workspace, rng_state, found, heuristics, depth)
        evaluate_leaf(state, tree, workspace)
        backup(state.players, tree, depth)


# --- Select ------------------------------------------------------------------------------------------------------


@kernel
def select(state: Any, tree: Tree, workspace: Any, rng_state: Numbers, found: Numbers, heuristics: Numbers) -> int:
    """Walk down the tree until an edge is visited for the first time; write the path, return its length.

    Expands every node on the way by the candidates that it does not have yet.
    """
    node = 0
    depth = 0
    while True:
        while state.seat == CHANCE:
            sample_chance(state, rng_state)
        if (state.seat == NOBODY) | (depth == tree.horizon) | (depth == DEPTH):
            return depth
        if (node == 0) & (tree.root_edge_count > 0):
            n = tree.root_edge_count
            for i in range(n):
                found[i] = tree.candidate[i]
                heuristics[i] = tree.heuristic_value[i]
        else:
            n = min(BRANCHING, candidates(state, found, heuristics, workspace, rng_state))
        if not expand(tree, node, state.seat, found, n):
            return depth
        edge = select_edge(tree, found, heuristics, n)
        tree.path[depth] = edge
        depth += 1
        apply_candidate(state, tree.candidate[edge])
        if tree.visits[edge] == 0:
            return depth
        node = child_of(tree, edge, information_set_key(state, tree.viewer))
        if node == NONE:
            return depth


@kernel
def select_edge(tree: Tree, edges: Numbers, heuristics: Numbers, n: int) -> int:
    """Return the edge with the highest PUCT score, of n edges with the heuristic values of their candidates."""
    best_heuristic = heuristics[0]
    for i in range(1, n):
        best_heuristic = max(best_heuristic, heuristics[i])
    visits = 0
    total = 0.0
    priors = 0.0
    for i in range(n):
        tree.prior[i] = prior_of(tree, best_heuristic - heuristics[i])
        priors += tree.prior[i]
        visits += tree.visits[edges[i]]
        total += tree.value_sum[edges[i]]
    unvisited = total / visits if visits else FIRST_PLAY_URGENCY
    bonus = tree.exploration * math.sqrt(visits + 1.0) / priors
    selected = NONE
    best = -math.inf
    for i in range(n):
        edge = edges[i]
        tried = tree.visits[edge]
        mean = tree.value_sum[edge] / tried if tried else unvisited
        score = mean + bonus * tree.prior[i] / (1.0 + tried)
        if score > best:
            best = score
            selected = edge
    return selected


@kernel
def prior_of(tree: Tree, short: int) -> float:
    """Return the prior, not normalized, of a candidate whose heuristic value is so much below the best."""
    missing = 1.0 + short / tree.temperature
    return 1.0 / (missing * missing)


# --- Expand ------------------------------------------------------------------------------------------------------


@kernel
def expand(tree: Tree, node: int, seat: int, found: Numbers, n: int) -> bool:
    """Replace n candidates in `found` by their edges, adding the new ones to the node; False if there is no room."""
    edge = NONE
    for i in range(n):
        edge = edge_of(tree, node, seat, found[i], edge)
        if edge == NONE:
            return False
        found[i] = edge
    return True


@kernel
def edge_of(tree: Tree, node: int, seat: int, candidate: int, after: int) -> int:
    """Return the edge of a candidate, added to its node if it is new; NONE if there is no room.

    `after` is the edge of the candidate before it, or NONE: candidates mostly come in the same order, so the edge is
    looked for from there.
    """
    last = after
    edge = tree.first_edge[node] if after == NONE else tree.next_edge[after]
    while edge != NONE:
        if tree.candidate[edge] == candidate:
            return edge
        last = edge
        edge = tree.next_edge[edge]
    if after != NONE:
        edge = tree.first_edge[node]
        while edge != after:
            if tree.candidate[edge] == candidate:
                return edge
            edge = tree.next_edge[edge]
    if tree.edge_count == EDGES:
        return NONE
    edge = tree.edge_count
    tree.edge_count += 1
    tree.candidate[edge] = candidate
    tree.mover[edge] = seat
    tree.visits[edge] = 0
    tree.value_sum[edge] = 0.0
    tree.first_node[edge] = NONE
    tree.next_edge[edge] = NONE
    if last == NONE:
        tree.first_edge[node] = edge
    else:
        tree.next_edge[last] = edge
    return edge


@kernel
def child_of(tree: Tree, edge: int, key: int) -> int:
    """Return the node with this key that an edge leads to, added if it is new; NONE if there is no room."""
    node = tree.first_node[edge]
    while node != NONE:
        if tree.key[node] == key:
            return node
        node = tree.sibling[node]
    if tree.node_count == NODES:
        return NONE
    node = tree.node_count
    tree.node_count += 1
    tree.first_edge[node] = NONE
    tree.key[node] = key
    tree.sibling[node] = tree.first_node[edge]
    tree.first_node[edge] = node
    return node


# --- Evaluate ----------------------------------------------------------------------------------------------------


@kernel
def rollout(
    state: Any, tree: Tree, workspace: Any, rng_state: Numbers, found: Numbers, heuristics: Numbers, decisions: int
) -> None:
    """Play on to the end or the horizon, by the rollout policy or at random. `decisions` are made already."""
    while (state.seat != NOBODY) & (decisions < tree.horizon):
        if state.seat == CHANCE:
            sample_chance(state, rng_state)
        elif may_evaluate(state):
            return
        elif tree.random_rollouts:
            play(state, found[below(rng_state, legal(state, found))])
            decisions += 1
        else:
            rollout_policy(state, rng_state, found, heuristics, workspace)
            decisions += 1


@kernel
def evaluate_leaf(state: Any, tree: Tree, workspace: Any) -> None:
    """Write points, share of the win and value of every seat: winning counts, and the lead over the best other seat."""
    players = state.players
    spread = evaluate(state, tree.points, workspace)
    if (spread > 0) & (state.seat != NOBODY):
        share_by_chance(tree, players, spread)
    else:
        share_by_rank(state, tree, players)
    for seat in range(players):
        if players == 1:
            tree.value[seat] = tree.points[seat] / 10000.0
        else:
            rival = -(1 << 30)
            for other in range(players):
                if other != seat:
                    rival = max(rival, tree.points[other])
            tree.value[seat] = value_of_lead(tree, tree.points[seat] - rival, tree.win_share[seat])


@kernel
def share_by_rank(state: Any, tree: Tree, players: int) -> None:
    """Write the shares of the win: for the winners at the end, before it for those with the most points."""
    if state.seat == NOBODY:
        first = winners(state)
    else:
        first = 0
        most = tree.points[0]
        for seat in range(players):
            most = max(most, tree.points[seat])
        for seat in range(players):
            if tree.points[seat] == most:
                first |= 1 << seat
    shared = 0
    for seat in range(players):
        shared += first >> seat & 1
    for seat in range(players):
        tree.win_share[seat] = (first >> seat & 1) / shared


@kernel
def share_by_chance(tree: Tree, players: int, spread: int) -> None:
    """Write each seat's chance to win, if every lead over another may still change by `spread`."""
    total = 0.0
    for seat in range(players):
        chance = 1.0
        for other in range(players):
            if other != seat:
                lead = (tree.points[seat] - tree.points[other]) / spread
                chance *= 0.5 + 0.5 * lead / math.sqrt(lead * lead + 1.6)
        tree.win_share[seat] = chance
        total += chance
    for seat in range(players):
        tree.win_share[seat] /= total


# --- Backup ------------------------------------------------------------------------------------------------------


@kernel
def backup(players: int, tree: Tree, depth: int) -> None:
    """Add the leaf to every edge of the path and to the totals."""
    for i in range(depth):
        edge = tree.path[i]
        tree.visits[edge] += 1
        tree.value_sum[edge] += tree.value[tree.mover[edge]]
    for seat in range(players):
        tree.total_value[seat] += tree.value[seat]
        tree.total_wins[seat] += tree.win_share[seat]
        tree.total_points[seat] += tree.points[seat] / 100.0
        if tree.root_edge_count:
            tree.win_sum[4 * tree.path[0] + seat] += tree.win_share[seat]
            tree.point_sum[4 * tree.path[0] + seat] += tree.points[seat] / 100.0
