"""How a search thinks about Topas: a plan is a placement; its worth is what it scores."""

from __future__ import annotations

from typing import Any

from bosquet.bots.search.memory import Tree
from bosquet.bots.search.tree import value_of
from bosquet.core.bits import index, lowest_bit
from bosquet.core.chance import below
from bosquet.core.jit import kernel
from bosquet.core.state import NOBODY, Numbers
from bosquet.games.topas import (
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
    fits,
    heading_of,
    neighbour,
    places,
    play,
    points_of,
    square_of,
)

MAX_PLANS = 24
SCRATCH = SQUARES + 2 * MAX_PLACES
SCATTER = 2654435761
"""Among equals these bits of a plan decide, so that the same position always gives the same plans."""


@kernel
def plans(state: State, found: Numbers, worths: Numbers, scratch: Numbers, lanes: Numbers) -> int:
    """Write the placements that score most, the best first, ties scattered; return how many."""
    n = 0
    end = survey(state, scratch)
    tomorrow = tomorrow_of(state)
    hand = state.hand[state.seat]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        for i in range(SQUARES, end):
            place = scratch[index(i)] & (PLACES - 1)
            worth = placement_worth(state, scratch, card, scratch[index(i)], tomorrow)
            if worth > NO_FIT:
                plan = card * PLACES + place
                key = worth << 16 | (plan * SCATTER >> 8 & 0xFFFF)
                if (n < MAX_PLANS) | (key > worths[MAX_PLANS - 1]):
                    n = insert(found, worths, n, plan, key)
    for i in range(n):
        worths[i] >>= 16
    forget(state, scratch)
    return n


@kernel
def insert(found: Numbers, keys: Numbers, n: int, plan: int, key: int) -> int:
    """Put a plan into a list kept in falling order of its keys; return its new length, at most MAX_PLANS."""
    i = n
    if n < MAX_PLANS:
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
    found[i] = plan
    return n


@kernel
def lean(state: State, lanes: Numbers, found: Numbers, worths: Numbers, scratch: Numbers) -> None:
    """Make the placement that scores most, one of the best at random."""
    best = NO_FIT
    chosen = 0
    ties = 0
    end = survey(state, scratch)
    tomorrow = tomorrow_of(state)
    hand = state.hand[state.seat]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        for i in range(SQUARES, end):
            place = scratch[index(i)] & (PLACES - 1)
            worth = placement_worth(state, scratch, card, scratch[index(i)], tomorrow)
            if worth > best:
                best = worth
                ties = 0
            if worth == best:
                ties += 1
                if below(lanes, ties) == 0:
                    chosen = card * PLACES + place
    forget(state, scratch)
    play(state, chosen)


@kernel
def carry_out(state: State, plan: int) -> None:
    """Make a plan."""
    play(state, plan)


@kernel
def noticed(state: State, viewer: int) -> int:
    """Nothing tells positions of the same moves apart: a card that was drawn shows in the plans that can be made."""
    return 0


# --- what every square would score ---


@kernel
def survey(state: State, scratch: Numbers) -> int:
    """Note for every empty square next to the table its rows (`rows_at`), then list all places from SQUARES on.

    Returns the end of the list. `scratch` must be zero below SQUARES; `forget` makes it so again.
    """
    for y in range(state.bottom - 1, state.top + 2):
        near = touching(state, y)
        while near:
            at = (y * SPAN + state.west + lowest_bit(near)) & (SQUARES - 1)
            near &= near - 1
            scratch[index(at)] = rows_at(state, at)
    easy_end, tight_end = places(state, scratch, SQUARES, SQUARES + MAX_PLACES)
    for i in range(SQUARES + MAX_PLACES, tight_end):
        scratch[easy_end] = scratch[i] | TIGHT
        easy_end += 1
    return easy_end


TIGHT = 1 << 14
"""Marks a place where not every half fits."""


