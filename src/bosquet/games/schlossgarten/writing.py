"""Views and score sheets of Schlossgarten as JSON, written by kernels; `view` has their types."""

from __future__ import annotations

from collections.abc import Sequence

from bosquet.core.assistance import AIDS, PLAIN
from bosquet.core.state import Numbers
from bosquet.core.text.writing import (
    Text,
    begin_list,
    begin_object,
    begin_text,
    empty_list,
    end_list,
    end_object,
    end_text,
    flag,
    key,
    name,
    names,
    null,
    number,
    number_or_null,
    numbers,
    put_row,
    seats,
    text,
    texts,
)
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .board import (
    ARCHITECT,
    BUILD,
    CELLS,
    ELEMENTS,
    GARDENER,
    KING,
    LANDSCAPE,
    MAX_PLAYERS,
    MOVE,
    OVER,
    PAWNS,
    ROTATIONS,
    ROUND_LIMIT,
    STARTS,
    WINNING_POINTS,
    WORK,
    State,
    figure_cell,
    subjects,
)
from .box import VALUES
from .constellations import CARDS, OFFSETS, WIDTH, house_deck, steps_of
from .position import PHASES
from .rules import NAME, OPTIONS, legal, score, standing, winners
from .writing_moves import CELL_TEXTS, ELEMENT_TEXTS, PAWN_TEXTS, write_move, write_site
from .writing_moves import write_chance as write_chance

GAME_TEXTS = texts(NAME)
PHASE_TEXTS = texts(*PHASES)
WORK_TEXTS = texts(*OPTIONS["work"])
OVERBUILD_TEXTS = texts(*OPTIONS["overbuild"])
MARK_TEXTS = texts(*PAWNS, ".", "_")
DOT, LOW_LINE = len(PAWNS), len(PAWNS) + 1
HOUSE_DECK = house_deck()
HOUSE_TILES = tuple(LANDSCAPE.count(value) for value in VALUES)
EAST = tuple(steps_of(offset)[0] for offset in range(OFFSETS))
NORTH = tuple(steps_of(offset)[1] for offset in range(OFFSETS))


# --- View ------------------------------------------------------------------------------------------------------


