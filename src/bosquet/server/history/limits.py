"""The limits of history and ratings."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.rate_limits import Rate


@dataclass(frozen=True)
class HistoryLimits:
    """How much may be asked about games that were played."""

    history: Rate = Rate(40, 4)
    """Searches of one guest in its finished games."""
    history_of_address: Rate = Rate(160, 16)
    """Less than forty times as much: each search of some thousand games takes 10 to 40 ms of one processor."""
    ratings: Rate = Rate(30, 2)
    """Looks of one guest at ratings and leaderboards."""
    ratings_of_address: Rate = Rate(160, 16)
    exports: int = 4
    """Files of all records of a guest for which games are read at a time."""
    exports_of_guest: int = 1
    """Such files that are being sent; readers may be slow."""
    exports_of_address: int = 16
    brought: Rate = Rate(300, 0.05)
    """Games played on a device that one guest may bring. Each is replayed, in some 10 ms, and kept in about 4 KB."""
    brought_of_address: Rate = Rate(1000, 0.1)
    most_brought: int = 2000
    """Such games that are kept of one guest."""
