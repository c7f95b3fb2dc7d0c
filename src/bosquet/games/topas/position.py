"""Positions of Topas: what a seat, or a spectator, knows of a state. Format: docs/positions.md."""

from __future__ import annotations

from bosquet.core.errors import IllegalMove
from bosquet.core.position import Fields, Word, check_once, joined, packed_sizes, read_hands, write_hands
from bosquet.core.state import NOBODY
from bosquet.kernels.bits import count_bits, lowest_bit, mask_of
from bosquet.kernels.jit import kernel

from .notation import CARD_OF, cards_of, illegal_reason, parse, to_notation
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
    SPAN,
    SQUARES,
    TURNS,
    State,
    card_of,
    clear_table,
    fits,
    heading_of,
    lay,
    neighbour,
    square,
    square_of,
)

PHASES = ("lay", "over")
MOST_POINTS = (4 * ROW_LIMIT, ROW_LIMIT**4)
"""[expert]: no card scores more."""

# --- What is known ---------------------------------------------------------------------------------------------


@kernel
def conceal(state: State, viewer: int, position: State) -> None:
    """Write what a seat, or a spectator (-1), knows of a state into `position`, which must be all zeros."""
    position.players = state.players
    position.expert = state.expert
    position.seat = state.seat
    position.phase = state.phase
    position.turn = state.turn
    position.column = state.column
    position.drawn = state.drawn
    position.west = state.west
    position.left = state.left
    position.right = state.right
    position.bottom = state.bottom
    position.top = state.top
    position.gone = state.gone
    for column in range(COLUMNS):
        position.columns[column] = state.columns[column]
    for turn in range(state.turn + 1):
        position.laid[turn] = state.laid[turn]
    for y in range(SPAN):
        position.rows[y] = state.rows[y]
        position.shut_rows[y] = state.shut_rows[y]
        columns = state.rows[y] | state.shut_rows[y]  # all other squares are empty
        while columns:
            at = square(state.west + lowest_bit(columns), y)
            columns &= columns - 1
            position.squares[at] = state.squares[at]
    sizes = 0
    for seat in range(state.players):
        position.points[seat] = state.points[seat]
        sizes |= count_bits(state.hand[seat]) << 8 * seat
        if (seat == viewer) | (state.players == 1):  # alone, the card to be laid lies open. 5.1
            position.hand[seat] = state.hand[seat]
    lay_unseen(position, sizes)


@kernel
def lay_unseen(position: State, sizes: int) -> None:
    """Lay the unseen cards, the lowest first: into the hands seat by seat, then into the pile.

    `sizes` has 8 bits per seat: the cards in its hand. A hand that is known is left as it is.
    """
    unseen = ((1 << DECK) - 1) & ~position.gone
    for turn in range(position.turn + 1):
        unseen &= ~(1 << card_of(position.laid[turn]))
    for seat in range(position.players):
        unseen &= ~position.hand[seat]
    for seat in range(position.players):
        while count_bits(position.hand[seat]) < (sizes >> 8 * seat & 255):
            position.hand[seat] |= unseen & -unseen
            unseen &= unseen - 1
    place = position.drawn
    for card in range(DECK):
        if unseen >> card & 1:
            position.deck[place] = card
            place += 1


# --- Text ------------------------------------------------------------------------------------------------------


def write_position(position: State, viewer: int | None) -> dict[str, str]:
    """Return the fields of the text of a position by name; an empty one is left out."""
    alone = position.players == 1
    return {
        "phase": PHASES[position.phase],
        "seat": "-" if position.seat < 0 else str(position.seat),
        "points": ",".join(map(str, position.points[: position.players])),
        "columns": joined(map(str, position.columns[: position.column])) if alone else "",
        "gone": joined(cards_of(position.gone)) if alone else "",
        "table": joined(to_notation(position, action) for action in position.laid[: position.turn + 1]),
        "hands": write_hands(position.hand[: position.players], _open_hands(position, viewer), cards_of),
        "pile": str(DECK - position.drawn),
    }


def _open_hands(position: State, viewer: int | None) -> list[int]:
    """Return the seats whose hands are known. 5.1"""
    return [seat for seat in range(position.players) if seat == viewer or position.players == 1]


def read_position(position: State, viewer: int | None, fields: Fields) -> None:
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
    for seat, held in enumerate(read_hands(fields["hands"], sizes, _open_hands(position, viewer), CARD_OF, "card")):
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
