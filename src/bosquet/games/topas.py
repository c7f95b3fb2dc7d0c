"""Topas (Reiner Knizia, 2009), 1-4 players. Rulings: docs/rules/topas.md; a comment cites the ruling (`# 3.2`)."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec

from bosquet.core.bits import count_bits, index, lowest_bit, mask_of, members
from bosquet.core.chance import Chance, draw_member, shuffle
from bosquet.core.errors import IllegalMove, OptionError, quoted
from bosquet.core.jit import kernel
from bosquet.core.nochance import play_roll as play_roll
from bosquet.core.nochance import roll as roll
from bosquet.core.nochance import say_roll as say_roll
from bosquet.core.reading import (
    expect_each_once,
    expect_key,
    expect_list,
    expect_name,
    expect_names,
    expect_only,
)
from bosquet.core.rules import Options
from bosquet.core.state import NOBODY, Field, Int8, Int16, Int64, Numbers, StateRecord
from bosquet.core.view import Entry, Move, Part, Sheet, View

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
# A half is a number 1-12: colour × 3 + gems.
HALVES = tuple((a * 3 + m, b * 3 + n) for a, m, b, n in CARDS)
COLOUR = (-1, *(colour for colour in range(4) for _ in range(3)))
GEMS = (0, *(1, 2, 3) * 4)
DECK = len(CARDS)
HAND = 3
TURNS = 7
COLUMNS = 4
ROW_LIMIT = 7  # 3.2

# 1.2 The table has no edge, but a game lays at most 29 cards in one piece, so it never spans 60 squares: squares are
# numbered modulo 64 both ways, and the rows of the table are masks of 62 columns that move along if it grows aside.
SPAN = 64
SQUARES = SPAN * SPAN
LAST = SPAN - 1
WINDOW = 62
MIDDLE = 30
ALL_COLUMNS = (1 << WINDOW) - 1
NORTH, EAST, SOUTH, WEST = range(4)
HEADINGS = "NESW"
STEP = (SPAN, 1, -SPAN, -1)

LAY, OVER = range(2)


class State(StateRecord):
    """A square's number is `square(x, y)`."""

    players: Int8
    expert: Int8
    seat: Int8
    phase: Int8
    turn: Int8  # cards laid on this table after the first
    column: Int8  # solitaire: finished columns
    drawn: Int8  # cards of the deck that left the pile
    west: Int16  # x of column 0 of the rows
    left: Int16  # least x on the table
    right: Int16
    bottom: Int16  # least y on the table
    top: Int16
    points: Annotated[list[int], Field("i2", 4)]  # [seat]; solitaire: of the running column
    columns: Annotated[list[int], Field("i2", COLUMNS)]
    gone: Int64  # solitaire: cards of finished tables
    hand: Annotated[list[int], Field("i8", 4)]  # [seat]: cards
    deck: Annotated[list[int], Field("i1", DECK)]  # in the order of the deal; from `drawn` on the pile
    laid: Annotated[list[int], Field("i4", 4 * TURNS + 1)]  # placements on this table, in order
    rows: Annotated[list[int], Field("i8", SPAN)]  # [y modulo 64]: columns with a half
    shut_rows: Annotated[list[int], Field("i8", SPAN)]  # [y modulo 64]: columns where gems are shut out
    squares: Annotated[list[int], Field("i2", SQUARES)]  # a half, or minus what is shut out there (`shut`)


PLACES = SQUARES * 4
ACTIONS = DECK * PLACES
# A table of 58 halves has at most 118 empty neighbours, each in 4 dominoes of 2 orientations.
MAX_PLACES = 1024
MAX_MOVES = 5 * MAX_PLACES


@kernel
def square(x: int, y: int) -> int:
    """The number of a square: one step east adds 1, one step north adds 64, all modulo 4096."""
    return (y * SPAN + x) & (SQUARES - 1)


@kernel
def east_of(state: State, at: int) -> int:
    """The x of a square on the table or at most two off it."""
    west_end = state.left - 2
    return west_end + ((at - west_end) & LAST)


