"""Notation of Topiary: tiles, sight lines, actions and deals. Rulings: docs/rules/topiary.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bosquet.core.errors import Reason
from bosquet.core.inputs.deals import Chosen, Form, Spread, keys_of, lay, read_parts
from bosquet.core.inputs.reading import expect_only
from bosquet.core.nochance import apply_chance as apply_chance
from bosquet.core.nochance import chance_to_notation as chance_to_notation
from bosquet.core.view_texts import decoded_deal, decoded_reason, read_action
from bosquet.kernels.bits import members

from .rules import (
    ALL_TYPES,
    CELLS,
    DRAFT,
    FIRST_KEEP,
    FIRST_PUT,
    FIRST_TAKE,
    GRID,
    HAND,
    LINES,
    PASS,
    SIZES,
    TILES,
    TYPES,
    State,
    begin,
)

TILE_NAMES = [f"{letter}{size}" for letter in TYPES for size in range(1, SIZES + 1)]

TILE_OF = {name: tile for tile, name in enumerate(TILE_NAMES)}

LINE_NAMES = [GRID.names[cell] + heading for cell, heading in LINES]  # 3.2

LINE_OF = {name: line for line, name in enumerate(LINE_NAMES)}


def tiles_of(mask: int) -> list[str]:
    """Return the names of a set of tiles, in the order of ruling 1.1."""
    return [TILE_NAMES[tile] for tile in members(mask)]


SENTENCES = {
    "draft": "this is the draft: keep three tiles",
    "line_first": "place a visitor on a free line first",
    "take_first": "take a face-down tile of the line, or pass",
    "put_first": "put a tile of the hand into the gap first",
    "line_taken": "this line is taken",
    "off_line": "{cell} is not in the line {line}",
    "face_up": "the tile at {cell} lies face up",
    "not_in_hand": "{tile} is not in the hand",
    "keep_order": f"three different tiles, in the order of the types {TYPES}, then of size",
    "no_move": 'this is no move of Topiary; moves are written "c1N", "take c2", "pass", "put T1", "keep T1 W2 P5"',
}
"""Why a move is illegal, by the keys that kernels write: `attempts.write_reason` and `move_text.read_move`."""


def write_deal(state: State) -> dict[str, Any]:
    """Return the deal of a state that has just been dealt."""
    return decoded_deal(__package__, state)


def deal_form(state: State) -> Form:
    """Return the form of a deal with the options of a state. 2.1, 2.2"""
    players, dealt = state.players, CELLS + HAND * state.players
    values: tuple[tuple[str | None, int], ...] = tuple((letter, number) for number, letter in enumerate(TYPES))
    rule = f"it must be one of the types {TYPES}"
    if players == ALL_TYPES:
        values, rule = ((None, -1),), "with four players it must be null"
    elif state.named >= 0:
        values, rule = (values[state.named],), f"the host named {TYPES[state.named]} (options.removed)"
    parts: dict[str, Any] = {
        "garden": (0, CELLS, 1),
        "hands": tuple((CELLS + HAND * seat, CELLS + HAND * (seat + 1), 1) for seat in range(players)),
        "leftover": (dealt, TILES if players == ALL_TYPES else TILES - SIZES, 1),
    }
    return (
        Chosen(key="removed", field="removed", values=values, rule=rule),
        Spread(field="tiles", what="tile", names=tuple(TILE_NAMES), parts=parts, removed="removed", size=SIZES),
    )


def read_deal(state: State, deal: Mapping[str, Any]) -> None:
    """Set `state` to the deal of a record. Raises RecordError."""
    form = deal_form(state)
    expect_only(deal, keys_of(form), "deal")
    lay(state, read_parts(deal, form))
    begin(state)


def to_notation(state: State, action: int) -> str:
    """Return the notation of an action. 3.2, 3.3, 2.4"""
    if action < FIRST_TAKE:
        return LINE_NAMES[action]
    if action < PASS:
        return f"take {GRID.names[action - FIRST_TAKE]}"
    if action == PASS:
        return "pass"
    if action < FIRST_KEEP:
        return f"put {TILE_NAMES[action - FIRST_PUT]}"
    hand = tiles_of(state.hand[state.seat])
    return " ".join(["keep", *(hand[place] for place in members(action - FIRST_KEEP))])


def parse(state: State, text: str) -> int:
    """Return the action with this notation, legal or not. Raises IllegalMove for text that is not a move."""
    return read_action(__package__, SENTENCES, state, text)


def illegal_reason(state: State, action: int) -> Reason:
    """Return why an action is not legal now."""
    return decoded_reason(__package__, SENTENCES, state, action)


def observed_action(state: State, action: int, viewer: int | None) -> str:
    """Return the notation of an action as a viewer may see it: tiles that others keep in the draft are hidden."""
    if state.phase == DRAFT and viewer != state.seat:
        return "keep"
    return to_notation(state, action)
