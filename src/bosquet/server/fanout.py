"""Telling everybody about a committed move: the one place that changes when several processes serve the tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

OnChange = Callable[[str], None]
"""Is called with a table's id after something of it was committed."""


class Fanout(Protocol):
    """Carries the news that a table has changed to every process that may have people at it."""

    def subscribe(self, on_change: OnChange) -> None:
        """Call this for every change from now on."""

    def announce(self, table: str) -> None:
        """Say that something of a table was committed."""


class LocalFanout:
    """Everybody sits in this process."""

    def __init__(self) -> None:
        self._subscribers: list[OnChange] = []

    def subscribe(self, on_change: OnChange) -> None:
        """Call this for every change from now on."""
        self._subscribers.append(on_change)

    def announce(self, table: str) -> None:
        """Say that something of a table was committed."""
        for on_change in self._subscribers:
            on_change(table)
