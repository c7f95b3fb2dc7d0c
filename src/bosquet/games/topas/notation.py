"""Notation of Topas: cards, squares, actions and deals. Rulings: docs/rules/topas.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from bosquet.core.deals import Form, Spread, keys_of, read_parts
from bosquet.core.errors import IllegalMove, Reason, quoted
from bosquet.core.nochance import apply_chance as apply_chance
from bosquet.core.nochance import chance_to_notation as chance_to_notation
from bosquet.core.reading import expect_only
from bosquet.core.views import decoded_deal
from bosquet.kernels.bits import members

from .rules import (
    COLOUR,
    COLOURS,
    DECK,
    GEMS,
    HALVES,
    HAND,
    HEADINGS,
    NAMES,
    PLACES,
    ROW_LIMIT,
    SQUARES,
    STEP,
    State,
    begin,
    card_of,
    east_of,
    half_fits,
    heading_of,
    neighbour,
    north_of,
    run,
    square,
    square_of,
)

CARD_OF = {name: card for card, name in enumerate(NAMES)}

APART = Reason("apart", "a card there does not touch the table")

MOVE = re.compile(r"([BGRY][123][BGRY][123])@(0|-?[1-9][0-9]?),(0|-?[1-9][0-9]?)([NESW])")


def cards_of(mask: int) -> list[str]:
    """Return the names of a set of cards, sorted."""
    return sorted(NAMES[card] for card in members(mask))


def cell_name(state: State, at: int) -> str:
    """Return the notation of a square, `x,y`. 1.2"""
    return f"{east_of(state, at)},{north_of(state, at)}"


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
    state.deck = read_parts(deal, form)["deck"]
    begin(state)


def with_open_part(deal: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return a deal that starts with the card of the other one: the two cards change places."""
    if "start" not in deal:  # alone
        return dict(deal)
    other_way = {deal["start"]: other["start"], other["start"]: deal["start"]}

    def changed(cards: Iterable[str]) -> list[str]:
        return [other_way.get(card, card) for card in cards]

    hands = [changed(hand) for hand in deal["hands"]]
    return {"hands": hands, "start": other["start"], "pile": changed(deal["pile"])}


def to_notation(state: State, action: int) -> str:
    """Return the notation of an action. 3.7"""
    cell = cell_name(state, square_of(action))
    return f"{NAMES[card_of(action)]}@{cell}{HEADINGS[heading_of(action)]}"


def parse(state: State, text: str) -> int:
    """Return the action with this notation, legal or not. Raises IllegalMove for text that is not a move."""
    match = MOVE.fullmatch(text)
    if not match or match[1] not in CARD_OF:
        raise IllegalMove(f'{quoted(text)} is no move of Topas; a move is written like "B1G2@3,-1N"')
    x, y = int(match[2]), int(match[3])
    if not (state.left - 2 <= x <= state.right + 2 and state.bottom - 2 <= y <= state.top + 2):
        raise IllegalMove(f"{quoted(text)}: {APART}", APART)
    return CARD_OF[match[1]] * PLACES + HEADINGS.index(match[4]) * SQUARES + square(x, y)


def illegal_reason(state: State, action: int) -> Reason:
    """Return why an action is not legal now. 3.1, 3.2"""
    card, at = card_of(action), square_of(action)
    squares = (at, neighbour(at, heading_of(action)))
    if not state.hand[state.seat] >> card & 1:
        return Reason("not_in_hand", "{card} is not in the hand", card=NAMES[card])
    for covered in squares:
        if state.squares[covered] > 0:
            return Reason("covered", "there is a card on {cell} already", cell=cell_name(state, covered))
    for half, on in zip(HALVES[card], squares, strict=True):
        if not half_fits(state, half, on):
            return Reason(
                "long_row",
                "{half} on {cell} would make a row of more than {limit} gems",
                half=f"{COLOURS[COLOUR[half]]}{GEMS[half]}",
                cell=cell_name(state, on),
                limit=str(ROW_LIMIT),
                row=" ".join(max(row_through(state, half, on, step) for step in STEP[:2])[1]),
            )
    return APART


def row_through(state: State, half: int, at: int, step: int) -> tuple[int, list[str]]:
    """Return the gems and the squares of the row, in one direction, of half of a card that lies on a square. 3.3"""
    back, start = run(state, COLOUR[half], at, -step)
    ahead, end = run(state, COLOUR[half], at, step)
    cells = []
    cell = (start + step) & (SQUARES - 1)
    while cell != end:
        cells.append(cell_name(state, cell))
        cell = (cell + step) & (SQUARES - 1)
    return GEMS[half] + back + ahead, cells


def observed_action(state: State, action: int, viewer: int | None) -> str:
    """Return the notation of an action as a viewer may see it: no part of it is hidden."""
    return to_notation(state, action)
