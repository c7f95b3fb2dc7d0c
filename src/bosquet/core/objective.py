"""What a seat plays for: winning, and its lead over the best other seat."""

from __future__ import annotations

import math
from typing import Final, Protocol

from bosquet.core.jit import kernel

NORMAL: Final = 1.6
"""Makes `chance_of_lead` a close match of the normal distribution."""


class Objective(Protocol):
    """How much winning and the lead count; `search.memory.Tree` is one."""

    scale: float
    """Hundredths of a point: a lead of so much is worth three quarters of all."""
    win_weight: float
    """Share of winning in the value, 0 … 1; the rest is the lead."""


@kernel
def chance_of_lead(lead: float) -> float:
    """Return the chance to stay ahead with a lead, in standard deviations of what it may still change by."""
    return 0.5 + 0.5 * lead / math.sqrt(lead * lead + NORMAL)


@kernel
def value_of_lead(objective: Objective, lead: int, share: float) -> float:
    """Return the value, 0 … 1, of a lead in hundredths of a point together with a share of the win."""
    ahead = 0.5 + 0.5 * lead / (objective.scale + abs(lead))
    return objective.win_weight * share + (1.0 - objective.win_weight) * ahead
