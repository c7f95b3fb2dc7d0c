"""The rules of Tide."""

from __future__ import annotations

from typing import Annotated, Any

from bosquet.core.rng import below, draw_member, shuffle
from bosquet.core.state import CHANCE, NOBODY, OWN, PUBLIC, Field, Int8, Int64, Numbers, Options, StateRecord
from bosquet.kernels.bits import lowest_bit, members
from bosquet.kernels.jit import kernel

NAME = "tide"
TITLE = "Tide"
OPTIONS = {"players": (2, 3)}

WIDTH = 3
CELLS = WIDTH * WIDTH
CARDS = 18
HAND = 3
ROUNDS = 5
NO_CARD = -1

LINES = (
    *(tuple(range(WIDTH * row, WIDTH * row + WIDTH)) for row in range(WIDTH)),
    *(tuple(range(column, CELLS, WIDTH)) for column in range(WIDTH)),
)
"""The rows, then the columns."""

FIRST_DROP = CARDS * CELLS  # card × CELLS + cell lays a card; from here on one is dropped
ACTIONS = FIRST_DROP + CARDS
MAX_MOVES = HAND * CELLS


class State(StateRecord):
    """Hands are sets of cards; card n is written n + 1."""

    players: Annotated[Int8, PUBLIC]
    seat: Annotated[Int8, PUBLIC]
    round: Annotated[Int8, PUBLIC]
    drawn: Annotated[Int8, PUBLIC]
    """Cards that have left the pile."""
    washed: Annotated[Int8, PUBLIC]
    """The column that the tide came up last, or -1."""
    card: Annotated[list[int], Field("i1", CELLS), PUBLIC]
    """[cell]: the card on it, or NO_CARD."""
    owner: Annotated[list[int], Field("i1", CELLS), PUBLIC]
    """[cell]: the seat that laid its card."""
    held: Annotated[list[int], Field("i1", 4), PUBLIC]
    """[seat]: how many cards it holds."""
    gone: Annotated[Int64, PUBLIC]
    """Cards dropped or taken by the tide."""
    hand: Annotated[list[int], Field("i8", 4), OWN]
    pile: Annotated[list[int], Field("i1", CARDS)]


def new_state(options: Options) -> State:
    """Return a state with its options set, to be dealt."""
    state = State()
    state.players = options["players"]
    return state


@kernel
def deal(state: State, rng_state: Numbers) -> None:
    """Deal a new game."""
    for card in range(CARDS):
        state.pile[card] = card
    shuffle(rng_state, state.pile, CARDS)
    begin(state)


@kernel
def begin(state: State) -> None:
    """Start with the pile as shuffled: hands seat by seat, then the cards to be drawn."""
    for cell in range(CELLS):
        state.card[cell] = NO_CARD
        state.owner[cell] = 0
    state.drawn = 0
    state.gone = 0
    for seat in range(4):
        state.hand[seat] = 0
        state.held[seat] = 0
        if seat < state.players:
            for _ in range(HAND):
                draw_card(state, seat)
    state.washed = -1
    state.round = 0
    state.seat = 0


@kernel
def draw_card(state: State, seat: int) -> None:
    """Draw the next card of the pile, if there is one."""
    if state.drawn < CARDS:
        state.hand[seat] |= 1 << state.pile[state.drawn]
        state.pile[state.drawn] = 0  # a state keeps no trace of what was hidden
        state.held[seat] += 1
        state.drawn += 1


@kernel
def legal(state: State, moves: Numbers) -> int:
    """Write every legal action into `moves`, return how many."""
    n = 0
    hand = state.hand[state.seat]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        free = 0
        for cell in range(CELLS):
            if state.card[cell] == NO_CARD:
                moves[n] = card * CELLS + cell
                n += 1
                free += 1
        if free == 0:
            moves[n] = FIRST_DROP + card
            n += 1
    return n


@kernel
def play(state: State, action: int) -> None:
    """Make a legal action."""
    seat = state.seat
    card = action - FIRST_DROP
    if action < FIRST_DROP:
        card = action // CELLS
        state.card[action % CELLS] = card
        state.owner[action % CELLS] = seat
    else:
        state.gone |= 1 << card
    state.hand[seat] ^= 1 << card
    state.held[seat] -= 1
    draw_card(state, seat)
    state.seat = seat + 1
    if state.seat == state.players:
        state.seat = CHANCE


@kernel
def sample_chance(state: State, rng_state: Numbers) -> None:
    """Let the tide come up a column drawn at random. Steps `rng_state`."""
    wash(state, below(rng_state, WIDTH))


@kernel
def wash(state: State, column: int) -> None:
    """Take the lowest card of a column, and begin the next round."""
    lowest = -1
    for row in range(WIDTH):
        cell = WIDTH * row + column
        if state.card[cell] != NO_CARD:
            if lowest < 0 or state.card[cell] < state.card[lowest]:
                lowest = cell
    if lowest >= 0:
        state.gone |= 1 << state.card[lowest]
        state.card[lowest] = NO_CARD
        state.owner[lowest] = 0
    state.washed = column
    state.round += 1
    state.seat = 0 if state.round < ROUNDS else NOBODY


@kernel
def scores(state: State, points: Numbers) -> None:
    """Write the points of every seat into `points`."""
    for seat in range(state.players):
        points[seat] = points_of(state, seat)


@kernel
def winners(state: State) -> int:
    """Return the seats with the most points, as a mask."""
    best = -1
    seats = 0
    for seat in range(state.players):
        mine = points_of(state, seat)
        if mine > best:
            best = mine
            seats = 0
        if mine == best:
            seats |= 1 << seat
    return seats


@kernel
def points_of(state: State, seat: int) -> int:
    """Return the points of a seat."""
    points = 0
    for line in range(2 * WIDTH):
        highest = NO_CARD
        owner = -1
        cards = 0
        for i in range(WIDTH):
            cell = LINES[line][i]
            if state.card[cell] != NO_CARD:
                cards += 1
                if state.card[cell] > highest:
                    highest = state.card[cell]
                    owner = state.owner[cell]
        if owner == seat:
            points += cards
    return points


def result(state: State) -> dict[str, Any]:
    """Return points and winners of a game that is over."""
    return {
        "scores": [points_of(state, seat) for seat in range(state.players)],
        "winners": list(members(winners(state))),
    }


def is_irreversible(state: State, action: int) -> bool:
    """Return whether somebody sees something hidden: a card is drawn."""
    return state.drawn < CARDS


@kernel
def determinize_in_place(state: State, viewer: int, rng_state: Numbers) -> None:
    """Deal the hands of the others and the pile anew, uniformly. Mutates `state`, steps `rng_state`."""
    unseen = 0
    for i in range(state.drawn, CARDS):
        unseen |= 1 << state.pile[i]
    for seat in range(state.players):
        if seat != viewer:
            unseen |= state.hand[seat]
            state.hand[seat] = 0
    for seat in range(state.players):
        if seat != viewer:
            for _ in range(state.held[seat]):
                card = draw_member(rng_state, unseen)
                unseen ^= 1 << card
                state.hand[seat] |= 1 << card
    for i in range(state.drawn, CARDS):
        card = draw_member(rng_state, unseen)
        unseen ^= 1 << card
        state.pile[i] = card
