"""Count a game that was played with the real box, in an engine (`core.real_game`).

The entries are checked before, and stand as numbers in `given`; the state is a new one with its options.
"""

from __future__ import annotations

from typing import Any

from bosquet.engine.viewing import begin_text, text_length
from bosquet.kernels.jit import kernel
from bosquet.search.tree import WORK


def count_real(state: Any, given: Any, moves: Any, out: Any) -> None:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("count_real is a placeholder: `bind` puts the kernel of a game in its place")


@kernel
def count_given(m: Any) -> int:
    """Write the sheet and the view of a real game, or what is impossible in it; return the length of the text."""
    begin_text(m)
    count_real(m.states[WORK], m.given, m.moves, m.text)
    return text_length(m)


EXPORTS = (count_given,)
