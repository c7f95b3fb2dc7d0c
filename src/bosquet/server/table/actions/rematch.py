"""The same people again, at another table."""

from __future__ import annotations

from bosquet.server.base.refusals import Refusal
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Ask, Command, Context, Event, Page
from bosquet.server.table.session import Session


class Rematch(Ask, tag="rematch"):
    """The same people again, seats rotated."""

    on_screens = True

    async def answer(self, page: Page) -> None:
        await page.rematch()


class GoOn(Command):
    """Say at which table the same people play again."""

    table: str

    def decide(self, session: Session, context: Context) -> list[Event]:
        check_rematch(session, context.guest)
        return [WentOn(self.table)] if session.rematch is None else []


class WentOn(Event, frozen=True):
    """The same people play again at another table."""

    table: str

    def write(self, rows: Rows) -> None:
        rows.expect(rematch=None)
        rows.set(rematch=self.table)


def check_rematch(session: Session, guest: str) -> None:
    """Check that a guest may ask for another game. Raises Refusal."""
    if not session.seats_of(guest) and not session.is_host(guest):
        raise Refusal("not yours", "only those who sit here and the host can ask for another game")
    if session.phase != "over":
        raise Refusal("not now", "the game still runs")
    if session.daily is not None:
        raise Refusal("not now", "the deal of a day is played once")
