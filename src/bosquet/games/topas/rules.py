"""Topas (Reiner Knizia, 2009), 1-4 players. Comments cite the rulings in docs/rules/topas.md (`# 3.2`)."""

from __future__ import annotations

from typing import Annotated, Any

from bosquet.core.nochance import sample_chance as sample_chance
from bosquet.core.rng import draw_member, shuffle
from bosquet.core.state import NOBODY, Field, Int8, Int16, Int64, Numbers, Options, Range, StateRecord
from bosquet.kernels.bits import count_bits, index, lowest_bit, members
from bosquet.kernels.jit import kernel

# --- 1 Parts ---------------------------------------------------------------------------------------------------

COLOURS = "BGRY"  # 1.1

CARDS = tuple(
    (first, m, second, n)
    for first in range(4)
    for second in range(first + 1, 4)
    for m in range(1, 4)
    for n in range(1, 4)
    if m != n
)

NAMES = tuple(f"{COLOURS[a]}{m}{COLOURS[b]}{n}" for a, m, b, n in CARDS)
# A half of a card is a number 1-12: colour × 3 + gems.
HALVES = tuple((a * 3 + m, b * 3 + n) for a, m, b, n in CARDS)

COLOUR = (-1, *(colour for colour in range(4) for _ in range(3)))

GEMS = (0, *(1, 2, 3) * 4)

HALF_KINDS = len(GEMS)  # with 0, which is no half

DECK = len(CARDS)

HAND = 3

TURNS = 7

COLUMNS = 4

ROW_LIMIT = 7  # 3.2

MOST_GEMS = 3  # on a half, 1.1

# 1.2: the table has no edge, but a game lays at most 29 connected cards, so the table never spans 60 squares. Squares
# are therefore numbered modulo 64 in both directions. The rows of the table are masks of 62 columns, a window that is
# moved when the table grows beyond it.
SPAN = 64

SQUARES = SPAN * SPAN

LAST = SPAN - 1

# A square is a signed byte: limits of an empty one, 2 bits per colour (`shut`), or a half, HALF_BYTE[colour] + gems.
# Of the four pairs of bits of a half none is 0.
HALF_BYTE = (92, 124, -100, -68)

WINDOW = 62

MIDDLE = 30

ALL_COLUMNS = (1 << WINDOW) - 1

NORTH, EAST, SOUTH, WEST = range(4)

HEADINGS = "NESW"

STEP = (SPAN, 1, -SPAN, -1)

LAY, OVER = range(2)


class State(StateRecord):
    """A state of Topas. Sets of cards are bit masks; the number of a square is `square(x, y)`."""

    players: Int8
    expert: Int8
    seat: Int8
    phase: Annotated[Int8, Range(0, OVER)]
    turn: Annotated[Int8, Range(0, 4 * TURNS)]  # cards laid on this table after the first
    column: Annotated[Int8, Range(0, COLUMNS)]  # solitaire: finished columns
    drawn: Annotated[Int8, Range(0, DECK)]  # cards of the deck that left the pile
    west: Annotated[Int16, Range(-SPAN, SPAN)]  # x of column 0 of the rows
    left: Annotated[Int16, Range(-SPAN, SPAN)]  # least x on the table
    right: Annotated[Int16, Range(-SPAN, SPAN)]
    bottom: Annotated[Int16, Range(-SPAN, SPAN)]  # least y on the table
    top: Annotated[Int16, Range(-SPAN, SPAN)]
    points: Annotated[list[int], Field("i2", 4)]  # [seat]; solitaire: of the current column
    columns: Annotated[list[int], Field("i2", COLUMNS)]
    gone: Int64  # solitaire: cards of finished tables
    hand: Annotated[list[int], Field("i8", 4)]  # [seat]: cards
    deck: Annotated[
        list[int], Field("i1", DECK), Range(0, DECK - 1)
    ]  # cards in the order of the deal; the pile begins at `drawn`
    laid: Annotated[list[int], Field("i4", 4 * TURNS + 1)]  # placements on this table, in order
    rows: Annotated[list[int], Field("i8", SPAN)]  # [y modulo 64]: columns with a half
    shut_rows: Annotated[list[int], Field("i8", SPAN)]  # [y modulo 64]: columns of squares with a limit (`shut`)
    squares: Annotated[Numbers, Field("i1", SQUARES, compact=True)]  # a half, or an empty square's limits


