"""Score games that were played with the real box.

A game that supports this has a module `real_game` with a struct `RealGame`, whose tag `game` is the name of the game,
and a function `count`. A real game may be scored at any time; it has winners once everything is placed.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import Annotated, Any, Protocol

from msgspec import Meta, Struct

from bosquet.core.errors import BosquetError
from bosquet.core.view import Sheet, View

SeatNumber = Annotated[int, Meta(ge=0, le=3)]


class Counted(Struct):
    """The result of scoring a real game."""

    sheet: Sheet
    view: View | None
    """View of the final state; None if the game cannot make one."""


class RealGames(Protocol):
    """The module `real_game` of a game."""

    RealGame: type[Struct]
    """A real game as the page sends it."""

    def count(self, real: Any) -> Counted:
        """Score a real game. Raises BosquetError, which names what is impossible."""


def check_seat(seat: int, players: int, place: str) -> None:
    """Check a seat. Raises BosquetError, which names the `place` of the seat."""
    if seat >= players:
        raise BosquetError(f"{place}: there is no seat {seat}; with {players} players seats are 0 to {players - 1}")


def check_seats(given: Sized, players: int, place: str) -> None:
    """Check that a list has no more entries than there are seats. Raises BosquetError."""
    if len(given) > players:
        raise BosquetError(f"{place} has {len(given)} entries; with {players} players it has at most {players}")
