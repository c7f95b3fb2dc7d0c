"""What a seat plays for: winning, and its lead over the best other seat."""

from __future__ import annotations

from typing import Protocol

from bosquet.kernels.jit import kernel


class Objective(Protocol):
    """How much winning and the lead count; `search.memory.Tree` is one."""

    scale: float
    """Hundredths of a point: a lead of so much is worth three quarters of all."""
    win_weight: float
    """Share of winning in the value, 0 … 1; the rest is the lead."""


class SearchSettings(Objective, Protocol):
    """What a search takes from the game unless it is told otherwise; see `search.Settings` for what they are."""

    exploration: float
    temperature: float
    rounds: int


@kernel
def value_of_lead(objective: Objective, lead: int, share: float) -> float:
    """Return the value, 0 … 1, of a lead in hundredths of a point together with a share of the win."""
    ahead = 0.5 + 0.5 * lead / (objective.scale + abs(lead))
    return objective.win_weight * share + (1.0 - objective.win_weight) * ahead
