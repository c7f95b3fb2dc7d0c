"""The bus between the processes that serve tables: it says which table has changed. So far there is one process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

OnChange = Callable[[str], None]
"""Called with the id of a table after something of it was committed."""


class Bus(Protocol):
    """Tells every process that may have people at a table that it has changed; it carries nothing secret."""

    def subscribe(self, on_change: OnChange) -> None:
        """Call a function for every change from now on."""

    def announce(self, table: str) -> None:
        """Publish that something of a table was committed."""


class LocalBus:
    """The bus of a single process."""

    def __init__(self) -> None:
        self._subscribers: list[OnChange] = []

    def subscribe(self, on_change: OnChange) -> None:
        """Call a function for every change from now on."""
        self._subscribers.append(on_change)

    def announce(self, table: str) -> None:
        """Publish that something of a table was committed."""
        for on_change in self._subscribers:
            on_change(table)
