"""Turns of Schlossgarten that win at once: where there is one, it is found.

Every stand that the own pawns reach within their steps is looked at (`stands`), and every build that wins from there.
"""

from __future__ import annotations

from typing import Any

from bosquet.core.objective import Objective, value_of_lead
from bosquet.core.state import Numbers
from bosquet.kernels.bits import count_bits, index, lowest_bit
from bosquet.kernels.jit import kernel

from ..board import (
    ARCHITECT,
    CARD,
    CELLS,
    ELEMENTS,
    FIRST_SITE,
    GARDENER,
    KING,
    MOVE,
    NEAR,
    ROTATIONS,
    SITE_MASK,
    SITE_SIZE,
    WINNING_POINTS,
    State,
    covered,
    figure_cell,
)
from ..constellations import OFFSETS
from ..rules import gain_of, is_open, may_cover, score
from ..walking import foreign_pawns
from .candidate import (
    HITS_AT,
    NO_CANDIDATE,
    NO_CARD,
    NO_SITE,
    NO_TILE,
    encode_candidate,
    encode_digger,
    site_of,
    steps_left,
)
from .stands import (
    add,
    count_hits_on,
    go_alone,
    go_together,
    list_targets,
    refuges,
    remove_targets,
    shift,
    target_cells,
    word_of,
)
from .works import SITE_NEAR
from .workspace import ALL_STANDS, STANDS, Workspace


@kernel
def solve(state: State, objective: Objective, found: Numbers, n: int, values: Any, workspace: Workspace) -> int:
    """Write the candidates that win at once and their values; return how many.

    They are among the n candidates in `found`; where none of these wins, one that is found by looking at every stand.
    """
    wins = 0
    for i in range(n):
        site = site_of(found[i])
        if site != NO_SITE and wins_by(state, site):
            found[wins] = found[i]
            wins += 1
    if wins == 0 and ((state.phase == CARD) | (state.phase == MOVE)):
        found[0] = winning_candidate(state, workspace)
        wins += found[0] != NO_CANDIDATE
    for i in range(wins):
        values[i] = value_of_lead(objective, 100 * lead_after(state, site_of(found[i])), 1.0)
    return wins


@kernel
def winning_candidate(state: State, workspace: Workspace) -> int:
    """Return the candidate of a turn that wins at once, with as few steps as any; NO_CANDIDATE if there is none.

    For a seat that plays a card or moves; uses no more than it sees.
    """
    targets = list_targets(state, workspace)
    wins = list_wins(state, foreign_pawns(state) & ~target_cells(state, targets, workspace), workspace)
    return winning_on(state, targets, wins, workspace)


@kernel
def winning_on(state: State, targets: int, wins: int, workspace: Workspace) -> int:
    """Return the candidate of a turn that wins on one of the first sites of the list; NO_CANDIDATE if there is none.

    `list_targets` and `list_wins` have been called; `wins` is how many sites count.
    """
    if wins == 0:
        return NO_CANDIDATE
    cards = state.hand[state.seat] if state.phase == CARD else 1 << state.played
    size = STANDS << targets
    for i in range(size):
        workspace.met[i] = 0
        workspace.frontier[i] = 0
        workspace.frontier[ALL_STANDS + i] = 0
    first = 3 * state.seat
    start = word_of(0, state.shifted, state.pawn[first], state.pawn[first + GARDENER])
    layer = 0
    add(start, 1 << state.pawn[first + ARCHITECT], layer, workspace)
    for left in range(steps_left(state), -1, -1):
        beyond = ALL_STANDS - layer
        # Who has shifted counts first: free shifts into a block are made before a step from anywhere reaches into it,
        # so that a stand is met with the most steps left.
        for block in range(8 << targets):
            shifted = block >> targets
            hits = block & (1 << targets) - 1
            remove_targets(state, hits, targets, workspace)
            start = word_of(hits, shifted, 0, 0)
            for word in range(start, start + CELLS * CELLS):
                architects = workspace.frontier[index(layer + word)] + 0
                if architects:
                    workspace.frontier[index(layer + word)] = 0
                    king = (word - start) // CELLS
                    gardener = (word - start) % CELLS
                    candidate = win_from(state, cards, hits, king, gardener, architects, wins, workspace)
                    if candidate != NO_CANDIDATE:
                        return candidate | encode_hits(hits, workspace) << HITS_AT
                    shift(state, hits, shifted, king, gardener, architects, layer, workspace)
                    if left:
                        go_alone(state, hits, shifted, KING, king, gardener, architects, beyond, workspace)
                        go_alone(state, hits, shifted, GARDENER, gardener, king, architects, beyond, workspace)
                        go_together(state, hits, shifted, king, gardener, architects, beyond, workspace)
        layer = beyond
    return NO_CANDIDATE


@kernel
def encode_hits(hits: int, workspace: Workspace) -> int:
    """Return the pawns hit, as candidates tell them."""
    pawns = 0
    while hits:
        pawns |= 1 << workspace.targets[lowest_bit(hits)]
        hits &= hits - 1
    return pawns


