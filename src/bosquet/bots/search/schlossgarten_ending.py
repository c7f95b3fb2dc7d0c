"""Turns of Schlossgarten that win at once: where there is one, it is found.

Every stand that the own pawns reach within their steps is looked at, in whatever turns they take in walking, shifts and
hits included, and every build that wins from there. Where a subject is sent that was hit is settled last: it stands on
an element of its owner, where nobody else walks and nobody jumps (3.2, 3.4), so it matters to figures and builds only.

Stands that differ only in the architect's cell are one word of bits, and most moves are made for all of them together.
"""

from __future__ import annotations

from typing import Any

from bosquet.bots.search.memory import Tree
from bosquet.bots.search.schlossgarten_turn import (
    HITS_AT,
    NO_CARD,
    NO_SITE,
    NO_TILE,
    SITE_AT,
    beside,
    foreign_pawns,
    gain_of,
    plan_of,
    steps_left,
    workplaces,
)
from bosquet.bots.search.tree import value_of
from bosquet.core.bits import count_bits, index, lowest_bit
from bosquet.core.jit import kernel
from bosquet.core.state import Numbers
from bosquet.games.constellations import OFFSETS
from bosquet.games.schlossgarten import (
    ARCHITECT,
    AT_OFFSET,
    BEHIND,
    CARD,
    CELLS,
    ELEMENTS,
    FIRST_SITE,
    GARDENER,
    KING,
    MAX_PLAYERS,
    MOVE,
    NEAR,
    ROTATED,
    ROTATIONS,
    SITE_MASK,
    SITE_SIZE,
    SITES,
    WINNING_POINTS,
    State,
    covered,
    covers_whole,
    element_at,
    score,
)

NO_PLAN = -1

# --- Scratch space -----------------------------------------------------------------------------------------------

MOST_PREY = 2 * (MAX_PLAYERS - 1)
STANDS = 8 * CELLS * CELLS
"""Words for the stands with the same subjects hit: [shifted][king][gardener], a bit for each cell of the architect."""

WINS = 0  # sites to win on
PREY = WINS + len(SITES)  # the pawns that may be hit: 3 × seat + kind
# What hits change, for the set of subjects hit that is looked at:
BLOCKED = PREY + MOST_PREY  # cells of the others' pawns that were not hit
FOLK = BLOCKED + 1  # those of them with a subject that may be jumped
HUNTED = FOLK + 1  # those with a subject that may be hit
STAYING = HUNTED + 1  # [kind]: cells of the others' subjects that were not hit
SENT = STAYING + 3  # [kind]: cells where one that was hit may have been sent
MET = SENT + 3  # [set of subjects hit × STANDS + …]: stands met so far
EDGE = MET + (STANDS << MOST_PREY)  # those to look at now
BEYOND = EDGE + (STANDS << MOST_PREY)  # those a step away; they take turns with EDGE
ENDING_SCRATCH = BEYOND + (STANDS << MOST_PREY)
"""Length of the scratch space."""

# --- Builds that win ---------------------------------------------------------------------------------------------


@kernel
def wins_by(state: State, site: int) -> bool:
    """Whether building on a site makes the seat to move win. 5.1"""
    return score(state, state.seat) + gain_of(state, SITE_MASK[site], covered(state)) >= WINNING_POINTS


@kernel
def list_wins(state: State, fixed: int, scratch: Numbers) -> int:
    """Write the sites to win on, after a dig or without, that lie on none of the `fixed` cells; return how many. 4.4"""
    n = 0
    built = covered(state)
    for size in range(1, 4):
        first = ELEMENTS * state.seat + size - 1
        if (state.element[first] < 0) | (state.element[first + 3] < 0):
            for site in range(FIRST_SITE[size], FIRST_SITE[size + 1]):
                cells = SITE_MASK[site]
                fresh = cells & state.up
                if (cells & fixed == 0) & (fresh & (fresh - 1) == 0) & (cells & ~built != 0):
                    if wins_by(state, site) and covers_whole(state, cells):
                        scratch[WINS + n] = site
                        n += 1
    return n


@kernel
def win_for(
    state: State, worker: int, cell: int, taken: int, architects: int, hits: int, wins: int, scratch: Numbers
) -> int:
    """A site on which a worker on a cell wins, or NO_SITE.

    Pawns stand on the cells `taken`, the own architect on one of `architects`.
    """
    for i in range(wins):
        site = scratch[WINS + i]
        cells = SITE_MASK[site]
        if workplaces(site, cells & state.up) >> cell & 1:
            if (cells & taken == 0) & (architects & ~cells != 0):
                if state.element[ELEMENTS * state.seat + 3 * (worker - 1) + SITE_SIZE[site] - 1] < 0:
                    if hits == 0 or leaves_refuge(state, hits, cells, scratch):
                        return site
    return NO_SITE


