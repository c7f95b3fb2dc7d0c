"""What a choice is worth beside a better one, as kernels: for the coach here and for the engine of a game.

Wins and points are rows of MAX_SEATS floats, a row for each choice.
"""

from __future__ import annotations

import math

from bosquet.core.state import MAX_SEATS, Numbers
from bosquet.kernels.jit import kernel
from bosquet.lab.chances import Reals, pool

NOISE = 2.0
"""A loss below this many standard errors of the simulations counts as 0."""
CLOSE_POINTS = 0.5
"""In a game for one, which has no winner, a loss of up to this number of points counts as 0."""
KINDS = ("given_away", "opened", "unscored")
"""Why a choice is worse: fewer points at once; more points for the others; fewer points later."""
GIVEN_AWAY, OPENED, UNSCORED = range(len(KINDS))


@kernel
def rounded(number: float, parts: int) -> float:
    """Return the nearest multiple of one part of 1, the even one of two."""
    scaled = number * parts
    below = math.floor(scaled)
    rest = scaled - below
    if (rest > 0.5) | ((rest == 0.5) & (below % 2 == 1)):
        below += 1
    return below / parts


@kernel
def rank(values: Reals, order: Numbers, n: int) -> None:
    """Write the rows into `order`, those with higher values first, those with equal ones as they are."""
    for i in range(n):
        at = i
        while at > 0 and values[order[at - 1]] < values[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i


@kernel
def order_wins(
    wins: Reals, order: Numbers, over: Numbers, solved: Numbers, n: int, seat: int, rows: Reals, sizes: Numbers
) -> None:
    """Make the chances of a seat non-increasing in an order of choices.

    Those that end the game keep theirs, unless all choices are solved: then their order is exact, and chances are not.
    `rows` has the room of `wins`, `sizes` that of `order`; both are overwritten.
    """
    all_solved = True
    for i in range(n):
        all_solved &= solved[i] != 0
    kept = 0
    for i in range(n):
        if all_solved | (over[order[i]] == 0):
            for other in range(MAX_SEATS):
                rows[MAX_SEATS * kept + other] = wins[MAX_SEATS * order[i] + other]
            kept += 1
    pool(rows, sizes, kept, seat)
    kept = 0
    for i in range(n):
        if all_solved | (over[order[i]] == 0):
            for other in range(MAX_SEATS):
                wins[MAX_SEATS * order[i] + other] = rounded(rows[MAX_SEATS * kept + other], 10_000)
            kept += 1


@kernel
def lead(points: Reals, row: int, players: int, seat: int) -> float:
    """Return the expected lead over the best other seat; with one player, the expected points."""
    best = -math.inf if players > 1 else 0.0
    for other in range(players):
        if other != seat:
            best = max(best, points[MAX_SEATS * row + other])
    return points[MAX_SEATS * row + seat] - best


@kernel
def lost_chance(
    wins: Reals, points: Reals, won: Reals, top: int, made: int, players: int, seat: int, simulations: int
) -> float:
    """Return the win probability that a choice loses against the best one; with one player a hundredth of the points.

    `won` has the share of the simulations that the seat won, before it is made a chance. A difference within the noise
    of the simulations is no loss.
    """
    if players == 1:
        short = lead(points, top, players, seat) - lead(points, made, players, seat)
        return short / 100 if short > CLOSE_POINTS else 0.0
    noise = math.sqrt((won[top] * (1 - won[top]) + won[made] * (1 - won[made])) / simulations)
    if won[top] - won[made] <= NOISE * noise:
        return 0.0
    return max(0.0, wins[MAX_SEATS * top + seat] - wins[MAX_SEATS * made + seat])


@kernel
def reason_kind(points: Reals, gains: Reals, top: int, made: int, players: int, seat: int) -> int:
    """Return the reason for the largest part of a loss, an index of `KINDS`."""
    given_away = reason_points(points, gains, top, made, players, seat, GIVEN_AWAY)
    opened = reason_points(points, gains, top, made, players, seat, OPENED)
    if (given_away >= 1) & (given_away >= opened):
        return GIVEN_AWAY
    return OPENED if opened > reason_points(points, gains, top, made, players, seat, UNSCORED) else UNSCORED


@kernel
def reason_points(points: Reals, gains: Reals, top: int, made: int, players: int, seat: int, kind: int) -> float:
    """Return the size of the difference that a reason is."""
    if kind == GIVEN_AWAY:
        return gains[top] - gains[made] + 0.0
    if kind == UNSCORED:
        return points[MAX_SEATS * top + seat] - points[MAX_SEATS * made + seat]
    most = -math.inf if players > 1 else 0.0
    for other in range(players):
        if other != seat:
            most = max(most, points[MAX_SEATS * made + other] - points[MAX_SEATS * top + other])
    return most
