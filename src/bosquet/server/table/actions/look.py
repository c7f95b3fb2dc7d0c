"""Looking at the table: from another seat of one's own, and at where the points come from."""

from __future__ import annotations

from bosquet.core.real_game import SeatNumber
from bosquet.server.table.action import Ask, Page


class Look(Ask, tag="look"):
    """Show the table from the viewpoint of this seat of mine; None as a spectator sees it."""

    seat: SeatNumber | None

    async def answer(self, page: Page) -> None:
        if self.seat is not None:
            page.table.session.check_mine(page.guest, self.seat)
        page.viewpoint = self.seat
        page.table.broadcast.send_position(page, again=True)


class AskSheet(Ask, tag="sheet"):
    """Where do the points come from so far?"""

    on_screens = True

    async def answer(self, page: Page) -> None:
        page.table.session.dealt()
        page.send(page.table.broadcast.sheet_for(page))
