"""Notation of Topiary: tiles, sight lines, actions and deals. Rulings: docs/rules/topiary.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bosquet.core.deals import Chosen, Form, Spread, keys_of, read_parts
from bosquet.core.errors import IllegalMove, Reason, listed, quoted
from bosquet.core.nochance import apply_chance as apply_chance
from bosquet.core.nochance import chance_to_notation as chance_to_notation
from bosquet.core.reading import expect_only
from bosquet.core.views import decoded_deal
from bosquet.kernels.bits import mask_of, members

from .rules import (
    ALL_TYPES,
    CELLS,
    DRAFT,
    FIRST_KEEP,
    FIRST_PUT,
    FIRST_TAKE,
    GRID,
    HAND,
    LINE,
    LINE_MASK,
    LINES,
    PASS,
    PUT,
    SIZES,
    TAKE,
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
    found = read_parts(deal, form)
    state.removed = found["removed"]
    state.tiles[: len(found["tiles"])] = found["tiles"]
    begin(state)


def with_open_part(deal: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return a deal from which the type of the other one is removed: the two types change places."""
    one, two = deal["removed"], other["removed"]
    if one == two:  # also with four players: no type is removed
        return dict(deal)
    other_way = {one: two, two: one}

    def changed(tiles: Iterable[str]) -> list[str]:
        return [other_way.get(tile[0], tile[0]) + tile[1:] for tile in tiles]

    hands = [changed(hand) for hand in deal["hands"]]
    return {"removed": two, "garden": changed(deal["garden"]), "hands": hands, "leftover": changed(deal["leftover"])}


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
    word, *names = text.split(" ")
    if text in LINE_OF:
        return LINE_OF[text]
    if text == "pass":
        return PASS
    if word == "take" and len(names) == 1 and names[0] in GRID.cell_of:
        return FIRST_TAKE + GRID.cell_of[names[0]]
    if word == "put" and len(names) == 1 and names[0] in TILE_OF:
        return FIRST_PUT + TILE_OF[names[0]]
    if word == "keep" and len(names) == HAND and all(name in TILE_OF for name in names):
        tiles = [TILE_OF[name] for name in names]
        if tiles == sorted(set(tiles)):
            hand = list(members(state.hand[state.seat]))
            if strangers := [name for name in names if TILE_OF[name] not in hand]:
                raise IllegalMove(f"{quoted(text)}: {listed(strangers)} is not in the hand")
            return FIRST_KEEP + mask_of(hand.index(tile) for tile in tiles)
        raise IllegalMove(f"{quoted(text)}: three different tiles, in the order of the types {TYPES}, then of size")
    raise IllegalMove(
        f'{quoted(text)} is no move of Topiary; moves are written "c1N", "take c2", "pass", "put T1", "keep T1 W2 P5"'
    )


WANTED = {
    DRAFT: Reason("draft", "this is the draft: keep three tiles"),
    LINE: Reason("line_first", "place a visitor on a free line first"),
    TAKE: Reason("take_first", "take a face-down tile of the line, or pass"),
    PUT: Reason("put_first", "put a tile of the hand into the gap first"),
}
"""What a phase asks for."""


def illegal_reason(state: State, action: int) -> Reason:
    """Return why an action is not legal now."""
    if action < FIRST_TAKE and state.phase == LINE:
        return Reason("line_taken", "this line is taken")
    if FIRST_TAKE <= action < PASS and state.phase == TAKE:
        cell = action - FIRST_TAKE
        if not LINE_MASK[state.line] >> cell & 1:
            line = LINE_NAMES[state.line]
            return Reason("off_line", "{cell} is not in the line {line}", cell=GRID.names[cell], line=line)
        return Reason("face_up", "the tile at {cell} lies face up", cell=GRID.names[cell])
    if FIRST_PUT <= action < FIRST_KEEP and state.phase == PUT:
        return Reason("not_in_hand", "{tile} is not in the hand", tile=TILE_NAMES[action - FIRST_PUT])
    return WANTED[state.phase]


def observed_action(state: State, action: int, viewer: int | None) -> str:
    """Return the notation of an action as a viewer may see it: tiles that others keep in the draft are hidden."""
    if state.phase == DRAFT and viewer != state.seat:
        return "keep"
    return to_notation(state, action)
