"""Who may see a table: its host sends guests away, and a higher wing hides games that a guest has still to play."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bosquet.server.table.messages import Waiting
from bosquet.server.table.table import Table

Check = Callable[[str, str, str | None], Awaitable[None]]
"""Checks that a guest may see a game of others. Takes the guest, the game and the day of its deal. Raises Refusal."""


class Visibility:
    """Checks who may see a table."""

    def __init__(self) -> None:
        self.checks: list[Check] = []
        """What higher wings check."""

    async def check(self, table: Table, guest: str) -> None:
        """Check that a guest may see a table; those who sit there may, of course. Raises Refusal."""
        table.check_admitted(guest)
        if not table.session.seats_of(guest):
            await self._check(guest, table.session.name, table.session.daily)

    async def check_outline(self, outline: Waiting, guest: str) -> None:
        """Check that a guest may see what everybody may know of a table. Raises Refusal."""
        if not outline.mine:
            await self._check(guest, outline.game, outline.daily)

    async def _check(self, guest: str, game: str, day: str | None) -> None:
        for check in self.checks:
            await check(guest, game, day)
