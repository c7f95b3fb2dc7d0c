"""The text of positions of Topas. Format: docs/positions.md."""

from __future__ import annotations

from bosquet.core.positions.position_reading import (
    COMMA,
    ZERO,
    Reader,
    check_once,
    check_parts,
    count_items,
    fault,
    fault_of_name,
    fault_of_numbers,
    field,
    find,
    is_written,
    item,
    part,
    read_hand,
    read_names,
    read_number,
    row_of,
    start_of,
    stop_of,
)
from bosquet.core.positions.position_text import (
    begin_field,
    put_hand,
    put_items,
    put_name,
    put_points,
    put_seat,
    separate,
)
from bosquet.core.state import NOBODY
from bosquet.core.text.writing import Text, put, put_number, texts
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .position import lay_unseen
from .rules import (
    COLUMNS,
    DECK,
    EAST,
    HAND,
    LAY,
    NAMES,
    OVER,
    PLACES,
    ROW_LIMIT,
    SQUARES,
    TURNS,
    State,
    card_of,
    clear_table,
    east_of,
    fits,
    heading_of,
    is_covered,
    lay,
    neighbour,
    north_of,
    square,
    square_of,
)
from .writing import CARD_TEXTS, HEADING_TEXTS, PHASE_TEXTS, SORTED_CARDS, put_notation

MOST_POINTS = (4 * ROW_LIMIT, ROW_LIMIT**4)
"""[expert]: no card scores more."""
SORTED_TEXTS = texts(*(NAMES[card] for card in SORTED_CARDS))
NO_NUMBER = 1000
AT = ord("@")
PLACE_OF = tuple(SORTED_CARDS.index(card) for card in range(DECK))


@kernel
def write_options(position: State, out: Text) -> None:
    """Write the fields of the options."""
    begin_field(out, b"players")
    put_number(out, position.players)
    if position.expert:
        put(out, b"/expert")


@kernel
def write_position(position: State, viewer: int, out: Text) -> None:
    """Write the fields of a position."""
    put_name(out, b"phase", PHASE_TEXTS, position.phase)
    put_seat(out, b"seat", position.seat)
    put_points(out, position.points, position.players)
    if position.players == 1:
        begin_field(out, b"columns")
        if position.column == 0:
            put(out, b"-")
        for column in range(position.column):
            separate(out, b".", column)
            put_number(out, position.columns[column])
        begin_field(out, b"gone")
        put_items(out, SORTED_TEXTS, by_name(position.gone))
    begin_field(out, b"table")
    for turn in range(position.turn + 1):
        separate(out, b".", turn)
        put_notation(position, position.laid[turn], out)
    begin_field(out, b"hands")
    for seat in range(position.players):
        separate(out, b",", seat)
        put_hand(out, SORTED_TEXTS, by_name(position.hand[seat]), open_hands(position, viewer) >> seat & 1)
    begin_field(out, b"pile")
    put_number(out, DECK - position.drawn)


@kernel
def by_name(cards: int) -> int:
    """Return the places of a set of cards among the sorted names, as a set."""
    places = 0
    while cards:
        places |= 1 << PLACE_OF[lowest_bit(cards)]
        cards &= cards - 1
    return places


@kernel
def open_hands(position: State, viewer: int) -> int:
    """Return the seats whose hands are known, as a set. 5.1"""
    if position.players == 1:
        return 1
    return 1 << viewer if viewer >= 0 else 0


@kernel
def read_position(position: State, viewer: int, reader: Reader) -> None:
    """Set a new state with its options to a position.

    The position need not have come about in a game; what cannot lie on a table is a fault.
    """
    seats = position.players
    if seats == 1:
        read_columns(position, reader)
    read_table(position, field(reader, b"table"), reader)
    end_turn(position)
    seen = position.gone
    for turn in range(position.turn + 1):
        seen |= 1 << card_of(position.laid[turn])
    position.drawn = count_bits(seen)
    hands = check_parts(reader, field(reader, b"hands"), seats, b"seat")
    known, sizes = open_hands(position, viewer), 0
    for seat in range(seats):
        size = hand_size(position, seat)
        held = read_hand(reader, part(reader, hands, seat), seat, size, known >> seat & 1, CARD_TEXTS, b"card")
        seen = check_once(reader, hands, held, seen, CARD_TEXTS, b"card")
        position.hand[seat] = held
        position.drawn += size
        sizes |= size << 8 * seat
    if not reader.is_faulty:
        lay_unseen(position, sizes)


@kernel
def read_columns(position: State, reader: Reader) -> None:
    """Read the columns that were finished alone, and the cards of their tables but the last. 5.1"""
    columns = field(reader, b"columns")
    n = count_items(reader, columns)
    if n > COLUMNS:
        fault_of_numbers(reader, columns, b"has # columns; there are #", n, COLUMNS)
    for column in range(min(n, COLUMNS)):
        points = read_number(reader, item(reader, columns, column), 0, TURNS * MOST_POINTS[position.expert])
        position.columns[column] = points
    position.column = min(n, COLUMNS)
    word = field(reader, b"gone")
    position.gone = read_names(reader, word, CARD_TEXTS, b"card")
    due = (TURNS + 1) * min(position.column, COLUMNS - 1)
    if count_bits(position.gone) != due:
        fault_of_numbers(reader, word, b"has # cards; it must have #", count_bits(position.gone), due)


