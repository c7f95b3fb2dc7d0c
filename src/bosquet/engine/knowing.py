"""What a viewer knows of the game in an engine, as a position. A spectator is the viewer -1."""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import conceal as conceal_state
from bosquet.core.positions.position_text import write_text
from bosquet.kernels.jit import kernel


@kernel
def conceal(m: Any, viewer: int) -> int:
    """Write what a viewer knows into `position`, which must be all zeros."""
    conceal_state(m.table, viewer, m.position)
    return 0


@kernel
def position_text(m: Any, size: int, viewer: int) -> int:
    """Write what a viewer knows as text, behind `size` bytes that end with the name of the game; return its length.

    `position` must be all zeros, as for `conceal`.
    """
    conceal(m, viewer)
    m.text.end = size
    write_text(m.position, viewer, m.text)
    return int(m.text.end)


EXPORTS = (conceal,)
TEXT_EXPORTS = (position_text,)
