"""Moves of Schlossgarten as JSON, written by kernels; `view` has their type."""

from __future__ import annotations

from bosquet.core.assistance import FULL
from bosquet.core.text.writing import (
    Text,
    begin_list,
    begin_object,
    begin_text,
    empty_list,
    end_list,
    end_object,
    end_text,
    name,
    names,
    number,
    put,
    put_number,
    put_row,
    text,
    texts,
)
from bosquet.kernels.jit import kernel

from .board import (
    CELLS,
    FIRST_BUILD,
    FIRST_DIG,
    FIRST_STEP,
    GARDENER,
    GRID,
    NEAR,
    NO_HIT,
    PAWNS,
    SITE_MASK,
    SITE_SIZE,
    SITES,
    STOP,
    State,
    covered,
    element_at,
)
from .constellations import CARDS
from .notation import CARD_NUMBERS
from .rules import gain_of

CELL_TEXTS = texts(*GRID.names)
PAWN_TEXTS = texts(*PAWNS)
CARD_TEXTS = texts(*CARD_NUMBERS)
ELEMENT_TEXTS = texts(*(f"{worker}{size}" for worker in PAWNS[1:] for size in (1, 2, 3)))
END_TEXTS = texts("stop", "end")
SITE_CELLS = tuple(site + (-1,) * (3 - len(site)) for site in SITES)


@kernel
def write_move(state: State, action: int, viewer: int, assistance: int, out: Text) -> None:
    """Write an action about to be made; everybody may know all of it."""
    begin_object(out, b"")
    begin_text(out, b"say")
    put_move(action, out)
    end_text(out)
    if action < CARDS:
        text(out, b"kind", b"card")
        name(out, b"piece", CARD_TEXTS, action)
        empty_list(out, b"cells")
        write_points(0, assistance, out)
    elif action < FIRST_STEP:
        name(out, b"kind", END_TEXTS, action - STOP)
        empty_list(out, b"cells")
        write_points(0, assistance, out)
    elif action < FIRST_DIG:
        write_step(state, action - FIRST_STEP, assistance, out)
    elif action < FIRST_BUILD:
        worker = (action - FIRST_DIG) // CELLS + GARDENER
        text(out, b"kind", b"dig")
        name(out, b"piece", PAWN_TEXTS, worker)
        names(out, b"cells", CELL_TEXTS, 1 << (action - FIRST_DIG) % CELLS)
        write_points(0, assistance, out)
        name(out, b"pawn", PAWN_TEXTS, worker)
    else:
        write_build(state, action - FIRST_BUILD, assistance, out)
    end_object(out)


@kernel
def write_step(state: State, code: int, assistance: int, out: Text) -> None:
    """Write the fields of a step, jump, shift or hit. 3.2-3.5"""
    pawn, cell, refuge = code >> 12, code >> 6 & 63, code & 63
    at = state.pawn[3 * state.seat + pawn]
    if refuge != NO_HIT:
        text(out, b"kind", b"hit")
    elif element_at(state, state.seat, at) >> cell & 1:
        text(out, b"kind", b"shift")
    elif NEAR[at] >> cell & 1:
        text(out, b"kind", b"step")
    else:
        text(out, b"kind", b"jump")
    name(out, b"piece", PAWN_TEXTS, pawn)
    names(out, b"cells", CELL_TEXTS, 1 << cell)
    name(out, b"to", CELL_TEXTS, cell)
    write_points(0, assistance, out)
    name(out, b"pawn", PAWN_TEXTS, pawn)
    if refuge != NO_HIT:
        name(out, b"refuge", CELL_TEXTS, refuge)


@kernel
def write_build(state: State, work: int, assistance: int, out: Text) -> None:
    """Write the fields of a build. 4.4-4.6"""
    worker, site = work // len(SITE_MASK) + GARDENER, work % len(SITE_MASK)
    text(out, b"kind", b"build")
    name(out, b"piece", ELEMENT_TEXTS, 3 * (worker - GARDENER) + SITE_SIZE[site] - 1)
    write_site(site, out)
    write_points(gain_of(state, SITE_MASK[site], covered(state)), assistance, out)
    name(out, b"pawn", PAWN_TEXTS, worker)


@kernel
def write_points(points: int, assistance: int, out: Text) -> None:
    """Write what a move comes to, if that is told."""
    if assistance >= FULL:
        number(out, b"points", points)


@kernel
def write_site(site: int, out: Text) -> None:
    """Write the cells of a site, by column, then row. 1.3"""
    begin_list(out, b"cells")
    for i in range(SITE_SIZE[site]):
        name(out, b"", CELL_TEXTS, SITE_CELLS[site][i])
    end_list(out)


# --- Notation --------------------------------------------------------------------------------------------------


@kernel
def put_move(action: int, out: Text) -> None:
    """Write the notation of an action as it is. 6"""
    if action < CARDS:
        put(out, b"card ")
        put_row(out, CARD_TEXTS, action)
    elif action < FIRST_STEP:
        put_row(out, END_TEXTS, action - STOP)
    elif action < FIRST_DIG:
        code = action - FIRST_STEP
        put_row(out, PAWN_TEXTS, code >> 12)
        put(out, b" ")
        put_row(out, CELL_TEXTS, code >> 6 & 63)
        if code & 63 != NO_HIT:
            put(out, b" hit ")
            put_row(out, CELL_TEXTS, code & 63)
    elif action < FIRST_BUILD:
        work = action - FIRST_DIG
        put_row(out, PAWN_TEXTS, work // CELLS + GARDENER)
        put(out, b" dig ")
        put_row(out, CELL_TEXTS, work % CELLS)
    else:
        work = action - FIRST_BUILD
        site = work % len(SITE_MASK)
        put_row(out, PAWN_TEXTS, work // len(SITE_MASK) + GARDENER)
        put(out, b" build ")
        put_number(out, SITE_SIZE[site])
        for i in range(SITE_SIZE[site]):
            put(out, b" ")
            put_row(out, CELL_TEXTS, SITE_CELLS[site][i])


@kernel
def write_chance(state: State, out: Text) -> None:
    """Write the notation of the new pile that has just been shuffled, including its first card. 3.1, 6"""
    begin_text(out, b"")
    put(out, b"pile")
    for i in range(state.pile_end):
        put(out, b" ")
        put_row(out, CARD_TEXTS, state.pile[i])
    end_text(out)
