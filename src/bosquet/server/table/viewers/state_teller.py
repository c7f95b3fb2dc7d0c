"""Sends the state of one table (`table_state.py`) to the pages for which it has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from bosquet.server.table.session import Session
from bosquet.server.table.viewers.attendance import Attendance
from bosquet.server.table.viewers.broadcast import Broadcast, Subscriber
from bosquet.server.table.viewers.table_state import state_for, table_state


class StateTeller:
    """Sends the state of one table to those who are connected here."""

    def __init__(self, table: str, session: Session, attendance: Attendance, broadcast: Broadcast) -> None:
        self._table = table
        self._session = session
        self._attendance = attendance
        self._broadcast = broadcast
        self._reminder: asyncio.TimerHandle | None = None

    def send(self) -> None:
        """Send the state of the table to everybody for whom it has changed; to a crowd, a little later."""
        self._broadcast.soon(self._send_to_everybody)

    def welcome(self, subscriber: Subscriber) -> None:
        """Send the state to one who has come, at once, and to everybody for whom it has changed with that."""
        if self._broadcast.is_crowd:
            self._send_to([subscriber])
        self.send()

    def _send_to(self, to: Iterable[Subscriber]) -> None:
        """Send the state to those of some for whom it has changed."""
        session, attendance = self._session, self._attendance
        state = table_state(self._table, session, attendance)
        self._broadcast.send_state(state, lambda guest: state_for(guest, state, session, attendance), to)

    def _send_to_everybody(self) -> None:
        self._attendance.publish()
        if self._broadcast.subscribers:
            self._send_to(self._broadcast.subscribers)
        self._remind()

    def _remind(self) -> None:
        """Tell it again as soon as somebody has been away for long enough that a bot may stand in."""
        if self._reminder is not None:
            self._reminder.cancel()
            self._reminder = None
        soon = self._attendance.next_gone()
        if soon is not None and self._broadcast.subscribers and self._session.phase in ("waiting", "playing"):
            self._reminder = asyncio.get_running_loop().call_later(soon + 0.01, self.send)