@kernel
def leaves_refuge(state: State, hits: int, cells: int, scratch: Numbers) -> bool:
    """Whether all that were hit can be somewhere else than on these cells."""
    for seat in range(state.players):
        if count_bits(refuges(state, seat) & ~cells) < hits_of(seat, hits, scratch):
            return False
    return True


# --- Hits --------------------------------------------------------------------------------------------------------


@kernel
def refuges(state: State, seat: int) -> int:
    """Where subjects of another seat may be sent: free cells of its elements. 3.5"""
    cells = state.own[seat]
    for kind in range(3):
        cells &= ~(1 << state.pawn[3 * seat + kind])
    return cells


@kernel
def hits_of(seat: int, hits: int, scratch: Numbers) -> int:
    """How many subjects of a seat are in a set of prey."""
    count = 0
    while hits:
        count += scratch[PREY + lowest_bit(hits)] // 3 == seat
        hits &= hits - 1
    return count


@kernel
def list_prey(state: State, scratch: Numbers) -> int:
    """Write the pawns that may be hit; return how many. 3.5"""
    n = 0
    for seat in range(state.players):
        if seat != state.seat and refuges(state, seat):
            for kind in range(GARDENER, ARCHITECT + 1):
                if state.up >> state.pawn[3 * seat + kind] & 1:
                    scratch[PREY + n] = 3 * seat + kind
                    n += 1
    return n


@kernel
def prey_cells(state: State, n: int, scratch: Numbers) -> int:
    """The cells of the first n prey."""
    cells = 0
    for i in range(n):
        cells |= 1 << state.pawn[scratch[PREY + i]]
    return cells


@kernel
def after_hit(state: State, cell: int, hits: int, scratch: Numbers) -> int:
    """The set of subjects hit, with the one on a cell."""
    i = 0
    while state.pawn[scratch[PREY + i]] != cell:
        i += 1
    return hits | 1 << i


