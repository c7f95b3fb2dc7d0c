"""How a table stands: who sits there, who is connected, and whether hints are given."""

from __future__ import annotations

from collections.abc import Set

import msgspec

from bosquet.core import fair
from bosquet.server.compute.replays import ending_of
from bosquet.server.table import messages
from bosquet.server.table.messages import TableState
from bosquet.server.table.presence import Presence
from bosquet.server.table.session import Chair, Session


def is_gone(session: Session, seat: int, presence: Presence, time: float) -> bool:
    """Return whether a bot may stand in for the one who has a seat; at a slow table nobody can ask for that."""
    if session.slow is not None or session.phase not in ("waiting", "playing") or seat >= len(session.chairs):
        return False
    chair = session.chairs[seat]
    return chair.bot is None and presence.is_gone(chair.guest, time)


def table_state(table: str, session: Session, presence: Presence, time: float) -> TableState:
    """Return how a table stands, for those who watch."""
    return TableState(
        table=table,
        game=session.name,
        options=session.options,
        phase=session.phase,
        seats=[
            _seat(chair, presence, gone=is_gone(session, seat, presence, time))
            for seat, chair in enumerate(session.chairs)
        ],
        mine=[],
        host=False,
        pace=session.pace,
        watchers=presence.watchers([chair.guest for chair in session.chairs]),
        commitment=fair.commitment(session.secret),
        invitation=None,
        listed=session.listed,
        rematch=session.rematch,
        duel=session.duel_state(),
        ending=None if session.game is None else ending_of(session.game),
        assistance=session.assistance,
        hints=session.hints_given,
        slow=session.slow,
        deadline=session.deadline,
        daily=session.daily,
    )


def _seat(chair: Chair, presence: Presence, *, gone: bool) -> messages.Seat:
    return messages.Seat(
        kind="bot" if chair.bot or chair.program else "human",
        name=chair.name,
        ready=chair.taken and chair.ready,
        here=chair.bot is not None or presence.is_here(chair.guest),
        bot=chair.bot,
        stands_in=chair.bot is not None and chair.guest is not None,
        gone=gone,
        hints=chair.hints,
        agrees=chair.agrees,
        left=chair.left,
        chat=chair.chat,
    )


def state_for(guest: str, state: TableState, session: Session, blocked: Set[str]) -> TableState | None:
    """Return how a table stands for its host or somebody who sits there; None for those who watch.

    To those whom its host has blocked it is not listed.
    """
    mine, host = session.seats_of(guest), session.is_host(guest)
    if not mine and not host:
        return msgspec.structs.replace(state, listed=False) if guest in blocked and state.listed else None
    invitation = session.invitation if session.has_free_seat else None
    return msgspec.structs.replace(state, mine=mine, host=host, invitation=invitation)
