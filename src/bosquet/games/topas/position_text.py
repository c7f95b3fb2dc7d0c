"""The text of positions of Topas. Format: docs/positions.md."""

from __future__ import annotations

from bosquet.core.errors import IllegalMove
from bosquet.core.position import packed_sizes
from bosquet.core.position_text import (
    Fields,
    Word,
    begin_field,
    check_once,
    put_hand,
    put_items,
    put_name,
    put_points,
    put_seat,
    read_hands,
    separate,
)
from bosquet.core.state import NOBODY
from bosquet.core.writing import Text, put, put_number, texts
from bosquet.kernels.bits import lowest_bit, mask_of
from bosquet.kernels.jit import kernel

from .notation import CARD_OF, illegal_reason, parse
from .position import lay_unseen
from .rules import (
    COLUMNS,
    DECK,
    EAST,
    HAND,
    HEADINGS,
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
    fits,
    heading_of,
    lay,
    neighbour,
    square_of,
)
from .writing import PHASE_TEXTS, SORTED_CARDS, put_notation

MOST_POINTS = (4 * ROW_LIMIT, ROW_LIMIT**4)
"""[expert]: no card scores more."""
SORTED_TEXTS = texts(*(NAMES[card] for card in SORTED_CARDS))
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


def read_position(position: State, viewer: int, fields: Fields) -> None:
    """Set a new state with its options to a position. Mutates `position`; raises PositionError.

    The position need not have come about in a game; what cannot lie on a table is refused.
    """
    if position.players == 1:
        _read_columns(position, fields)
    _read_table(position, fields["table"])
    _end_turn(position)
    sizes = hand_sizes(position)
    position.drawn = position.gone.bit_count() + position.turn + 1 + sum(sizes)
    seen = position.gone | mask_of(card_of(action) for action in position.laid[: position.turn + 1])
    for seat, held in enumerate(read_hands(fields["hands"], sizes, open_hands(position, viewer), CARD_OF, "card")):
        seen = check_once(fields["hands"], held, seen, NAMES, "card")
        position.hand[seat] = held
    lay_unseen(position, packed_sizes(sizes))


def _read_columns(position: State, fields: Fields) -> None:
    """Read the columns that were finished alone, and the cards of their tables but the last. 5.1"""
    words = fields["columns"].items()
    if len(words) > COLUMNS:
        raise fields["columns"].error(f"has {len(words)} columns; there are {COLUMNS}")
    most = TURNS * MOST_POINTS[position.expert]
    position.columns[: len(words)] = [word.number(0, most) for word in words]
    position.column = len(words)
    position.gone = fields["gone"].all_known(CARD_OF, "card")
    due = (TURNS + 1) * min(position.column, COLUMNS - 1)
    if position.gone.bit_count() != due:
        raise fields["gone"].error(f"has {position.gone.bit_count()} cards; it must have {due}")


def _read_table(position: State, table: Word) -> None:
    """Lay the cards of the table in order, and count their points. 2.1, 3.1-3.4"""
    clear_table(position)
    words = table.items()
    last = TURNS * position.players
    if not 1 <= len(words) <= last + 1:
        raise table.error(f"has {len(words)} cards; it must have 1 to {last + 1}")
    used = position.gone
    for turn, word in enumerate(words):
        action = _placement(position, word) if turn else _start(word)
        used = check_once(word, 1 << card_of(action), used, NAMES, "card")
        points = lay(position, action)
        if turn:
            position.points[(turn - 1) % position.players] += points


def _start(word: Word) -> int:
    """Return the action of the card that starts the table. 2.1"""
    name = word.text.partition("@")[0]
    card = CARD_OF.get(name, 0)
    right = f"{NAMES[card]}@0,0{HEADINGS[EAST]}"
    if word.text != right:
        raise word.error(f"is no card that starts the table; it is written like {right}")
    return card * PLACES + EAST * SQUARES


def _placement(position: State, word: Word) -> int:
    """Return the action of a placement. Raises PositionError if a card cannot lie there. 3.1, 3.2"""
    try:
        action = parse(position, word.text)
    except IllegalMove as error:
        raise word.error(f"can't be laid: {error.reason}") from None
    if not _may_lie(position, action):
        position.hand[position.seat] = 1 << card_of(action)  # so that the reason is the place, not the hand
        reason = illegal_reason(position, action)
        raise word.error(f"can't be laid: {reason}")
    return action


def _may_lie(position: State, action: int) -> bool:
    """Return whether a card may be laid so, from any hand. 3.1, 3.2"""
    squares = square_of(action), neighbour(square_of(action), heading_of(action))
    is_free = all(position.squares[at] <= 0 for at in squares)
    touches = any(position.squares[neighbour(at, way)] > 0 for at in squares for way in range(len(HEADINGS)))
    return is_free and touches and fits(position, card_of(action), action)


def _end_turn(position: State) -> None:
    """Set whose move it is. 2.2, 4.1, 5.1"""
    if position.players == 1:
        over = position.column == COLUMNS
    else:
        over = position.turn == TURNS * position.players
    position.phase = OVER if over else LAY
    position.seat = NOBODY if over else position.turn % position.players


def hand_sizes(position: State) -> list[int]:
    """Return how many cards each seat holds after the turns on the table. 2.1, 3.5, 5.1"""
    if position.players == 1:
        return [int(position.phase != OVER)]
    sizes = [HAND] * position.players
    for turn in range(DECK - 1 - HAND * position.players, position.turn):  # the pile is empty
        sizes[turn % position.players] -= 1
    return sizes