@kernel
def north_of(state: State, at: int) -> int:
    """The y of a square on the table or at most two off it."""
    south_end = state.bottom - 2
    return south_end + ((((at - east_of(state, at)) >> 6) - south_end) & LAST)


@kernel
def card_of(action: int) -> int:
    """The card that an action lays."""
    return action >> 14


@kernel
def heading_of(action: int) -> int:
    """The way from the first half of the card to the second."""
    return action >> 12 & 3


@kernel
def square_of(action: int) -> int:
    """The square of the first half."""
    return action & (SQUARES - 1)


# --- 2 Deal ----------------------------------------------------------------------------------------------------


@kernel
def deal(state: State, lanes: Numbers) -> None:
    """Deal a new game. Reads the options of `state`, overwrites all else, steps `lanes`."""
    for card in range(DECK):
        state.deck[card] = card
    shuffle(lanes, state.deck, DECK)
    begin(state)


@kernel
def begin(state: State) -> None:
    """Start with `state.deck` as dealt. 2.1"""
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
    """Draw the next card of the pile, if there is one."""
    if state.drawn < DECK:
        state.hand[seat] |= 1 << next_card(state)


@kernel
def next_card(state: State) -> int:
    """Take the next card off the pile, which is not empty."""
    card = int(state.deck[state.drawn])
    state.deck[state.drawn] = 0
    state.drawn += 1
    return card


@kernel
def start_table(state: State) -> None:
    """Clear the table and lay the next card of the pile: first half at 0,0, second at 1,0. 2.1, 5.1"""
    clear_table(state)
    lay(state, next_card(state) * PLACES + EAST * SQUARES)
    if state.players == 1:
        draw_card(state, 0)


@kernel
def clear_table(state: State) -> None:
    """An empty table."""
    for i in range(SQUARES):
        state.squares[i] = 0
    for y in range(SPAN):
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
    """Write every legal action into `moves`, return how many."""
    if state.phase == OVER:
        return 0
    # The places for any card stand at the end of `moves`: first those with no gems shut out, then the tight ones.
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
    """Write every place where a card may touch the table, from `easy` on and, with gems shut out, from `tight` on.

    Returns both ends.
    """
    below_row = 0
    row = 0
    above = state.rows[(state.bottom - 2) & LAST]
    under_near = 0
    for y in range(state.bottom - 2, state.top + 3):
        below_row, row, above = row, above, state.rows[(y + 1) & LAST]
        empty = ALL_COLUMNS ^ row
        near = (below_row | above | row << 1 | row >> 1) & empty
        across = empty & empty >> 1 & (near | near >> 1)  # west halves of dominoes within this row
        upright = empty & ~below_row & (near | under_near)  # north halves of dominoes that reach down to the row below
        under_near = near
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
def write(moves: Numbers, n: int, dominoes: int, start: int, heading: int, step: int, back: int) -> int:
    """Write dominoes both ways round, given by the column of one half and the way to the other; return the new end."""
    while dominoes:
        at = start + lowest_bit(dominoes)
        dominoes &= dominoes - 1
        moves[index(n)] = heading * SQUARES + (at & (SQUARES - 1))
        moves[index(n + 1)] = back * SQUARES + ((at + step) & (SQUARES - 1))
        n += 2
    return n


@kernel
def fits(state: State, card: int, place: int) -> bool:
    """Whether a card laid at this place makes no row of more than seven gems. 3.2"""
    at = square_of(place)
    other = neighbour(at, heading_of(place))
    return half_fits(state, HALVES[card][0], at) & half_fits(state, HALVES[card][1], other)


@kernel
def half_fits(state: State, half: int, at: int) -> bool:
    """Whether this half may lie on this empty square."""
    return GEMS[half] + (-state.squares[at] >> 2 * COLOUR[half] & 3) <= 3


@kernel
def neighbour(at: int, heading: int) -> int:
    """The next square that way."""
    return (at + STEP[heading]) & (SQUARES - 1)


