"""How Tide is written: `7 b2` lays card 7 on b2, `drop 7` drops it, `tide b` takes from column b."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bosquet.core.errors import IllegalMove, quoted
from bosquet.core.grid import Grid
from bosquet.core.inputs.reading import expect_each_once, expect_key, expect_list, expect_names, expect_only
from bosquet.kernels.bits import members
from tide.rules import CARDS, CELLS, FIRST_DROP, HAND, WIDTH, State, begin, wash

GRID = Grid(WIDTH)
CARD_NAMES = [str(card + 1) for card in range(CARDS)]
CARD_OF = {name: card for card, name in enumerate(CARD_NAMES)}
COLUMNS = "abc"


def cards_of(mask: int) -> list[str]:
    """Return the names of a set of cards."""
    return [CARD_NAMES[card] for card in members(mask)]


def write_deal(state: State) -> dict[str, Any]:
    """Return the deal of a state that has just been dealt."""
    return {
        "hands": [cards_of(state.hand[seat]) for seat in range(state.players)],
        "pile": [CARD_NAMES[card] for card in state.pile[state.drawn :]],
    }


def read_deal(state: State, deal: Mapping[str, Any]) -> None:
    """Begin with the deal of a record."""
    expect_only(deal, ("hands", "pile"), "deal")
    dealt: list[int] = []
    for seat, hand in enumerate(expect_list(expect_key(deal, "hands", "deal"), state.players, "deal.hands")):
        dealt += expect_names(hand, HAND, CARD_OF, "card", f"deal.hands[{seat}]")
    pile = expect_key(deal, "pile", "deal")
    dealt += expect_names(pile, CARDS - HAND * state.players, CARD_OF, "card", "deal.pile")
    expect_each_once(dealt, range(CARDS), CARD_NAMES, "cards")
    state.pile = dealt
    begin(state)


def to_notation(state: State, action: int) -> str:
    """Return the notation of an action."""
    if action >= FIRST_DROP:
        return f"drop {CARD_NAMES[action - FIRST_DROP]}"
    return f"{CARD_NAMES[action // CELLS]} {GRID.names[action % CELLS]}"


def parse(state: State, text: str) -> int:
    """Return the action that a notation means."""
    match text.split(" "):
        case ["drop", card] if card in CARD_OF:
            return FIRST_DROP + CARD_OF[card]
        case [card, cell] if card in CARD_OF and cell in GRID.cell_of:
            return CARD_OF[card] * CELLS + GRID.cell_of[cell]
    raise IllegalMove(f'{quoted(text)} is no move of Tide; moves are written "7 b2" and "drop 7"')


def illegal_reason(state: State, action: int) -> str:
    """Return why an action is not legal now."""
    card = action - FIRST_DROP if action >= FIRST_DROP else action // CELLS
    if not state.hand[state.seat] >> card & 1:
        return f"card {CARD_NAMES[card]} is not in the hand"
    return "a card is dropped only where no cell is free" if action >= FIRST_DROP else "a card lies there already"


def observed_action(state: State, action: int, viewer: int | None) -> str:
    """Return an action as a viewer may know it: all of it."""
    return to_notation(state, action)


def chance_to_notation(state: State) -> str:
    """Return the notation of the chance event that was just made."""
    return f"tide {COLUMNS[state.washed]}"


def apply_chance(state: State, text: str) -> None:
    """Let the tide come up the column that is written so."""
    match text.split(" ") if isinstance(text, str) else []:
        case ["tide", column] if len(column) == 1 and column in COLUMNS:
            wash(state, COLUMNS.index(column))
        case _:
            raise IllegalMove(f'{quoted(text)}: the tide is due, "tide a", "tide b" or "tide c"')