PLACES = SQUARES * 4

ACTIONS = DECK * PLACES
# A table of 58 halves has at most 118 empty neighbours; each is part of 4 dominoes, each in 2 orientations.
MAX_PLACES = 1024

MAX_MOVES = 5 * MAX_PLACES


@kernel
def square(x: int, y: int) -> int:
    """Return the number of a square. A step east adds 1, a step north adds 64, modulo 4096."""
    return (y * SPAN + x) & (SQUARES - 1)


@kernel
def east_of(state: State, at: int) -> int:
    """Return the x of a square that is on the table or at most two squares away from it."""
    west_end = state.left - 2
    return west_end + ((at - west_end) & LAST)


@kernel
def north_of(state: State, at: int) -> int:
    """Return the y of a square that is on the table or at most two squares away from it."""
    south_end = state.bottom - 2
    return south_end + ((((at - east_of(state, at)) >> 6) - south_end) & LAST)


@kernel
def card_of(action: int) -> int:
    """Return the card that an action lays."""
    return action >> 14


@kernel
def heading_of(action: int) -> int:
    """Return the heading from the first half of the card to the second."""
    return action >> 12 & 3


@kernel
def square_of(action: int) -> int:
    """Return the square of the first half of the card."""
    return action & (SQUARES - 1)


# --- 2 Deal ----------------------------------------------------------------------------------------------------


@kernel
def deal(state: State, rng_state: Numbers) -> None:
    """Deal a new game. Reads the options of `state`, overwrites everything else, advances `rng_state`."""
    for card in range(DECK):
        state.deck[card] = card
    shuffle(rng_state, state.deck, DECK)
    begin(state)


@kernel
def begin(state: State) -> None:
    """Start the game from the shuffled `state.deck`. 2.1"""
    state.drawn = 0
    for seat in range(4):
        state.hand[seat] = 0
        state.points[seat] = 0
    for column in range(COLUMNS):
        state.columns[column] = 0
    if state.players > 1:
        for _ in range(HAND):
            for seat in range(state.players):
                draw_card(state, seat)
    state.gone = 0
    state.column = 0
    state.seat = 0  # 2.2
    state.phase = LAY
    start_table(state)


@kernel
def draw_card(state: State, seat: int) -> None:
    """Draw the next card of the pile into a hand, if there is one."""
    if state.drawn < DECK:
        state.hand[seat] |= 1 << next_card(state)


@kernel
def next_card(state: State) -> int:
    """Remove the next card from the pile and return it. The pile must not be empty."""
    card = int(state.deck[state.drawn])
    state.deck[state.drawn] = 0
    state.drawn += 1
    return card


@kernel
def start_table(state: State) -> None:
    """Clear the table and lay the next card of the pile, first half on 0,0 and second on 1,0. 2.1, 5.1"""
    clear_table(state)
    lay(state, next_card(state) * PLACES + EAST * SQUARES)
    if state.players == 1:
        draw_card(state, 0)


@kernel
def clear_table(state: State) -> None:
    """Remove all cards from the table."""
    for y in range(SPAN):
        columns = state.rows[y] | state.shut_rows[y]  # all other squares are empty
        while columns:
            state.squares[square(state.west + lowest_bit(columns), y)] = 0
            columns &= columns - 1
        state.rows[y] = 0
        state.shut_rows[y] = 0
    for i in range(4 * TURNS + 1):
        state.laid[i] = 0
    state.turn = -1
    state.west = -MIDDLE
    state.left = 0
    state.right = 0
    state.bottom = 0
    state.top = 0


# --- 3 Turn ----------------------------------------------------------------------------------------------------


