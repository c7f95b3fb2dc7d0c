"""The search model of Topas: candidates are placements, their heuristic value is what they score."""

from __future__ import annotations

from typing import Annotated, Any

from bosquet.core.objective import Objective, SearchSettings, value_of_lead
from bosquet.core.rng import below
from bosquet.core.state import NOBODY, Field, Numbers, StateRecord
from bosquet.kernels.bits import index, lowest_bit
from bosquet.kernels.jit import kernel

from .rules import (
    ALL_COLUMNS,
    COLOUR,
    COLUMNS,
    GEMS,
    HALVES,
    LAST,
    MAX_PLACES,
    PLACES,
    SPAN,
    SQUARES,
    STEP,
    TURNS,
    State,
    colour_of,
    fits,
    heading_of,
    is_half,
    neighbour,
    places,
    play,
    points_of,
    run,
    square_of,
)

MAX_CANDIDATES = 24
ACTIONS_ROOM = 1
SCATTER = 2654435761
"""Among equals these bits of a candidate decide, so that the same position always gives the same candidates."""


class Workspace(StateRecord):
    """What `survey` finds out about a position."""

    rows: Annotated[list[int], Field("i8", SQUARES)]  # [square]: see `rows_at`; zero between two surveys
    places: Annotated[list[int], Field("i8", 2 * MAX_PLACES)]  # where a card may touch the table, with TIGHT


@kernel
def candidates(state: State, found: Numbers, heuristics: Numbers, workspace: Workspace, rng_state: Numbers) -> int:
    """Write the placements that score most, the best first, ties scattered; return how many."""
    n = 0
    count = survey(state, workspace)
    tomorrow = tomorrow_of(state)
    hand = state.hand[state.seat]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        for i in range(count):
            place = workspace.places[index(i)] & (PLACES - 1)
            value = value_of_placement(state, workspace, card, workspace.places[index(i)], tomorrow)
            if value > NO_FIT:
                candidate = card * PLACES + place
                key = value << 16 | (candidate * SCATTER >> 8 & 0xFFFF)
                if (n < MAX_CANDIDATES) | (key > heuristics[MAX_CANDIDATES - 1]):
                    n = insert(found, heuristics, n, candidate, key)
    for i in range(n):
        heuristics[i] >>= 16
    clear_beside(state, workspace.rows)
    return n


@kernel
def insert(found: Numbers, keys: Numbers, n: int, candidate: int, key: int) -> int:
    """Put a candidate into a list kept in falling order of its keys; return its new length, at most MAX_CANDIDATES."""
    i = n
    if n < MAX_CANDIDATES:
        n += 1
    else:
        i -= 1
    while i > 0:
        if keys[i - 1] >= key:
            break
        keys[i] = keys[i - 1]
        found[i] = found[i - 1]
        i -= 1
    keys[i] = key
    found[i] = candidate
    return n


@kernel
def rollout_policy(state: State, rng_state: Numbers, found: Numbers, heuristics: Numbers, workspace: Workspace) -> None:
    """Make the placement that scores most, one of the best at random."""
    best = NO_FIT
    chosen = 0
    ties = 0
    count = survey(state, workspace)
    tomorrow = tomorrow_of(state)
    hand = state.hand[state.seat]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        for i in range(count):
            place = workspace.places[index(i)] & (PLACES - 1)
            value = value_of_placement(state, workspace, card, workspace.places[index(i)], tomorrow)
            if value > best:
                best = value
                ties = 0
            if value == best:
                ties += 1
                if below(rng_state, ties) == 0:
                    chosen = card * PLACES + place
    clear_beside(state, workspace.rows)
    play(state, chosen)


@kernel
def apply_candidate(state: State, candidate: int) -> None:
    """Make a placement."""
    play(state, candidate)


@kernel
def information_set_key(state: State, viewer: int) -> int:
    """Return 0: nothing is to be told apart, since a card that was drawn shows in the candidates to come."""
    return 0


# --- what every square would score ---


@kernel
def survey(state: State, workspace: Workspace) -> int:
    """Write the rows beside every empty square next to the table, and list all places; return how many.

    `workspace.rows` must be zero; `clear_beside` makes it so again.
    """
    for y in range(state.bottom - 1, state.top + 2):
        near = touching(state, y)
        while near:
            at = (y * SPAN + state.west + lowest_bit(near)) & (SQUARES - 1)
            near &= near - 1
            workspace.rows[index(at)] = rows_at(state, at)
    return list_places(state, workspace.places)


TIGHT = 1 << 14
"""Marks a place where not every half fits."""


@kernel
def list_places(state: State, found: Numbers) -> int:
    """Write the places where a card may touch the table, with TIGHT; return how many."""
    count, tight_end = places(state, found, 0, MAX_PLACES)
    for i in range(MAX_PLACES, tight_end):
        found[count] = found[i] | TIGHT
        count += 1
    return count


@kernel
def clear_beside(state: State, numbers: Numbers) -> None:
    """Set the numbers [square] of the empty squares next to the table to 0."""
    for y in range(state.bottom - 1, state.top + 2):
        near = touching(state, y)
        while near:
            numbers[index((y * SPAN + state.west + lowest_bit(near)) & (SQUARES - 1))] = 0
            near &= near - 1


@kernel
def touching(state: State, y: int) -> int:
    """Return the empty squares next to the table in a row of squares, as a mask of columns."""
    row = state.rows[y & LAST]
    return (state.rows[(y - 1) & LAST] | state.rows[(y + 1) & LAST] | row << 1 | row >> 1) & (ALL_COLUMNS ^ row)


