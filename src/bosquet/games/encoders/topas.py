"""Topas in numbers. The table has no edge; here it is a torus so wide that no table meets itself.

Row and column of a square are its y and x, counted from the middle of the torus, where the first card lies. Cards in
hand stand in slots, in the order of `NAMES`. Seat 0 is the viewer's own.
"""

from __future__ import annotations

from bosquet.core.bits import count_bits, index, lowest_bit
from bosquet.core.encoding import Part, clear, mark
from bosquet.core.jit import kernel
from bosquet.core.rules import Options
from bosquet.core.state import Numbers
from bosquet.games.topas import (
    COLOUR,
    COLOURS,
    COLUMNS,
    DECK,
    GEMS,
    HALVES,
    HAND,
    HEADINGS,
    MAX_MOVES,
    MAX_PLACES,
    OVER,
    PLACES,
    SQUARES,
    TURNS,
    State,
    card_of,
    east_of,
    fits,
    heading_of,
    neighbour,
    north_of,
    places,
    square,
    square_of,
)

VERSION = 1

KINDS = len(COLOURS)
WAYS = len(HEADINGS)


@kernel
def width_of(players: int) -> int:
    """The width of the torus: all cards of a table in one line, and room for one more at both ends."""
    return 2 * (TURNS * players + 1) + 4


@kernel
def slots_of(players: int) -> int:
    """The most cards in a hand."""
    return HAND if players > 1 else 1


def layout(options: Options) -> tuple[Part, ...]:
    """The parts of an observation, in order."""
    players = options["players"]
    width, slots = width_of(players), slots_of(players)
    colours = ", ".join(COLOURS)
    parts = (
        Part("gems", (KINDS, width, width), f"gems, 1 to 3, on the squares of a colour; colours {colours}"),
        Part("hand", (slots, KINDS), f"for each card in hand its gems of each colour; colours {colours}"),
        Part("seen", (DECK,), "1 for every card that lies on the table, or lay on one before in solitaire"),
        Part("pile", (1,), "cards in the pile"),
        Part("turns left", (1,), "cards still to be laid on this table, by all"),
        *(
            part
            for seat in range(players)
            for part in (
                Part(f"moves {seat}", (1,), "1 if this seat is to move"),
                Part(f"hand size {seat}", (1,), "cards in its hand"),
                Part(f"points {seat}", (2,), "its points, in solitaire of the running column: 256s, and the rest"),
            )
        ),
    )
    if players == 1:
        parts += (
            Part("column", (1,), "finished columns"),
            Part("columns", (COLUMNS, 2), "points of the finished columns: 256s, and the rest"),
        )
    return parts


def action_count(options: Options) -> int:
    """A slot of the hand, a heading (N, E, S, W), row and column of the first half."""
    width = width_of(options["players"])
    return slots_of(options["players"]) * WAYS * width * width


def max_decisions(options: Options) -> int:
    """A placement for every card after the first; in solitaire on four tables."""
    players: int = options["players"]
    return TURNS * players if players > 1 else TURNS * COLUMNS


def max_rolls(options: Options) -> int:
    """All chance is in the deal."""
    return 0


@kernel
def observe(state: State, viewer: int, out: Numbers) -> None:
    """Write what a seat may know."""
    players = state.players
    width = width_of(players)
    plane = width * width
    cards = KINDS * plane
    seen = cards + slots_of(players) * KINDS
    at = seen + DECK
    clear(out, at + 2 + 4 * players + (1 + 2 * COLUMNS if players == 1 else 0))
    for i in range(state.turn + 1):
        action = state.laid[i]
        card = card_of(action)
        on = square_of(action)
        first = HALVES[card][0]
        second = HALVES[card][1]
        out[COLOUR[first] * plane + cell_of(state, on, width)] = GEMS[first]
        out[COLOUR[second] * plane + cell_of(state, neighbour(on, heading_of(action)), width)] = GEMS[second]
        out[seen + card] = 1
    mark(out, seen, state.gone)
    hand = state.hand[viewer]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        for half in HALVES[card]:
            out[cards + COLOUR[half]] = GEMS[half]
        cards += KINDS
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
    """Points in two bytes: 256s, and the rest."""
    out[at] = points >> 8
    out[at + 1] = points & 255


@kernel
def cell_of(state: State, on: int, width: int) -> int:
    """The place of a square in a plane."""
    half = width >> 1
    return wrapped(north_of(state, on) + half, width) * width + wrapped(east_of(state, on) + half, width)


@kernel
def wrapped(place: int, width: int) -> int:
    """A row or column that is less than a width off the torus, on it."""
    if place < 0:
        return place + width
    return place - width if place >= width else place


@kernel
def index_of(state: State, action: int) -> int:
    """The index of a placement: slot of the card, heading, row, column."""
    width = width_of(state.players)
    slot = count_bits(state.hand[state.seat] & ((1 << card_of(action)) - 1))
    return ((slot * WAYS) + heading_of(action)) * width * width + cell_of(state, square_of(action), width)


@kernel
def action_at(state: State, number: int) -> int:
    """The placement with this index."""
    width = width_of(state.players)
    half = width >> 1
    column = number % width
    row = number // width % width
    heading = number // (width * width) % WAYS
    hand = state.hand[state.seat]
    for _ in range(number // (width * width * WAYS)):
        hand &= hand - 1
    west = state.left - 2
    south = state.bottom - 2
    x = west + (column - half - west) % width
    y = south + (row - half - south) % width
    return lowest_bit(hand) * PLACES + heading * SQUARES + square(x, y)


@kernel
def mask(state: State, moves: Numbers, out: Numbers) -> None:
    """Write a one at the index of every legal placement. A place is looked up once for all cards of the hand."""
    if state.phase == OVER:
        return
    width = width_of(state.players)
    step = WAYS * width * width
    first = MAX_MOVES - 2 * MAX_PLACES
    tight = MAX_MOVES - MAX_PLACES
    easy_end, tight_end = places(state, moves, first, tight)
    hand = state.hand[state.seat]
    slots = count_bits(hand)
    for i in range(first, easy_end):
        at = place_index(state, moves[index(i)], width)
        for _ in range(slots):
            out[index(at)] = 1
            at += step
    for i in range(tight, tight_end):
        at = place_index(state, moves[i], width)
        cards = hand
        while cards:
            if fits(state, lowest_bit(cards), moves[i]):
                out[at] = 1
            cards &= cards - 1
            at += step


@kernel
def place_index(state: State, place: int, width: int) -> int:
    """The index of a place for the card in the first slot."""
    return heading_of(place) * width * width + cell_of(state, square_of(place), width)