@kernel
def write_view(state: State, viewer: int, assistance: int, moves: Numbers, out: Text) -> int:
    """Write all that a viewer may know; return the number of moves that are listed, which `moves` gets."""
    n = legal(state, moves) if (assistance >= PLAIN) & (viewer >= 0) & (viewer == state.seat) else 0
    begin_object(out, b"")
    name(out, b"game", GAME_TEXTS, 0)
    begin_object(out, b"options")
    number(out, b"players", state.players)
    name(out, b"work", WORK_TEXTS, state.each_works)
    name(out, b"overbuild", OVERBUILD_TEXTS, state.overbuild)
    end_object(out)
    number_or_null(out, b"viewer", viewer)
    number_or_null(out, b"seat", state.seat)
    flag(out, b"over", state.phase == OVER)
    name(out, b"phase", PHASE_TEXTS, state.phase)
    write_result(state, out)
    begin_list(out, b"moves")
    for i in range(n):
        write_move(state, moves[i], viewer, assistance, out)
    end_list(out)
    write_garden(state, out)
    write_hands(state, viewer, out)
    write_turn(state, assistance >= AIDS, out)
    write_cards(state, out)
    number(out, b"turn", state.turn)
    number(out, b"round", min(state.turn // state.players + 1, ROUND_LIMIT))
    number(out, b"goal", WINNING_POINTS)
    write_box(state, out)
    end_object(out)
    return n


@kernel
def write_result(state: State, out: Text) -> None:
    """Write the scores and, when the game is over, the winners. 4.6, 5"""
    begin_list(out, b"scores")
    for seat in range(state.players):
        number(out, b"", score(state, seat))
    end_list(out)
    seats(out, b"winners", winners(state) if state.phase == OVER else 0)


@kernel
def write_garden(state: State, out: Text) -> None:
    """Write what lies and stands in the garden, and the tiles that are kept."""
    numbers(out, b"values", state.landscape, CELLS)
    names(out, b"up", CELL_TEXTS, state.up)
    names(out, b"excavations", CELL_TEXTS, state.dug)
    begin_list(out, b"elements")
    for i in range(ELEMENTS * state.players):
        if state.element[i] >= 0:
            begin_object(out, b"")
            number(out, b"seat", i // ELEMENTS)
            name(out, b"worker", PAWN_TEXTS, i % ELEMENTS // 3 + GARDENER)
            number(out, b"size", i % 3 + 1)
            write_site(state.element[i], out)
            end_object(out)
    end_list(out)
    begin_list(out, b"pawns")
    for seat in range(state.players):
        write_pawns(state.pawn, seat, out)
    end_list(out)
    begin_list(out, b"kept")
    for seat in range(state.players):
        names(out, b"", CELL_TEXTS, state.kept[seat])
    end_list(out)


@kernel
def write_pawns(cells: Numbers, seat: int, out: Text) -> None:
    """Write the cells of king, gardener and architect of a seat."""
    begin_list(out, b"")
    for kind in range(len(PAWN_TEXTS)):
        name(out, b"", CELL_TEXTS, cells[3 * seat + kind])
    end_list(out)


@kernel
def write_hands(state: State, viewer: int, out: Text) -> None:
    """Write the hand of the viewer, and how many cards each seat holds."""
    if viewer < 0:
        null(out, b"hand")
    else:
        cards(out, b"hand", state.hand[viewer])
    begin_list(out, b"hand_sizes")
    for seat in range(state.players):
        number(out, b"", count_bits(state.hand[seat]))
    end_list(out)


@kernel
def write_turn(state: State, aided: bool, out: Text) -> None:
    """Write how far the turn is: its card, the steps that are left, who has shifted or dug. 3, 4

    Who stands in a figure, and the rotations of the card, are written only if `aided`.
    """
    moving = state.phase == MOVE
    working = (state.phase == WORK) | ((state.phase == BUILD) & (state.each_works != 0))
    if state.played < 0:
        null(out, b"played")
    else:
        number(out, b"played", state.played + 1)
    number(out, b"steps_left", state.steps if moving else 0)
    names(out, b"shifted", PAWN_TEXTS, state.shifted if moving else 0)
    names(out, b"standing", PAWN_TEXTS, standing(state) if aided & (moving | working) else 0)
    begin_list(out, b"rotations")
    if aided & (state.played >= 0) & (state.seat >= 0):
        for turn in range(ROTATIONS):
            write_rotation(state, turn, out)
    end_list(out)
    name(out, b"worker", PAWN_TEXTS, state.worker if state.phase == BUILD else -1)


@kernel
def write_rotation(state: State, turn: int, out: Text) -> None:
    """Write the played card, rotated by quarter turns, with its king on the king of the seat to move. 4.1"""
    begin_object(out, b"")
    begin_object(out, b"cells")
    for kind in range(len(PAWN_TEXTS)):
        cell = mark_cell(state, turn, kind)
        if cell >= 0:
            key(out, PAWN_TEXTS, kind)
            name(out, b"", CELL_TEXTS, cell)
    end_object(out)
    begin_list(out, b"placed")
    for kind in range(len(PAWN_TEXTS)):
        cell = mark_cell(state, turn, kind)
        if cell >= 0:
            if subjects(state, kind) >> cell & 1:
                name(out, b"", PAWN_TEXTS, kind)
    end_list(out)
    end_object(out)


@kernel
def mark_cell(state: State, turn: int, kind: int) -> int:
    """Return the cell of a mark of the played card in one of its rotations, or -1 off the board. 4.1"""
    king = state.pawn[3 * state.seat]
    pattern = state.pattern[state.played]
    if kind == KING:
        return king
    return figure_cell(king, turn, pattern // OFFSETS if kind == GARDENER else pattern % OFFSETS)


@kernel
def write_cards(state: State, out: Text) -> None:
    """Write where the cards are that are in no hand, and what is known of those in hands. 3.1"""
    number(out, b"pile", state.pile_end - state.pile_at)
    cards(out, b"discard", state.discard)
    cards(out, b"held_over", state.held_over)
    begin_list(out, b"may_hold")
    for seat in range(state.players):
        cards(out, b"", state.may_hold[seat])
    end_list(out)


@kernel
def cards(out: Text, key: bytes, members: int) -> None:
    """Write the numbers of a set of cards (a bit mask) as a list."""
    begin_list(out, key)
    while members:
        number(out, b"", lowest_bit(members) + 1)
        members &= members - 1
    end_list(out)


# --- Box -------------------------------------------------------------------------------------------------------


@kernel
def write_box(state: State, out: Text) -> None:
    """Write what differs from the house box."""
    begin_object(out, b"box")
    write_box_keys(state, out)
    end_object(out)


@kernel
def write_box_keys(state: State, out: Text) -> None:
    """Write what differs from the house box, as keys of a deal. 1.1, 1.4, 2.2"""
    if differ(state.pattern, HOUSE_DECK, CARDS):
        begin_list(out, b"deck")
        for card in range(CARDS):
            write_rows(state.pattern[card], out)
        end_list(out)
    if differ(state.tiles, HOUSE_TILES, len(HOUSE_TILES)):
        numbers(out, b"tiles", state.tiles, len(HOUSE_TILES))
    if differ(state.start, STARTS[state.players], 3 * MAX_PLAYERS):
        begin_list(out, b"starts")
        for seat in range(state.players):
            write_pawns(state.start, seat, out)
        end_list(out)


@kernel
def differ(numbers: Sequence[int], others: Sequence[int], n: int) -> bool:
    """Return whether the first n numbers of two arrays are not the same."""
    i = 0
    while i < n and numbers[i] == others[i]:
        i += 1
    return i < n


@kernel
def write_rows(pattern: int, out: Text) -> None:
    """Write the rows of a constellation card, as `constellations.rows_of` returns them. 1.4"""
    begin_list(out, b"")
    for row in range(frame_width(pattern)):
        begin_text(out, b"")
        put_card_row(pattern, row, DOT, out)
        end_text(out)
    end_list(out)


@kernel
def frame_width(pattern: int) -> int:
    """Return the number of rows, and of columns, of a constellation card."""
    gardener, architect = pattern // OFFSETS, pattern % OFFSETS
    columns = max(0, EAST[gardener], EAST[architect]) - min(0, EAST[gardener], EAST[architect]) + 1
    rows = max(0, NORTH[gardener], NORTH[architect]) - min(0, NORTH[gardener], NORTH[architect]) + 1
    return max(WIDTH, columns, rows)


@kernel
def put_card_row(pattern: int, row: int, blank: int, out: Text) -> None:
    """Write a row of a constellation card as it is, the northernmost first; `blank` stands for no mark. 1.4"""
    gardener, architect = pattern // OFFSETS, pattern % OFFSETS
    west = min(0, EAST[gardener], EAST[architect])
    width = frame_width(pattern)
    north = min(0, NORTH[gardener], NORTH[architect]) + width - 1 - row
    for east in range(west, west + width):
        mark = blank
        if (east == 0) & (north == 0):
            mark = KING
        elif (east == EAST[gardener]) & (north == NORTH[gardener]):
            mark = GARDENER
        elif (east == EAST[architect]) & (north == NORTH[architect]):
            mark = ARCHITECT
        put_row(out, MARK_TEXTS, mark)


# --- Score sheet -----------------------------------------------------------------------------------------------


@kernel
def write_entries(state: State, action: int, out: Text) -> None:
    """Write the entries of the score sheet: the tiles that each seat keeps and its elements in the garden. 4.6

    They follow from the state alone: an action (instead of -1) adds none.
    """
    if action >= 0:
        return
    for seat in range(state.players):
        tiles = state.kept[seat]
        while tiles:
            write_tile(state, seat, lowest_bit(tiles), out)
            tiles &= tiles - 1
        for kind in range(ELEMENTS):
            if state.element[ELEMENTS * seat + kind] >= 0:
                write_element(state, seat, kind, out)


@kernel
def write_tile(state: State, seat: int, cell: int, out: Text) -> None:
    """Write the entry of a tile that a seat keeps."""
    begin_object(out, b"")
    number(out, b"seat", seat)
    text(out, b"kind", b"tile")
    name(out, b"name", CELL_TEXTS, cell)
    number(out, b"points", state.landscape[cell])
    names(out, b"cells", CELL_TEXTS, 1 << cell)
    end_entry(-1, cell, out)


@kernel
def write_element(state: State, seat: int, kind: int, out: Text) -> None:
    """Write the entry of an element of a seat."""
    begin_object(out, b"")
    number(out, b"seat", seat)
    text(out, b"kind", b"element")
    name(out, b"name", ELEMENT_TEXTS, kind)
    number(out, b"points", kind % 3 + 1)
    write_site(state.element[ELEMENTS * seat + kind], out)
    end_entry(kind, -1, out)


@kernel
def end_entry(kind: int, cell: int, out: Text) -> None:
    """Write the rest of an entry: it has no parts; `kind` is its element, and `cell` where its tile lay, or -1."""
    empty_list(out, b"parts")
    text(out, b"combine", b"sum")
    name(out, b"piece", ELEMENT_TEXTS, kind)
    name(out, b"cell", CELL_TEXTS, cell)
    null(out, b"heading")
    end_object(out)


@kernel
def write_totals(state: State, out: Text) -> None:
    """Write what follows the entries of the score sheet: scores and winners."""
    write_result(state, out)
    empty_list(out, b"columns")


# --- Deal ------------------------------------------------------------------------------------------------------


@kernel
def write_deal(state: State, out: Text) -> None:
    """Write the deal of a state that has just been dealt, as a record has it; `pile` has seat 0's first draw. 3.1"""
    begin_object(out, b"")
    numbers(out, b"landscape", state.landscape, CELLS)
    begin_list(out, b"hands")
    for i in range(state.players):
        number(out, b"", state.pile[i] + 1)
    end_list(out)
    begin_list(out, b"pile")
    for i in range(state.players, CARDS):
        number(out, b"", state.pile[i] + 1)
    end_list(out)
    write_box_keys(state, out)
    end_object(out)
