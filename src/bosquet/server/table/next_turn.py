"""Whose turn it is after some events, and who makes it: what deadlines and clocks follow from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bosquet.server.table.action import Event
from bosquet.server.table.actions.agree import EndedEarly
from bosquet.server.table.actions.deal import Dealt
from bosquet.server.table.actions.give_up import SeatLeft
from bosquet.server.table.actions.move import Ended, TurnPassed
from bosquet.server.table.actions.stand_in import SeatGiven, SeatsTakenBack
from bosquet.server.table.session import Session


class NextTurn(NamedTuple):
    """How things stand after some events."""

    seat: int | None
    """The seat to move; None where no game is played."""
    bots: list[bool]
    """On which seats bots play."""
    begins: bool
    """Whether the turn began with these events."""
    over: bool
    """Whether the game ended with them."""


def next_turn(session: Session, happened: Sequence[Event]) -> NextTurn:
    """Return whose turn it will be, for events that were decided and not applied yet."""
    seat = session.game.seat if session.phase == "playing" and session.game is not None else None
    bots = [chair.bot is not None for chair in session.chairs]
    begins = over = False
    for event in happened:
        match event:
            case Dealt():
                seat, begins = event.turn, True
            case TurnPassed():
                seat, begins = event.seat, True
            case SeatGiven() | SeatLeft():
                bots[event.seat] = True
            case SeatsTakenBack():
                for mine in session.seats_of(event.guest):
                    bots[mine] = False
            case Ended() | EndedEarly():
                over = True
    return NextTurn(None if over else seat, bots, begins, over)
