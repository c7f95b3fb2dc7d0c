"""What a viewer sees of the game in an engine, as JSON in the text of its memory. A spectator is the viewer -1.

`assistance` is one of the levels of `core.assistance`. Every kernel returns the length of the text, which is useless
beyond `core.text.writing.ROOM` bytes.
"""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import write_chance, write_entries, write_move, write_revealed, write_totals, write_view
from bosquet.core.text.writing import begin_list, begin_object, end_list, end_object
from bosquet.engine.playing import NONE, action_of
from bosquet.kernels.jit import kernel
from bosquet.search.tree import WORK


@kernel
def view(m: Any, viewer: int, assistance: int) -> int:
    """Write the view of a seat; its moves are in the order of the legal ones."""
    begin_text(m)
    write_view(m.states[WORK], viewer, assistance, m.moves, m.text)
    return text_length(m)


@kernel
def observed(m: Any, move: int, viewer: int, assistance: int) -> int:
    """Write a legal move about to be made as a viewer may know it."""
    action = action_of(m, move)
    begin_text(m)
    write_move(m.states[WORK], action, viewer, assistance, m.text)
    return text_length(m)


@kernel
def entries(m: Any, move: int) -> int:
    """Write the list of entries of the score sheet that a legal move adds, or those of the end for the move -1."""
    action = NONE
    if move != NONE:
        action = action_of(m, move)
    begin_text(m)
    begin_list(m.text, b"")
    write_entries(m.states[WORK], action, m.text)
    end_list(m.text)
    return text_length(m)


@kernel
def totals(m: Any) -> int:
    """Write an object of what follows the entries of the score sheet."""
    begin_text(m)
    begin_object(m.text, b"")
    write_totals(m.states[WORK], m.text)
    end_object(m.text)
    return text_length(m)


@kernel
def chance_made(m: Any) -> int:
    """Write the notation of the chance event that has just been made, as a text."""
    begin_text(m)
    write_chance(m.states[WORK], m.text)
    return text_length(m)


@kernel
def revealed(m: Any) -> int:
    """Write what lies face down on the table, by cell."""
    begin_text(m)
    write_revealed(m.states[WORK], m.text)
    return text_length(m)


@kernel
def begin_text(m: Any) -> None:
    """Begin an empty text about a copy of the state, which kernels may change while they write."""
    m.states[WORK] = m.table
    m.text.end = 0


@kernel
def text_length(m: Any) -> int:
    """Return how long the text is."""
    length: int = m.text.end
    return length


EXPORTS = (view, observed, entries, totals)
