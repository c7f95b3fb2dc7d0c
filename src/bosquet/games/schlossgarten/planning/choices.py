"""Figures within reach of the own pawns, each with what its workers could do: the choices that candidates come from."""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from ..board import (
    ARCHITECT,
    BUILD,
    CARD,
    CELLS,
    GARDENER,
    KING,
    MOVE,
    ROTATIONS,
    State,
    figure_cell,
    subjects,
)
from ..constellations import OFFSETS
from ..rules import builders, standing
from ..walking import FAR, around, at_once, step_on
from .candidate import MAX_CANDIDATES, NO_CARD, NO_SITE, NO_TILE, encode_candidate, encode_digger
from .works import (
    key_of,
    list_elements,
    list_works,
    next_work,
    number_in,
    value_excavations,
    write_best_ranks,
)
from .workspace import ROOM, Workspace

DEPTH = 3
"""Works of one worker in one stand that are looked at, and a dig besides."""


@kernel
def survey(state: State, steps: int, foreign: int, jumped: int, rng_state: Numbers, workspace: Workspace) -> int:
    """Look at the position: distances, excavations, works. Return how many works there are."""
    measure(state, steps, foreign, jumped, workspace)
    value_excavations(state, foreign, workspace)
    list_elements(state, workspace)
    n = list_works(state, foreign, rng_state, workspace)
    write_best_ranks(state, n, workspace)
    return n


@kernel
def measure(state: State, steps: int, foreign: int, jumped: int, workspace: Workspace) -> None:
    """Write the least steps of each own pawn to each cell: the other own pawns are in no way, but can be jumped."""
    ground = state.up | state.own[state.seat]
    free = ground & ~foreign
    for i in range(3 * CELLS):
        workspace.distance[i] = FAR
    for kind in range(3):
        over = jumped
        for other in range(GARDENER, ARCHITECT + 1):
            if other != kind:
                over |= 1 << state.pawn[3 * state.seat + other] & ground
        met = 0
        reached = at_once(state, kind, free)
        for taken in range(steps + 1):
            fresh = reached & ~met
            while fresh:
                workspace.distance[CELLS * kind + lowest_bit(fresh)] = taken
                fresh &= fresh - 1
            met = reached
            if taken < steps:
                reached = step_on(state, kind, reached, free, over)


@kernel
def tile_to_open(state: State, diggers: int, stand: int, workspace: Workspace) -> int:
    """Return the best tile for workers on some cells to dig and leave open beside a site without a dig, or NO_TILE."""
    tiles = around(diggers) & state.up & ~stand
    best = 0
    found = NO_TILE
    while tiles:
        tile = lowest_bit(tiles)
        tiles &= tiles - 1
        if workspace.excavation_value[tile] > best:
            best = workspace.excavation_value[tile]
            found = tile
    return found


@kernel
def add_choices(
    state: State,
    card: int,
    king: int,
    gardener: int,
    architect: int,
    worker: int,
    helpers: int,
    depth: int,
    choices: int,
    n: int,
    rng_state: Numbers,
    workspace: Workspace,
) -> int:
    """Add at most `depth` best works of a worker in a stand; return the new number of choices.

    If `depth` is more than 1, its best dig without a build is added, too. `helpers` are the cells of other
    subjects that may dig for it.
    """
    stand = 1 << king | 1 << gardener | 1 << architect
    cell = gardener
    if worker == ARCHITECT:
        cell = architect
    diggers = helpers | 1 << cell
    rank = workspace.best_rank[CELLS * (worker - 1) + cell]
    taken = 0
    digs = 0
    while choices < ROOM:
        rank = next_work(state, worker, cell, diggers, stand, rank, n, workspace)
        if rank == n:
            break
        work = number_in(workspace.ranked[rank])
        rank += 1
        if (taken < depth) | ((work < CELLS) & (digs == 0)):
            site = NO_SITE
            if work >= CELLS:
                site = work - CELLS
            else:
                digs += 1
            tile = workspace.tile_to_dig[work]
            value = workspace.work_value[work]
            if (tile == NO_TILE) & (state.phase != BUILD):
                tile = tile_to_open(state, diggers, stand, workspace)
                if tile != NO_TILE:
                    value += workspace.excavation_value[tile]
            candidate = encode_candidate(card, king, gardener, architect, worker, tile, site)
            candidate |= encode_digger(tile, cell)
            workspace.choices[choices] = candidate
            workspace.choice_keys[choices] = key_of(value, choices, rng_state)
            choices += 1
            taken += 1
        if (taken >= depth) & ((digs > 0) | (depth == 1)):
            break
    return choices


