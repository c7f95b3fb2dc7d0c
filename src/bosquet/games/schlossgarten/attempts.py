"""What can be tried in Schlossgarten where it is not shown what is legal, and why a move is illegal."""

from __future__ import annotations

from bosquet.core.state import Numbers
from bosquet.core.text.writing import Text, begin_reason, end_reason, name, reason
from bosquet.kernels.bits import lowest_bit
from bosquet.kernels.jit import kernel

from .board import (
    ARCHITECT,
    BUILD,
    CARD,
    CELLS,
    ELEMENTS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    FIRST_STEP,
    GARDENER,
    MOVE,
    NO_HIT,
    OVER_ELEMENTS,
    SITE_MASK,
    SITE_SIZE,
    SITES,
    STOP,
    WORK,
    State,
    covered,
    element_at,
    pawns,
)
from .constellations import CARDS
from .rules import borders, covers_whole, standing
from .walking import move_action
from .writing_moves import CELL_TEXTS, PAWN_TEXTS

SITE_COUNT = len(SITES)
MAX_ATTEMPTS = 1024
"""Each of three pawns goes to 49 cells, and may send six subjects to 48 others; two workers have 277 sites."""


@kernel
def attempts(state: State, moves: Numbers) -> int:
    """Write all that the pieces let the seat to move do in this phase, legal or not; return how many there are.

    Nothing is put where an own pawn stands that can be picked up.
    """
    n = 0
    if state.phase == CARD:
        for card in range(CARDS):
            if state.hand[state.seat] >> card & 1:
                moves[n] = card
                n += 1
    elif state.phase == MOVE:
        n = attempt_steps(state, moves)
        moves[n] = STOP
        n += 1
    elif (state.phase == WORK) | (state.phase == BUILD):
        n = attempt_works(state, moves)
        moves[n] = END
        n += 1
    return n


@kernel
def attempt_steps(state: State, moves: Numbers) -> int:
    """Write each own pawn onto each cell; where a subject stands that may be hit, it is sent away, to any cell."""
    n = 0
    own = own_pawns(state)
    for kind in range(3):
        for cell in range(CELLS):
            if own >> cell & 1 == 0:
                if is_hittable(state, cell):
                    for refuge in range(CELLS):
                        if refuge != cell:
                            moves[n] = move_action(kind, cell, refuge)
                            n += 1
                else:
                    moves[n] = move_action(kind, cell, NO_HIT)
                    n += 1
    return n


@kernel
def own_pawns(state: State) -> int:
    """Return the cells of the pawns of the seat to move."""
    cells = 0
    for kind in range(3):
        cells |= 1 << state.pawn[3 * state.seat + kind]
    return cells


@kernel
def is_hittable(state: State, cell: int) -> bool:
    """Return whether a subject stands there whose owner has an element. 3.5"""
    for seat in range(state.players):
        for kind in range(GARDENER, ARCHITECT + 1):
            if (state.pawn[3 * seat + kind] == cell) & (state.own[seat] != 0):
                return True
    return False


@kernel
def attempt_works(state: State, moves: Numbers) -> int:
    """Write what both workers could dig and build, but where one of them stands."""
    n = 0
    first = 3 * state.seat
    workers = 1 << state.pawn[first + GARDENER] | 1 << state.pawn[first + ARCHITECT]
    for worker in range(2):
        if state.phase == WORK:
            for cell in range(CELLS):
                if workers >> cell & 1 == 0:
                    moves[n] = FIRST_DIG + worker * CELLS + cell
                    n += 1
        for site in range(SITE_COUNT):
            if SITE_MASK[site] & workers == 0:
                moves[n] = FIRST_BUILD + worker * SITE_COUNT + site
                n += 1
    return n


# --- Why a move is illegal -------------------------------------------------------------------------------------------


@kernel
def write_reason(state: State, action: int, out: Text) -> None:
    """Write why an action is not legal now."""
    if state.phase == CARD:
        if action < CARDS:
            reason(out, b"not_in_hand")
        else:
            reason(out, b"card_first")
    elif state.phase == MOVE:
        if (action == STOP) | (action < FIRST_STEP) | (action >= FIRST_DIG):
            reason(out, b"stop_first")
        else:
            write_step_reason(state, action - FIRST_STEP, out)
    elif (action == END) | (action < FIRST_DIG):
        reason(out, b"moved")
    elif (state.phase == BUILD) & (action < FIRST_BUILD):
        reason(out, b"dug")
    elif action < FIRST_BUILD:
        write_dig_reason(state, action - FIRST_DIG, out)
    else:
        write_build_reason(state, action - FIRST_BUILD, out)


