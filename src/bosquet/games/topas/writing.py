"""The view, the moves and the score sheet of Topas as JSON, written by kernels; `view` has their types."""

from __future__ import annotations

from bosquet.core.assistance import AIDS, FULL, PLAIN
from bosquet.core.state import Numbers
from bosquet.core.text.writing import (
    Text,
    begin_list,
    begin_object,
    begin_text,
    end_list,
    end_object,
    end_text,
    flag,
    name,
    null,
    number,
    number_or_null,
    put,
    put_number,
    put_row,
    text,
    texts,
)
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .position import PHASES
from .rules import (
    COLOUR,
    COLOURS,
    COLUMNS,
    DECK,
    GEMS,
    HALVES,
    HEADINGS,
    LAST,
    MOST_GEMS,
    NAME,
    NAMES,
    OVER,
    ROW_LIMIT,
    SQUARES,
    STEP,
    TURNS,
    State,
    card_of,
    east_of,
    heading_of,
    is_covered,
    legal,
    neighbour,
    north_of,
    points_of,
    run,
    score,
    square,
    square_of,
    winners,
)

SORTED_CARDS = tuple(sorted(range(DECK), key=NAMES.__getitem__))
GAME_TEXTS = texts(NAME)
"""The name of the game, or of its variant."""
PHASE_TEXTS = texts(*PHASES)
CARD_TEXTS = texts(*NAMES)
HEADING_TEXTS = texts(*HEADINGS)
COLOUR_TEXTS = texts(*COLOURS)
KINDS = texts("placement", *(f"column {column + 1}" for column in range(COLUMNS)))

# --- View ------------------------------------------------------------------------------------------------------


@kernel
def write_view(state: State, viewer: int, assistance: int, moves: Numbers, out: Text) -> int:
    """Write the view of a seat, or of a spectator (-1); write the legal actions that it lists into `moves`.

    Return the number of them. `assistance` is one of the constants of `core.assistance`.
    """
    n = legal(state, moves) if (assistance >= PLAIN) & (viewer >= 0) & (viewer == state.seat) else 0
    begin_object(out, b"")
    name(out, b"game", GAME_TEXTS, 0)
    begin_object(out, b"options")
    number(out, b"players", state.players)
    flag(out, b"expert", state.expert)
    end_object(out)
    number_or_null(out, b"viewer", viewer)
    number_or_null(out, b"seat", state.seat)
    flag(out, b"over", state.phase == OVER)
    name(out, b"phase", PHASE_TEXTS, state.phase)
    write_scores(state, out)
    write_winners(state, out)
    begin_list(out, b"moves")
    for i in range(n):
        write_move(state, moves[i], viewer, assistance, out)
    end_list(out)
    begin_list(out, b"table")
    for turn in range(state.turn + 1):
        write_laid(state, turn, out)
    end_list(out)
    write_latest(state, out)
    begin_list(out, b"shut")
    if assistance >= AIDS:
        write_limits(state, out)
    end_list(out)
    write_hand(state, viewer, out)
    begin_list(out, b"hand_sizes")
    for seat in range(state.players):
        number(out, b"", count_bits(state.hand[seat]))
    end_list(out)
    number(out, b"pile", DECK - state.drawn)
    number(out, b"turns_left", TURNS * state.players - state.turn)
    write_columns(state, out)
    write_cards(state.gone, b"gone", out)
    begin_list(out, b"forbidden")
    if n:
        write_forbidden(state, out)
    end_list(out)
    end_object(out)
    return n


@kernel
def write_laid(state: State, turn: int, out: Text) -> None:
    """Write a card on the table; nobody laid the first."""
    action = state.laid[turn]
    begin_object(out, b"")
    name(out, b"card", CARD_TEXTS, card_of(action))
    number(out, b"x", east_of(state, square_of(action)))
    number(out, b"y", north_of(state, square_of(action)))
    name(out, b"heading", HEADING_TEXTS, heading_of(action))
    number_or_null(out, b"seat", (turn - 1) % state.players if turn else -1)
    end_object(out)


@kernel
def write_latest(state: State, out: Text) -> None:
    """Write the card that was laid last, with its rows; null if no seat has laid one on this table. 3.3"""
    if state.turn < 1:
        null(out, b"latest")
        return
    action = state.laid[state.turn]
    begin_object(out, b"latest")
    write_cells(state, action, out)
    begin_list(out, b"rows")
    write_rows(state, action, out)
    end_list(out)
    number(out, b"points", points_of(state, action))
    end_object(out)


@kernel
def write_limits(state: State, out: Text) -> None:
    """Write how many gems of a colour fit on an empty square, for each such limit, row by row. 3.2"""
    for y in range(state.bottom - 1, state.top + 2):
        columns = state.shut_rows[y & LAST]
        while columns:
            at = square(state.west + lowest_bit(columns), y)
            columns &= columns - 1
            for colour in range(len(COLOUR_TEXTS)):
                gems = MOST_GEMS if is_covered(state, at) else room_for(state, colour, at)
                if gems < MOST_GEMS:
                    begin_object(out, b"")
                    write_cell(state, at, b"cell", out)
                    name(out, b"colour", COLOUR_TEXTS, colour)
                    number(out, b"fits", gems)
                    end_object(out)


