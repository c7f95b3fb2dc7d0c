"""Signs: what is said without words, and kept nowhere."""

from __future__ import annotations

from bosquet.core.real_game import SeatNumber
from bosquet.server.base.messages import Sign
from bosquet.server.table.action import Ask, Page


class React(Ask, tag="react"):
    """Say something without words."""

    seat: SeatNumber
    sign: Sign

    async def answer(self, page: Page) -> None:
        page.table.session.check_mine(page.guest, self.seat)
        page.table.send_sign(self.seat, self.sign)
