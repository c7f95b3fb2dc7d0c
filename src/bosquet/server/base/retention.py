"""How a clean-up goes on: a little at a time, so that moves are written in between."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pauses:
    """The pace of a clean-up."""

    pause: float = 0.05
    """Seconds between two tables."""
