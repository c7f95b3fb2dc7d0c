"""How a table stands: who sits there, who is connected, and whether hints are given."""

from __future__ import annotations

import msgspec

from bosquet.core.records import fair
from bosquet.server.compute.replays import ending_of
from bosquet.server.table import messages
from bosquet.server.table.messages import Phase, TableState
from bosquet.server.table.session import Chair, Session
from bosquet.server.table.viewers import delay
from bosquet.server.table.viewers.attendance import Attendance


def table_state(table: str, session: Session, attendance: Attendance) -> TableState:
    """Return how a table stands, for those who watch."""
    return TableState(
        table=table,
        game=session.name,
        options=session.options,
        phase=session.phase,
        seats=[_seat(seat, chair, attendance, session.phase) for seat, chair in enumerate(session.chairs)],
        mine=[],
        host=False,
        pace=session.pace,
        watchers=attendance.watchers,
        first=session.first,
        commitment=fair.commitment(session.secret),
        invitation=None,
        listed=session.listed,
        rematch=session.rematch,
        previous=session.previous,
        duel=session.duel_state(),
        ending=None if session.game is None else ending_of(session.game),
        assistance=session.assistance,
        hints=session.hints_given,
        slow=session.slow,
        deadline=session.deadline,
        daily=session.daily,
        clock=session.clock,
        times=None if session.is_delayed else _times(session),
        delay=delay.SECONDS if session.watched else None,
    )


def _times(session: Session) -> messages.Times | None:
    return None if session.times is None else messages.Times(session.times, session.since)


def _seat(seat: int, chair: Chair, attendance: Attendance, phase: Phase) -> messages.Seat:
    return messages.Seat(
        kind="bot" if chair.bot or chair.program else "human",
        name=chair.name,
        ready=chair.taken and chair.ready,
        here=chair.bot is not None or attendance.is_here(chair.guest),
        bot=chair.bot,
        stands_in=chair.bot is not None and chair.guest is not None,
        gone=attendance.is_gone(seat),
        hints=chair.hints,
        agrees=chair.agrees,
        left=chair.left,
        chat=chair.chat,
        away=chair.away if phase in ("waiting", "playing") else None,
    )


def state_for(guest: str, state: TableState, session: Session, attendance: Attendance) -> TableState | None:
    """Return how a table stands for its host or somebody who sits there; None for those who watch.

    To those whom its host has blocked it is not listed.
    """
    mine, host = session.seats_of(guest), session.is_host(guest)
    if not mine and not host:
        return msgspec.structs.replace(state, listed=False) if state.listed and attendance.has_blocked(guest) else None
    invitation = session.invitation if session.has_free_seat else None
    times = _times(session) if mine else state.times
    return msgspec.structs.replace(state, mine=mine, host=host, invitation=invitation, times=times)
