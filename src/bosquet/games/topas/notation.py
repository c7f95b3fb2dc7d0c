"""Notation of Topas: cards, squares, actions and deals. Rulings: docs/rules/topas.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bosquet.core.errors import Reason
from bosquet.core.inputs.deals import Form, Spread, keys_of, lay, read_parts
from bosquet.core.inputs.reading import expect_only
from bosquet.core.nochance import apply_chance as apply_chance
from bosquet.core.nochance import chance_to_notation as chance_to_notation
from bosquet.core.view_texts import decoded_deal, decoded_reason, read_action
from bosquet.kernels.bits import members

from .rules import (
    DECK,
    HAND,
    HEADINGS,
    NAMES,
    State,
    begin,
    card_of,
    east_of,
    heading_of,
    north_of,
    square_of,
)

CARD_OF = {name: card for card, name in enumerate(NAMES)}


def cards_of(mask: int) -> list[str]:
    """Return the names of a set of cards, sorted."""
    return sorted(NAMES[card] for card in members(mask))


def cell_name(state: State, at: int) -> str:
    """Return the notation of a square, `x,y`. 1.2"""
    return f"{east_of(state, at)},{north_of(state, at)}"


SENTENCES = {
    "apart": "a card there does not touch the table",
    "not_in_hand": "{card} is not in the hand",
    "covered": "there is a card on {cell} already",
    "long_row": "{half} on {cell} would make a row of more than {limit} gems",
    "no_move": 'this is no move of Topas; a move is written like "B1G2@3,-1N"',
}
"""Why a move is illegal, by the keys that kernels write: `attempts.write_reason` and `move_text.read_move`."""


def write_deal(state: State) -> dict[str, Any]:
    """Return the deal of a state that has just been dealt."""
    return decoded_deal(__package__, state)


def deal_form(state: State) -> Form:
    """Return the form of a deal with the options of a state. 2.1"""
    players, dealt = state.players, HAND * state.players
    parts: dict[str, Any] = {"pile": (0, DECK, 1)}
    if players > 1:
        hands = tuple((seat, dealt, players) for seat in range(players))
        parts = {"hands": hands, "start": dealt, "pile": (dealt + 1, DECK, 1)}
    return (Spread(field="deck", what="card", names=NAMES, parts=parts),)


def read_deal(state: State, deal: Mapping[str, Any]) -> None:
    """Set `state` to the deal of a record. Raises RecordError."""
    form = deal_form(state)
    expect_only(deal, keys_of(form), "deal")
    lay(state, read_parts(deal, form))
    begin(state)


def to_notation(state: State, action: int) -> str:
    """Return the notation of an action. 3.7"""
    cell = cell_name(state, square_of(action))
    return f"{NAMES[card_of(action)]}@{cell}{HEADINGS[heading_of(action)]}"


def parse(state: State, text: str) -> int:
    """Return the action with this notation, legal or not. Raises IllegalMove for text that is not a move."""
    return read_action(__package__, SENTENCES, state, text)


def illegal_reason(state: State, action: int) -> Reason:
    """Return why an action is not legal now."""
    return decoded_reason(__package__, SENTENCES, state, action)


def observed_action(state: State, action: int, viewer: int | None) -> str:
    """Return the notation of an action as a viewer may see it: no part of it is hidden."""
    return to_notation(state, action)
