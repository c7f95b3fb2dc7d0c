"""Deals of Topiary, for tests of its rulings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Deal = dict[str, Any]
TYPES = "TWSEPHOL"
CELLS = [column + row for row in "12345" for column in "abcde"]


def deal_of(
    players: int = 2,
    garden: dict[str, str] | None = None,
    hands: Sequence[Sequence[str]] = (),
    removed: str = "L",
    leftover: Sequence[str] = (),
) -> Deal:
    """Deal the named tiles as asked and the others anyhow."""
    named = garden or {}
    gone = removed if players < 4 else None
    used = {*named.values(), *leftover, *(tile for hand in hands for tile in hand)}
    rest = [kind + size for kind in TYPES for size in "12345"]
    rest = [tile for tile in rest if tile[0] != gone and tile not in used]
    return {
        "removed": gone,
        "garden": [named.get(cell) or rest.pop(0) for cell in CELLS],
        "hands": [
            list(hands[seat]) if seat < len(hands) else [rest.pop(0) for _ in range(3)] for seat in range(players)
        ],
        "leftover": [*leftover, *rest],
    }