@kernel
def play(state: State, action: int) -> None:
    """Make a legal action: lay a card, score it, draw. 3.1-3.5"""
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
    """Note a column of solitaire and clear the table for the next. 5.1"""
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
    """Put a card on the table, return its points. 3.3"""
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
    """What a placement scores: the rows' sum, in the expert variant their product. 3.4"""
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
    """The gems of one colour in an unbroken run of halves from the square after `at`, and the square that ends it."""
    gems = 0
    while True:
        at = (at + step) & (SQUARES - 1)
        own_gems = state.squares[at] - 3 * colour
        if (own_gems < 1) | (own_gems > 3):
            return gems, at
        gems += own_gems


@kernel
def cover(state: State, half: int, at: int) -> None:
    """Lay half a card on a square."""
    x = east_of(state, at)
    y = north_of(state, at)
    state.squares[at] = half
    state.rows[y & LAST] |= 1 << (x - state.west)
    state.left = min(state.left, x)
    state.right = max(state.right, x)
    state.bottom = min(state.bottom, y)
    state.top = max(state.top, y)


@kernel
def move_window(state: State) -> None:
    """Bring the table back to the middle of the 62 columns of `rows`."""
    west = (state.left + state.right) // 2 - MIDDLE
    shift = state.west - west
    for y in range(SPAN):
        state.rows[y] = shifted(state.rows[y], shift)
        state.shut_rows[y] = shifted(state.shut_rows[y], shift)
    state.west = west


@kernel
def shifted(row: int, shift: int) -> int:
    """A row of the table moved so many columns east."""
    return row << shift if shift > 0 else row >> -shift


@kernel
def shut_ends(state: State, half: int, at: int, step: int) -> None:
    """Note at both ends of the row through a half how many gems of its colour no longer fit there. 3.2"""
    colour = COLOUR[half]
    ahead, ahead_end = run(state, colour, at, step)
    back, back_end = run(state, colour, at, -step)
    gems = GEMS[half] + ahead + back
    shut(state, colour, gems, ahead_end, step)
    shut(state, colour, gems, back_end, -step)


@kernel
def shut(state: State, colour: int, gems: int, at: int, step: int) -> None:
    """Note on a square that it ends a row of so many gems: 2 bits a colour for how many of 3 no longer fit. 3.2"""
    known = -state.squares[at]
    if known < 0:
        return
    beyond, _ = run(state, colour, at, step)
    out = min(gems + beyond - (ROW_LIMIT - 3), 3)
    if out > (known >> 2 * colour & 3):
        state.squares[at] = -((known & ~(3 << 2 * colour)) | out << 2 * colour)
        state.shut_rows[north_of(state, at) & LAST] |= 1 << (east_of(state, at) - state.west)


# --- 4 End -----------------------------------------------------------------------------------------------------


@kernel
def scores(state: State, points: Numbers) -> None:
    """Write the points of every seat so far into `points`. 4.2, 5.2"""
    for seat in range(state.players):
        points[seat] = state.points[seat]
    if (state.players == 1) & (state.phase == OVER):
        for column in range(COLUMNS):
            points[0] = min(points[0], state.columns[column])


@kernel
def winners(state: State) -> int:
    """The winning seats of a game that is over, as a mask. 4.1"""
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
    """Points and winners of a game that is over; the columns of a solitaire. 4.1, 5.2"""
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
OPTIONS = {"players": (2, 1, 3, 4), "expert": (False, True)}

CARD_OF = {name: card for card, name in enumerate(NAMES)}
PHASES = ("lay", "over")
MOVE = re.compile(r"([BGRY][123][BGRY][123])@(0|-?[1-9][0-9]?),(0|-?[1-9][0-9]?)([NESW])")


def cards_of(mask: int) -> list[str]:
    """The names of a set of cards, sorted."""
    return sorted(NAMES[card] for card in members(mask))


