"""What can be tried where legal moves are not shown, and why a move is illegal, in an engine.

count_attempts  list what the seat to move can try; return how many attempts there are
attempt         write one of them as a move
find_move       find the legal move of a notation, or write why a text is none
"""

from __future__ import annotations

from typing import Any

from bosquet.core.assistance import PLAIN
from bosquet.core.bound import write_move
from bosquet.core.text.reading_moves import NO_MOVE
from bosquet.engine.playing import NONE, index_of
from bosquet.engine.viewing import begin_text, text_length
from bosquet.kernels.jit import kernel
from bosquet.search.tree import WORK


def list_attempts(state: Any, moves: Any) -> int:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("list_attempts is a placeholder: `bind` puts the kernel of a game in its place")


def write_reason(state: Any, action: int, out: Any) -> None:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("write_reason is a placeholder: `bind` puts the kernel of a game in its place")


def read_move(state: Any, text: Any, size: int) -> int:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("read_move is a placeholder: `bind` puts the kernel of a game in its place")


@kernel
def count_attempts(m: Any) -> int:
    """List what the seat to move can try, legal or not; return how many attempts there are, 0 where no seat is."""
    return list_attempts(m.table, m.attempts) if m.table.seat >= 0 else 0


@kernel
def attempt(m: Any, number: int) -> int:
    """Write an attempt of those that were listed last as its seat may know it; return the length of the text."""
    begin_text(m)
    write_move(m.states[WORK], m.attempts[number], m.table.seat, PLAIN, m.text)
    return text_length(m)


@kernel
def find_move(m: Any, size: int) -> int:
    """Return the index of the legal move of a notation, which is in the text.

    If there is none, write why in its place; return the length of that, negated.
    """
    action = read_move(m.table, m.text, size)
    if action != NO_MOVE:
        move = index_of(m, action)
        if move != NONE:
            return move
        begin_text(m)
        write_reason(m.states[WORK], action, m.text)
    return -text_length(m)


EXPORTS = (count_attempts, attempt, find_move)
