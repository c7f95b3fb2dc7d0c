"""Observations and action indices of Topas.

The table has no edge; an observation shows it on a torus that is wide enough for every table. Row and column of a
square are its y and x, counted from the middle of the torus, where the first card lies. The cards in hand are in slots,
in the order of `NAMES`. Seat 0 is the viewer's own.
"""

from __future__ import annotations

from typing import Any

from bosquet.core.encoding import Part, clear, clear_part, mark
from bosquet.core.state import Numbers, Options
from bosquet.kernels.ahead import expect
from bosquet.kernels.bits import count_bits, index, lowest_bit, write_members
from bosquet.kernels.jit import kernel

from .rules import (
    COLOUR,
    COLOURS,
    COLUMNS,
    DECK,
    EAST,
    GEMS,
    HALVES,
    HAND,
    HEADINGS,
    LAST,
    MAX_MOVES,
    MAX_PLACES,
    NORTH,
    OVER,
    PLACES,
    ROW_LIMIT,
    SOUTH,
    SPAN,
    SQUARES,
    TURNS,
    WEST,
    State,
    card_of,
    dominoes,
    fits,
    heading_of,
    neighbour,
    square,
    square_of,
    write,
)

VERSION = 1

KINDS = len(COLOURS)
WAYS = len(HEADINGS)

NEAR = 6
"""Rows of squares on each side of the first card between which most of a table lies."""
ROW_BYTES = 8
ROWS_AT, SHUT_AT, SQUARES_AT = (State.dtype.fields[name][1] for name in ("rows", "shut_rows", "squares"))  # type: ignore[index]
SQUARES_END = State.dtype.itemsize


@kernel
def width_of(players: int) -> int:
    """Return the width of the torus: all cards of a table in one line, and room for one more at both ends."""
    return 2 * (TURNS * players + 1) + 4


@kernel
def slots_of(players: int) -> int:
    """Return the largest number of cards in a hand."""
    return HAND if players > 1 else 1


def layout(options: Options) -> tuple[Part, ...]:
    """Return the parts of an observation, in order."""
    players = options["players"]
    width, slots = width_of(players), slots_of(players)
    colours = ", ".join(COLOURS)
    parts = (
        Part("gems", (KINDS, width, width), f"gems, 1 to 3, on the squares of a colour; colours {colours}", 3),
        Part("hand", (slots, KINDS), f"for each card in hand its gems of each colour; colours {colours}", 3),
        Part("seen", (DECK,), "1 for every card that lies on the table, or lay on one before in solitaire", 1),
        Part("pile", (1,), "cards in the pile", DECK),
        Part("turns left", (1,), "cards still to be laid on this table, by all", TURNS * players),
        *(
            part
            for seat in range(players)
            for part in (
                Part(f"moves {seat}", (1,), "1 if this seat is to move", 1),
                Part(f"hand size {seat}", (1,), "cards in its hand", slots),
                Part(f"points {seat}", (2,), "its points, in solitaire of the running column: 256s, and the rest"),
            )
        ),
    )
    if players == 1:
        parts += (
            Part("column", (1,), "finished columns", COLUMNS),
            Part("columns", (COLUMNS, 2), "points of the finished columns: 256s, and the rest"),
        )
    return parts


def action_count(options: Options) -> int:
    """Return the size of the action space.

    An index is made of row and column of the first half, heading (N, E, S, W) and slot of the hand, so that the indices
    of legal actions are close together.
    """
    width = width_of(options["players"])
    return width * width * WAYS * slots_of(options["players"])


def max_decisions(options: Options) -> int:
    """Return the number of decisions: one for every card after the first, in solitaire on four tables."""
    players: int = options["players"]
    return TURNS * players if players > 1 else TURNS * COLUMNS


def max_chance_events(options: Options) -> int:
    """Return 0: there is no chance event after the deal."""
    return 0


def min_points(options: Options) -> int:
    """Return 0: nothing costs points."""
    return 0


def max_points(options: Options) -> int:
    """Return an upper bound on points: every card makes four full rows, added or in the expert variant multiplied."""
    of_a_card: int = ROW_LIMIT**4 if options["expert"] else ROW_LIMIT * 4
    return of_a_card * TURNS


@kernel
def observe(state: State, viewer: int, out: Numbers) -> None:
    """Write the observation of a seat."""
    clear(out, first_hand(state.players) + slots_of(state.players) * KINDS + DECK)
    mark(out, first_hand(state.players) + slots_of(state.players) * KINDS, state.gone)
    observe_cards(state, 0, out)
    observe_rest(state, viewer, out)