def cell_name(state: State, at: int) -> str:
    """A square as `x,y`. 1.2"""
    return f"{east_of(state, at)},{north_of(state, at)}"


def new_state(options: Options, deck: Any = None) -> State:
    """A state with its options set, to be dealt."""
    if deck is not None:
        raise OptionError("Topas has no deck to choose; leave it out")
    state = State()
    state.players = options["players"]
    state.expert = int(options["expert"])
    return state


def write_deal(state: State) -> dict[str, Any]:
    """The deal of a state that has just been dealt."""
    start = NAMES[card_of(state.laid[0])]
    pile = [NAMES[card] for card in state.deck[state.drawn :]]
    if state.players == 1:
        return {"pile": [start, *cards_of(state.hand[0]), *pile]}
    return {
        "hands": [cards_of(state.hand[seat]) for seat in range(state.players)],
        "start": start,
        "pile": pile,
    }


def read_deal(state: State, deal: Mapping[str, Any]) -> None:
    """Begin with the deal of a record."""
    players = state.players
    dealt: list[int] = []
    if players == 1:
        expect_only(deal, ("pile",), "deal")
    else:
        expect_only(deal, ("hands", "start", "pile"), "deal")
        hands = expect_list(expect_key(deal, "hands", "deal"), players, "deal.hands")
        by_seat = [expect_names(hand, HAND, CARD_OF, "card", f"deal.hands[{i}]") for i, hand in enumerate(hands)]
        dealt = [by_seat[seat][i] for i in range(HAND) for seat in range(players)]
        dealt.append(expect_name(expect_key(deal, "start", "deal"), CARD_OF, "card", "deal.start"))
    left = DECK - len(dealt)
    dealt += expect_names(expect_key(deal, "pile", "deal"), left, CARD_OF, "card", "deal.pile")
    expect_each_once(dealt, range(DECK), NAMES, "cards")
    state.deck = dealt
    begin(state)


def say(state: State, action: int) -> str:
    """The notation of an action. 3.7"""
    at = square_of(action)
    return _written(action, cell_name(state, at))


def _written(action: int, cell: str) -> str:
    """A placement whose first half lies on a named square. 3.7"""
    return f"{NAMES[card_of(action)]}@{cell}{HEADINGS[heading_of(action)]}"


def parse(state: State, text: str) -> int:
    """The action that a notation means."""
    match = MOVE.fullmatch(text)
    if not match or match[1] not in CARD_OF:
        raise IllegalMove(f'{quoted(text)} is no move of Topas; a move is written like "B1G2@3,-1N"')
    x, y = int(match[2]), int(match[3])
    if not (state.left - 2 <= x <= state.right + 2 and state.bottom - 2 <= y <= state.top + 2):
        raise IllegalMove(f"{quoted(text)}: a card there does not touch the table")
    return CARD_OF[match[1]] * PLACES + HEADINGS.index(match[4]) * SQUARES + square(x, y)


def objection(state: State, action: int) -> str:
    """Why an action is not legal now. 3.1, 3.2"""
    card, at = card_of(action), square_of(action)
    squares = (at, neighbour(at, heading_of(action)))
    if not state.hand[state.seat] >> card & 1:
        return f"{NAMES[card]} is not in the hand"
    for covered in squares:
        if state.squares[covered] > 0:
            return f"there is a card on {cell_name(state, covered)} already"
    for half, on in zip(HALVES[card], squares, strict=True):
        if not half_fits(state, half, on):
            colour = COLOURS[COLOUR[half]]
            return f"{colour}{GEMS[half]} on {cell_name(state, on)} would make a row of more than {ROW_LIMIT} gems"
    return "a card there does not touch the table"


def told(state: State, action: int, viewer: int | None) -> str:
    """An action as a viewer may know it: all of it."""
    return say(state, action)


def reveals(state: State, action: int) -> bool:
    """Whether a card is drawn after the move. 3.5"""
    return bool(state.drawn < DECK)


