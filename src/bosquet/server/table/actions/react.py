"""Reactions, which are shown beside a player for a moment and are not stored."""

from __future__ import annotations

from bosquet.core.real_game import SeatNumber
from bosquet.server.base.messages import Reaction
from bosquet.server.table.action import Ask, Page


class React(Ask, tag="react"):
    """Say something without words."""

    seat: SeatNumber
    sign: Reaction

    async def answer(self, page: Page) -> None:
        page.table.session.check_mine(page.guest, self.seat)
        page.table.send_reaction(self.seat, self.sign)
