"""Notation of Schlossgarten: cards, actions and deals. Rulings: docs/rules/schlossgarten.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bosquet.core.deals import Counted, Form, Spread, keys_of, read_parts
from bosquet.core.errors import IllegalMove, Reason, quoted
from bosquet.core.reading import expect_only
from bosquet.core.views import decoded_deal
from bosquet.core.writing import Text
from bosquet.kernels.bits import members

from .board import (
    BUILD,
    CARD,
    CELLS,
    ELEMENTS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    FIRST_STEP,
    GRID,
    MOVE,
    NO_HIT,
    OVER_ELEMENTS,
    PAWNS,
    SITE_MASK,
    SITE_SIZE,
    SITES,
    STOP,
    State,
    covered,
    element_at,
    pawns,
)
from .box import KEYS, VALUES, read_box
from .chance_text import read_chance, write_due
from .constellations import CARDS
from .rules import begin, borders, covers_whole, set_box, standing
from .walking import move_action, step_of

CARD_NUMBERS = [str(card + 1) for card in range(CARDS)]

CARD_OF = {number: card for card, number in enumerate(CARD_NUMBERS)}

SITE_OF = {site: i for i, site in enumerate(SITES)}


def write_deal(state: State) -> dict[str, Any]:
    """Return the deal of a state that has just been dealt."""
    return decoded_deal(__package__, state)


def deal_form(state: State, *, has_tiles: bool = False) -> Form:
    """Return the form of a deal with the options and the box of a state, without the keys of the box. 2.1

    `has_tiles` is whether the deal says how many tiles of each value there are.
    """
    players = state.players
    otherwise = "" if has_tiles else ", or deal.tiles must say how many of each value are in the box"
    return (
        Counted(
            key="landscape", field="landscape", low=VALUES[0], counts=tuple(state.tiles), what="tiles",
            otherwise=otherwise,
        ),
        Spread(
            field="pile", what="card", names=CARDS,
            parts={"hands": (0, players, 1), "pile": (players, CARDS, 1)},
        ),
    )  # fmt: skip


def read_deal(state: State, deal: Mapping[str, Any]) -> None:
    """Set `state` to the deal of a record. Raises RecordError."""
    expect_only(deal, (*keys_of(deal_form(state)), *KEYS), "deal")
    set_box(state, read_box(deal, state.players, "deal"))
    found = read_parts(deal, deal_form(state, has_tiles="tiles" in deal))
    state.landscape, state.pile = found["landscape"], found["pile"]
    begin(state)


def to_notation(state: State, action: int) -> str:
    """Return the notation of an action. 6"""
    if action < CARDS:
        return f"card {action + 1}"
    if action in (STOP, END):
        return "stop" if action == STOP else "end"
    if action < FIRST_DIG:
        kind, cell, refuge = step_of(action)
        hit = f" hit {GRID.names[refuge]}" if refuge != NO_HIT else ""
        return f"{PAWNS[kind]} {GRID.names[cell]}{hit}"
    if action < FIRST_BUILD:
        work = action - FIRST_DIG
        return f"{PAWNS[work // CELLS + 1]} dig {GRID.names[work % CELLS]}"
    work = action - FIRST_BUILD
    site = work % len(SITES)
    cells = " ".join(GRID.names[cell] for cell in SITES[site])
    return f"{PAWNS[work // len(SITES) + 1]} build {SITE_SIZE[site]} {cells}"


def parse(state: State, text: str) -> int:
    """Return the action with this notation, legal or not. Raises IllegalMove for text that is not a move."""
    words = text.split(" ")
    cells = [GRID.cell_of.get(word, -1) for word in words]
    kind = PAWNS.find(words[0]) if len(words[0]) == 1 else -1
    match words:
        case ["stop"]:
            return STOP
        case ["end"]:
            return END
        case ["card", number] if number in CARD_OF:
            return CARD_OF[number]
        case [_, _] if kind >= 0 and cells[1] >= 0:
            return move_action(kind, cells[1], NO_HIT)
        case [_, _, "hit", _] if kind >= 0 and cells[1] >= 0 and cells[3] >= 0:
            return move_action(kind, cells[1], cells[3])
        case [_, "dig", _] if kind > 0 and cells[2] >= 0:
            return FIRST_DIG + (kind - 1) * CELLS + cells[2]
        case [_, "build", size, *_] if kind > 0 and size == str(len(words) - 3) and tuple(cells[3:]) in SITE_OF:
            return FIRST_BUILD + (kind - 1) * len(SITES) + SITE_OF[tuple(cells[3:])]
    raise IllegalMove(
        f'{quoted(text)} is no move of Schlossgarten; moves are written "card 17", "K d2", "G e3 hit b6", "stop", '
        '"G dig c4", "G build 3 c4 d4 d5" (cells in the order of column, then row), "end"'
    )


def illegal_reason(state: State, action: int) -> Reason:
    """Return why an action is not legal now."""
    if state.phase == CARD:
        if action < CARDS:
            return Reason("not_in_hand", "that card is not in the hand")
        return Reason("card_first", "play one of the two cards first")
    if state.phase == MOVE:
        if action == STOP or not FIRST_STEP <= action < FIRST_DIG:
            return Reason("stop_first", "the pawns are still moving: stop first")
        return _illegal_step_reason(state, *step_of(action))
    if action == END or not action >= FIRST_DIG:
        return Reason("moved", "moving is over: dig, build or end")
    if state.phase == BUILD and action < FIRST_BUILD:
        return Reason("dug", "only one tile may be dug up in a turn")
    return _illegal_work_reason(state, action)


def _illegal_step_reason(state: State, kind: int, cell: int, refuge: int) -> Reason:
    """Return why a pawn may not go to a cell. 3.2-3.5"""
    seat, at = state.seat, state.pawn[3 * state.seat + kind]
    name = GRID.names[cell]
    if cell == at:
        return Reason("stands_there", "the pawn stands on {cell} already", cell=name)
    if element_at(state, seat, at) >> cell & 1:
        if pawns(state) >> cell & 1:
            return Reason("occupied", "{cell} is occupied", cell=name)
        return Reason("shifted", "this pawn has shifted and must first make a step")
    if state.steps == 0:
        return Reason("steps_made", "all five steps are made")
    if not (state.up | state.own[seat]) >> cell & 1:
        if state.dug >> cell & 1:
            return Reason("excavation", "{cell} is an excavation", cell=name)
        return Reason("others_element", "{cell} is another player's element", cell=name)
    if pawns(state) >> cell & 1 and refuge == NO_HIT:
        return Reason(
            "pawn_there",
            "a pawn stands on {cell}; another player's subject may be hit if its owner has a free element cell",
            cell=name,
        )
    far = "{pawn} can't go from {start} to {cell} in one step or jump"
    if refuge == NO_HIT:
        return Reason("far", far, pawn=PAWNS[kind], start=GRID.names[at], cell=name)
    for owner in range(state.players):
        free = state.own[owner] & ~pawns(state)
        if cell in state.pawn[3 * owner : 3 * owner + 3] and not free >> refuge & 1:
            return Reason(
                "no_refuge",
                "{refuge} is not a free cell of an element of the one whose pawn is hit",
                refuge=GRID.names[refuge],
            )
    return Reason(
        "far_hit",
        f"{far} and send a subject to {{refuge}}",
        pawn=PAWNS[kind],
        start=GRID.names[at],
        cell=name,
        refuge=GRID.names[refuge],
    )


def _illegal_work_reason(state: State, action: int) -> Reason:
    """Return why a dig or build is not legal. 4.2-4.4"""
    if action < FIRST_BUILD:
        worker, cell = (action - FIRST_DIG) // CELLS + 1, (action - FIRST_DIG) % CELLS
        if not standing(state) >> worker & 1:
            return _not_in_figure(worker)
        return Reason(
            "no_dig",
            "{pawn} can't dig at {cell}: a landscape tile next to it, without a pawn, can be dug",
            pawn=PAWNS[worker],
            cell=GRID.names[cell],
        )
    worker, site = (action - FIRST_BUILD) // len(SITES) + 1, (action - FIRST_BUILD) % len(SITES)
    if state.phase == BUILD and not state.each_works and worker != state.worker:
        return Reason("digger_builds", "only the digger may build now")
    if not standing(state) >> worker & 1:
        return _not_in_figure(worker)
    if state.element[ELEMENTS * state.seat + 3 * (worker - 1) + SITE_SIZE[site] - 1] >= 0:
        return Reason("built", "that element of {pawn} is on the board already", pawn=PAWNS[worker])
    return _illegal_site_reason(state, worker, SITE_MASK[site])


def _illegal_site_reason(state: State, worker: int, cells: int) -> Reason:
    """Return why a worker may not build on some cells. 4.4"""
    if cells & state.up:
        return Reason("site_up", "{cell} has not been dug up", cell=_first(cells & state.up))
    if cells & pawns(state):
        return Reason("site_pawn", "a pawn stands on {cell}", cell=_first(cells & pawns(state)))
    if not covers_whole(state, cells):
        return Reason("site_whole", "an element is covered as a whole, and only by a larger one")
    if not cells & ~covered(state) and state.overbuild != OVER_ELEMENTS:
        return Reason("site_dug", "at least one cell of a site is an excavation")
    if not borders(state, cells, covered(state)):
        return Reason("site_borders", "an element is covered only beside an excavation of the site, edge to edge")
    return Reason("site_far", "no cell of the site is next to {pawn}", pawn=PAWNS[worker])


def _first(cells: int) -> str:
    """Return the name of the first of some cells."""
    return GRID.names[next(members(cells))]


def _not_in_figure(worker: int) -> Reason:
    return Reason("no_figure", "{pawn} does not stand in the figure", pawn=PAWNS[worker])


def chance_to_notation(state: State) -> str:
    """Return the notation of the new pile, including its first card, which has already been drawn. 6"""
    return " ".join(["pile", *(str(card + 1) for card in state.pile[: state.pile_end])])


def apply_chance(state: State, text: str) -> None:
    """Continue with the new pile of this notation. Raises IllegalMove. 3.1"""
    given = text.encode(errors="surrogatepass") if isinstance(text, str) else b""
    if not read_chance(state, given, len(given)):
        out = Text()
        write_due(state, out)
        raise IllegalMove(f"{quoted(text)}: {bytes(out.bytes[: out.end]).decode()}")


def observed_action(state: State, action: int, viewer: int | None) -> str:
    """Return the notation of an action as a viewer may see it: no part of it is hidden."""
    return to_notation(state, action)