# --- View ------------------------------------------------------------------------------------------------------


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A row of one colour."""

    colour: str
    gems: int
    cells: list[str]


class Laid(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the table: square of its first half, heading of its second."""

    card: str
    x: int
    y: int
    heading: str
    seat: int | None
    """Who laid it; None for the card that started the table."""


class Shut(msgspec.Struct, frozen=True, kw_only=True):
    """An empty square where a colour is limited, since a row may hold seven gems."""

    cell: str
    colour: str
    fits: int
    """The most gems of this colour that may lie there, 0 to 2."""


class TopasMove(Move, frozen=True, kw_only=True):
    """A legal placement with the rows that it would score."""

    rows: list[Row]


class TopasView(View, frozen=True, kw_only=True):
    """What a seat may know of a game of Topas."""

    table: list[Laid]
    """In the order of laying."""
    shut: list[Shut]
    hand: list[str] | None
    """The viewer's cards; None for a spectator. In solitaire the card to be laid, open to everybody."""
    hand_sizes: list[int]
    pile: int
    """Cards left in the pile."""
    turns_left: int
    """Cards still to be laid on this table, by all."""
    columns: list[int]
    """Solitaire: points of the finished columns."""
    gone: list[str]
    """Solitaire: cards of the finished tables."""
    moves: list[TopasMove]


def view(state: State, viewer: int | None) -> TopasView:
    """All that a seat, or a spectator, may know."""
    over = state.phase == OVER
    points = [0] * 4
    scores(state, points)
    holder = 0 if state.players == 1 else viewer
    return TopasView(
        game=NAME,
        options={"players": state.players, "expert": bool(state.expert)},
        viewer=viewer,
        seat=state.seat if state.seat >= 0 else None,
        over=over,
        phase=PHASES[state.phase],
        scores=points[: state.players],
        winners=list(members(winners(state))) if over else [],
        table=[_laid(state, turn) for turn in range(state.turn + 1)],
        shut=[
            Shut(cell=cell_name(state, at), colour=colour, fits=3 - out)
            for y in range(state.bottom - 1, state.top + 2)
            for x in range(state.left - 1, state.right + 2)
            if state.squares[at := square(x, y)] < 0
            for i, colour in enumerate(COLOURS)
            if (out := -state.squares[at] >> 2 * i & 3)
        ],
        hand=None if holder is None else cards_of(state.hand[holder]),
        hand_sizes=[count_bits(state.hand[seat]) for seat in range(state.players)],
        pile=DECK - state.drawn,
        turns_left=TURNS * state.players - state.turn,
        columns=list(state.columns[: state.column]),
        gone=cards_of(state.gone),
        moves=_view_moves(state) if viewer is not None and viewer == state.seat else [],
    )


def _laid(state: State, turn: int) -> Laid:
    action = state.laid[turn]
    at = square_of(action)
    return Laid(
        card=NAMES[card_of(action)],
        x=east_of(state, at),
        y=north_of(state, at),
        heading=HEADINGS[heading_of(action)],
        seat=(turn - 1) % state.players if turn else None,
    )


def _view_moves(state: State) -> list[TopasMove]:
    """Every placement with its rows. Many share a half on a square: what lies through it is looked up once."""
    moves = [0] * MAX_MOVES
    n = legal(state, moves)
    name = functools.cache(functools.partial(cell_name, state))
    rows_through = functools.cache(functools.partial(_rows_through, state))
    made = []
    for action in moves[:n]:
        at = square_of(action)
        other = neighbour(at, heading_of(action))
        first, second = HALVES[card_of(action)]
        rows = [*rows_through(first, at), *rows_through(second, other)]
        made.append(
            TopasMove(
                say=_written(action, name(at)),
                cells=[name(at), name(other)],
                points=_worth(state, rows) if rows else 0,
                rows=rows,
            )
        )
    return made


def _worth(state: State, rows: list[Row]) -> int:
    """What one row or more come to. 3.4"""
    return math.prod([row.gems for row in rows]) if state.expert else sum([row.gems for row in rows])