@kernel
def rows_at(state: State, at: int) -> int:
    """Return the gems next to an empty square: 4 bits for each colour and way, colour × 8 + way × 4. 3.3"""
    rows = 0
    for way in range(2):
        for side in range(2):
            step = STEP[way] if side else -STEP[way]
            half = state.squares[(at + step) & (SQUARES - 1)]
            if is_half(half):
                colour = colour_of(half)
                gems, _ = run(state, colour, at, step)
                rows += gems << (8 * colour + 4 * way)
    return rows


@kernel
def value_of_placement(state: State, workspace: Workspace, card: int, place: int, tomorrow: int) -> int:
    """Return the heuristic value of a card at a place of the survey; NO_FIT if it does not fit there. 3.2-3.4"""
    if place & TIGHT:
        place ^= TIGHT
        if not fits(state, card, place):
            return NO_FIT
    at = square_of(place)
    ways = 0
    total = 0
    product = 1
    prospect = 0
    for i in range(2):
        half = HALVES[card][i]
        rows = workspace.rows[index(at)]
        own = rows >> 8 * COLOUR[half]
        for way in range(2):
            gems = own >> 4 * way & 15
            if gems:
                ways += 1
                total += GEMS[half] + gems
                product *= GEMS[half] + gems
            if tomorrow:
                prospect += PROSPECT[GEMS[half]][gems]
        if tomorrow:
            while rows:
                prospect += COVERED[rows & 15]
                rows >>= 4
        at = neighbour(at, heading_of(place))
    points = product if (state.expert != 0) & (ways > 1) else total
    return 100 * points + tomorrow * prospect // 4


NO_FIT = -(1 << 20)
# What a placement leaves for the cards to come where there are four or more, in hundredths: fitted once by least
# squares to 1,600 positions played out, see studies/README.md.
# [gems of a half][gems next to it]: what a row is worth.
PROSPECT = (
    (0,) * 15,
    (70, 68, 68, 34, -51, -85, -85, 0, 0, 0, 0, 0, 0, 0, 0),
    (85, 85, 85, 0, -119, -136, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    (102, 102, 68, -17, -255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
)
# [gems next to a square]: what is lost with a square where they could have been added to.
COVERED = (0, -51, -68, -102, -85, -51, -34, 0, 0, 0, 0, 0, 0, 0, 0)


@kernel
def tomorrow_of(state: State) -> int:
    """Return how much the cards to come count, in quarters: among several players 0, since the next seat has them."""
    return min(TURNS - 1 - state.turn, 4) if state.players == 1 else 0


# --- how a position stands ---


@kernel
def may_evaluate(state: State) -> bool:
    """Return False: a rollout goes on to its horizon."""
    return False


@kernel
def evaluate(state: State, points: Numbers, workspace: Workspace) -> int:
    """Write the points that each seat has so far, in hundredths; in solitaire what the lowest column will come to."""
    for seat in range(state.players):
        points[seat] = 100 * state.points[seat]
    if state.players == 1:
        points[0] = lowest_to_come(state)
    return 0


# [points]: how many of a thousand columns are taken to reach them: all up to 44, then 45 fewer for each point. Chosen,
# not measured.
REACH = tuple(min(1000, max(0, 1000 - max(0, points - 44) * 45)) for points in range(101))


@kernel
def lowest_to_come(state: State) -> int:
    """Return what the lowest column should come to, in hundredths, with those that are still to be laid. 5.2"""
    least = 100
    for column in range(state.column):
        least = min(least, state.columns[column])
    left = COLUMNS - state.column
    if (state.turn > 0) & (state.seat != NOBODY):
        least = min(least, state.points[0])
        left -= 1
    expected = 0
    for points in range(1, least + 1):
        chance = 100000
        for _ in range(left):
            chance = chance * REACH[points] // 1000
        expected += chance
    return expected // 1000


@kernel
def solve(state: State, objective: Objective, found: Numbers, n: int, values: Any, workspace: Workspace) -> int:
    """Write what the mover gets by each of n placements of the last card in `found`; return n, or 0 before. 4.1

    Hands no longer matter then.
    """
    if (state.players == 1) | (state.turn != TURNS * state.players - 1):
        return 0
    best = -1
    ties = 1
    for seat in range(state.players):
        if seat != state.seat:
            if state.points[seat] > best:
                best = state.points[seat]
                ties = 1
            ties += state.points[seat] == best
    for i in range(n):
        lead = state.points[state.seat] + points_of(state, found[i]) - best
        share = 1.0 if lead > 0 else 1.0 / ties if lead == 0 else 0.0
        values[i] = value_of_lead(objective, 100 * lead, share)
    return n


@kernel
def write_actions(states: Any, candidate: int, found: Numbers) -> int:
    """Write the actions of a candidate: it is one action."""
    found[0] = candidate
    return 1


@kernel
def default_settings(state: State, settings: SearchSettings) -> None:
    """Write the settings that are left to the game. Solitaire looks ahead to the end of the column."""
    if state.players == 1:
        settings.exploration, settings.temperature = 0.1, 300.0
        settings.scale, settings.win_weight = 800.0, 0.0
        settings.rounds = TURNS - state.turn
    else:
        settings.exploration, settings.temperature = 1.0, 300.0
        settings.scale, settings.win_weight = 800.0, 0.3
        settings.rounds = 0


@kernel
def same_decision(first: State, later: State) -> bool:
    """Return False: every ply is a decision of its own."""
    return False
