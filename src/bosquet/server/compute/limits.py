"""The limits of computing."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.rate_limits import Rate


@dataclass(frozen=True)
class ComputeLimits:
    """How much may be worked out for people."""

    computing: Rate = Rate(20, 4)
    """Replays, and games to be brought, that one guest may have worked out."""
    computing_of_address: Rate = Rate(80, 10)
    """Less than forty times as much: one process works them out for everybody."""
    waiting_work: int = 40
    """Replays, and games to be brought, that are worked out or wait for it, each with its body."""