@kernel
def reason_at(out: Text, kind: bytes, cell: int) -> None:
    """Write a reason that names a cell."""
    begin_reason(out, kind)
    name(out, b"cell", CELL_TEXTS, cell)
    end_reason(out)


@kernel
def reason_of(out: Text, kind: bytes, pawn: int) -> None:
    """Write a reason that names a pawn."""
    begin_reason(out, kind)
    name(out, b"pawn", PAWN_TEXTS, pawn)
    end_reason(out)


@kernel
def write_step_reason(state: State, code: int, out: Text) -> None:
    """Write why a pawn may not go to a cell. 3.2-3.5"""
    kind, cell, refuge = code >> 12, code >> 6 & 63, code & 63
    at = state.pawn[3 * state.seat + kind]
    occupied = pawns(state)
    if cell == at:
        reason_at(out, b"stands_there", cell)
    elif element_at(state, state.seat, at) >> cell & 1:
        if occupied >> cell & 1:
            reason_at(out, b"occupied", cell)
        else:
            reason(out, b"shifted")
    elif state.steps == 0:
        reason(out, b"steps_made")
    elif (state.up | state.own[state.seat]) >> cell & 1 == 0:
        if state.dug >> cell & 1:
            reason_at(out, b"excavation", cell)
        else:
            reason_at(out, b"others_element", cell)
    elif (occupied >> cell & 1) & (refuge == NO_HIT):
        reason_at(out, b"pawn_there", cell)
    elif (refuge != NO_HIT) and not is_refuge(state, cell, refuge, occupied):
        begin_reason(out, b"no_refuge")
        name(out, b"refuge", CELL_TEXTS, refuge)
        end_reason(out)
    else:
        if refuge == NO_HIT:
            begin_reason(out, b"far")
        else:
            begin_reason(out, b"far_hit")
        name(out, b"pawn", PAWN_TEXTS, kind)
        name(out, b"start", CELL_TEXTS, at)
        name(out, b"cell", CELL_TEXTS, cell)
        if refuge != NO_HIT:
            name(out, b"refuge", CELL_TEXTS, refuge)
        end_reason(out)


@kernel
def is_refuge(state: State, cell: int, refuge: int, occupied: int) -> bool:
    """Return whether a pawn that is hit on a cell, if there is one, may be sent to a refuge. 3.5"""
    for seat in range(state.players):
        for kind in range(3):
            if (state.pawn[3 * seat + kind] == cell) & (state.own[seat] & ~occupied & 1 << refuge == 0):
                return False
    return True


@kernel
def write_dig_reason(state: State, work: int, out: Text) -> None:
    """Write why a dig is not legal. 4.2, 4.3"""
    worker = work // CELLS + GARDENER
    if standing(state) >> worker & 1 == 0:
        reason_of(out, b"no_figure", worker)
    else:
        begin_reason(out, b"no_dig")
        name(out, b"pawn", PAWN_TEXTS, worker)
        name(out, b"cell", CELL_TEXTS, work % CELLS)
        end_reason(out)


@kernel
def write_build_reason(state: State, work: int, out: Text) -> None:
    """Write why a build is not legal. 4.2, 4.4"""
    worker, site = work // SITE_COUNT + GARDENER, work % SITE_COUNT
    cells, occupied = SITE_MASK[site], pawns(state)
    element = ELEMENTS * state.seat + 3 * (worker - GARDENER) + SITE_SIZE[site] - 1
    if (state.phase == BUILD) & (state.each_works == 0) & (worker != state.worker):
        reason(out, b"digger_builds")
    elif standing(state) >> worker & 1 == 0:
        reason_of(out, b"no_figure", worker)
    elif state.element[element] >= 0:
        reason_of(out, b"built", worker)
    elif cells & state.up:
        reason_at(out, b"site_up", lowest_bit(cells & state.up))
    elif cells & occupied:
        reason_at(out, b"site_pawn", lowest_bit(cells & occupied))
    elif not covers_whole(state, cells):
        reason(out, b"site_whole")
    elif (cells & ~covered(state) == 0) & (state.overbuild != OVER_ELEMENTS):
        reason(out, b"site_dug")
    elif not borders(state, cells, covered(state)):
        reason(out, b"site_borders")
    else:
        reason_of(out, b"site_far", worker)