@kernel
def read_table(position: State, table: int, reader: Reader) -> None:
    """Lay the cards of the table in order, and count their points. 2.1, 3.1-3.4"""
    clear_table(position)
    n, most = count_items(reader, table), TURNS * position.players + 1
    is_solitaire_over = (position.players == 1) & (position.column == COLUMNS)
    if is_solitaire_over & (n != most):
        fault_of_numbers(reader, table, b"has # cards; at the end it must have #", n, most)
    most -= (position.players == 1) & (not is_solitaire_over)  # the last card of a table ends its column
    if (n < 1) | (n > most):
        fault_of_numbers(reader, table, b"has # cards; it must have 1 to #", n, most)
    used = position.gone
    for turn in range(min(n, most)):
        word = item(reader, table, turn)
        action = read_card(position, word, turn, reader)
        used = check_once(reader, word, 1 << card_of(action), used, CARD_TEXTS, b"card")
        if not reader.is_faulty:
            points = lay(position, action)
            if turn > 0:
                position.points[(turn - 1) % position.players] += points
    last = position.columns[COLUMNS - 1]
    if is_solitaire_over & (last != position.points[0]):
        complaint = b"ends with # points; the cards on the table have #"
        fault_of_numbers(reader, field(reader, b"columns"), complaint, last, position.points[0])


@kernel
def read_card(position: State, word: int, turn: int, reader: Reader) -> int:
    """Return the action that lays a card, such as `B1G2@3,-1N`; a fault if it cannot lie there. 2.1, 3.1, 3.2"""
    start, stop = start_of(word), stop_of(word)
    at = find(reader, start, stop, AT)
    comma = find(reader, at, stop, COMMA)
    card = row_of(reader, start, at, CARD_TEXTS)
    x, y = coordinate(reader, at + 1, comma), coordinate(reader, comma + 1, stop - 1)
    heading = row_of(reader, stop - 1, stop, HEADING_TEXTS)
    action = max(card, 0) * PLACES + max(heading, 0) * SQUARES + square(x, y)
    if turn == 0:
        if (card < 0) | (heading != EAST) | (x != 0) | (y != 0):
            complaint = b"is no card that starts the table; it is written like #@0,0E"
            fault_of_name(reader, word, complaint, CARD_TEXTS, max(card, 0))
    elif (card < 0) | (heading < 0) | (x == NO_NUMBER) | (y == NO_NUMBER):
        fault(reader, word, b"is no card on the table; it is written like B1G2@3,-1N")
    elif (x < position.left - 2) | (x > position.right + 2) | (y < position.bottom - 2) | (y > position.top + 2):
        fault(reader, word, b"can't be laid: a card there does not touch the table")
    else:
        check_place(position, word, action, reader)
    return action


@kernel
def coordinate(reader: Text, start: int, stop: int) -> int:
    """Return the whole number of one or two digits that is written between two places, else NO_NUMBER. 1.2"""
    is_negative = is_written(reader, start, start + 1, b"-")
    first = start + is_negative
    if (stop <= first) | (stop > first + 2) or (reader.bytes[first] == ZERO) & (stop != start + 1):
        return NO_NUMBER
    value = 0
    for at in range(first, stop):
        digit = reader.bytes[at] - ZERO
        if (digit < 0) | (digit > 9):
            return NO_NUMBER
        value = 10 * value + digit
    return -value if is_negative else value


@kernel
def check_place(position: State, word: int, action: int, reader: Reader) -> None:
    """Check that a card may be laid so, from any hand. 3.1, 3.2"""
    on, touches = square_of(action), 0
    for half in range(2):
        if is_covered(position, on):
            complaint = b"can't be laid: there is a card on #,# already"
            fault_of_numbers(reader, word, complaint, east_of(position, on), north_of(position, on))
        for way in range(len(HEADING_TEXTS)):
            touches |= is_covered(position, neighbour(on, way))
        if half == 0:
            on = neighbour(on, heading_of(action))
    if not fits(position, card_of(action), action):
        fault_of_numbers(reader, word, b"can't be laid: it would make a row of more than # gems", ROW_LIMIT, 0)
    if not touches:
        fault(reader, word, b"can't be laid: a card there does not touch the table")


@kernel
def end_turn(position: State) -> None:
    """Set whose move it is. 2.2, 4.1, 5.1"""
    if position.players == 1:
        is_over = position.column == COLUMNS
    else:
        is_over = position.turn == TURNS * position.players
    if is_over:
        position.phase, position.seat = OVER, NOBODY
    else:
        position.phase, position.seat = LAY, position.turn % position.players


@kernel
def hand_size(position: State, seat: int) -> int:
    """Return how many cards a seat holds after the turns on the table. 2.1, 3.5, 5.1"""
    if position.players == 1:
        return 0 if position.phase == OVER else 1
    size = HAND
    for turn in range(DECK - 1 - HAND * position.players, position.turn):  # the pile is empty
        if turn % position.players == seat:
            size -= 1
    return size