@kernel
def wins_by(state: State, site: int) -> bool:
    """Return whether building on a site makes the seat to move win. 5.1"""
    return score(state, state.seat) + gain_of(state, SITE_MASK[site], covered(state)) >= WINNING_POINTS


@kernel
def list_wins(state: State, fixed: int, workspace: Workspace) -> int:
    """Write the sites to win on, after a dig or without, that lie on none of the `fixed` cells; return how many. 4.4"""
    n = 0
    built = covered(state)
    for size in range(1, 4):
        first = ELEMENTS * state.seat + size - 1
        if (state.element[first] < 0) | (state.element[first + 3] < 0):
            for site in range(FIRST_SITE[size], FIRST_SITE[size + 1]):
                cells = SITE_MASK[site]
                if is_open(state, cells, built, fixed):
                    if wins_by(state, site) and may_cover(state, cells, built):
                        workspace.winning_sites[n] = site
                        n += 1
    return n


@kernel
def win_for(
    state: State,
    worker: int,
    cell: int,
    helpers: int,
    taken: int,
    architects: int,
    hits: int,
    wins: int,
    workspace: Workspace,
) -> int:
    """Return a site on which a worker on a cell wins, or NO_SITE.

    Pawns stand on the cells `taken`, the own architect on one of `architects`. `helpers` are the cells of other
    subjects that may dig for the worker.
    """
    for i in range(wins):
        site = workspace.winning_sites[i]
        cells = SITE_MASK[site]
        fresh = cells & state.up
        if SITE_NEAR[site] >> cell & 1 and (fresh == 0 or NEAR[lowest_bit(fresh)] & (helpers | 1 << cell) != 0):
            if (cells & taken == 0) & (architects & ~cells != 0):
                if state.element[ELEMENTS * state.seat + 3 * (worker - 1) + SITE_SIZE[site] - 1] < 0:
                    if hits == 0 or leaves_refuge(state, hits, cells, workspace):
                        return site
    return NO_SITE


@kernel
def leaves_refuge(state: State, hits: int, cells: int, workspace: Workspace) -> bool:
    """Return whether all that were hit can be somewhere else than on these cells."""
    for seat in range(state.players):
        if count_bits(refuges(state, seat) & ~cells) < count_hits_on(seat, hits, workspace):
            return False
    return True


@kernel
def win_from(
    state: State, cards: int, hits: int, king: int, gardener: int, architects: int, wins: int, workspace: Workspace
) -> int:
    """Return a candidate, its hits left out, that wins from one of these stands; NO_CANDIDATE if there is none. 4.1"""
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        pattern = state.pattern[card]
        to_play = card if state.phase == CARD else NO_CARD
        for turn in range(ROTATIONS):
            g = figure_cell(king, turn, pattern // OFFSETS)
            a = figure_cell(king, turn, pattern % OFFSETS)
            if (g >= 0) & (a >= 0):
                taken = workspace.blocked | 1 << king | 1 << gardener | 1 << g | 1 << a
                there = architects & 1 << a
                if g == gardener:
                    able = there
                    if (workspace.staying[ARCHITECT] | workspace.sent[ARCHITECT]) >> a & 1:
                        able = architects
                    if able:
                        helpers = there if state.each_works else 0
                        site = win_for(state, GARDENER, g, helpers, taken, able, hits, wins, workspace)
                        if site != NO_SITE:
                            architect = lowest_bit(able & ~SITE_MASK[site])
                            return winning(state, to_play, king, gardener, architect, GARDENER, site)
                if there and (g == gardener or (workspace.staying[GARDENER] | workspace.sent[GARDENER]) >> g & 1):
                    helpers = 1 << g if state.each_works and g == gardener else 0
                    site = win_for(state, ARCHITECT, a, helpers, taken, there, hits, wins, workspace)
                    if site != NO_SITE:
                        return winning(state, to_play, king, gardener, a, ARCHITECT, site)
    return NO_CANDIDATE


@kernel
def winning(state: State, card: int, king: int, gardener: int, architect: int, worker: int, site: int) -> int:
    """Return the candidate to build there, with the dig that it needs."""
    fresh = SITE_MASK[site] & state.up
    tile = NO_TILE
    if fresh:
        tile = lowest_bit(fresh)
    cell = gardener if worker == GARDENER else architect
    return encode_candidate(card, king, gardener, architect, worker, tile, site) | encode_digger(tile, cell)


@kernel
def lead_after(state: State, site: int) -> int:
    """Return how far the seat to move is ahead of the best other seat after it has built on a site. 4.5, 4.6"""
    cells = SITE_MASK[site]
    rival = 0
    for seat in range(state.players):
        if seat != state.seat:
            rival = max(rival, score(state, seat) - count_bits(state.own[seat] & cells))
    return score(state, state.seat) + gain_of(state, cells, covered(state)) - rival