@kernel
def room_for(state: State, colour: int, at: int) -> int:
    """Return how many gems of a colour may lie on an empty square, also on one that `shut` leaves out. 3.2"""
    room = MOST_GEMS
    for way in range(2):
        ahead, _ = run(state, colour, at, STEP[way])
        back, _ = run(state, colour, at, -STEP[way])
        room = min(room, ROW_LIMIT - ahead - back)
    return max(room, 0)


@kernel
def write_hand(state: State, viewer: int, out: Text) -> None:
    """Write the viewer's cards. Alone, everybody sees the card to be laid; else a spectator sees none. 5.1"""
    if state.players == 1:
        write_cards(state.hand[0], b"hand", out)
    elif viewer >= 0:
        write_cards(state.hand[viewer], b"hand", out)
    else:
        null(out, b"hand")


@kernel
def write_cards(cards: int, key: bytes, out: Text) -> None:
    """Write the names of a set of cards, sorted."""
    begin_list(out, key)
    for card in SORTED_CARDS:
        if cards >> card & 1:
            name(out, b"", CARD_TEXTS, card)
    end_list(out)


@kernel
def write_scores(state: State, out: Text) -> None:
    """Write the current score of every seat. 4.2, 5.2"""
    begin_list(out, b"scores")
    for seat in range(state.players):
        number(out, b"", score(state, seat))
    end_list(out)


@kernel
def write_winners(state: State, out: Text) -> None:
    """Write the seats that have won; none while the game runs. 4.1"""
    seats = winners(state) if state.phase == OVER else 0
    begin_list(out, b"winners")
    while seats:
        number(out, b"", lowest_bit(seats))
        seats &= seats - 1
    end_list(out)


@kernel
def write_columns(state: State, out: Text) -> None:
    """Write the points of the finished columns of a solitaire. 5.1"""
    begin_list(out, b"columns")
    for column in range(state.column):
        number(out, b"", state.columns[column])
    end_list(out)


# --- Moves -----------------------------------------------------------------------------------------------------


@kernel
def write_move(state: State, action: int, viewer: int, assistance: int, out: Text) -> None:
    """Write a placement that is about to be made, with its rows if `assistance` is FULL; all of it is public."""
    begin_object(out, b"")
    write_notation(state, action, b"say", out)
    name(out, b"piece", CARD_TEXTS, card_of(action))
    write_cells(state, action, out)
    name(out, b"heading", HEADING_TEXTS, heading_of(action))
    if assistance == FULL:
        points = points_of(state, action)
        number(out, b"points", points)
        begin_list(out, b"rows")
        if points:
            write_rows(state, action, out)
        end_list(out)
    end_object(out)


@kernel
def write_notation(state: State, action: int, key: bytes, out: Text) -> None:
    """Write the notation of a placement as a value. 3.7"""
    begin_text(out, key)
    put_notation(state, action, out)
    end_text(out)


@kernel
def put_notation(state: State, action: int, out: Text) -> None:
    """Write the notation of a placement as it is. 3.7"""
    put_row(out, CARD_TEXTS, card_of(action))
    put(out, b"@")
    put_square(state, square_of(action), out)
    put_row(out, HEADING_TEXTS, heading_of(action))


@kernel
def write_cells(state: State, action: int, out: Text) -> None:
    """Write the squares of both halves of a card."""
    at = square_of(action)
    begin_list(out, b"cells")
    write_cell(state, at, b"", out)
    write_cell(state, neighbour(at, heading_of(action)), b"", out)
    end_list(out)


@kernel
def write_cell(state: State, at: int, key: bytes, out: Text) -> None:
    """Write the name of a square."""
    begin_text(out, key)
    put_square(state, at, out)
    end_text(out)


@kernel
def put_square(state: State, at: int, out: Text) -> None:
    """Write the notation of a square as it is. 1.2"""
    put_number(out, east_of(state, at))
    put(out, b",")
    put_number(out, north_of(state, at))


@kernel
def write_rows(state: State, action: int, out: Text) -> None:
    """Write the rows that a placement scores. 3.3"""
    at = square_of(action)
    for half in HALVES[card_of(action)]:
        for way in range(2):
            if row_gems(state, half, at, STEP[way]) > GEMS[half]:
                begin_object(out, b"")
                write_row(state, half, at, STEP[way], out)
                end_object(out)
        at = neighbour(at, heading_of(action))


@kernel
def row_gems(state: State, half: int, at: int, step: int) -> int:
    """Return the gems of the row, in one direction and its opposite, of half of a card that lies on a square. 3.3"""
    ahead, _ = run(state, COLOUR[half], at, step)
    back, _ = run(state, COLOUR[half], at, -step)
    return GEMS[half] + ahead + back


