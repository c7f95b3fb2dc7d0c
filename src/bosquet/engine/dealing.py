"""Deals as records have them, in an engine: the page reads one by its form (`core.deals`) into the fields of the state.

begin_game    after that, in a new game with its options
deal_text     write the deal of a game that has just been dealt
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


EXPORTS = (begin_game, deal_text)
