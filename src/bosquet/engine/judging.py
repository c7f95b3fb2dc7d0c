"""Hints, the coach and luck in an engine: what `lab.coach` and `lab.luck` find on one thread.

    know_as, know_all          what the choices are weighed in: for a hint, for the coach
    start_search, …, rank      the search that finds the candidates (`engine.searching`)
    list_lines, add_line       the lines: the actions of the best candidates, and those that were made
    continues                  whether the plies of a decision go on, from which the coach begins
    weigh                      simulate a line; row `line` of the choices, or in the actual state row LINES + `line`
    rank_choices               put the choices in order
    loss_in_tenthousandths, …  what the made line lost, and why
    forget_luck, add_luck, luck_of   how seats fared where bots played a deal again

Chances and points are in the memory; the page reads them there. Names that depend on the game are bound (`build`).
"""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import determinize_in_place, play, scores, winners
from bosquet.core.rng import RNG_WORDS, draw
from bosquet.core.state import MAX_SEATS, NOBODY
from bosquet.kernels.jit import kernel
from bosquet.lab.chances import sharpen
from bosquet.lab.luck import COUNTS, POINTS, count_game, in_games
from bosquet.lab.verdicts import lead, lost_chance, order_wins, rank, reason_kind, reason_points, rounded
from bosquet.search.model import MAX_ACTIONS, same_decision, write_actions
from bosquet.search.tree import ROOT, WORK, simulate
from bosquet.search.tree import start_search as start_tree

LINES = 8
"""Choices that are weighed at most."""
PARTS = (
    *("known", "sharpness", "line_count", "line_length", "line_solved", "line_actions", "plan"),
    "luck",
    *("choice_wins", "choice_points", "choice_value", "choice_gain", "choice_over", "choice_order"),
)
"""The parts of the memory that a page reads and writes."""
TEN_THOUSANDTHS, HUNDREDTHS, TENTHS = 10_000, 100, 10


def fields(state: Any) -> list[tuple[Any, ...]]:
    """Return the fields of the memory that are needed here, for the type of a packed state."""
    rows = 2 * LINES
    return [
        ("known", state),  # what lines are weighed in
        ("sharpness", "f8"),  # see `lab.chances.Fitted`; 0 where nothing is fitted
        ("line_count", "i4"),
        ("line_length", "i4", (LINES,)),
        ("line_actions", "i8", (LINES * MAX_ACTIONS,)),
        ("line_solved", "i4", (LINES,)),  # whether its value is exact
        # the choices, a row for each: those of the seat, then the same with everything known
        ("choice_wins", "f8", (rows * MAX_SEATS,)),
        ("choice_points", "f8", (rows * MAX_SEATS,)),
        ("choice_value", "f8", (rows,)),
        ("choice_won", "f8", (rows,)),  # the seat's share of the simulations, before it is made a chance
        ("choice_gain", "f8", (rows,)),
        ("choice_over", "i4", (rows,)),
        ("choice_order", "i4", (LINES,)),  # [rank]: line
        ("line_value", "f8", (LINES,)),  # the exact value
        ("ordered_wins", "f8", (LINES * MAX_SEATS,)),
        ("ordered_sizes", "i4", (LINES,)),
        ("before", "i8", (MAX_SEATS,)),
        ("luck", "i4", (MAX_SEATS * COUNTS,)),  # for each seat the counts of `lab.luck`
    ]


# --- Lines -------------------------------------------------------------------------------------------------------


@kernel
def know_as(m: Any, viewer: int) -> int:
    """Weigh lines in a state drawn among those that agree with what a viewer knows. Advances the generator."""
    m.known = m.table
    determinize_in_place(m.known, viewer, m.rng)
    return 0


@kernel
def know_all(m: Any) -> int:
    """Weigh lines in the state of the game; what the seat cannot see is drawn anew for each simulation."""
    m.known = m.table
    return 0


@kernel
def continues(m: Any) -> int:
    """Return whether the game is still at the decision that began in the state `known`: 1 or 0."""
    same_seat = m.known.seat == m.table.seat
    return 1 if same_seat and same_decision(m.known, m.table) else 0