@kernel
def legal(state: State, moves: Numbers) -> int:
    """Write every legal action into `moves`; return their number."""
    if state.phase == OVER:
        return 0
    # The end of `moves` holds the places for any card: first those without a limit, then those with one (tight).
    first = MAX_MOVES - 2 * MAX_PLACES
    tight = MAX_MOVES - MAX_PLACES
    easy_end, tight_end = places(state, moves, first, tight)
    n = 0
    hand = state.hand[state.seat]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        for i in range(easy_end - first):
            moves[index(n + i)] = card * PLACES + moves[index(first + i)]
        n += easy_end - first
        for i in range(tight, tight_end):
            if fits(state, card, moves[i]):
                moves[n] = card * PLACES + moves[i]
                n += 1
    return n


@kernel
def places(state: State, moves: Numbers, easy: int, tight: int) -> tuple[int, int]:
    """Write every place where a card touches the table: from `easy` on, or from `tight` on if a square has a limit.

    Return the two ends.
    """
    below_row = 0
    row = 0
    above = state.rows[(state.bottom - 2) & LAST]
    under_near = 0
    for y in range(state.bottom - 2, state.top + 3):
        below_row, row, above = row, above, state.rows[(y + 1) & LAST]
        across, upright, under_near = dominoes(below_row, row, above, under_near)
        if across | upright:
            start = y * SPAN + state.west
            shut_here = state.shut_rows[y & LAST]
            shut_across = shut_here | shut_here >> 1
            shut_upright = shut_here | state.shut_rows[(y - 1) & LAST]
            easy = write(moves, easy, across & ~shut_across, start, EAST, 1, WEST)
            tight = write(moves, tight, across & shut_across, start, EAST, 1, WEST)
            easy = write(moves, easy, upright & ~shut_upright, start, SOUTH, -SPAN, NORTH)
            tight = write(moves, tight, upright & shut_upright, start, SOUTH, -SPAN, NORTH)
    return easy, tight


@kernel
def dominoes(below_row: int, row: int, above: int, under_near: int) -> tuple[int, int, int]:
    """Return where a card touches the table with a half in this row, and the empty squares of the row that touch it.

    Cards are given by their west halves, and by their north halves if they reach into the row below. All are masks of
    columns; `under_near` are the squares of the row below that touch the table.
    """
    empty = ALL_COLUMNS ^ row
    near = (below_row | above | row << 1 | row >> 1) & empty
    across = empty & empty >> 1 & (near | near >> 1)
    upright = empty & ~below_row & (near | under_near)
    return across, upright, near


@kernel
def write(moves: Numbers, n: int, dominoes: int, start: int, heading: int, step: int, back: int) -> int:
    """Write dominoes in both orientations; return the new end.

    `dominoes` is a mask of the columns of one half; `heading` and `step` lead from it to the other half.
    """
    while dominoes:
        at = start + lowest_bit(dominoes)
        dominoes &= dominoes - 1
        moves[index(n)] = heading * SQUARES + (at & (SQUARES - 1))
        moves[index(n + 1)] = back * SQUARES + ((at + step) & (SQUARES - 1))
        n += 2
    return n


@kernel
def fits(state: State, card: int, place: int) -> bool:
    """Return whether a card laid at this place makes no row of more than seven gems. 3.2"""
    at = square_of(place)
    other = neighbour(at, heading_of(place))
    return half_fits(state, HALVES[card][0], at) & half_fits(state, HALVES[card][1], other)


@kernel
def half_fits(state: State, half: int, at: int) -> bool:
    """Return whether this half may lie on this empty square. 3.2"""
    limit = state.squares[at] >> 2 * COLOUR[half] & 3  # as `shut` stores it: the row may have MOST_GEMS - limit more
    return GEMS[half] + limit <= MOST_GEMS


@kernel
def is_half(byte: int) -> bool:
    """Return whether the byte of a square is that of a half."""
    return (byte | byte >> 1) & 0b1010101 == 0b1010101


@kernel
def colour_of(byte: int) -> int:
    """Return the colour of the half whose byte this is."""
    return (byte >> 5 & 7) - 2


@kernel
def is_covered(state: State, at: int) -> bool:
    """Return whether a half lies on a square."""
    return is_half(state.squares[at])


