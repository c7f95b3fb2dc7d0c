"""What a viewer knows of the game in an engine, as a position. A spectator is the viewer -1."""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import conceal as conceal_state
from bosquet.kernels.jit import kernel


@kernel
def conceal(m: Any, viewer: int) -> int:
    """Write what a viewer knows into `position`, which must be all zeros."""
    conceal_state(m.table, viewer, m.position)
    return 0


EXPORTS = (conceal,)
