"""What differs from the house box of Schlossgarten, as a view, a position and a deal have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bosquet.games.schlossgarten.board import GRID
from bosquet.games.schlossgarten.box import Box, house_box
from bosquet.games.schlossgarten.constellations import rows_of


def write_box(box: Box, players: int) -> dict[str, Any]:
    """Return what differs from the house box, as keys of a deal."""
    house = house_box(players)
    written: dict[str, Any] = {}
    if box.pattern != house.pattern:
        written["deck"] = [rows_of(pattern) for pattern in box.pattern]
    if box.tiles != house.tiles:
        written["tiles"] = list(box.tiles)
    if box.start != house.start:
        written["starts"] = starts_of(box.start, players)
    return written


def starts_of(starts: Sequence[int], players: int) -> list[list[str]]:
    """Return the names of the starting cells of each seat."""
    return [[GRID.names[cell] for cell in starts[3 * seat : 3 * seat + 3]] for seat in range(players)]
