"""The search in an engine. It makes the moves of the bots that search in Python, for the same generator.

    known_move          the move that needs no search, or -1
    read_settings       write the settings of the game; the page may change them
    start_search        then `run_simulations`, as often as it likes, or nothing if the ending is solved
    gather, rank        what was found; between them `add_results` for every other engine that searched
    choose              the best move

Several engines search at once as threads do in Python: each is given the same state and generator, and its number.
"""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import determinize_in_place, legal, play
from bosquet.core.rng import RNG_WORDS, draw, seed_rng
from bosquet.core.state import MAX_SEATS, NOBODY
from bosquet.engine.playing import NONE, index_of
from bosquet.kernels.bits import state_byte
from bosquet.kernels.jit import kernel
from bosquet.search.model import MAX_ACTIONS, default_settings, write_actions
from bosquet.search.tree import ROOT, WORK, simulate, solve_root
from bosquet.search.tree import start_search as start_tree

STATE_BYTES = 0
"""Placeholder for the size of the game's state."""
REHEARSAL = tuple(seed_rng("rehearsal"))


# --- Before a search ---------------------------------------------------------------------------------------------


@kernel
def known_move(m: Any) -> int:
    """Return the move that is planned, or the only one; -1 if the seat to move has to search."""
    seat = m.table.seat
    if m.plan_at[seat] < m.plan_length[seat]:
        at = seat * MAX_ACTIONS + m.plan_at[seat]
        m.states[WORK] = m.table
        conceal(m, m.states[WORK], seat)
        if is_equal(m.states[WORK], m.plan_positions[at]):
            m.plan_at[seat] += 1
            return index_of(m, m.plan_actions[at])
    if legal(m.table, m.moves) == 1:
        return 0
    return NONE


@kernel
def conceal(m: Any, state: Any, seat: int) -> None:
    """Replace what a seat cannot see, always by the same: states that look the same to it become the same."""
    for i in range(RNG_WORDS):
        m.search_rng[i] = REHEARSAL[i]
    determinize_in_place(state, seat, m.search_rng)


@kernel
def is_equal(first: Any, second: Any) -> bool:
    """Return whether two states have the same bytes."""
    at = 0
    while (at < STATE_BYTES) and state_byte(first, at) == state_byte(second, at):
        at += 1
    return at == STATE_BYTES


@kernel
def read_settings(m: Any) -> int:
    """Write the settings of the game for its state into the memory, and those of `search.Settings` for the others."""
    default_settings(m.table, m)
    m.random_rollouts = 0
    m.candidate_dropout = 0
    return 0


# --- The search --------------------------------------------------------------------------------------------------


@kernel
def start_search(m: Any, engine: int, engines: int) -> int:
    """Begin a search for the seat to move; return how many candidates an ending that is solved has, otherwise 0.

    `engines` is how many search at once, `engine` which of them this one is. Advances the generator as all do together.
    """
    return start_with(m, m.workspaces, engine, engines)


@kernel
def run_simulations(m: Any, simulations: int) -> int:
    """Make a number of simulations; return how many candidates there are."""
    return run_with(m, m.workspaces, simulations)


@kernel
def start_with(m: Any, workspaces: Any, engine: int, engines: int) -> int:
    """Begin a search that computes in these workspaces, as `start_search` does."""
    tree = m.trees[0]
    m.states[ROOT] = m.table
    determinize_in_place(m.states[ROOT], m.table.seat, m.rng)
    for number in range(engines):
        for i in range(RNG_WORDS):
            word = draw(m.rng)
            if number == engine:
                m.search_rng[i] = word
    tree.viewer, tree.perfect_information, tree.first_action_count = m.table.seat, 0, 0
    tree.exploration, tree.temperature = m.exploration, m.temperature
    tree.scale, tree.win_weight = m.scale, m.win_weight
    tree.rounds, tree.random_rollouts, tree.candidate_dropout = m.rounds, m.random_rollouts, m.candidate_dropout
    start_tree(m.states, m.trees, workspaces, m.search_rng, m.found, m.heuristics)
    if m.candidate_dropout:
        return 0
    n = solve_root(m.states, m.trees, workspaces, m.found, m.exact)
    for i in range(n):
        m.candidates[i] = m.found[i]
        m.visits[i], m.values[i], m.wins[i] = 0.0, m.exact[i], 0.0
    return n


@kernel
def run_with(m: Any, workspaces: Any, simulations: int) -> int:
    """Make simulations in these workspaces, as `run_simulations` does."""
    simulate(m.states, m.trees, workspaces, m.search_rng, m.found, m.heuristics, simulations)
    return m.trees[0].root_edge_count


