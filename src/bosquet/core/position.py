"""Positions: what a viewer knows of a state."""

from __future__ import annotations

from collections.abc import Sequence


def packed_sizes(sizes: Sequence[int]) -> int:
    """Return the number of cards or tiles in each hand, as `lay_unseen` of a game takes them: 8 bits per seat."""
    return sum(size << 8 * seat for seat, size in enumerate(sizes))
