"""Seats of people given to a bot while they are away, and their return to them."""

from __future__ import annotations

from bosquet import bots
from bosquet.core.real_game import SeatNumber
from bosquet.server.base.legible import tidy
from bosquet.server.base.messages import Name
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.actions.deal import deal_due
from bosquet.server.table.display_names import check_name_of_bot
from bosquet.server.table.session import Session
from bosquet.server.table.timing.slow import is_made_by_bot
from bosquet.server.table.viewers.presence import GONE_SECONDS


class GiveSeat(Command, tag="give"):
    """Let a bot have a free seat, or stand in for somebody who has been away for long, until they come back.

    In the waiting room the host may ask for this, in a running game every player. At a slow table nobody can ask for a
    stand-in: a bot stands in once a deadline has passed.
    """

    on_screens = True

    seat: SeatNumber
    bot: Name
    name: Name
    """What the bot is called on a free seat."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        name = tidy(self.name)
        check_bot(self.bot)
        allowed = {"waiting": session.is_host(context.guest), "playing": bool(session.seats_of(context.guest))}
        if session.phase not in allowed:
            raise Refusal("not now", "nobody plays here any more")
        if not allowed[session.phase]:
            raise Refusal("not yours", "before the deal its host gives seats away, then those who play")
        if self.seat >= len(session.chairs):
            last = len(session.chairs) - 1
            raise Refusal("no seat", f"there is no seat {self.seat}; this table has the seats 0 to {last}")
        chair = session.chairs[self.seat]
        if chair.bot is not None:
            raise Refusal("not now", "a bot sits there already")
        if chair.guest is None:
            check_name_of_bot(name, session.chairs)
        elif session.slow is not None:
            raise Refusal("not now", "at a slow table a bot stands in when the time for a turn is over, not before")
        elif not context.around.is_gone(self.seat):
            raise Refusal("not now", f"{chair.name} is here, or was in the last {GONE_SECONDS / 60:g} minutes")
        else:
            name = chair.name or name
        given = SeatGiven(self.seat, chair.guest, self.bot, name)
        return [given, *deal_due(session, {}, context.at, given=self.seat)]


class ReturnToSeat(Command, tag="back"):
    """Play on my seats myself instead of the bots that stand in for me. Connecting to a table does the same.

    If a bot at a slow table has begun a turn for which others wait, it finishes that turn first.
    """

    def decide(self, session: Session, context: Context) -> list[Event]:
        guest = context.guest
        if is_made_by_bot(session, guest):
            return [] if guest in session.returning else [Returned(guest)]
        stood_in = any(session.chairs[seat].bot is not None for seat in session.seats_of(guest))
        return [SeatsTakenBack(guest)] if stood_in else []


class SeatGiven(Event, frozen=True):
    """A bot plays on a seat; `guest` is the one whom it stands in for."""

    log = ("given to a bot", "seat")

    seat: int
    guest: str | None
    bot: str
    name: str

    def write(self, rows: Rows) -> None:
        stood_in = {} if self.guest is None else {"stood_in": True}
        rows.set_seat(self.seat, {"guest": self.guest, "bot": None}, bot=self.bot, name=self.name, **stood_in)


class SeatsTakenBack(Event, frozen=True):
    """No bot stands in for a guest any more."""

    guest: str

    def apply(self, session: Session) -> None:
        super().apply(session)
        session.returning.discard(self.guest)

    def write(self, rows: Rows) -> None:
        rows.set_seats({"guest": self.guest}, bot=None)


class Returned(Event, frozen=True):
    """A guest is back while a bot makes their turn; they get their seats after it.

    That is not kept: they ask for it again when they connect again.
    """

    changes_state = False

    guest: str

    def apply(self, session: Session) -> None:
        session.returning.add(self.guest)

    def write(self, rows: Rows) -> None:
        pass


def check_bot(bot: str | None) -> str:
    """Return the name of a bot. Raises Refusal."""
    if bot not in bots.NAMES:
        raise Refusal("malformed", f"a bot seat needs a bot: {', '.join(bots.NAMES)}")
    return bot
