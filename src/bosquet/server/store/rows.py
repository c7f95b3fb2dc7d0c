"""What is to be written of a table: entries of its journal, and changes of its row and of its seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Executable

from bosquet.server.store.entries import JournalEntry

FREED: dict[str, Any] = dict.fromkeys(("guest", "name", "nonce", "agrees", "away")) | dict.fromkeys(
    ("hints", "program", "shelved", "chat"), False
)
"""The columns of a seat that is free before the deal."""
Statement = tuple[Executable, Any]
"""A statement, and what it is given."""


class SeatChange(NamedTuple):
    """A change of all seats of a table that are as `expected`; a conflict where there is none."""

    expected: dict[str, Any]
    """Columns with their values."""
    values: dict[str, Any]
    """Columns with their new values."""


class Rows:
    """Collects what is written of a table in one transaction: all of it or nothing."""

    __slots__ = ("also", "barred", "entries", "expected", "left", "seats", "table", "values")

    def __init__(self, table: str, barred: str = "", left: Sequence[str | None] = ()) -> None:
        """Take the id of a table, and what the writer knows: who was sent away from it, and how seats were given up."""
        self.table: str = table
        self.barred: str = barred
        self.left: Sequence[str | None] = left
        self.entries: list[JournalEntry] = []
        self.expected: dict[str, Any] = {}
        """Columns of the row of the table as they must be; else another node was first, which is a conflict."""
        self.values: dict[str, Any] = {}
        """Columns of the row with their new values."""
        self.seats: list[SeatChange] = []
        self.also: list[Statement] = []
        """What else belongs to it."""

    def expect(self, **columns: Any) -> None:
        """Write only if the row of the table has these values."""
        self.expected |= columns

    def expect_waiting(self) -> None:
        """Write only if the game was not dealt, the table was not closed, and nobody else was sent away."""
        self.expect(phase="waiting", barred=self.barred)

    def expect_left(self) -> None:
        """Write only if no other seat was given up: who wins, and whether anybody plays on, depends on all of them.

        The seats come in order, and before what changes them, so that no two nodes wait for each other.
        """
        self.seats[:0] = [SeatChange({"seat": seat, "left": left}, {}) for seat, left in enumerate(self.left)]
        self.left = ()

    def set(self, **columns: Any) -> None:
        """Change the row of the table."""
        self.values |= columns

    def set_seat(self, seat: int, expected: dict[str, Any], /, **columns: Any) -> None:
        """Change a seat, if it is as expected."""
        self.seats.append(SeatChange({"seat": seat, **expected}, columns))

    def set_seats(self, expected: dict[str, Any], /, **columns: Any) -> None:
        """Change all seats that are as expected: those of a guest, or every one."""
        self.seats.append(SeatChange(expected, columns))
