"""Sessions of tables as they were opened, what is asked of them, and what is kept of them."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

import bosquet
from bosquet.server.base.refusals import Refusal
from bosquet.server.store import schema
from bosquet.server.store.entries import JournalEntry
from bosquet.server.store.rows import Rows
from bosquet.server.store.store import Conflict
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.actions import decide, replay
from bosquet.server.table.actions.deal import Begin
from bosquet.server.table.actions.move import Play, PlayForBot
from bosquet.server.table.messages import Clock, Slow
from bosquet.server.table.session import COLUMNS, Chair, Session
from bosquet.server.table.timing.slow import slow_row

INVITATION = "come"
SECRET = "5" * 64
UNDOS = 3
AT = "2026-01-01T00:00:00.000Z"


def waiting_session(
    name: str,
    options: dict[str, Any],
    chairs: list[Chair],
    listed: bool,
    slow: Slow | None = None,
    clock: Clock | None = None,
) -> Session:
    """A table that was just opened by Ann."""
    return Session(
        name=name,
        options=options,
        phase="waiting",
        pace="instant",
        listed=listed,
        invitation=INVITATION,
        secret=SECRET,
        host="ann",
        chairs=chairs,
        undos=UNDOS,
        slow=slow,
        clock=clock,
    )


@dataclass
class Surroundings:
    """What a session can't know by itself, as a test has it."""

    gone: bool = False
    host_near: bool = True
    blocked: Set[str] = frozenset()

    def is_gone(self, seat: int) -> bool:
        return self.gone

    def host_is_near(self) -> bool:
        return self.host_near

    def has_blocked(self, guest: str) -> bool:
        return guest in self.blocked

    def new_invitation(self) -> str:
        return "another"


def decided(session: Session, guest: str, command: Command, at: str = AT, **around: Any) -> list[Event]:
    """What happens when a guest asks for something; empty is the server itself."""
    return decide(session, command, Context(guest, at, Surroundings(**around)))


def ask(session: Session, guest: str, command: Command, at: str = AT, **around: Any) -> list[Event]:
    """Decide and apply."""
    happened = decided(session, guest, command, at, **around)
    for event in happened:
        session.apply(event)
    return happened


def refused(session: Session, guest: str, command: Command, **around: Any) -> str:
    """The code with which something is refused."""
    with pytest.raises(Refusal) as refusal:
        decided(session, guest, command, **around)
    return refusal.value.code


def playing(
    *guests: str | None, name: str = "topas", moves: int = 0, clock: Clock | None = None, **options: Any
) -> Session:
    """A game of these guests; None is a bot."""
    chairs = [
        Chair(name=guest, guest=guest, nonce="0" * 32) if guest else Chair(bot="greedy", name="Ivy") for guest in guests
    ]
    full = bosquet.new(name, players=len(guests), **options).options
    session = waiting_session(name, full, chairs, listed=False, clock=clock)
    ask(session, "", Begin())
    for _ in range(moves):
        play(session, session.dealt().legal()[0])
    return session


def play(session: Session, move: str) -> list[Event]:
    """Make a move of the seat that is to move, by its bot where it has one."""
    seat = session.dealt().seat
    assert seat is not None
    chair = session.chairs[seat]
    if chair.bot is not None:
        return ask(session, "", PlayForBot(chair.bot, seat, session.number, move))
    return ask(session, chair.guest or "", Play(seat, session.number, move))


def shown(session: Session) -> Any:
    """All that a session is, to be compared."""
    game = session.game
    views = [game.view(seat) for seat in (None, *range(game.players))] if game else []
    return (
        session.phase,
        session.pace,
        session.started,
        session.ended,
        session.rematch,
        session.deadline,
        session.times,
        session.since,
        session.barred,
        session.invitation,
        session.chat,
        [vars(chair) for chair in session.chairs],
        session.log,
        [session.may_undo(seat) for seat in range(len(session.chairs))],
        game.record() if game else None,
        views,
    )


class Kept:
    """What the store would keep of a table: its row, its seats and its journal."""

    def __init__(self, session: Session) -> None:
        """Keep a table that was just opened."""
        self.row = {column: getattr(session, column) for column in COLUMNS}
        self.row |= {"game": session.name, "duel": None, "turn": None, "due": None, "result": None}
        self.row |= slow_row(session.slow) | {"clock": msgspec.to_builtins(session.clock)}
        self.seats = [vars(copy.copy(chair)) | {"seat": seat} for seat, chair in enumerate(session.chairs)]
        self.journal: list[JournalEntry] = []

    def write(self, happened: Iterable[Event], barred: str) -> None:
        """Keep events as `Store.keep` does. Raises Conflict, and keeps nothing."""
        rows = Rows("t", barred)
        for event in happened:
            event.write(rows)
        assert (rows.values | rows.expected).keys() <= set(schema.tables.c.keys())
        assert all((expected | values).keys() <= set(schema.seats.c.keys()) for expected, values in rows.seats)
        row, seats = dict(self.row), [dict(seat) for seat in self.seats]
        for expected, values in rows.seats:
            found = [seat for seat in seats if all(seat[column] == one for column, one in expected.items())]
            if not found:
                raise Conflict
            for seat in found:
                seat.update(values)
        if any(row[column] != one for column, one in rows.expected.items()):
            raise Conflict
        self.row, self.seats = row | rows.values, seats
        self.journal += rows.entries

    def read(self) -> Session:
        """Return the session that another process makes of it."""
        session = Session.read(copy.deepcopy(self.row), copy.deepcopy(self.seats), UNDOS)
        if session.phase in ("playing", "over"):
            session.ensure_dealt()
        for entry in self.journal:
            replay(session, entry)
        return session
