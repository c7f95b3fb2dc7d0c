"""Slow tables: each turn has some days. After that a bot stands in, as was agreed when the table was set.

Pure: the time comes with the commands. The deadline of a turn follows from the events that began it. None of the games
has a turn that can be passed on without a move, so a bot has to play it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bosquet.server.base.clock import later
from bosquet.server.base.refusals import Refusal
from bosquet.server.table.messages import NewTable, Slow
from bosquet.server.table.session import Session

REMIND_HOURS = 12
"""Hours before a deadline at which the seat to move is reminded of it: quiet hours are seldom longer."""


class Turn(NamedTuple):
    """Whose turn it is at a slow table."""

    seat: int
    guest: str | None
    """The person who is waited for; None where a bot moves."""


def slow_row(slow: Slow | None) -> dict[str, Any]:
    """Return what the store keeps of it."""
    if slow is None:
        return dict.fromkeys(("turn_days", "late_bot", "late_until_back"))
    return {"turn_days": slow.days, "late_bot": slow.bot, "late_until_back": slow.until_back}


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

    The bot then makes the whole turn. Otherwise a late player would get new time by coming back, again and again.
    """
    turn = turn_of(session)
    if turn is None or turn.guest is not None or session.chairs[turn.seat].guest != guest:
        return False
    return any(chair.bot is None and chair.guest not in (None, guest) for chair in session.chairs)


def reminder_of(deadline: str) -> str:
    """Return when the seat to move is reminded of a deadline."""
    return later(deadline, hours=-REMIND_HOURS)