@kernel
def neighbour(at: int, heading: int) -> int:
    """Return the next square in a direction."""
    return (at + STEP[heading]) & (SQUARES - 1)


@kernel
def play(state: State, action: int) -> None:
    """Apply a legal action: lay a card, score it and draw a card. 3.1-3.5"""
    seat = state.seat
    state.hand[seat] ^= 1 << card_of(action)
    state.points[seat] += lay(state, action)
    if state.players > 1:
        draw_card(state, seat)
        state.seat = seat + 1 if seat + 1 < state.players else 0
        if state.turn == TURNS * state.players:  # 4.1
            state.phase = OVER
            state.seat = NOBODY
    elif state.turn < TURNS:
        draw_card(state, seat)
    else:
        end_column(state)


@kernel
def end_column(state: State) -> None:
    """Store the points of a solitaire column and start the next table. 5.1"""
    state.columns[state.column] = state.points[0]
    state.column += 1
    if state.column == COLUMNS:
        state.phase = OVER
        state.seat = NOBODY
    else:
        for i in range(state.turn + 1):
            state.gone |= 1 << card_of(state.laid[i])
        state.points[0] = 0
        start_table(state)


@kernel
def lay(state: State, action: int) -> int:
    """Lay a card on the table; return its points. 3.3"""
    state.turn += 1
    state.laid[state.turn] = action
    points = points_of(state, action)
    at = square_of(action)
    other = neighbour(at, heading_of(action))
    first = HALVES[card_of(action)][0]
    second = HALVES[card_of(action)][1]
    cover(state, first, at)
    cover(state, second, other)
    if (state.left - state.west < 3) | (state.right - state.west > WINDOW - 4):
        move_window(state)
    for way in range(2):
        shut_ends(state, first, at, STEP[way])
        shut_ends(state, second, other, STEP[way])
    return points


@kernel
def points_of(state: State, action: int) -> int:
    """Return the points of a placement: the sum of its rows, or their product in the expert variant. 3.4"""
    at = square_of(action)
    card = card_of(action)
    ways = 0
    total = 0
    product = 1
    for half in HALVES[card]:
        for way in range(2):
            ahead, _ = run(state, COLOUR[half], at, STEP[way])
            back, _ = run(state, COLOUR[half], at, -STEP[way])
            if ahead + back:
                ways += 1
                total += GEMS[half] + ahead + back
                product *= GEMS[half] + ahead + back
        at = neighbour(at, heading_of(action))
    if (state.expert != 0) & (ways > 1):
        return product
    return total


@kernel
def run(state: State, colour: int, at: int, step: int) -> tuple[int, int]:
    """Return the gems of an unbroken run of one colour that begins next to `at`, and the square that ends the run."""
    gems = 0
    while True:
        at = (at + step) & (SQUARES - 1)
        own_gems = state.squares[at] - HALF_BYTE[colour]
        if (own_gems < 1) | (own_gems > 3):
            return gems, at
        gems += own_gems


@kernel
def cover(state: State, half: int, at: int) -> None:
    """Lay one half of a card on a square."""
    x = east_of(state, at)
    y = north_of(state, at)
    state.squares[at] = HALF_BYTE[COLOUR[half]] + GEMS[half]
    state.rows[y & LAST] |= 1 << (x - state.west)
    state.left = min(state.left, x)
    state.right = max(state.right, x)
    state.bottom = min(state.bottom, y)
    state.top = max(state.top, y)


@kernel
def move_window(state: State) -> None:
    """Move the window of 62 columns so that the table is in its middle."""
    west = (state.left + state.right) // 2 - MIDDLE
    shift = state.west - west
    for y in range(SPAN):
        state.rows[y] = shifted(state.rows[y], shift)
        state.shut_rows[y] = shifted(state.shut_rows[y], shift)
    state.west = west


@kernel
def shifted(row: int, shift: int) -> int:
    """Return a row of the table moved `shift` columns east."""
    return row << shift if shift > 0 else row >> -shift


