"""Every stand that the own pawns of Schlossgarten reach within their steps, in whatever turns they take in walking.

Shifts and hits are included. Where a subject is sent that was hit is settled last: it stands on an element of its
owner, where nobody else walks and nobody jumps (3.2, 3.4), so it matters to figures and builds only.

Stands that differ only in the architect's cell are one word of bits, and most moves are made for all of them together.
"""

from __future__ import annotations

from bosquet.kernels.bits import count_bits, index, lowest_bit
from bosquet.kernels.jit import kernel

from ..board import (
    ARCHITECT,
    BEHIND,
    CELLS,
    ELEMENTS,
    GARDENER,
    KING,
    NEAR,
    SITE_MASK,
    State,
    element_at,
)
from ..walking import behind, beside, foreign_pawns, one_step
from .workspace import Workspace

# --- Hits -------------------------------------------------------------------------------------------------------------


@kernel
def refuges(state: State, seat: int) -> int:
    """Return where subjects of another seat may be sent: free cells of its elements. 3.5"""
    cells = state.own[seat]
    for kind in range(3):
        cells &= ~(1 << state.pawn[3 * seat + kind])
    return cells


@kernel
def count_hits_on(seat: int, hits: int, workspace: Workspace) -> int:
    """Return how many subjects of a seat are in a set of targets."""
    count = 0
    while hits:
        count += workspace.targets[lowest_bit(hits)] // 3 == seat
        hits &= hits - 1
    return count


@kernel
def list_targets(state: State, workspace: Workspace) -> int:
    """Write the pawns that may be hit; return how many. 3.5"""
    n = 0
    for seat in range(state.players):
        if seat != state.seat and refuges(state, seat):
            for kind in range(GARDENER, ARCHITECT + 1):
                if state.up >> state.pawn[3 * seat + kind] & 1:
                    workspace.targets[n] = 3 * seat + kind
                    n += 1
    return n


@kernel
def target_cells(state: State, n: int, workspace: Workspace) -> int:
    """Return the cells of the first n targets."""
    cells = 0
    for i in range(n):
        cells |= 1 << state.pawn[workspace.targets[i]]
    return cells


@kernel
def after_hit(state: State, cell: int, hits: int, workspace: Workspace) -> int:
    """Return the set of subjects hit, with the one on a cell."""
    i = 0
    while state.pawn[workspace.targets[i]] != cell:
        i += 1
    return hits | 1 << i


@kernel
def remove_targets(state: State, hits: int, n: int, workspace: Workspace) -> None:
    """Write what a set of hits changes."""
    blocked = foreign_pawns(state)
    workspace.hittable = 0
    for kind in range(GARDENER, ARCHITECT + 1):
        workspace.staying[kind] = 0
        workspace.sent[kind] = 0
        for seat in range(state.players):
            if seat != state.seat:
                workspace.staying[kind] |= 1 << state.pawn[3 * seat + kind]
    for i in range(n):
        pawn = workspace.targets[i]
        cell = state.pawn[pawn] + 0
        if hits >> i & 1:
            blocked &= ~(1 << cell)
            workspace.staying[pawn % 3] &= ~(1 << cell)
            workspace.sent[pawn % 3] |= refuges(state, pawn // 3)
        elif count_hits_on(pawn // 3, hits, workspace) < count_bits(refuges(state, pawn // 3)):
            workspace.hittable |= 1 << cell
    workspace.blocked = blocked
    workspace.jumpable = (workspace.staying[GARDENER] | workspace.staying[ARCHITECT]) & (
        state.up | state.own[state.seat]
    )


# --- Stands -----------------------------------------------------------------------------------------------------------


@kernel
def word_of(hits: int, shifted: int, king: int, gardener: int) -> int:
    """Return which word holds the stands with this in common."""
    return ((hits * 8 + shifted) * CELLS + king) * CELLS + gardener


@kernel
def add(word: int, architects: int, layer: int, workspace: Workspace) -> None:
    """Add the stands to a layer that were not met yet."""
    fresh = architects & ~workspace.met[index(word)]
    workspace.met[index(word)] |= fresh
    workspace.frontier[index(layer + word)] |= fresh


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
    workspace: Workspace,
) -> None:
    """Add the stands after the king or the gardener, the `other` standing still, enters a cell, by a hit perhaps."""
    if workspace.blocked >> to & 1:
        if workspace.hittable >> to & 1 == 0:
            return
        hits = after_hit(state, to, hits, workspace)
    word = word_of(hits, shifted, to, other)
    if kind == GARDENER:
        word = word_of(hits, shifted, other, to)
    add(word, architects & ~(1 << to), layer, workspace)


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
    workspace: Workspace,
) -> None:
    """Add the stands one step of the king or the gardener away, the `other` standing still. 3.2, 3.4, 3.5"""
    after = shifted & ~(1 << kind)
    ground = (state.up | state.own[state.seat]) & ~(1 << other)
    hurdles = workspace.jumpable + 0
    if kind == KING:
        hurdles |= 1 << other
    reach = one_step(cell, element_at(state, state.seat, cell), hurdles) & ground
    while reach:
        enter(state, hits, after, kind, lowest_bit(reach), other, architects, layer, workspace)
        reach &= reach - 1
    over = NEAR[cell] & architects
    while over:
        architect = lowest_bit(over)
        over &= over - 1
        to = BEHIND[cell][architect]
        if to >= 0:
            if ground >> to & 1:
                enter(state, hits, after, kind, to, other, 1 << architect, layer, workspace)


