"""Notation of Schlossgarten: cards, actions and deals. Rulings: docs/rules/schlossgarten.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bosquet.core.errors import IllegalMove, Reason, quoted
from bosquet.core.inputs.deals import Counted, Form, Spread, keys_of, lay, read_parts
from bosquet.core.inputs.reading import expect_only
from bosquet.core.text.writing import Text
from bosquet.core.view_texts import decoded_deal, decoded_reason, read_action

from .board import (
    CELLS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    GRID,
    NO_HIT,
    PAWNS,
    SITE_SIZE,
    SITES,
    STOP,
    State,
)
from .box import KEYS, VALUES, read_box
from .chance_text import read_chance, write_due
from .constellations import CARDS
from .rules import begin, set_box
from .walking import step_of

CARD_NUMBERS = [str(card + 1) for card in range(CARDS)]

CARD_OF = {number: card for card, number in enumerate(CARD_NUMBERS)}

SITE_OF = {site: i for i, site in enumerate(SITES)}


SENTENCES = {
    "not_in_hand": "that card is not in the hand",
    "card_first": "play one of the two cards first",
    "stop_first": "the pawns are still moving: stop first",
    "moved": "moving is over: dig, build or end",
    "dug": "only one tile may be dug up in a turn",
    "stands_there": "the pawn stands on {cell} already",
    "occupied": "{cell} is occupied",
    "shifted": "this pawn has shifted and must first make a step",
    "steps_made": "all five steps are made",
    "excavation": "{cell} is an excavation",
    "others_element": "{cell} is another player's element",
    "pawn_there": ("a pawn stands on {cell}; another player's subject may be hit if its owner has a free element cell"),
    "far": "{pawn} can't go from {start} to {cell} in one step or jump",
    "far_hit": "{pawn} can't go from {start} to {cell} in one step or jump and send a subject to {refuge}",
    "no_refuge": "{refuge} is not a free cell of an element of the one whose pawn is hit",
    "no_dig": "{pawn} can't dig at {cell}: a landscape tile next to it, without a pawn, can be dug",
    "digger_builds": "only the digger may build now",
    "no_figure": "{pawn} does not stand in the figure",
    "built": "that element of {pawn} is on the board already",
    "site_up": "{cell} has not been dug up",
    "site_pawn": "a pawn stands on {cell}",
    "site_whole": "an element is covered as a whole, and only by a larger one",
    "site_dug": "at least one cell of a site is an excavation",
    "site_borders": "an element is covered only beside an excavation of the site, edge to edge",
    "site_far": "no cell of the site is next to {pawn}",
    "no_move": (
        'this is no move of Schlossgarten; moves are written "card 17", "K d2", "G e3 hit b6", "stop", "G dig c4", '
        '"G build 3 c4 d4 d5" (cells in the order of column, then row), "end"'
    ),
}
"""Why a move is illegal, by the keys that kernels write: `attempts.write_reason` and `move_text.read_move`."""


def write_deal(state: State) -> dict[str, Any]:
    """Return the deal of a state that has just been dealt."""
    return decoded_deal(__package__, state)


def deal_form(state: State) -> Form:
    """Return the form of a deal with the options and the box of a state, without the keys of the box. 2.1"""
    players = state.players
    otherwise = ", or deal.tiles must say how many of each value are in the box"
    return (
        Counted(
            key="landscape", field="landscape", low=VALUES[0], counts=tuple(state.tiles), what="tiles",
            otherwise=otherwise, counts_key="tiles",
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
    lay(state, read_parts(deal, deal_form(state)))
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
    return read_action(__package__, SENTENCES, state, text)


def illegal_reason(state: State, action: int) -> Reason:
    """Return why an action is not legal now."""
    return decoded_reason(__package__, SENTENCES, state, action)


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
