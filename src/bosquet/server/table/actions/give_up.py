"""Giving a seat up for the rest of the game: by resigning, or by leaving it to a bot.

With two seats a resignation ends the game. With more it ends when one seat is left, or no person who plays. Until then
a bot plays on that can't win, so that the others keep their game. Whether the game ends depends on who else has given
up, so it is decided again if somebody did so at another node meanwhile.
"""

from __future__ import annotations

from typing import Literal

from bosquet.core.real_game import SeatNumber
from bosquet.core.state import MAX_SEATS
from bosquet.server.base.messages import Name
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.actions.agree import PROPOSALS, all_agree, check_playing, ended_early
from bosquet.server.table.actions.stand_in import check_bot
from bosquet.server.table.session import Session


class Resign(Command, tag="resign"):
    """Give the game up for a seat of mine.

    The game ends where one seat is left, or nobody who plays; else a bot plays on there, and this seat can't win.
    """

    tries = MAX_SEATS
    seat: SeatNumber

    def decide(self, session: Session, context: Context) -> list[Event]:
        check_playing(session, context.guest, self.seat)
        if len(session.chairs) == 1:
            raise Refusal("not now", "alone there is nobody to resign to; void the game instead")
        return resigning(session, self.seat, context.at)


class Leave(Command, tag="leave"):
    """Leave a seat of mine to a bot for the rest of the game."""

    tries = MAX_SEATS
    seat: SeatNumber
    bot: Name

    def decide(self, session: Session, context: Context) -> list[Event]:
        bot = check_bot(self.bot)
        check_playing(session, context.guest, self.seat)
        if plays_alone(session, self.seat):
            raise Refusal("not now", "nobody else plays here; resign or void the game instead")
        return leaving(session, self.seat, bot, context.at)


class SeatLeft(Event, frozen=True):
    """A guest has given a seat to a bot for the rest of the game."""

    log = ("left to a bot", "seat", "how")

    seat: int
    guest: str
    bot: str
    how: Literal["left", "resigned"]

    def write(self, rows: Rows) -> None:
        rows.expect(phase="playing")
        rows.expect_left()
        given = {"guest": None, "bot": self.bot, "left": self.how, "left_by": self.guest}
        none = {"hints": False, "agrees": None, "program": False, "chat": False, "away": None}
        rows.set_seat(self.seat, {"guest": self.guest}, **given, **none)


def plays_alone(session: Session, seat: int) -> bool:
    """Return whether nobody plays on any other seat."""
    return all(chair.guest is None for other, chair in enumerate(session.chairs) if other != seat)


def resigning(session: Session, seat: int, at: str, *, late: bool = False) -> list[Event]:
    """Return what happens when a seat is given up: the game ends, or a bot plays on that can't win.

    `late` says that its time is up.
    """
    resigned = sorted([*session.resigned, seat])
    left = [chair for other, chair in enumerate(session.chairs) if other not in resigned]
    if len(left) == 1 or all(chair.guest is None for chair in left):
        late = late and all(session.times and not session.times[other] for other in session.resigned)
        return [ended_early(session, at, "resigned", seat, resigned, late=late)]
    return _left(session, seat, session.dealt().spec.luck_bot, "resigned", at)


def leaving(session: Session, seat: int, bot: str, at: str) -> list[Event]:
    """Return what happens when a seat is left to a bot while others play."""
    return _left(session, seat, bot, "left", at)


def _left(session: Session, seat: int, bot: str, how: Literal["left", "resigned"], at: str) -> list[Event]:
    """Return that a seat is given to a bot, and the end of the game if all who are left have agreed to it."""
    guest = session.chairs[seat].guest
    assert guest is not None
    resigned = sorted([*session.resigned, seat]) if how == "resigned" else session.resigned
    given: list[Event] = [SeatLeft(seat, guest, bot, how)]
    others = [other for other, chair in enumerate(session.chairs) if chair.guest is not None and other != seat]
    if any(session.chairs[other].agrees for other in others):
        for proposal, ends in PROPOSALS.items():
            if all_agree(session, proposal, besides=[seat]):
                return [*given, ended_early(session, at, ends, resigned=resigned)]
    return given
