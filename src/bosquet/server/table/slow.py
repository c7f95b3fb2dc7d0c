"""Slow tables: each turn has some days. After that a bot stands in, as was agreed when the table was set.

Pure: the time comes with the commands. The deadline of a turn follows from the events that began it. None of the games
has a turn that can be passed on without a move, so it is always a bot that plays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bosquet.server.base.clock import later
from bosquet.server.base.refusals import Refusal
from bosquet.server.table import events
from bosquet.server.table.events import Event
from bosquet.server.table.messages import NewTable
from bosquet.server.table.session import Session

BACK_HOURS = 1
"""Hours that are left to whoever makes a part of a turn that a bot has begun for them, while others wait."""
REMIND_HOURS = 12
"""Hours before a deadline at which whoever is waited for is reminded of it: quiet hours are seldom longer."""
BOT_SECONDS = 60
"""Seconds that a bot has to begin its turn; then a node looks whether there is one where it goes on."""


class Turn(NamedTuple):
    """Whose turn it is at a slow table."""

    seat: int
    guest: str | None
    """The person who is waited for; None where a bot moves."""


def check_new(new: NewTable) -> None:
    """Check that a table can be played slowly, if that is asked for. Raises Refusal."""
    if new.slow is not None and all(wish.kind != "friend" for wish in new.seats):
        raise Refusal("malformed", "a slow table needs a seat for a friend; bots and people here do not take days")


def turn_of(session: Session) -> Turn | None:
    """Return whose turn it is at a slow table; None at others, and where no game is played."""
    if session.slow is None or session.phase != "playing" or session.game is None or session.game.seat is None:
        return None
    chair = session.chairs[session.game.seat]
    return Turn(session.game.seat, chair.guest if chair.bot is None else None)


def is_made_by_bot(session: Session, guest: str) -> bool:
    """Return whether a bot makes a turn of this guest while somebody else waits for it.

    It makes this turn to the end: whoever was late would get new time by coming back, and could do so for ever.
    """
    turn = turn_of(session)
    if turn is None or turn.guest is not None or session.chairs[turn.seat].guest != guest:
        return False
    return any(chair.bot is None and chair.guest not in (None, guest) for chair in session.chairs)


def given_back(session: Session, command: events.PlayForBot, happened: list[Event]) -> list[Event]:
    """Return what happens where a bot moves, and that it leaves the seat with the turn.

    That is so where the turn was all that it stood in for, or whoever it stands in for is back.
    """
    chair = session.chairs[command.seat]
    if session.slow is None or chair.guest is None or (session.slow.until_back and not command.is_back):
        return happened
    passed = any(isinstance(event, events.TurnPassed) for event in happened)
    return [*happened, events.SeatsTakenBack(chair.guest)] if passed else happened


def timed(session: Session, happened: Iterable[Event], at: str) -> list[Event]:
    """Return until when whoever is to move has time, where what happens changes that."""
    before = turn_of(session)
    turn = None if before is None else before.seat
    bots = [chair.bot is not None for chair in session.chairs]
    rested, begins = all(bots), False
    for event in happened:
        match event:
            case events.Dealt():
                turn, begins = event.turn, True
            case events.TurnPassed():
                turn, begins = event.seat, True
            case events.SeatGiven() | events.SeatLeft():
                bots[event.seat] = True
            case events.SeatsTakenBack():
                for seat in session.seats_of(event.guest):
                    bots[seat] = False
            case events.Ended() | events.EndedEarly():
                return [events.TurnTimed(None, None, session.deadline)]
    if turn is None:
        return []
    goes_on = not begins and before is not None and bots[turn] == (before.guest is None)
    if goes_on and (not bots[turn] or all(bots) == rested):
        return []
    if bots[turn]:
        return _bot_moves(session, at, rests=all(bots))
    if not begins and not rested:  # a part of the turn that a bot had begun
        return _begins(session, at, hours=BACK_HOURS)
    return _begins(session, at)


def looked_after(session: Session, command: events.LookAfter) -> list[Event]:
    """Return what a node does at a slow table that is due: a bot stands in for whoever is late."""
    turn = turn_of(session)
    if session.slow is None or turn is None:
        return [events.TurnTimed(None, None, session.deadline)]
    chair = session.chairs[turn.seat]
    if turn.guest is None:
        return _bot_moves(session, command.at, rests=all(one.bot is not None for one in session.chairs))
    if session.deadline is None:
        return _begins(session, command.at)
    if command.at < session.deadline:
        return [events.TurnTimed(session.deadline, _next_look(session.deadline, command.at), session.deadline)]
    return [events.SeatGiven(turn.seat, chair.guest, session.slow.bot, chair.name or "")]


def _begins(session: Session, at: str, **time: float) -> list[Event]:
    """Return that a person has time from now on: by default the days that were agreed."""
    assert session.slow is not None
    deadline = later(at, **(time or {"days": session.slow.days}))
    return [events.TurnTimed(deadline, _next_look(deadline, at), session.deadline)]


def reminder_of(deadline: str) -> str:
    """Return when whoever is waited for is reminded of a deadline."""
    return later(deadline, hours=-REMIND_HOURS)


def _next_look(deadline: str, at: str) -> str:
    """Return when a node looks after a table next where a person has time: to remind them, else at the deadline."""
    remind = reminder_of(deadline)
    return remind if remind > at else deadline


def _bot_moves(session: Session, at: str, *, rests: bool) -> list[Event]:
    """Return that a bot is to move, where the game does not rest until somebody comes back."""
    due = None if rests else later(at, seconds=BOT_SECONDS)
    return [events.TurnTimed(None, due, session.deadline)]