@kernel
def remove_prey(state: State, hits: int, n: int, scratch: Numbers) -> None:
    """Write what a set of hits changes."""
    blocked = foreign_pawns(state)
    scratch[HUNTED] = 0
    for kind in range(GARDENER, ARCHITECT + 1):
        scratch[STAYING + kind] = 0
        scratch[SENT + kind] = 0
        for seat in range(state.players):
            if seat != state.seat:
                scratch[STAYING + kind] |= 1 << state.pawn[3 * seat + kind]
    for i in range(n):
        pawn = scratch[PREY + i]
        cell = state.pawn[pawn] + 0
        if hits >> i & 1:
            blocked &= ~(1 << cell)
            scratch[STAYING + pawn % 3] &= ~(1 << cell)
            scratch[SENT + pawn % 3] |= refuges(state, pawn // 3)
        elif hits_of(pawn // 3, hits, scratch) < count_bits(refuges(state, pawn // 3)):
            scratch[HUNTED] |= 1 << cell
    scratch[BLOCKED] = blocked
    scratch[FOLK] = (scratch[STAYING + GARDENER] | scratch[STAYING + ARCHITECT]) & (state.up | state.own[state.seat])


# --- Stands ------------------------------------------------------------------------------------------------------


@kernel
def word_of(hits: int, shifted: int, king: int, gardener: int) -> int:
    """Which word holds the stands with this in common."""
    return ((hits * 8 + shifted) * CELLS + king) * CELLS + gardener


@kernel
def add(word: int, architects: int, layer: int, scratch: Numbers) -> None:
    """Add the stands to a layer that were not met yet."""
    fresh = architects & ~scratch[index(MET + word)]
    scratch[index(MET + word)] |= fresh
    scratch[index(layer + word)] |= fresh


@kernel
def enter(
    state: State,
    hits: int,
    shifted: int,
    kind: int,
    to: int,
    other: int,
    architects: int,
    layer: int,
    scratch: Numbers,
) -> None:
    """Add the stands after the king or the gardener, the `other` standing still, enters a cell, by a hit perhaps."""
    if scratch[BLOCKED] >> to & 1:
        if scratch[HUNTED] >> to & 1 == 0:
            return
        hits = after_hit(state, to, hits, scratch)
    word = word_of(hits, shifted, to, other)
    if kind == GARDENER:
        word = word_of(hits, shifted, other, to)
    add(word, architects & ~(1 << to), layer, scratch)


@kernel
def go_alone(
    state: State,
    hits: int,
    shifted: int,
    kind: int,
    cell: int,
    other: int,
    architects: int,
    layer: int,
    scratch: Numbers,
) -> None:
    """Add the stands one step of the king or the gardener away, the `other` standing still. 3.2, 3.4, 3.5"""
    after = shifted & ~(1 << kind)
    ground = (state.up | state.own[state.seat]) & ~(1 << other)
    hurdles = scratch[FOLK] + 0
    if kind == KING:
        hurdles |= 1 << other
    reach = NEAR[cell] & ~element_at(state, state.seat, cell)
    over = NEAR[cell] & hurdles
    while over:
        behind = BEHIND[cell][lowest_bit(over)]
        over &= over - 1
        if behind >= 0:
            reach |= 1 << behind
    reach &= ground
    while reach:
        enter(state, hits, after, kind, lowest_bit(reach), other, architects, layer, scratch)
        reach &= reach - 1
    over = NEAR[cell] & architects
    while over:
        architect = lowest_bit(over)
        over &= over - 1
        behind = BEHIND[cell][architect]
        if behind >= 0:
            if ground >> behind & 1:
                enter(state, hits, after, kind, behind, other, 1 << architect, layer, scratch)


@kernel
def go_together(
    state: State, hits: int, shifted: int, king: int, gardener: int, architects: int, layer: int, scratch: Numbers
) -> None:
    """Add the stands one step of the architect away, wherever it is. 3.2, 3.4, 3.5"""
    seat = state.seat
    after = shifted & ~(1 << ARCHITECT)
    reach = beside(architects & ~state.own[seat])
    for i in range(ELEMENTS * seat, ELEMENTS * (seat + 1)):
        if state.element[i] >= 0:
            home = SITE_MASK[state.element[i]]
            reach |= beside(architects & home) & ~home
    over = beside(architects) & (scratch[FOLK] | 1 << gardener)
    while over:
        hurdle = lowest_bit(over)
        over &= over - 1
        runs = NEAR[hurdle] & architects
        while runs:
            behind = BEHIND[lowest_bit(runs)][hurdle]
            runs &= runs - 1
            if behind >= 0:
                reach |= 1 << behind
    reach &= (state.up | state.own[seat]) & ~(1 << king | 1 << gardener)
    add(word_of(hits, after, king, gardener), reach & ~scratch[BLOCKED], layer, scratch)
    reach &= scratch[HUNTED]
    while reach:
        cell = lowest_bit(reach)
        reach &= reach - 1
        add(word_of(after_hit(state, cell, hits, scratch), after, king, gardener), 1 << cell, layer, scratch)


@kernel
def shift(
    state: State, hits: int, shifted: int, king: int, gardener: int, architects: int, layer: int, scratch: Numbers
) -> None:
    """Add the stands one shift away. 3.3"""
    seat = state.seat
    if shifted >> KING & 1 == 0:
        cells = element_at(state, seat, king) & ~(1 << king | 1 << gardener)
        while cells:
            to = lowest_bit(cells)
            cells &= cells - 1
            add(word_of(hits, shifted | 1 << KING, to, gardener), architects & ~(1 << to), layer, scratch)
    if shifted >> GARDENER & 1 == 0:
        cells = element_at(state, seat, gardener) & ~(1 << king | 1 << gardener)
        while cells:
            to = lowest_bit(cells)
            cells &= cells - 1
            add(word_of(hits, shifted | 1 << GARDENER, king, to), architects & ~(1 << to), layer, scratch)
    if shifted >> ARCHITECT & 1 == 0 and architects & state.own[seat]:
        for i in range(ELEMENTS * seat, ELEMENTS * (seat + 1)):
            if state.element[i] >= 0:
                home = SITE_MASK[state.element[i]]
                here = architects & home
                if here:
                    cells = home & ~(1 << king | 1 << gardener)
                    if here & (here - 1) == 0:
                        cells &= ~here
                    add(word_of(hits, shifted | 1 << ARCHITECT, king, gardener), cells, layer, scratch)


# --- The turn ----------------------------------------------------------------------------------------------------


@kernel
def win_from(
    state: State, cards: int, hits: int, king: int, gardener: int, architects: int, wins: int, scratch: Numbers
) -> int:
    """A plan that wins from one of these stands with one of the cards, without telling of hits; NO_PLAN if none. 4.1"""
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        pattern = state.pattern[card]
        told = card if state.phase == CARD else NO_CARD
        for turn in range(ROTATIONS):
            g = AT_OFFSET[king][ROTATED[turn][pattern // OFFSETS]]
            a = AT_OFFSET[king][ROTATED[turn][pattern % OFFSETS]]
            if (g >= 0) & (a >= 0):
                taken = scratch[BLOCKED] | 1 << king | 1 << gardener | 1 << g | 1 << a
                there = architects & 1 << a
                if g == gardener:
                    able = there
                    if (scratch[STAYING + ARCHITECT] | scratch[SENT + ARCHITECT]) >> a & 1:
                        able = architects
                    if able:
                        site = win_for(state, GARDENER, g, taken, able, hits, wins, scratch)
                        if site != NO_SITE:
                            architect = lowest_bit(able & ~SITE_MASK[site])
                            return winning(state, told, king, gardener, architect, GARDENER, site)
                if there and (g == gardener or (scratch[STAYING + GARDENER] | scratch[SENT + GARDENER]) >> g & 1):
                    site = win_for(state, ARCHITECT, a, taken, there, hits, wins, scratch)
                    if site != NO_SITE:
                        return winning(state, told, king, gardener, a, ARCHITECT, site)
    return NO_PLAN


@kernel
def winning(state: State, card: int, king: int, gardener: int, architect: int, worker: int, site: int) -> int:
    """The plan to build there, with the dig that it needs."""
    fresh = SITE_MASK[site] & state.up
    tile = NO_TILE
    if fresh:
        tile = lowest_bit(fresh)
    return plan_of(card, king, gardener, architect, worker, tile, site)


@kernel
def winning_plan(state: State, scratch: Numbers) -> int:
    """The plan of a turn that wins at once, with as few steps as any; NO_PLAN if there is none.

    For a seat that plays a card or moves; uses no more than it sees. `scratch` has room for ENDING_SCRATCH numbers.
    """
    prey = list_prey(state, scratch)
    wins = list_wins(state, foreign_pawns(state) & ~prey_cells(state, prey, scratch), scratch)
    if wins == 0:
        return NO_PLAN
    cards = state.hand[state.seat] if state.phase == CARD else 1 << state.played
    size = STANDS << prey
    for i in range(size):
        scratch[MET + i] = 0
        scratch[EDGE + i] = 0
        scratch[BEYOND + i] = 0
    first = 3 * state.seat
    start = word_of(0, state.shifted, state.pawn[first], state.pawn[first + GARDENER])
    layer = EDGE
    add(start, 1 << state.pawn[first + ARCHITECT], layer, scratch)
    for left in range(steps_left(state), -1, -1):
        beyond = EDGE + BEYOND - layer
        # Who has shifted counts first: free shifts into a block are made before a step from anywhere reaches into it,
        # so that a stand is met with the most steps left.
        for block in range(8 << prey):
            shifted = block >> prey
            hits = block & (1 << prey) - 1
            remove_prey(state, hits, prey, scratch)
            start = word_of(hits, shifted, 0, 0)
            for word in range(start, start + CELLS * CELLS):
                architects = scratch[index(layer + word)] + 0
                if architects:
                    scratch[index(layer + word)] = 0
                    king = (word - start) // CELLS
                    gardener = (word - start) % CELLS
                    plan = win_from(state, cards, hits, king, gardener, architects, wins, scratch)
                    if plan != NO_PLAN:
                        return plan | told_hits(hits, scratch) << HITS_AT
                    shift(state, hits, shifted, king, gardener, architects, layer, scratch)
                    if left:
                        go_alone(state, hits, shifted, KING, king, gardener, architects, beyond, scratch)
                        go_alone(state, hits, shifted, GARDENER, gardener, king, architects, beyond, scratch)
                        go_together(state, hits, shifted, king, gardener, architects, beyond, scratch)
        layer = beyond
    return NO_PLAN


@kernel
def told_hits(hits: int, scratch: Numbers) -> int:
    """The pawns hit, as plans tell them."""
    pawns = 0
    while hits:
        pawns |= 1 << scratch[PREY + lowest_bit(hits)]
        hits &= hits - 1
    return pawns


@kernel
def lead_after(state: State, site: int) -> int:
    """How far the seat to move is ahead of the best other seat after it has built on a site. 4.5, 4.6"""
    cells = SITE_MASK[site]
    rival = 0
    for seat in range(state.players):
        if seat != state.seat:
            rival = max(rival, score(state, seat) - count_bits(state.own[seat] & cells))
    return score(state, state.seat) + gain_of(state, cells, covered(state)) - rival


@kernel
def solve(state: State, tree: Tree, found: Numbers, values: Any, scratch: Numbers) -> int:
    """Write the plans that win at once and what each is worth; return how many.

    They are those of the root's edges; where none of these wins, one that was found by looking at every stand.
    """
    n = 0
    for i in range(tree.root_edges):
        site = tree.plan[i] >> SITE_AT & 511
        if site != NO_SITE and wins_by(state, site):
            found[n] = tree.plan[i]
            n += 1
    if n == 0 and ((state.phase == CARD) | (state.phase == MOVE)):
        found[0] = winning_plan(state, scratch)
        n += found[0] != NO_PLAN
    for i in range(n):
        values[i] = value_of(tree, 100 * lead_after(state, found[i] >> SITE_AT & 511), 1.0)
    return n