@kernel
def write_row(state: State, half: int, at: int, step: int, out: Text) -> None:
    """Write the fields of the row, in one direction and its opposite, of half of a card that lies on a square. 3.3"""
    name(out, b"colour", COLOUR_TEXTS, COLOUR[half])
    number(out, b"gems", row_gems(state, half, at, step))
    write_row_cells(state, half, at, step, out)


@kernel
def write_row_cells(state: State, half: int, at: int, step: int, out: Text) -> None:
    """Write the squares of a row."""
    _, end = run(state, COLOUR[half], at, step)
    _, start = run(state, COLOUR[half], at, -step)
    begin_list(out, b"cells")
    cell = (start + step) & (SQUARES - 1)
    while cell != end:
        write_cell(state, cell, b"", out)
        cell = (cell + step) & (SQUARES - 1)
    end_list(out)


@kernel
def write_forbidden(state: State, out: Text) -> None:
    """Write every placement of a card in hand that would make a row with too many gems. 3.2"""
    for y in range(state.bottom - 1, state.top + 2):
        columns = state.shut_rows[y & LAST]
        while columns:
            at = square(state.west + lowest_bit(columns), y)
            columns &= columns - 1
            hand = 0 if is_covered(state, at) else state.hand[state.seat]
            while hand:
                card = lowest_bit(hand)
                hand &= hand - 1
                for place in range(2):
                    if GEMS[HALVES[card][place]] > room_for(state, COLOUR[HALVES[card][place]], at):
                        write_forbidden_half(state, card, place, at, out)


@kernel
def write_forbidden_half(state: State, card: int, place: int, at: int, out: Text) -> None:
    """Write the placements of a card with its first or second half on a square where that has too many gems."""
    half = HALVES[card][place]
    upright = row_gems(state, half, at, STEP[0]) >= row_gems(state, half, at, STEP[1])
    for heading in range(len(HEADING_TEXTS)):
        first = (at - STEP[heading]) & (SQUARES - 1) if place else at
        if not (is_covered(state, first) | is_covered(state, neighbour(first, heading))):
            begin_object(out, b"")
            name(out, b"piece", CARD_TEXTS, card)
            name(out, b"heading", HEADING_TEXTS, heading)
            write_cells(state, heading * SQUARES + first, out)
            begin_object(out, b"row")
            write_row(state, half, at, STEP[0] if upright else STEP[1], out)
            end_object(out)
            end_object(out)


# --- Score sheet -----------------------------------------------------------------------------------------------


@kernel
def write_entries(state: State, action: int, out: Text) -> None:
    """Write the entry of a placement that is about to be made: its rows and their gems. The end (-1) adds none. 3.3"""
    if action < 0:
        return
    at = square_of(action)
    begin_object(out, b"")
    number(out, b"seat", state.seat)
    name(out, b"kind", KINDS, state.column + 1 if state.players == 1 else 0)
    write_notation(state, action, b"name", out)
    number(out, b"points", points_of(state, action))
    write_cells(state, action, out)
    begin_list(out, b"parts")
    write_parts(state, action, out)
    end_list(out)
    text(out, b"combine", b"product" if state.expert else b"sum")
    name(out, b"piece", CARD_TEXTS, card_of(action))
    write_cell(state, at, b"cell", out)
    name(out, b"heading", HEADING_TEXTS, heading_of(action))
    end_object(out)


@kernel
def write_parts(state: State, action: int, out: Text) -> None:
    """Write the rows that a placement scores as parts of its entry. 3.3"""
    at = square_of(action)
    for half in HALVES[card_of(action)]:
        for way in range(2):
            gems = row_gems(state, half, at, STEP[way])
            if gems > GEMS[half]:
                begin_object(out, b"")
                text(out, b"kind", b"row")
                name(out, b"name", COLOUR_TEXTS, COLOUR[half])
                number(out, b"points", gems)
                write_row_cells(state, half, at, STEP[way], out)
                end_object(out)
        at = neighbour(at, heading_of(action))


@kernel
def write_totals(state: State, out: Text) -> None:
    """Write what follows the entries of a score sheet."""
    write_scores(state, out)
    write_winners(state, out)
    write_columns(state, out)


# --- Deal ------------------------------------------------------------------------------------------------------


@kernel
def write_deal(state: State, out: Text) -> None:
    """Write the deal of a state that has just been dealt, as a record has it. 2.1"""
    begin_object(out, b"")
    if state.players > 1:
        begin_list(out, b"hands")
        for seat in range(state.players):
            write_cards(state.hand[seat], b"", out)
        end_list(out)
        name(out, b"start", CARD_TEXTS, card_of(state.laid[0]))
    begin_list(out, b"pile")
    if state.players == 1:
        name(out, b"", CARD_TEXTS, card_of(state.laid[0]))
        name(out, b"", CARD_TEXTS, lowest_bit(state.hand[0]))
    for i in range(state.drawn, DECK):
        name(out, b"", CARD_TEXTS, state.deck[i])
    end_list(out)
    end_object(out)
