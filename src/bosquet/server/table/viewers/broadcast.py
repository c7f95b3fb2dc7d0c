"""Sends everybody at a table what happened, each from their viewpoint; what is the same for several is made once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol, cast

import msgspec

from bosquet.core.assistance import FULL, NONE, PLAIN
from bosquet.core.game import Game
from bosquet.core.view import View
from bosquet.server.base.clock import now
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.refusals import Refusal
from bosquet.server.table import messages
from bosquet.server.table.messages import TableState
from bosquet.server.table.session import LogEntry, Session
from bosquet.server.table.viewers.delay import Delay

CROWD = 40
"""More subscribers than a club has are a crowd: every one that comes would be told to every other."""
CROWD_PAUSE = 1.0
"""Seconds in which a crowd is told at most once how things stand; four thousand are told in a tenth of that."""
KEPT_POSITIONS = 16
"""Encoded positions that are kept: of four seats and a spectator, for those who have the last and the one before.

A page may say that it has any position, and what it missed can be a whole game: not all of that can be kept.
"""
NOTHING = -1
LEVELS: dict[messages.Assistance, int] = {"none": NONE, "plain": PLAIN, "full": FULL}
"""The assistance of a table as kernels that write views take it."""


class Subscriber(Protocol):
    """Somebody connected to a table."""

    guest: str
    address: str
    """Where it comes from, as limits per address count it."""
    watching: bool
    """Whether it is sent what a spectator sees, though its guest may sit here: a screen that all look at."""
    viewpoint: int | None
    """The seat as which it sees the table; None as a spectator does."""
    number: int
    """The number of the position that it has, or NOTHING."""
    engine: bool
    """Whether its engine is the server's: it works out its views from positions."""

    def send(self, message: bytes) -> None:
        """Send a message soon; never waits."""

    def send_off(self) -> None:
        """End the connection: its guest was sent away from the table."""