def rows_of(state: State, action: int) -> list[Row]:
    """The rows that a placement would score. 3.3"""
    at = square_of(action)
    first, second = HALVES[card_of(action)]
    return _rows_through(state, first, at) + _rows_through(state, second, neighbour(at, heading_of(action)))


def _rows_through(state: State, half: int, at: int) -> list[Row]:
    """The rows through half a card that would lie on a square. The other half has another colour: it plays no part."""
    rows = []
    for step in STEP[:2]:
        back, start = run(state, COLOUR[half], at, -step)
        ahead, end = run(state, COLOUR[half], at, step)
        if ahead + back:
            cells = []
            cell = (start + step) & (SQUARES - 1)
            while cell != end:
                cells.append(cell_name(state, cell))
                cell = (cell + step) & (SQUARES - 1)
            rows.append(Row(colour=COLOURS[COLOUR[half]], gems=GEMS[half] + back + ahead, cells=cells))
    return rows


# --- Redeal ----------------------------------------------------------------------------------------------------


def redeal(view: TopasView, chance: Chance) -> State:
    """A state that agrees with all the viewer has seen, uniform over hands and pile."""
    state = new_state(view.options)
    clear_table(state)
    for card in view.table:
        action = CARD_OF[card.card] * PLACES + HEADINGS.index(card.heading) * SQUARES + square(card.x, card.y)
        lay(state, action)
    state.phase = PHASES.index(view.phase)
    state.seat = NOBODY if view.seat is None else view.seat
    state.drawn = DECK - view.pile
    state.column = len(view.columns)
    state.columns = view.columns + [0] * (COLUMNS - len(view.columns))
    state.gone = mask_of(CARD_OF[name] for name in view.gone)
    if view.players > 1:
        state.points = (view.scores or []) + [0] * (4 - state.players)
    else:
        state.points[0] = view.columns[-1] if view.over else (view.scores or [0])[0]
    seen = state.gone | mask_of(CARD_OF[card.card] for card in view.table)
    holder = 0 if state.players == 1 else view.viewer
    if holder is not None:
        state.hand[holder] = mask_of(CARD_OF[name] for name in view.hand or [])
        seen |= state.hand[holder]
    unseen = [card for card in range(DECK) if not seen >> card & 1]
    for seat in range(state.players):
        if seat != holder:
            state.hand[seat] = mask_of(unseen.pop() for _ in range(view.hand_sizes[seat]))
    state.deck[state.drawn :] = unseen
    resample(state, -1 if view.viewer is None else view.viewer, chance.lanes)
    return state


@kernel
def resample(state: State, viewer: int, lanes: Numbers) -> None:
    """Lay the hands of the others and the pile anew, uniformly. Mutates `state`, steps `lanes`."""
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
                hand |= 1 << draw_member(lanes, unseen & ~hand)
            unseen ^= hand
            state.hand[seat] = hand
    for i in range(state.drawn, DECK):
        state.deck[i] = draw_member(lanes, unseen)
        unseen ^= 1 << state.deck[i]


# --- Score sheet -----------------------------------------------------------------------------------------------


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Which placement scored which rows with which gems. 3.3, 3.4"""
    points = [0] * 4
    scores(state, points)
    return Sheet(
        game=NAME,
        entries=[_entry(before, action) for before, action in plies],
        scores=points[: state.players],
        winners=list(members(winners(state))) if state.phase == OVER else [],
        columns=list(state.columns[: state.column]) if state.players == 1 else [],
    )


def _entry(state: State, action: int) -> Entry:
    at = square_of(action)
    return Entry(
        seat=state.seat,
        kind="placement" if state.players > 1 else f"column {state.column + 1}",
        name=say(state, action),
        points=points_of(state, action),
        cells=[cell_name(state, at), cell_name(state, neighbour(at, heading_of(action)))],
        parts=[Part(kind="row", name=row.colour, points=row.gems, cells=row.cells) for row in rows_of(state, action)],
        combine="product" if state.expert else "sum",
    )
