"""What the seat to move can reach with a card, in an engine of a game that says so."""

from __future__ import annotations

from typing import Any

from bosquet.engine.viewing import begin_text, text_length
from bosquet.kernels.jit import kernel
from bosquet.search.tree import WORK


def write_reachable(state: Any, card: int, moves: Any, workspace: Any, out: Any) -> None:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("write_reachable is a placeholder: `bind` puts the kernel of a game in its place")


@kernel
def reachable(m: Any, card: int) -> int:
    """Write what can be reached with a card; return the length of the text, 0 where that can't be asked now.

    It is worked out in the workspace of a search, so none may run.
    """
    begin_text(m)
    if m.table.seat >= 0:
        write_reachable(m.states[WORK], card, m.moves, m.workspaces[0], m.text)
    return text_length(m)


EXPORTS = (reachable,)