@kernel
def forget(state: State, scratch: Numbers) -> None:
    """Clear what `survey` noted on squares."""
    for y in range(state.bottom - 1, state.top + 2):
        near = touching(state, y)
        while near:
            scratch[index((y * SPAN + state.west + lowest_bit(near)) & (SQUARES - 1))] = 0
            near &= near - 1


@kernel
def touching(state: State, y: int) -> int:
    """The empty squares next to the table in a row of squares, as a mask of columns."""
    row = state.rows[y & LAST]
    return (state.rows[(y - 1) & LAST] | state.rows[(y + 1) & LAST] | row << 1 | row >> 1) & (ALL_COLUMNS ^ row)


@kernel
def rows_at(state: State, at: int) -> int:
    """The gems next to an empty square: 4 bits for each colour and way, colour × 8 + way × 4. 3.3"""
    rows = 0
    for way in range(2):
        for side in range(2):
            step = STEP[way] if side else -STEP[way]
            to = (at + step) & (SQUARES - 1)
            half = state.squares[to]
            if half > 0:
                colour = COLOUR[half]
                gems = 0
                while (half > 0) & (COLOUR[max(half, 0)] == colour):
                    gems += GEMS[half]
                    to = (to + step) & (SQUARES - 1)
                    half = state.squares[to]
                rows += gems << (8 * colour + 4 * way)
    return rows


@kernel
def placement_worth(state: State, scratch: Numbers, card: int, place: int, tomorrow: int) -> int:
    """What a card is worth at a place of the survey, in hundredths; NO_FIT if it does not fit there. 3.2-3.4"""
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
        rows = scratch[index(at)]
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
# squares to 1,600 positions played out, see "Topas alone" in docs/bots.md.
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
    """How much the cards to come count, in quarters: in solitaire only, since among several the next seat has them."""
    return min(TURNS - 1 - state.turn, 4) if state.players == 1 else 0


# --- how a position stands ---


@kernel
def outlook(state: State, count: Numbers) -> None:
    """The points that each seat has so far, in hundredths; in solitaire what the lowest column will come to."""
    for seat in range(state.players):
        count[seat] = 100 * state.points[seat]
    if state.players == 1:
        count[0] = lowest_to_come(state)


# [points]: how many of a thousand columns are taken to reach them: all up to 44, then 45 fewer for each point. Chosen,
# not measured; what other shapes came to stands under "Topas alone" in docs/bots.md.
REACH = tuple(min(1000, max(0, 1000 - max(0, points - 44) * 45)) for points in range(101))


@kernel
def lowest_to_come(state: State) -> int:
    """What the lowest column is expected to come to, in hundredths, with those that are still to be laid. 5.2"""
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
def solve(state: State, tree: Tree, found: Numbers, values: Any, scratch: Numbers) -> int:
    """Write the placements of the last card, and what the mover gets by each; 0 before. 4.1

    Nobody's hand matters any more then. Returns how many there are.
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
    for i in range(tree.root_edges):
        found[i] = tree.plan[i]
        lead = state.points[state.seat] + points_of(state, found[i]) - best
        share = 1.0 if lead > 0 else 1.0 / ties if lead == 0 else 0.0
        values[i] = value_of(tree, 100 * lead, share)
    return tree.root_edges


def actions(state: State, plan: int) -> list[int]:
    """The actions by which a plan is made."""
    return [plan]


def settings(state: State) -> dict[str, float]:
    """What `Settings` leave to the game. Solitaire looks ahead to the end of the column."""
    if state.players == 1:
        left = TURNS - state.turn
        return {"exploration": 0.1, "temperature": 300.0, "scale": 800.0, "win_weight": 0.0, "rounds": left}
    return {"exploration": 1.0, "temperature": 300.0, "scale": 800.0, "win_weight": 0.3, "rounds": 0}


def same_decision(first: State, later: State) -> bool:
    """Whether a later ply of a seat is part of the plan that it began with the first."""
    return False