@kernel
def go_together(
    state: State, hits: int, shifted: int, king: int, gardener: int, architects: int, layer: int, workspace: Workspace
) -> None:
    """Add the stands one step of the architect away, wherever it is. 3.2, 3.4, 3.5"""
    seat = state.seat
    after = shifted & ~(1 << ARCHITECT)
    reach = beside(architects & ~state.own[seat])
    for i in range(ELEMENTS * seat, ELEMENTS * (seat + 1)):
        if state.element[i] >= 0:
            home = SITE_MASK[state.element[i]]
            reach |= beside(architects & home) & ~home
    reach |= behind(architects, beside(architects) & (workspace.jumpable | 1 << gardener))
    reach &= (state.up | state.own[seat]) & ~(1 << king | 1 << gardener)
    add(word_of(hits, after, king, gardener), reach & ~workspace.blocked, layer, workspace)
    reach &= workspace.hittable
    while reach:
        cell = lowest_bit(reach)
        reach &= reach - 1
        add(word_of(after_hit(state, cell, hits, workspace), after, king, gardener), 1 << cell, layer, workspace)


@kernel
def shift(
    state: State, hits: int, shifted: int, king: int, gardener: int, architects: int, layer: int, workspace: Workspace
) -> None:
    """Add the stands one shift away. 3.3"""
    seat = state.seat
    if shifted >> KING & 1 == 0:
        cells = element_at(state, seat, king) & ~(1 << king | 1 << gardener)
        while cells:
            to = lowest_bit(cells)
            cells &= cells - 1
            add(word_of(hits, shifted | 1 << KING, to, gardener), architects & ~(1 << to), layer, workspace)
    if shifted >> GARDENER & 1 == 0:
        cells = element_at(state, seat, gardener) & ~(1 << king | 1 << gardener)
        while cells:
            to = lowest_bit(cells)
            cells &= cells - 1
            add(word_of(hits, shifted | 1 << GARDENER, king, to), architects & ~(1 << to), layer, workspace)
    if shifted >> ARCHITECT & 1 == 0 and architects & state.own[seat]:
        for i in range(ELEMENTS * seat, ELEMENTS * (seat + 1)):
            if state.element[i] >= 0:
                home = SITE_MASK[state.element[i]]
                here = architects & home
                if here:
                    cells = home & ~(1 << king | 1 << gardener)
                    if here & (here - 1) == 0:
                        cells &= ~here
                    add(word_of(hits, shifted | 1 << ARCHITECT, king, gardener), cells, layer, workspace)
