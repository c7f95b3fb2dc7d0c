"""The shuffle and the deal: everybody adds to it, and the game is dealt once all have."""

from __future__ import annotations

from collections.abc import Mapping

from bosquet.server.base.messages import Nonce
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.session import Session


class Ready(Command, tag="ready"):
    """I have seen the commitment; this goes into the shuffle. It is ignored while it is open who begins."""

    on_screens = True

    nonce: Nonce

    def decide(self, session: Session, context: Context) -> list[Event]:
        if session.first == "open":  # who begins is said before anybody adds to the shuffle
            return []
        if session.daily is not None:
            return deal_due(session, {}, context.at)
        missing = [seat for seat in session.seats_of(context.guest) if session.chairs[seat].nonce is None]
        return deal_due(session, dict.fromkeys(missing, self.nonce), context.at) if missing else []


class Begin(Command):
    """Deal if nobody has to be waited for, as at a table of bots."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        return deal_due(session, {}, context.at)


class NonceAdded(Event, frozen=True):
    """A seat has added to the shuffle."""

    seat: int
    nonce: str

    def write(self, rows: Rows) -> None:
        rows.expect_waiting()
        rows.set_seat(self.seat, {"nonce": None}, nonce=self.nonce)


class Dealt(Event, frozen=True):
    """The game was dealt, as secret and nonces have it."""

    log = ("dealt",)

    at: str
    turn: int | None
    """The seat to move."""

    def apply(self, session: Session) -> None:
        super().apply(session)
        session.ensure_dealt()

    def write(self, rows: Rows) -> None:
        rows.expect_waiting()
        rows.set(phase="playing", started=self.at, turn=self.turn)


def deal_due(session: Session, nonces: Mapping[int, str], at: str, given: int | None = None) -> list[Event]:
    """Return some nonces, and the deal if they were the last; a bot is `given` one of the seats."""
    if session.phase != "waiting" or session.first == "open":
        return []
    return _deal_due(session, nonces, at, given)


def deal_of_bots(session: Session, at: str) -> list[Event]:
    """Return the deal where nobody but bots sits at a table, once it is settled who begins."""
    return [] if any(chair.bot is None for chair in session.chairs) else _deal_due(session, {}, at, None)


def _deal_due(session: Session, nonces: Mapping[int, str], at: str, given: int | None) -> list[Event]:
    added: list[Event] = [NonceAdded(seat, nonce) for seat, nonce in nonces.items()]
    complete = all(
        seat == given or (chair.taken and (chair.ready or seat in nonces or session.daily is not None))
        for seat, chair in enumerate(session.chairs)
    )
    if complete:
        all_nonces = [nonces.get(seat, chair.nonce) for seat, chair in enumerate(session.chairs)]
        added.append(Dealt(at, session.deal(all_nonces).seat))
    return added