@kernel
def observe_again(state: State, viewer: int, out: Numbers) -> bool:
    """Write the observation of a seat over an earlier one of the same game: cards that lie stay where they are.

    Return False, with nothing written, if the earlier one is of another table of solitaire.
    """
    players = state.players
    tail = first_hand(players) + slots_of(players) * KINDS + DECK
    if (players == 1) & (out[tail + 6] != state.column):
        return False
    observe_cards(state, TURNS * players - out[tail + 1] + 1, out)
    observe_rest(state, viewer, out)
    return True


@kernel
def expect_state(states: Any, i: int) -> None:
    """Fetch what a step reads of a state: all before `rows`, and both ends of the lists of rows, which are near 0,0."""
    expect(states, i, 0, ROWS_AT + NEAR * ROW_BYTES)
    expect(states, i, SHUT_AT - NEAR * ROW_BYTES, NEAR * 2 * ROW_BYTES)
    expect(states, i, SQUARES_AT - NEAR * ROW_BYTES, NEAR * (ROW_BYTES + SPAN))
    expect(states, i, SQUARES_END - NEAR * SPAN, NEAR * SPAN)


@kernel
def first_hand(players: int) -> int:
    """Return where the part `hand` begins."""
    width = width_of(players)
    return KINDS * width * width


@kernel
def observe_cards(state: State, begin: int, out: Numbers) -> None:
    """Write the gems of the cards on the table, from the card number `begin` on, and that the cards were seen.

    The first card has number 0.
    """
    width = width_of(state.players)
    plane = width * width
    seen = first_hand(state.players) + slots_of(state.players) * KINDS
    west = state.left
    south = state.bottom
    for i in range(begin, state.turn + 1):
        action = state.laid[i]
        card = card_of(action)
        on = square_of(action)
        first = HALVES[card][0]
        second = HALVES[card][1]
        out[COLOUR[first] * plane + cell_of(on, west, south, width)] = GEMS[first]
        out[COLOUR[second] * plane + cell_of(neighbour(on, heading_of(action)), west, south, width)] = GEMS[second]
        out[seen + card] = 1


@kernel
def observe_rest(state: State, viewer: int, out: Numbers) -> None:
    """Write all parts but the gems and the cards seen."""
    players = state.players
    cards = first_hand(players)
    at = cards + slots_of(players) * KINDS
    hand = state.hand[viewer]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        for colour in range(KINDS):
            out[cards + colour] = 0
        first = HALVES[card][0]
        second = HALVES[card][1]
        out[cards + COLOUR[first]] = GEMS[first]
        out[cards + COLOUR[second]] = GEMS[second]
        cards += KINDS
    clear_part(out, cards, at)
    at += DECK
    out[at] = DECK - state.drawn
    out[at + 1] = TURNS * players - state.turn
    at += 2
    for turn in range(players):
        seat = viewer + turn if viewer + turn < players else viewer + turn - players
        out[at] = 1 if state.seat == seat else 0
        out[at + 1] = count_bits(state.hand[seat])
        write_points(out, at + 2, state.points[seat])
        at += 4
    if players == 1:
        out[at] = state.column
        for column in range(COLUMNS):
            write_points(out, at + 1 + 2 * column, state.columns[column])


@kernel
def write_points(out: Numbers, at: int, points: int) -> None:
    """Write points as two bytes: points // 256 and points % 256."""
    out[at] = points >> 8
    out[at + 1] = points & 255


@kernel
def cell_of(on: int, west: int, south: int, width: int) -> int:
    """Return the position of a square in a plane.

    The square must be at or east of `west` and at or north of `south`, less than 64 squares away.
    """
    half = width >> 1
    east = (on - west) & LAST
    north = ((on - west - east) >> 6) - south & LAST
    return wrapped(south + north + half, width) * width + wrapped(west + east + half, width)


@kernel
def wrapped(place: int, width: int) -> int:
    """Return a row or column of the torus; one that is off it by less than a width is moved onto it."""
    if place < 0:
        return place + width
    return place - width if place >= width else place


@kernel
def index_of(state: State, action: int) -> int:
    """Return the index of a placement."""
    slot = count_bits(state.hand[state.seat] & ((1 << card_of(action)) - 1))
    west = state.left - 2
    south = state.bottom - 2
    return place_index(action, west, south, width_of(state.players), slots_of(state.players)) + slot