@kernel
def list_lines(m: Any, rows: int, solved: int, most: int) -> int:
    """List the lines of the best of the rows that `rank` has left, different ones; return how many.

    `solved` is whether their values are exact. Advances the generator.
    """
    m.states[ROOT] = m.table
    determinize_in_place(m.states[ROOT], m.table.seat, m.rng)
    m.line_count = 0
    row = 0
    while (row < rows) & ((m.line_count < most) | (solved != 0)):
        length = write_actions(m.states, m.candidates[row], m.plan)
        line = find_line(m, length) if length else m.line_count  # the solver of endings has some that can't be made
        if (length > 0) & (line == m.line_count) & (line < most):
            append_line(m, length)
        if line < m.line_count:
            m.line_solved[line] = solved
            m.line_value[line] = m.values[row]
        row += 1
    return int(m.line_count)


@kernel
def add_line(m: Any, length: int, solved: int) -> int:
    """Add the line whose actions are in `plan`, if it is a new one; return its number.

    `solved` is how many of the rows that `list_lines` read have exact values: the line takes that of its row.
    """
    line = find_line(m, length)
    if line == m.line_count:
        append_line(m, length)
    for row in range(solved):
        length = write_actions(m.states, m.candidates[row], m.plan)
        if (length > 0) & (find_line(m, length) == line):
            m.line_solved[line] = 1
            m.line_value[line] = m.values[row]
    return line


@kernel
def find_line(m: Any, length: int) -> int:
    """Return the number of the line in `plan`; that of the next one if it is new."""
    line = 0
    found = False
    while (line < m.line_count) & (not found):
        found = m.line_length[line] == length
        for i in range(length):
            found &= m.line_actions[line * MAX_ACTIONS + i] == m.plan[i]
        if not found:
            line += 1
    return line


@kernel
def append_line(m: Any, length: int) -> None:
    """Append the line in `plan`."""
    line = m.line_count
    m.line_length[line] = length
    m.line_solved[line] = 0
    for i in range(length):
        m.line_actions[line * MAX_ACTIONS + i] = m.plan[i]
    m.line_count += 1


# --- Weighing ----------------------------------------------------------------------------------------------------


@kernel
def weigh(m: Any, line: int, actual: int, simulations: int) -> int:
    """Simulate a line; write its row, and return its number. `actual` is whether everything is known.

    Shares of the win become chances by `sharpness` (`lab.chances`), unless that is 0 or the game is over. Advances the
    generator.
    """
    row = line + LINES * actual
    seat, players = m.table.seat, m.table.players
    value = simulate_line(m, m.workspaces, line, actual, simulations)
    tree = m.trees[0]
    for other in range(players):
        m.choice_wins[MAX_SEATS * row + other] = tree.total_wins[other] / simulations
        m.choice_points[MAX_SEATS * row + other] = rounded(tree.total_points[other] / simulations, HUNDREDTHS)
    m.choice_won[row] = m.choice_wins[MAX_SEATS * row + seat]
    if (m.line_solved[line] != 0) & (actual == 0):
        value = m.line_value[line]
    m.choice_value[row] = rounded(value, 100_000)
    play_line(m, line, row, seat)
    if (m.sharpness > 0.0) & (m.choice_over[row] == 0):
        sharpen(m.choice_wins, MAX_SEATS * row, players, simulations, m.sharpness)
    for other in range(players):
        m.choice_wins[MAX_SEATS * row + other] = rounded(m.choice_wins[MAX_SEATS * row + other], TEN_THOUSANDTHS)
    return row


@kernel
def simulate_line(m: Any, workspaces: Any, line: int, actual: int, simulations: int) -> float:
    """Make simulations that begin with a line, in these workspaces; return the mean value to the seat to move."""
    tree = m.trees[0]
    m.states[ROOT] = m.known
    for i in range(RNG_WORDS):
        m.search_rng[i] = draw(m.rng)
    tree.viewer, tree.perfect_information, tree.first_action_count = m.table.seat, actual, m.line_length[line]
    for i in range(m.line_length[line]):
        tree.first_actions[i] = m.line_actions[line * MAX_ACTIONS + i]
    tree.exploration, tree.temperature = m.exploration, m.temperature
    tree.scale, tree.win_weight = m.scale, m.win_weight
    tree.rounds, tree.random_rollouts, tree.candidate_dropout = m.rounds, 0, 0
    start_tree(m.states, m.trees, workspaces, m.search_rng, m.found, m.heuristics)
    simulate(m.states, m.trees, workspaces, m.search_rng, m.found, m.heuristics, simulations)
    return float(tree.total_value[m.table.seat] / simulations)