@kernel
def gather(m: Any) -> int:
    """Write what the search found for every candidate; return how many there are."""
    tree = m.trees[0]
    for i in range(tree.root_edge_count):
        m.candidates[i] = tree.candidate[i]
        m.visits[i] = tree.visits[i]
        m.values[i] = tree.value_sum[i]
        m.wins[i] = tree.win_sum[MAX_SEATS * i + tree.viewer]
        for seat in range(MAX_SEATS):
            m.gains[MAX_SEATS * i + seat] = tree.point_sum[MAX_SEATS * i + seat]
    return tree.root_edge_count


@kernel
def add_results(m: Any, n: int, added: int) -> int:
    """Add the rows of another engine to n rows; return how many there are then."""
    for k in range(added):
        i = 0
        while (i < n) & (m.candidates[i] != m.added_candidates[k]):
            i += 1
        if i == n:
            n += 1
            m.candidates[i] = m.added_candidates[k]
            m.visits[i], m.values[i], m.wins[i] = 0.0, 0.0, 0.0
            for seat in range(MAX_SEATS):
                m.gains[MAX_SEATS * i + seat] = 0.0
        m.visits[i] += m.added_visits[k]
        m.values[i] += m.added_values[k]
        m.wins[i] += m.added_wins[k]
        for seat in range(MAX_SEATS):
            m.gains[MAX_SEATS * i + seat] += m.added_gains[MAX_SEATS * k + seat]
    return n


@kernel
def rank(m: Any, n: int) -> int:
    """Turn n rows of sums into means, the best first, without those never visited; return how many are left.

    The rows of a solved ending, which have no visits, are put in order as they are.
    """
    kept = 0
    for i in range(n):
        if m.visits[i] > 0.0:
            move_row(m, i, kept)
            m.values[kept] /= m.visits[kept]
            m.wins[kept] /= m.visits[kept]
            for seat in range(MAX_SEATS):
                m.gains[MAX_SEATS * kept + seat] /= m.visits[kept]
            kept += 1
    if kept == 0:
        kept = n
    for end in range(1, kept):
        i = end
        while (i > 0) and is_better(m, i, i - 1):
            exchange_rows(m, i, i - 1)
            i -= 1
    return kept


@kernel
def move_row(m: Any, source: int, target: int) -> None:
    """Write a row over another one."""
    m.candidates[target] = m.candidates[source]
    m.visits[target] = m.visits[source]
    m.values[target] = m.values[source]
    m.wins[target] = m.wins[source]
    for seat in range(MAX_SEATS):
        m.gains[MAX_SEATS * target + seat] = m.gains[MAX_SEATS * source + seat]


@kernel
def exchange_rows(m: Any, i: int, j: int) -> None:
    """Exchange two rows."""
    m.candidates[i], m.candidates[j] = m.candidates[j], m.candidates[i]
    m.visits[i], m.visits[j] = m.visits[j], m.visits[i]
    m.values[i], m.values[j] = m.values[j], m.values[i]
    m.wins[i], m.wins[j] = m.wins[j], m.wins[i]
    for seat in range(MAX_SEATS):
        a, b = MAX_SEATS * i + seat, MAX_SEATS * j + seat
        m.gains[a], m.gains[b] = m.gains[b], m.gains[a]


@kernel
def is_better(m: Any, i: int, j: int) -> bool:
    """Return whether a row comes before another one: by visits, by value, by the candidate."""
    if m.visits[i] != m.visits[j]:
        return m.visits[i] > m.visits[j]
    if m.values[i] != m.values[j]:
        return m.values[i] > m.values[j]
    return m.candidates[i] < m.candidates[j]


# --- Its result --------------------------------------------------------------------------------------------------


@kernel
def choose(m: Any, row: int) -> int:
    """Plan the candidate of a row for the seat to move; return its first move, -1 if it can't be made."""
    seat = m.table.seat
    m.states[ROOT] = m.table
    conceal(m, m.states[ROOT], seat)
    n = write_actions(m.states, m.candidates[row], m.plan)
    if n == 0:
        return NONE
    m.states[WORK] = m.states[ROOT]
    for i in range(n):
        at = seat * MAX_ACTIONS + i
        m.plan_actions[at] = m.plan[i]
        m.plan_positions[at] = m.states[WORK]
        conceal(m, m.plan_positions[at], seat)
        if i + 1 < n:
            play(m.states[WORK], m.plan[i])
    m.plan_length[seat], m.plan_at[seat] = n, 1
    return index_of(m, m.plan_actions[seat * MAX_ACTIONS])


@kernel
def forget_plans(m: Any) -> int:
    """Forget what the seats have planned, before another game."""
    for seat in range(MAX_SEATS):
        m.plan_length[seat] = 0
        m.plan_at[seat] = 0
    for i in range(len(m.greedy_moves)):
        m.greedy_moves[i] = 0
    return NOBODY


EXPORTS = (
    known_move,
    read_settings,
    start_search,
    run_simulations,
    gather,
    add_results,
    rank,
    choose,
    forget_plans,
)
