"""Deals and chance events as records have them, in an engine.

begin_game    after a deal was read by its form (`core.inputs.deals`) into the state of a new game with its options
deal_text     write the deal of a game that has just been dealt
take_chance   make the chance event of a notation
due_text      write what has to be written while a chance event is due
"""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import write_deal
from bosquet.engine.viewing import begin_text, text_length
from bosquet.kernels.jit import kernel
from bosquet.search.tree import WORK


def begin_dealt(state: Any) -> None:
    """Raise NotImplementedError: `bind` puts the kernel `begin` of a game in its place."""
    raise NotImplementedError("begin_dealt is a placeholder: `bind` puts the kernel of a game in its place")


@kernel
def begin_game(m: Any) -> int:
    """Begin the game from what was dealt; return the seat to move."""
    begin_dealt(m.table)
    return m.table.seat


@kernel
def deal_text(m: Any) -> int:
    """Write the deal, as JSON; return its length."""
    begin_text(m)
    write_deal(m.states[WORK], m.text)
    return text_length(m)


def read_chance(state: Any, text: Any, size: int) -> bool:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("read_chance is a placeholder: `bind` puts the kernel of a game in its place")


def write_due(state: Any, out: Any) -> None:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("write_due is a placeholder: `bind` puts the kernel of a game in its place")


@kernel
def take_chance(m: Any, size: int) -> int:
    """Make the chance event of a notation, which is in the text; return 1, or 0 where it is none."""
    return 1 if read_chance(m.table, m.text.bytes, size) else 0


@kernel
def due_text(m: Any) -> int:
    """Write what has to be written while a chance event is due; return its length."""
    begin_text(m)
    write_due(m.states[WORK], m.text)
    return text_length(m)


EXPORTS = (begin_game, deal_text)
CHANCE_EXPORTS = (take_chance, due_text)
