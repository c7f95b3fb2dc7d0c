"""The limits of computing."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.limits import Rate


@dataclass(frozen=True)
class ComputeLimits:
    """How much may be worked out for people."""

    computing: Rate = Rate(20, 4)
    """Replays, scores and figures that one guest may have worked out."""
    computing_of_address: Rate = Rate(80, 10)
    """Less than forty times as much: one process works them out for everybody."""
    waiting_work: int = 40
    """Replays, scores and figures that are worked out or wait for it, each with its body."""
    hints: Rate = Rate(15, 0.3)
    """Hints that one guest may ask for: a turn may have several decisions. Each takes 0.1 to 1 s."""
    hints_of_address: Rate = Rate(40, 2)
    """Guests are free to make, so this is what bounds somebody who asks for hints to keep the server busy."""
    analyses: int = 8
    """Finished games that are analysed at a time, in fair turns, in one process."""
    analyses_of_guest: int = 2
    analyses_of_address: int = 6