@kernel
def add_figures(
    state: State,
    card: int,
    to_play: int,
    steps: int,
    foreign: int,
    depth: int,
    choices: int,
    n: int,
    rng_state: Numbers,
    workspace: Workspace,
) -> int:
    """Add the choices of every figure of a card that seems within reach; return the new number of choices. 4.1

    `to_play` is the card that candidates play: NO_CARD if it is played already.
    """
    pattern = state.pattern[card]
    first = 3 * state.seat
    my_gardener = state.pawn[first + GARDENER] + 0
    my_architect = state.pawn[first + ARCHITECT] + 0
    gardeners = subjects(state, GARDENER) & foreign
    architects = subjects(state, ARCHITECT) & foreign
    for king in range(CELLS):
        left = steps - workspace.distance[CELLS * KING + king]
        if left < 0:
            continue
        for turn in range(ROTATIONS):
            gardener = figure_cell(king, turn, pattern // OFFSETS)
            architect = figure_cell(king, turn, pattern % OFFSETS)
            if (gardener < 0) | (architect < 0):
                continue
            to_gardener = workspace.distance[CELLS * GARDENER + gardener]
            to_architect = workspace.distance[CELLS * ARCHITECT + architect]
            if to_gardener + to_architect <= left:
                helpers = 1 << gardener | 1 << architect if state.each_works else 0
                for worker in range(GARDENER, ARCHITECT + 1):
                    choices = add_choices(
                        state,
                        to_play,
                        king,
                        gardener,
                        architect,
                        worker,
                        helpers,
                        depth,
                        choices,
                        n,
                        rng_state,
                        workspace,
                    )
            # A foreign subject takes part; the own one of its kind stays where it is.
            staying = my_architect
            if (architects >> architect & 1) & (to_gardener <= left) & (staying != king) & (staying != gardener):
                choices = add_choices(
                    state, to_play, king, gardener, staying, GARDENER, 0, depth, choices, n, rng_state, workspace
                )
            staying = my_gardener
            if (gardeners >> gardener & 1) & (to_architect <= left) & (staying != king) & (staying != architect):
                choices = add_choices(
                    state, to_play, king, staying, architect, ARCHITECT, 0, depth, choices, n, rng_state, workspace
                )
    return choices


@kernel
def list_choices(
    state: State, steps: int, foreign: int, depth: int, choices: int, n: int, rng_state: Numbers, workspace: Workspace
) -> int:
    """Add the choices of the turn, whatever its phase; return the new number of choices."""
    if state.phase == CARD:
        cards = state.hand[state.seat]
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            choices = add_figures(state, card, card, steps, foreign, depth, choices, n, rng_state, workspace)
    elif state.phase == MOVE:
        choices = add_figures(state, state.played, NO_CARD, steps, foreign, depth, choices, n, rng_state, workspace)
    else:
        workers = builders(state) if state.phase == BUILD else standing(state)
        first = 3 * state.seat
        king = state.pawn[first] + 0
        gardener = state.pawn[first + GARDENER] + 0
        architect = state.pawn[first + ARCHITECT] + 0
        helpers = 0
        if state.each_works:
            for worker in range(GARDENER, ARCHITECT + 1):
                if workers >> worker & 1:
                    helpers |= 1 << state.pawn[first + worker]
        for worker in range(GARDENER, ARCHITECT + 1):
            if workers >> worker & 1:
                choices = add_choices(
                    state,
                    NO_CARD,
                    king,
                    gardener,
                    architect,
                    worker,
                    helpers,
                    MAX_CANDIDATES,
                    choices,
                    n,
                    rng_state,
                    workspace,
                )
    return choices
