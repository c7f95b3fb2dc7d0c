"""Undoing one's last move. It takes no agreement of the others; `Session.allows_undo` says where it is allowed."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from bosquet.core.errors import BosquetError, IllegalMove
from bosquet.core.real_game import SeatNumber
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.entries import JournalEntry
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event, JournalEvent
from bosquet.server.table.actions.move import check_turn
from bosquet.server.table.session import LogEntry, Session


class Undo(Command, tag="undo"):
    """Undo one's last move."""

    seat: SeatNumber
    number: Annotated[int, Meta(ge=0)]

    def decide(self, session: Session, context: Context) -> list[Event]:
        check_turn(session, context.guest, self.seat, self.number)
        if not session.allows_undo:
            raise Refusal("not now", "at a table without assistance no move is taken back")
        if not session.undos_left(self.seat):
            raise Refusal("not now", f"this seat has taken {session.undos} moves back; that is all for this game")
        try:
            session.dealt().copy().undo()
        except BosquetError as error:
            raise Refusal("not now", str(error)) from None
        return [Undone(self.seat)]


class Undone(JournalEvent, frozen=True):
    """A seat has undone its last move."""

    kind = "undo"
    changes_state = False

    seat: int

    @classmethod
    def read(cls, session: Session, text: str) -> Undone:
        seat = session.dealt().seat
        if seat is None:
            raise IllegalMove("nothing can be taken back")
        return cls(seat)

    def apply(self, session: Session) -> None:
        session.dealt().undo()
        session.log.append(LogEntry(self.seat, [], undo=True))

    def write(self, rows: Rows) -> None:
        rows.entries.append(JournalEntry("undo", ""))
