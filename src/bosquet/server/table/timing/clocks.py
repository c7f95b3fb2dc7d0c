"""What each clock of a table at one sitting says at a given time.

Pure functions: the caller passes the time. `actions/clock.py` writes down what is left.

One seat is to move at a time, so one clock runs at most: that of a person to move. While a bot or chance moves, all
stand. What is kept is what each seat had left when its clock last stood, and since when one runs.
"""

from __future__ import annotations

from bosquet.server.base.clock import later, seconds_between
from bosquet.server.base.refusals import Refusal
from bosquet.server.table.messages import Clock, NewTable
from bosquet.server.table.session import Session

UNCOUNTED_SECONDS = 1
"""Seconds of each turn that are not counted: a move and the answer are on their way for a while. It is the same for
everybody, so that nothing is won by a slow connection, or by one that seems slow."""
DEAL_SECONDS = 10
"""Seconds that are not counted after the deal, in which the first player sees the table for the first time."""


def check_new(new: NewTable) -> None:
    """Check that a table can have clocks, if that is asked for. Raises Refusal."""
    if new.clock is None:
        return
    if new.slow is not None:
        raise Refusal("malformed", "a slow table has deadlines; leave clock or slow out")
    if len(new.seats) == 1 or all(wish.kind == "bot" for wish in new.seats):
        raise Refusal("malformed", "clocks need a person and somebody to play against")


def full(clock: Clock, players: int) -> list[int]:
    """Return what each seat has at the deal, in milliseconds."""
    return [clock.minutes * 60_000] * players


def running_seat(session: Session) -> int | None:
    """Return the seat whose clock runs; None while all stand."""
    return None if session.since is None or session.game is None else session.game.seat


def flag(session: Session) -> str | None:
    """Return when the time of the seat to move is up; None while all clocks stand."""
    seat = running_seat(session)
    if seat is None or session.since is None or session.times is None:
        return None
    return later(session.since, seconds=session.times[seat] / 1000)


def left_at(session: Session, seat: int, at: str) -> int:
    """Return what a seat whose clock runs has left at a time, at least a millisecond until its time is called."""
    assert session.times is not None
    assert session.since is not None
    used = max(0.0, seconds_between(session.since, at))
    return max(1, session.times[seat] - round(used * 1000))