@kernel
def shut_ends(state: State, half: int, at: int, step: int) -> None:
    """Store the limits at both ends of the row through a half. 3.2"""
    colour = COLOUR[half]
    ahead, ahead_end = run(state, colour, at, step)
    back, back_end = run(state, colour, at, -step)
    gems = GEMS[half] + ahead + back
    shut(state, colour, gems, ahead_end, step)
    shut(state, colour, gems, back_end, -step)


@kernel
def shut(state: State, colour: int, gems: int, at: int, step: int) -> None:
    """Store the limit of an empty square that ends a row with this many gems. 3.2

    The limits of a square have 2 bits per colour: 0 if up to 3 gems fit, 1 if up to 2 fit, 2 if only 1 fits, 3 if none.
    The limit of a fourth colour is not stored: rows of four colours close a square on all sides, so no card fits there.
    """
    known = state.squares[at]
    if is_half(known):
        return
    beyond, _ = run(state, colour, at, step)
    out = min(gems + beyond - (ROW_LIMIT - MOST_GEMS), MOST_GEMS)
    limits = (known & ~(3 << 2 * colour)) | out << 2 * colour
    if (out > (known >> 2 * colour & 3)) & (not is_half(limits)):
        state.squares[at] = (limits + 128 & 255) - 128
        state.shut_rows[north_of(state, at) & LAST] |= 1 << (east_of(state, at) - state.west)


# --- 4 End -----------------------------------------------------------------------------------------------------


@kernel
def scores(state: State, points: Numbers) -> None:
    """Write the current score of every seat into `points`. 4.2, 5.2"""
    for seat in range(state.players):
        points[seat] = score(state, seat)


@kernel
def score(state: State, seat: int) -> int:
    """Return the current score of a seat. 4.2, 5.2"""
    points = int(state.points[seat])
    if (state.players == 1) & (state.phase == OVER):
        for column in range(COLUMNS):
            points = min(points, state.columns[column])
    return points


@kernel
def winners(state: State) -> int:
    """Return the winning seats of a finished game as a bit mask. 4.1"""
    best = -1
    seats = 0
    for seat in range(state.players):
        if state.points[seat] > best:
            best = state.points[seat]
            seats = 0
        if state.points[seat] == best:
            seats |= 1 << seat
    return seats


def result(state: State) -> dict[str, Any]:
    """Return the points and winners of a finished game, and the columns of a solitaire. 4.1, 5.2"""
    points = [0] * 4
    scores(state, points)
    found: dict[str, Any] = {
        "scores": points[: state.players],
        "winners": list(members(winners(state))),
    }
    if state.players == 1:
        found["columns"] = list(state.columns)
    return found


# --- Options, deals, notation ----------------------------------------------------------------------------------

NAME = "topas"

TITLE = "Topas"

OPTIONS: dict[str, tuple[Any, ...]] = {"players": (2, 1, 3, 4), "expert": (False, True)}


def new_state(options: Options) -> State:
    """Return a state with its options set, ready for `deal`."""
    state = State()
    state.players = options["players"]
    state.expert = int(options["expert"])
    return state


@kernel
def is_irreversible(state: State, action: int) -> bool:
    """Return whether a card is drawn after the action. 3.5"""
    return bool(state.drawn < DECK)


@kernel
def determinize_in_place(state: State, viewer: int, rng_state: Numbers) -> None:
    """Redistribute the hands of the other seats and the pile, uniformly. Mutates `state`, advances `rng_state`."""
    unseen = 0
    for i in range(state.drawn, DECK):
        unseen |= 1 << state.deck[i]
    for seat in range(state.players):
        if (seat != viewer) & (state.players > 1):
            unseen |= state.hand[seat]
    for seat in range(state.players):
        if (seat != viewer) & (state.players > 1):
            hand = 0
            for _ in range(count_bits(state.hand[seat])):
                hand |= 1 << draw_member(rng_state, unseen & ~hand)
            unseen ^= hand
            state.hand[seat] = hand
    for i in range(state.drawn, DECK):
        state.deck[i] = draw_member(rng_state, unseen)
        unseen ^= 1 << state.deck[i]