@kernel
def action_at(state: State, number: int) -> int:
    """Return the placement with this index."""
    width = width_of(state.players)
    half = width >> 1
    slot = number % slots_of(state.players)
    number //= slots_of(state.players)
    heading = number % WAYS
    column = number // WAYS % width
    row = number // WAYS // width
    hand = state.hand[state.seat]
    for _ in range(slot):
        hand &= hand - 1
    west = state.left - 2
    south = state.bottom - 2
    x = west + wrapped(wrapped(column - half - west, width), width)
    y = south + wrapped(wrapped(row - half - south, width), width)
    return lowest_bit(hand) * PLACES + heading * SQUARES + square(x, y)


@kernel
def is_concealed(state: State, action: int) -> bool:
    """Return False: all cards are laid face up."""
    return False


@kernel
def private(state: State, seat: int) -> int:
    """Return the hand and the card that started this table; solitaire has four tables."""
    return state.hand[seat] | card_of(state.laid[0]) << DECK


@kernel
def indices(state: State, moves: Numbers) -> int:
    """Write the index of every legal placement; return their number. Each place is computed once for all cards."""
    if state.phase == OVER:
        return 0
    width = width_of(state.players)
    room = slots_of(state.players)
    west = state.left - 2
    column = wrapped(west + (width >> 1), width)  # of the torus, at x = west
    n = 0
    # As in `legal`, the end of `moves` holds the places where a square has a limit (tight).
    tight = tight_end = MAX_MOVES - MAX_PLACES
    below_row = 0
    row = 0
    above = state.rows[(state.bottom - 2) & LAST]
    under_near = 0
    below = 0
    here = row_index(state.bottom - 3, width, room)
    for y in range(state.bottom - 2, state.top + 3):
        below_row, row, above = row, above, state.rows[(y + 1) & LAST]
        across, upright, under_near = dominoes(below_row, row, above, under_near)
        below, here = here, row_index(y, width, room)
        if across | upright:
            shut_here = state.shut_rows[y & LAST]
            shut_across = across & (shut_here | shut_here >> 1)
            shut_upright = upright & (shut_here | state.shut_rows[(y - 1) & LAST])
            west_halves = turned((across ^ shut_across) >> (west - state.west), column, width)
            north_halves = turned((upright ^ shut_upright) >> (west - state.west), column, width)
            n = write_places(moves, n, west_halves, here, EAST, room)
            n = write_places(moves, n, turned(west_halves, 1, width), here, WEST, room)
            n = write_places(moves, n, north_halves, here, SOUTH, room)
            n = write_places(moves, n, north_halves, below, NORTH, room)
            if shut_across | shut_upright:
                start = y * SPAN + state.west
                tight_end = write(moves, tight_end, shut_across, start, EAST, 1, WEST)
                tight_end = write(moves, tight_end, shut_upright, start, SOUTH, -SPAN, NORTH)
    n = write_slots(moves, n, count_bits(state.hand[state.seat]))
    for i in range(tight, tight_end):
        n = write_fitting(state, moves[i], place_index(moves[i], west, state.bottom - 2, width, room), moves, n)
    return n


@kernel
def row_index(y: int, width: int, room: int) -> int:
    """Return the index of the first place in a row of the torus."""
    return wrapped(y + (width >> 1), width) * width * WAYS * room


@kernel
def turned(columns: int, by: int, width: int) -> int:
    """Return a set of columns of the torus, moved east by less than a width."""
    return (columns << by | columns >> (width - by)) & ((1 << width) - 1)


@kernel
def write_places(moves: Numbers, n: int, columns: int, row: int, heading: int, room: int) -> int:
    """Write the indices of places for the card in the first slot; return the new end of `moves`.

    `columns` are those of the first halves, `row` is the index of the first place in their row.
    """
    return write_members(moves, n, columns, row + heading * room, WAYS * room)


@kernel
def write_slots(moves: Numbers, n: int, slots: int) -> int:
    """Write n indices for the card in the first slot again for the other slots; return the new end of `moves`."""
    for i in range(n):
        for slot in range(1, HAND):  # a constant number, which the compiler unrolls; what is too much is written over
            moves[index(slot * n + i)] = moves[index(i)] + slot
    return slots * n


@kernel
def write_fitting(state: State, place: int, at: int, moves: Numbers, n: int) -> int:
    """Write the indices of a place, the first of which is `at`, for the cards that fit there; return the new end."""
    hand = state.hand[state.seat]
    while hand:
        moves[n] = at
        n += int(fits(state, lowest_bit(hand), place))
        hand &= hand - 1
        at += 1
    return n


@kernel
def place_index(place: int, west: int, south: int, width: int, slots: int) -> int:
    """Return the index of a place for the card in the first slot."""
    return (cell_of(square_of(place), west, south, width) * WAYS + heading_of(place)) * slots
