"""Information-set Monte Carlo tree search, one observer (Cowling, Powley, Whitehouse 2012), as kernels for every game.

A simulation lays what the seat can't see anew, walks down the tree along plans that can be made in that world, adds one
edge, plays on by a default policy to the horizon, and notes on every edge of its way what the mover got. Which edge to
try: the mean so far plus a bonus for plans that look good and were tried little (PUCT, Rosin 2011). Only additions,
products, quotients and square roots are used, so that equal seeds give equal searches on every machine.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bosquet.bots.search.memory import DEPTH, EDGES, NODES, NONE, ROOT_EDGES, Tree
from bosquet.core.chance import below
from bosquet.core.jit import kernel
from bosquet.core.state import CHANCE, NOBODY, Numbers

if TYPE_CHECKING:  # `bind` puts a game's rules, and how a search thinks about it, in their place
    from bosquet.bots.search.topiary import carry_out, lean, noticed, outlook, plans, solve
    from bosquet.games.topiary import legal, play, resample, roll, winners

ROOT, WORK = range(2)
"""Where the position and the copy that is played on stand in `states`."""
LEAST_VALUE = 0.3
"""What a plan not yet tried is taken to be worth where nothing was tried."""


@kernel
def begin(states: Any, trees: Any, lanes: Numbers, found: Numbers, worths: Numbers, scratch: Numbers) -> None:
    """Forget everything but the settings, and think of the plans at `states[ROOT]`. Arguments as of `simulate`."""
    tree = trees[0]
    tree.edges = 0
    tree.nodes = 1
    tree.first_edge[0] = NONE
    tree.sibling[0] = NONE
    tree.root_edges = 0
    for seat in range(4):
        tree.total[seat] = 0.0
        tree.total_wins[seat] = 0.0
        tree.total_points[seat] = 0.0
    if tree.first_actions:
        return
    n = min(ROOT_EDGES, plans(states[ROOT], found, worths, scratch, lanes))
    n = overlook(tree.overlook, lanes, found, worths, n)
    edge = NONE
    for i in range(n):
        edge = edge_of(tree, 0, states[ROOT].seat, found[i], edge)
        tree.looks[edge] = worths[i]
        for seat in range(4):
            tree.wins[4 * edge + seat] = 0.0
            tree.points[4 * edge + seat] = 0.0
    tree.root_edges = tree.edges


@kernel
def overlook(thousandths: int, lanes: Numbers, found: Numbers, worths: Numbers, n: int) -> int:
    """Leave out so many plans at random, but not all; return how many are left. So a search errs like people."""
    if thousandths == 0:
        return n
    spared = below(lanes, n)
    kept = 0
    for i in range(n):
        if (i == spared) | (below(lanes, 1000) >= thousandths):
            found[kept] = found[i]
            worths[kept] = worths[i]
            kept += 1
    return kept


@kernel
def solved(states: Any, trees: Any, found: Numbers, values: Any, scratch: Numbers) -> int:
    """Write plans into `found` and what they are worth to the mover into `values` (floats, 0 … 1); return how many.

    0 where the position is no ending that can be solved; otherwise the best is among them. To be called after `begin`;
    mutates the scratch.
    """
    return solve(states[ROOT], trees[0], found, values, scratch)


@kernel
def simulate(
    states: Any, trees: Any, lanes: Numbers, found: Numbers, worths: Numbers, scratch: Numbers, simulations: int
) -> None:
    """Make so many simulations from `states[ROOT]`. Mutates `states[WORK]`, the tree, the scratch; steps `lanes`.

    `found`, `worths` have room for `MAX_PLANS` plans and for the legal moves of the game, `scratch` for `SCRATCH`.
    """
    tree = trees[0]
    for _ in range(simulations):
        states[WORK] = states[ROOT]
        state = states[WORK]
        if not tree.open_world:
            resample(state, tree.viewer, lanes)
        for i in range(tree.first_actions):
            play(state, tree.line[i])
        depth = descend(state, tree, lanes, found, worths, scratch)
        decisions = depth
        while (state.seat != NOBODY) & (decisions < tree.horizon):
            if state.seat == CHANCE:
                roll(state, lanes)
            elif tree.random_playouts:
                play(state, found[below(lanes, legal(state, found))])
                decisions += 1
            else:
                lean(state, lanes, found, worths, scratch)
                decisions += 1
        judge(state, tree)
        note(state.players, tree, depth)


@kernel
def descend(state: Any, tree: Tree, lanes: Numbers, found: Numbers, worths: Numbers, scratch: Numbers) -> int:
    """Walk down the tree until an edge is tried for the first time; return the number of edges on the way."""
    node = 0
    depth = 0
    while True:
        while state.seat == CHANCE:
            roll(state, lanes)
        if (state.seat == NOBODY) | (depth == tree.horizon) | (depth == DEPTH):
            return depth
        if (node == 0) & (tree.root_edges > 0):
            n = tree.root_edges
            for i in range(n):
                found[i] = tree.plan[i]
                worths[i] = tree.looks[i]
        else:
            n = plans(state, found, worths, scratch, lanes)
        edge = choose(tree, node, state.seat, found, worths, n)
        if edge == NONE:
            return depth
        tree.path[depth] = edge
        depth += 1
        carry_out(state, tree.plan[edge])
        if tree.visits[edge] == 0:
            return depth
        node = node_after(tree, edge, noticed(state, tree.viewer))
        if node == NONE:
            return depth


@kernel
def choose(tree: Tree, node: int, seat: int, found: Numbers, worths: Numbers, n: int) -> int:
    """The edge of a node to try next, among the n plans that can be made now; NONE if there is no room for it."""
    best_worth = worths[0]
    for i in range(1, n):
        best_worth = max(best_worth, worths[i])
    visits = 0
    total = 0.0
    priors = 0.0
    edge = NONE
    for i in range(n):
        tree.outlooks[i] = prior(tree, best_worth - worths[i])
        priors += tree.outlooks[i]
        edge = edge_of(tree, node, seat, found[i], edge)
        if edge == NONE:
            return NONE
        found[i] = edge
        visits += tree.visits[edge]
        total += tree.value[edge]
    expected = total / visits if visits else LEAST_VALUE
    bonus = tree.exploration * math.sqrt(visits + 1.0) / priors
    chosen = NONE
    best = -1.0
    for i in range(n):
        edge = found[i]
        tried = tree.visits[edge]
        mean = tree.value[edge] / tried if tried else expected
        score = mean + bonus * tree.outlooks[i] / (1.0 + tried)
        if score > best:
            best = score
            chosen = edge
    return chosen


@kernel
def prior(tree: Tree, short: int) -> float:
    """How likely a plan is to be good that looks so much (in hundredths of a point) worse than the best; not normed."""
    missing = 1.0 + short / tree.temperature
    return 1.0 / (missing * missing)


@kernel
def edge_of(tree: Tree, node: int, seat: int, plan: int, after: int) -> int:
    """The edge of a plan, added to its node if it is new; NONE if there is no room.

    `after` is the edge of the plan before it, or NONE: plans mostly come in the same order, so it is sought from there.
    """
    last = after
    edge = tree.first_edge[node] if after == NONE else tree.next_edge[after]
    while edge != NONE:
        if tree.plan[edge] == plan:
            return edge
        last = edge
        edge = tree.next_edge[edge]
    if after != NONE:
        edge = tree.first_edge[node]
        while edge != after:
            if tree.plan[edge] == plan:
                return edge
            edge = tree.next_edge[edge]
    if tree.edges == EDGES:
        return NONE
    edge = tree.edges
    tree.edges += 1
    tree.plan[edge] = plan
    tree.mover[edge] = seat
    tree.visits[edge] = 0
    tree.value[edge] = 0.0
    tree.first_node[edge] = NONE
    tree.next_edge[edge] = NONE
    if last == NONE:
        tree.first_edge[node] = edge
    else:
        tree.next_edge[last] = edge
    return edge


@kernel
def node_after(tree: Tree, edge: int, notice: int) -> int:
    """The node that an edge leads to when the seat notices this, added if it is new; NONE if there is no room."""
    node = tree.first_node[edge]
    while node != NONE:
        if tree.notice[node] == notice:
            return node
        node = tree.sibling[node]
    if tree.nodes == NODES:
        return NONE
    node = tree.nodes
    tree.nodes += 1
    tree.first_edge[node] = NONE
    tree.notice[node] = notice
    tree.sibling[node] = tree.first_node[edge]
    tree.first_node[edge] = node
    return node


@kernel
def judge(state: Any, tree: Tree) -> None:
    """What each seat has got: a share of the win, and how far it is ahead of the best other seat."""
    players = state.players
    outlook(state, tree.count)
    if state.seat == NOBODY:
        first = winners(state)
    else:
        first = 0
        most = tree.count[0]
        for seat in range(players):
            most = max(most, tree.count[seat])
        for seat in range(players):
            if tree.count[seat] == most:
                first |= 1 << seat
    shared = 0
    for seat in range(players):
        shared += first >> seat & 1
    for seat in range(players):
        tree.share[seat] = (first >> seat & 1) / shared
        if players == 1:
            tree.outcome[seat] = tree.count[seat] / 10000.0
        else:
            rival = -(1 << 30)
            for other in range(players):
                if other != seat:
                    rival = max(rival, tree.count[other])
            tree.outcome[seat] = value_of(tree, tree.count[seat] - rival, tree.share[seat])


@kernel
def value_of(tree: Tree, lead: int, share: float) -> float:
    """What a lead over the best other seat, in hundredths of a point, and a share of the win are worth: 0 … 1."""
    ahead = 0.5 + 0.5 * lead / (tree.scale + abs(lead))
    return tree.win_weight * share + (1.0 - tree.win_weight) * ahead


@kernel
def note(players: int, tree: Tree, depth: int) -> None:
    """Count a simulation on every edge of its way."""
    for i in range(depth):
        edge = tree.path[i]
        tree.visits[edge] += 1
        tree.value[edge] += tree.outcome[tree.mover[edge]]
    for seat in range(players):
        tree.total[seat] += tree.outcome[seat]
        tree.total_wins[seat] += tree.share[seat]
        tree.total_points[seat] += tree.count[seat] / 100.0
        if tree.root_edges:
            tree.wins[4 * tree.path[0] + seat] += tree.share[seat]
            tree.points[4 * tree.path[0] + seat] += tree.count[seat] / 100.0
