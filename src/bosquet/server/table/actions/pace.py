"""The pace of the bots of a table."""

from __future__ import annotations

from bosquet.server.base.refusals import Refusal
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.messages import Pace
from bosquet.server.table.session import Session


class SetPace(Command, tag="pace"):
    """Let the bots of this table move at a human pace, or at once."""

    pace: Pace

    def decide(self, session: Session, context: Context) -> list[Event]:
        if not session.seats_of(context.guest):
            raise Refusal("not yours", "only those who sit here set the pace")
        return [PaceSet(self.pace)] if self.pace != session.pace else []


class PaceSet(Event, frozen=True):
    """Bots move at another pace."""

    pace: Pace

    def write(self, rows: Rows) -> None:
        rows.set(pace=self.pace)
