"""Sitting down at a table."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from bosquet.server.base.legible import tidy
from bosquet.server.base.messages import Name
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.actions.send_away import SENT_AWAY
from bosquet.server.table.display_names import name_of_person
from bosquet.server.table.session import Session

WRONG_INVITATION = "these seats are for those who have the invitation; ask for the link"


class Join(Command):
    """Take a free seat: of a listed table, or with the invitation that its host passed on."""

    name: Name
    invitation: Annotated[str, Meta(max_length=64)] | None = None
    program: bool = False
    """Whether a program plays, which everybody at the table is told. It needs an invitation."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        name = tidy(self.name)
        if session.seats_of(context.guest):
            return []
        if session.is_barred(context.guest):
            raise Refusal("barred", SENT_AWAY)
        free = [seat for seat, chair in enumerate(session.chairs) if not chair.taken]
        if session.phase == "closed":
            raise Refusal("no seat", "the host has closed this table")
        if not free:
            raise Refusal("no seat", "every seat is taken; you can watch")
        if self.invitation != session.invitation:
            self._check_uninvited(session, context)
        chat = not session.listed and not self.program  # strangers switch it on first
        name = name_of_person(name, session.chairs)
        return [SeatTaken(free[0], context.guest, name, self.program, chat)]

    def _check_uninvited(self, session: Session, context: Context) -> None:
        """Check that a guest may sit down without an invitation. Raises Refusal."""
        if self.program:
            raise Refusal("no seat", "a program needs an invitation; ask somebody who sits there for the link")
        if not session.listed or context.around.has_blocked(context.guest):
            raise Refusal("no seat", WRONG_INVITATION)
        if session.phase != "waiting" or not (context.around.host_is_near() or session.slow):
            raise Refusal("host away", "nobody is at this table; choose another one")


class SeatTaken(Event, frozen=True):
    """Somebody has sat down."""

    seat: int
    guest: str
    name: str
    program: bool = False
    chat: bool = False
    """Whether the chat is on for them from the start."""

    def write(self, rows: Rows) -> None:
        rows.expect_waiting()
        taken = {"guest": self.guest, "name": self.name, "program": self.program, "chat": self.chat}
        rows.set_seat(self.seat, {"guest": None, "bot": None}, **taken)
