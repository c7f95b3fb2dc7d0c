"""Play a game in the memory of an engine: kernels with integers as arguments and results.

A move is named by its index among the legal ones. `bind` puts the kernels of a game in the place of the names that are
imported from `core.bound`.
"""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import deal as deal_game
from bosquet.core.bound import is_irreversible as reveals
from bosquet.core.bound import legal, play, sample_chance, scores, winners
from bosquet.core.rng import WORD, below
from bosquet.kernels.jit import kernel

NONE = -1


OPTION_BYTES = ((-1, 0, 0, 0),)
"""Placeholder for what options set in a new state, see `build.option_bytes`."""
DEFAULTS = -1
OVER_BYTES = ((0, 0),)
"""Placeholder for what an early ending sets in a state, see `build.over_bytes`."""


@kernel
def new_game(m: Any) -> int:
    """Make the state a new one with the default of every option, not yet dealt."""
    for at in range(len(m.table_bytes)):
        m.table_bytes[at] = 0
    return set_option(m, DEFAULTS, 0)


@kernel
def set_option(m: Any, option: int, value: int) -> int:
    """Set an option of a new game, both by their numbers in the order in which the game lists them.

    Which options go together is for the page to know.
    """
    for row in range(len(OPTION_BYTES)):
        if (OPTION_BYTES[row][0] == option) & (OPTION_BYTES[row][1] == value):
            m.table_bytes[OPTION_BYTES[row][2]] = OPTION_BYTES[row][3]
    return 0


@kernel
def seed(m: Any, a: int, b: int, c: int, d: int) -> int:
    """Set the generator to four words of 32 bits."""
    m.rng[0], m.rng[1], m.rng[2], m.rng[3] = a & WORD, b & WORD, c & WORD, d & WORD
    return 0


@kernel
def deal(m: Any) -> int:
    """Deal a new game with the options that the state has; return the seat to move. Advances the generator."""
    deal_game(m.table, m.rng)
    return m.table.seat


@kernel
def seat_to_move(m: Any) -> int:
    """Return the seat to move, -1 if a chance event is due, -2 if the game is over."""
    return m.table.seat


@kernel
def moves_of(m: Any) -> int:
    """Return the number of legal moves, 0 where no seat is to move."""
    return legal(m.table, m.moves) if m.table.seat >= 0 else 0


@kernel
def action_of(m: Any, move: int) -> int:
    """Return the action of a legal move."""
    moves_of(m)
    return m.moves[move]


@kernel
def index_of(m: Any, action: int) -> int:
    """Return the index of a legal action, -1 if it is not legal."""
    for i in range(moves_of(m)):
        if m.moves[i] == action:
            return i
    return NONE


@kernel
def is_irreversible(m: Any, move: int) -> int:
    """Return 1 if a legal move reveals something, so that it must not be undone, otherwise 0."""
    return 1 if reveals(m.table, action_of(m, move)) else 0


@kernel
def make(m: Any, move: int) -> int:
    """Make a legal move; return the seat to move then."""
    play(m.table, action_of(m, move))
    return m.table.seat


@kernel
def make_chance(m: Any) -> int:
    """Draw and make the chance event that is due; return the seat to move then. Advances the generator."""
    sample_chance(m.table, m.rng)
    return m.table.seat


@kernel
def random_move(m: Any) -> int:
    """Return the move that the bot `random` makes. Advances the generator."""
    return below(m.rng, moves_of(m))


@kernel
def end_early(m: Any) -> int:
    """End the game before its end by the rules: nobody is to move, and what the end reveals is revealed."""
    for row in range(len(OVER_BYTES)):
        m.table_bytes[OVER_BYTES[row][0]] = OVER_BYTES[row][1]
    return m.table.seat


@kernel
def count_seats(m: Any) -> int:
    """Return the number of seats of the game."""
    return m.table.players


@kernel
def points_of(m: Any, seat: int) -> int:
    """Return the points that a seat has now."""
    scores(m.table, m.points)
    return m.points[seat]


@kernel
def winning_seats(m: Any) -> int:
    """Return the winners of a game that is over, as a bit mask."""
    return winners(m.table)


EXPORTS = (
    *(new_game, set_option, seed, deal, count_seats, seat_to_move, points_of, winning_seats),
    *(moves_of, action_of, index_of, is_irreversible, make, make_chance, random_move, end_early),
)
