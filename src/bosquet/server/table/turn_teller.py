"""Tells those who listen what happens to the turns of one slow table."""

from __future__ import annotations

from collections.abc import Collection

from bosquet.server.table.action import Event
from bosquet.server.table.actions.deadline import TurnTimed
from bosquet.server.table.actions.stand_in import SeatGiven
from bosquet.server.table.actions.vacation import AwaySet
from bosquet.server.table.listeners import DeadlineNear, Listeners, StoodIn, TurnBegan, TurnEnded
from bosquet.server.table.session import Session
from bosquet.server.table.timing.slow import Turn, reminder_of, turn_of


class TurnTeller:
    """Tells the listeners (`table.listeners`) of the turns of one slow table."""

    def __init__(self, table: str, session: Session, listeners: Listeners) -> None:
        self._table = table
        self._session = session
        self._listeners = listeners

    def now(self) -> tuple[Turn | None, str | None]:
        """Return whose turn it is, and until when."""
        return turn_of(self._session), self._session.deadline

    def tell(self, happened: Collection[Event], before: tuple[Turn | None, str | None]) -> None:
        """Tell that a turn with a deadline is over, that another one began, and for whom a bot stands in now."""
        session, after = self._session, self.now()
        if not any(isinstance(event, TurnTimed) for event in happened):
            return
        away = any(isinstance(event, AwaySet) for event in happened)  # the same turn, with more time or less
        if after != before and not away:
            turn, _ = before
            if turn is not None and turn.guest is not None:
                self._listeners.tell(TurnEnded(turn.guest, self._table, turn.seat))
            self.tell_began()
        for event in happened:
            if isinstance(event, SeatGiven) and event.guest is not None and session.slow is not None:
                self._listeners.tell(StoodIn(event.guest, self._table, session.name))

    def tell_began(self) -> None:
        """Tell whose turn it is, if a person has time for it."""
        turn, deadline = self.now()
        if turn is not None and turn.guest is not None and deadline is not None:
            players = [chair.name or "" for chair in self._session.chairs]
            self._listeners.tell(TurnBegan(turn.guest, self._table, turn.seat, self._session.name, players, deadline))

    def tell_lost(self, guest: str) -> None:
        """Tell of a guest's turn again after a connection was lost.

        The connection may have been dead for a while, as that of a phone that sleeps. If the turn began meanwhile,
        nobody was told.
        """
        turn, _ = self.now()
        if turn is not None and turn.guest == guest:
            self.tell_began()

    def tell_seen(self, guest: str) -> None:
        """Tell that a guest is here and sees whose turn it is, and what a bot did for them."""
        turn, _ = self.now()
        seats = [turn.seat] if turn is not None and turn.guest == guest else []
        if self._session.slow is not None:
            seats += [seat for seat in self._session.seats_of(guest) if self._session.chairs[seat].stood_in]
        if seats:
            self._listeners.tell(TurnEnded(guest, self._table, seats[0]))

    def tell_near(self, due: str | None) -> None:
        """Tell that the time of a turn is over soon, if that was what the table was due for."""
        turn, deadline = self.now()
        if turn is not None and turn.guest is not None and deadline is not None and due == reminder_of(deadline):
            self._listeners.tell(DeadlineNear(turn.guest, self._table, self._session.name, deadline))
