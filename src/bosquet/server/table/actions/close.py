"""Giving a table up before the deal."""

from __future__ import annotations

from bosquet.server.base.refusals import Refusal
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event, Page
from bosquet.server.table.session import Session


class CloseTable(Command, tag="close"):
    """Give the table up before the deal; for its host to ask."""

    on_screens = True

    def decide(self, session: Session, context: Context) -> list[Event]:
        if not session.is_host(context.guest):
            raise Refusal("not yours", "its host can close a table")
        if session.phase != "waiting":
            raise Refusal("not now", "the game has begun")
        return [Closed()]

    async def answer(self, page: Page) -> None:
        await super().answer(page)
        await page.offer_again()


class Closed(Event, frozen=True):
    """The table was given up before the deal."""

    log = ("closed",)

    def write(self, rows: Rows) -> None:
        rows.expect(phase="waiting")
        rows.set(phase="closed")
