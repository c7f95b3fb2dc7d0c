"""Score a game of Topas that was played with the real box, and list the legal placements of the next card."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from bosquet.core.assistance import FULL
from bosquet.core.real_game import begin_fault, end_fault, move, names
from bosquet.core.state import Numbers
from bosquet.core.text.writing import (
    Text,
    begin_list,
    begin_object,
    end_list,
    end_object,
    end_text,
    name,
    number,
    put,
    put_number,
    put_row,
    reason,
)
from bosquet.kernels.jit import kernel

from .attempts import AROUND, write_reason
from .rules import (
    COLUMNS,
    DECK,
    EAST,
    HAND,
    HEADINGS,
    NAMES,
    OVER,
    PLACES,
    SQUARES,
    TURNS,
    State,
    card_of,
    clear_table,
    end_column,
    lay,
    legal,
    play,
    square,
)
from .writing import CARD_TEXTS, GAME_TEXTS, HEADING_TEXTS, write_entries, write_move, write_totals, write_view

REST = r"@(0|-?[1-9][0-9]?),(0|-?[1-9][0-9]?)([NESW])"
PLACEMENT = move(
    NAMES, "card", REST, HEADINGS, 'is no move of Topas; a move is written like "B1G2@3,-1N"', each="placement"
)


class RealGame(Struct, forbid_unknown_fields=True, tag="topas", tag_field="game"):
    """The placements of a real game of Topas, in order; the first card starts the table.

    With one player, eight cards make a column, and the first of them starts its table.
    """

    players: Annotated[int, Meta(ge=1, le=4)]
    expert: bool
    placements: Annotated[list[Annotated[str, PLACEMENT]], Meta(max_length=32)]
    """Notation: card, square of its first half, heading of its second."""
    card: Annotated[str, names(NAMES, "card"), Meta(max_length=8)] | None = None
    """The card to be laid next; `view.moves` then holds its legal placements."""


@kernel
def count_real(state: State, given: Numbers, moves: Numbers, out: Text) -> None:
    """Score a real game. Its view holds the table, and the legal placements of the next card if one is given.

    The entries are card, x, y and heading of each placement, with their number, then the next card or -1.
    """
    clear_table(state)
    state.drawn = DECK  # hands are not known, so no cards are drawn
    begin_object(out, b"")
    begin_object(out, b"sheet")
    name(out, b"game", GAME_TEXTS, 0)
    begin_list(out, b"entries")
    turns = 0
    for i in range(given[0]):
        starts = state.turn < 0
        action = placement(state, given, i, moves, out)
        if action < 0:
            return
        if starts:
            lay(state, action)
        else:
            turns += 1
            write_entries(state, action, out)
            play_real(state, action)
    end_list(out)
    write_totals(state, out)
    end_object(out)
    in_hand = state.players == 1 and state.turn >= 0 and state.phase != OVER
    state.drawn = given[0] + in_hand if state.players == 1 else min(DECK, HAND * state.players + given[0])
    card = given[1 + 4 * given[0]]
    if card >= 0 and not may_be_next(state, card, out):
        return
    viewer = -1
    if (card >= 0) & (state.turn >= 0):
        state.hand[state.seat] = 1 << card
        viewer = state.seat
    put(out, b',"view":')
    write_view(state, viewer, FULL, moves, out)
    begin_object(out, b"shown")
    write_hand_sizes(state.players, turns, in_hand, out)
    if (card >= 0) & (state.turn < 0):
        write_start(state, card, out)
    end_object(out)
    end_object(out)


@kernel
def play_real(state: State, action: int) -> None:
    """Lay a card. After the last card of a column, clear the table: its next first card is not known yet. 5.1"""
    if (state.players > 1) | (state.turn + 1 < TURNS):
        play(state, action)
        return
    state.hand[0] = 0
    state.points[0] += lay(state, action)
    if state.column + 1 == COLUMNS:
        end_column(state)
        return
    for i in range(state.turn + 1):
        state.gone |= 1 << card_of(state.laid[i])
    state.columns[state.column] = state.points[0]
    state.column += 1
    state.points[0] = 0
    clear_table(state)


# --- Placements --------------------------------------------------------------------------------------------------


@kernel
def placement(state: State, given: Numbers, i: int, moves: Numbers, out: Text) -> int:
    """Return the action of a placement, -1 if it is impossible; its card is put into the hand of the seat to move."""
    at = 1 + 4 * i
    card, x, y, heading = given[at], given[at + 1], given[at + 2], given[at + 3]
    if state.phase == OVER:
        begin_placement(given, i, out)
        put_over(state, out)
        end_fault(out)
        return -1
    if is_used(state, card):
        begin_fault(out)
        put_number_of(i, out)
        put_used(state, card, out)
        end_fault(out)
        return -1
    if state.turn < 0:
        if (x == 0) & (y == 0) & (heading == EAST):
            return start_of(card)
        begin_placement(given, i, out)
        put(out, b'the card that starts the table is written \\"')
        put_row(out, CARD_TEXTS, card)
        put(out, b'@0,0E\\"')
        end_fault(out)
        return -1
    state.hand[state.seat] = 1 << card
    is_near = (state.left - AROUND <= x <= state.right + AROUND) and (state.bottom - AROUND <= y <= state.top + AROUND)
    action = card * PLACES + heading * SQUARES + square(x, y)
    if is_near and is_legal(state, action, moves):
        return action
    begin_placement(given, i, out)
    end_text(out)
    put(out, b',"reason":')
    if is_near:
        write_reason(state, action, out)
    else:
        reason(out, b"apart")
    end_object(out)
    return -1


@kernel
def start_of(card: int) -> int:
    """Return the action of the card that starts the table. 2.1"""
    return card * PLACES + EAST * SQUARES


@kernel
def is_legal(state: State, action: int, moves: Numbers) -> bool:
    """Return whether an action is legal."""
    for i in range(legal(state, moves)):  # noqa: SIM110  (kernels have no `any`)
        if moves[i] == action:
            return True
    return False


@kernel
def is_on_table(state: State, card: int) -> bool:
    """Return whether a card lies on the table."""
    for i in range(state.turn + 1):  # noqa: SIM110  (kernels have no `any`)
        if card_of(state.laid[i]) == card:
            return True
    return False


@kernel
def is_used(state: State, card: int) -> bool:
    """Return whether a card has been laid."""
    return is_on_table(state, card) or state.gone >> card & 1 != 0


@kernel
def may_be_next(state: State, card: int, out: Text) -> bool:
    """Return whether a card may be laid next; say why not otherwise."""
    if state.phase != OVER and not is_used(state, card):
        return True
    begin_fault(out)
    put(out, b"card: ")
    if state.phase == OVER:
        put_over(state, out)
    else:
        put_used(state, card, out)
    end_fault(out)
    return False


# --- What is impossible ------------------------------------------------------------------------------------------


@kernel
def begin_placement(given: Numbers, i: int, out: Text) -> None:
    """Begin to say what is impossible in a placement: with its number and its text."""
    at = 1 + 4 * i
    begin_fault(out)
    put_number_of(i, out)
    put(out, b'\\"')
    put_row(out, CARD_TEXTS, given[at])
    put(out, b"@")
    put_number(out, given[at + 1])
    put(out, b",")
    put_number(out, given[at + 2])
    put_row(out, HEADING_TEXTS, given[at + 3])
    put(out, b'\\": ')


@kernel
def put_number_of(i: int, out: Text) -> None:
    """Write which placement it is."""
    put(out, b"placement ")
    put_number(out, i + 1)
    put(out, b": ")


@kernel
def put_over(state: State, out: Text) -> None:
    """Write that the game is over. 4.1, 5.1"""
    if state.players == 1:
        put(out, b"the game is over; all ")
        put_number(out, COLUMNS)
        put(out, b" columns are laid")
    else:
        put(out, b"the game is over; every player has laid ")
        put_number(out, TURNS)
        put(out, b" cards")


@kernel
def put_used(state: State, card: int, out: Text) -> None:
    """Write where a card was laid."""
    put_row(out, CARD_TEXTS, card)
    if is_on_table(state, card):
        put(out, b" lies on the table already; every card is there once")
    else:
        put(out, b" was laid in an earlier column; every card is there once")


# --- What the view shows -----------------------------------------------------------------------------------------


@kernel
def write_hand_sizes(players: int, turns: int, in_hand: int, out: Text) -> None:
    """Write the hand size of each seat after this many turns; no card is drawn when the pile is empty. 3.5"""
    drawn = DECK - 1 - HAND * players
    begin_list(out, b"hand_sizes")
    for seat in range(players):
        size = HAND
        for turn in range(drawn, turns):
            size -= turn % players == seat
        number(out, b"", in_hand if players == 1 else size)
    end_list(out)


@kernel
def write_start(state: State, card: int, out: Text) -> None:
    """Write the hand and the move of somebody who starts the table with a card. 2.1"""
    begin_list(out, b"hand")
    name(out, b"", CARD_TEXTS, card)
    end_list(out)
    begin_list(out, b"moves")
    write_move(state, start_of(card), 0, FULL, out)
    end_list(out)