@kernel
def play_line(m: Any, line: int, row: int, seat: int) -> None:
    """Write what a line scores at once, and whether the game is over after it."""
    m.states[WORK] = m.known
    scores(m.states[WORK], m.before)
    for i in range(m.line_length[line]):
        play(m.states[WORK], m.line_actions[line * MAX_ACTIONS + i])
    scores(m.states[WORK], m.points)
    m.choice_gain[row] = m.points[seat] - m.before[seat]
    m.choice_over[row] = int(m.states[WORK].seat == NOBODY)


# --- Verdicts ----------------------------------------------------------------------------------------------------


@kernel
def rank_choices(m: Any) -> int:
    """Put the choices in order, and their chances; return the number of the best line."""
    rank(m.choice_value, m.choice_order, m.line_count)
    order_wins(
        m.choice_wins, m.choice_order, m.choice_over, m.line_solved, m.line_count, m.table.seat, m.ordered_wins,
        m.ordered_sizes,
    )  # fmt: skip
    return int(m.choice_order[0])


@kernel
def loss_in_tenthousandths(m: Any, made: int, simulations: int) -> int:
    """Return the win probability that a line lost; with one player, a hundredth of the points."""
    top, seat, players = m.choice_order[0], m.table.seat, m.table.players
    lost = lost_chance(m.choice_wins, m.choice_points, m.choice_won, top, made, players, seat, simulations)
    return in_parts(lost, TEN_THOUSANDTHS)


@kernel
def loss_in_hundredths(m: Any, made: int) -> int:
    """Return the points of lead that a line lost."""
    top, seat, players = m.choice_order[0], m.table.seat, m.table.players
    short = lead(m.choice_points, top, players, seat) - lead(m.choice_points, made, players, seat)
    return in_parts(short, HUNDREDTHS)


@kernel
def hindsight_in_tenthousandths(m: Any, made: int) -> int:
    """Return the win probability that a line lost with everything known."""
    seat = m.table.seat
    best = m.choice_wins[MAX_SEATS * LINES + seat]
    for line in range(1, m.line_count):
        best = max(best, m.choice_wins[MAX_SEATS * (LINES + line) + seat])
    return in_parts(best - m.choice_wins[MAX_SEATS * (LINES + made) + seat], TEN_THOUSANDTHS)


@kernel
def reason(m: Any, made: int) -> int:
    """Return why a line lost, an index of `lab.verdicts.KINDS`."""
    top, seat, players = m.choice_order[0], m.table.seat, m.table.players
    return reason_kind(m.choice_points, m.choice_gain, top, made, players, seat)


@kernel
def reason_in_tenths(m: Any, made: int) -> int:
    """Return how many points that is."""
    top, seat, players = m.choice_order[0], m.table.seat, m.table.players
    kind = reason_kind(m.choice_points, m.choice_gain, top, made, players, seat)
    points = reason_points(m.choice_points, m.choice_gain, top, made, players, seat, kind)
    return in_parts(max(points, 0.0), TENTHS)


@kernel
def forget_luck(m: Any) -> int:
    """Count no game of bots any more."""
    for i in range(MAX_SEATS * COUNTS):
        m.luck[i] = 0
    return 0


@kernel
def luck_of(m: Any, seat: int, count: int, games: int) -> int:
    """Return a count of a seat in the mean of the games: points in hundredths, shares in ten thousandths."""
    parts = HUNDREDTHS if count == POINTS else TEN_THOUSANDTHS
    return in_parts(in_games(m.luck, seat * COUNTS, count, games), parts)


@kernel
def add_luck(m: Any, seat: int, yours: int) -> int:
    """Count the game, which bots have played to its end, for a seat with `yours` points; return the bot's points."""
    scores(m.table, m.points)
    count_game(m.luck, seat * COUNTS, m.points[seat], winners(m.table), seat, yours)
    return int(m.points[seat])


@kernel
def in_parts(number: float, parts: int) -> int:
    """Return a number as a whole number of parts of 1, the nearest one."""
    return int(rounded(rounded(number, parts) * parts, 1))


EXPORTS = (
    know_as,
    know_all,
    continues,
    list_lines,
    add_line,
    weigh,
    rank_choices,
    loss_in_tenthousandths,
    loss_in_hundredths,
    hindsight_in_tenthousandths,
    reason,
    reason_in_tenths,
    forget_luck,
    add_luck,
    luck_of,
)