class Broadcast:
    """The subscribers of one table, and what they were told."""

    def __init__(self, session: Session) -> None:
        self.subscribers: set[Subscriber] = set()
        self._session = session
        self._delay = Delay(session, self.send_positions)
        self._later_sheet = NOTHING, b""
        """The score sheet for those who watch with a delay, and the number of its position."""
        self._told: dict[Subscriber, TableState] = {}
        """How things stood, for everybody, when each subscriber was told."""
        self._positions: dict[tuple[int | None, bool, int, int], bytes] = {}
        """Positions that were made already for a viewpoint, with or without an engine, since a number, up to one."""
        self._sheet: bytes | None = None
        self._state_due: asyncio.TimerHandle | None = None

    def discard(self, subscriber: Subscriber) -> None:
        """Send nothing more to one who is gone."""
        self.subscribers.discard(subscriber)
        self._told.pop(subscriber, None)
        if not self.subscribers:
            self._positions.clear()
            if self._session.game is not None:
                self._session.game.release()

    def forget_position(self) -> None:
        """Make anew what follows from the position: it has changed."""
        self._positions.clear()
        self._sheet = None
        self._delay.note()

    def send(self, message: messages.Tell) -> None:
        """Send the same message to everybody."""
        encoded = ENCODER.encode(message)
        for subscriber in list(self.subscribers):  # one that does not keep up leaves at once
            subscriber.send(encoded)

    # --- how things stand ---

    @property
    def is_crowd(self) -> bool:
        """Whether there are so many pages that they are told the state together, now and then."""
        return len(self.subscribers) > CROWD

    def soon(self, send_state: Callable[[], None]) -> None:
        """Call a function that sends the state to everybody: now, or in a moment where a crowd would be told."""
        if not self.is_crowd:
            send_state()
        elif self._state_due is None:
            self._state_due = asyncio.get_running_loop().call_later(CROWD_PAUSE, self._send_now, send_state)

    def _send_now(self, send_state: Callable[[], None]) -> None:
        self._state_due = None
        send_state()

    def send_state(
        self, state: TableState, state_for: Callable[[str], TableState | None], to: Iterable[Subscriber]
    ) -> None:
        """Send the state to those of some subscribers for whom it has changed.

        `state` is for those who watch, `state_for` gives that of a guest who knows more. Each is encoded once.
        """
        encoded: dict[str | None, bytes] = {}
        for subscriber in list(to):
            own = state_for(subscriber.guest)
            guest, own = (None, state) if own is None else (subscriber.guest, own)
            if self._told.get(subscriber) == own:
                continue
            self._told[subscriber] = own
            if guest not in encoded:
                encoded[guest] = ENCODER.encode(_stamped(own))
            subscriber.send(encoded[guest])

    # --- positions ---

    def send_position(self, subscriber: Subscriber, again: bool = False) -> None:
        """Tell one what happened since the position that it has; `again` even if nothing did."""
        session = self._session
        game, number = self._seen_by(subscriber)
        if game is None and again:
            subscriber.number = NOTHING
        if game is None or (subscriber.number == number and not again):
            return
        # A page that claims to have more than there is starts anew.
        since = subscriber.number if NOTHING < subscriber.number <= number else 0
        subscriber.send(self._position(game, number, subscriber, since))
        subscriber.number = number
        if session.phase == "over":
            subscriber.send(self.sheet())
            subscriber.send(ENCODER.encode(messages.Proof(secret=session.secret, nonces=session.nonces)))

    def send_positions(self) -> None:
        """Tell everybody what happened since the position that they have."""
        for subscriber in list(self.subscribers):
            self.send_position(subscriber)

    def _seen_by(self, subscriber: Subscriber) -> tuple[Game | None, int]:
        """The game as one is to see it, None before that, and the number of its position."""
        if self._delay.concerns(subscriber.guest):
            moment = self._delay.seen()
            return (None, NOTHING) if moment is None else (moment.game, moment.number)
        return self._session.game, self._session.number

    def sheet(self) -> bytes:
        """Return the message that says where the points come from. Raises Refusal before the deal."""
        if self._sheet is None:
            self._sheet = ENCODER.encode(messages.ScoreSheet(sheet=self._session.dealt().score_sheet()))
        return self._sheet

    def sheet_for(self, subscriber: Subscriber) -> bytes:
        """Return the same for one who may see the game later than it is played. Raises Refusal."""
        game, number = self._seen_by(subscriber)
        if game is None:
            raise Refusal("not now", "there is nothing to see yet; wait a moment")
        if game.view(None, moves=False).scores is None:
            raise Refusal("not now", "the points of this game are counted when it is over")
        if game is self._session.game:
            return self.sheet()
        if self._later_sheet[0] != number:
            self._later_sheet = number, ENCODER.encode(messages.ScoreSheet(game.score_sheet()))
        return self._later_sheet[1]

    def _position(self, game: Game, number: int, subscriber: Subscriber, since: int) -> bytes:
        key = subscriber.viewpoint, subscriber.engine, since, number
        if key not in self._positions:
            if len(self._positions) >= KEPT_POSITIONS:
                del self._positions[next(iter(self._positions))]
            self._positions[key] = ENCODER.encode(self._made(game, number, *key[:3]))
        return self._positions[key]

    def _made(
        self, game: Game, number: int, viewpoint: int | None, engine: bool, since: int
    ) -> messages.Position | messages.Known:
        """A position from a viewpoint, with what has happened since another one; a view unless an engine makes it."""
        session = self._session
        undo = session.may_undo(viewpoint)
        entries = [_shown(since + i, entry, viewpoint) for i, entry in enumerate(session.log[since:number])]
        known = game.position_text(viewpoint) if engine else None
        if known is not None:
            return messages.Known(number, viewpoint, entries, known, undo)
        view = cast(View, msgspec.Raw(game.view_json(viewpoint, LEVELS[session.assistance])))
        return messages.Position(number, viewpoint, entries, view, undo)


def _stamped(state: TableState) -> TableState:
    """Return a state with the time at which it is sent, where clocks run by it."""
    if state.times is None:
        return state
    return msgspec.structs.replace(state, times=msgspec.structs.replace(state.times, now=now()))


def _shown(number: int, entry: LogEntry, viewpoint: int | None) -> messages.LogEntry:
    """An entry of the log from a viewpoint."""
    move = entry.move(viewpoint)
    return messages.LogEntry(
        number=number,
        seat=entry.seat,
        say="" if move is None else move.say,
        move=move,
        undo=entry.undo,
        ending=entry.ending,
    )
