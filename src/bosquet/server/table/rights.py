"""What those who play may do about the game itself: resign, leave it, end it together, or void it.

Pure, like the decisions, of which these are a part. With two seats a resignation ends the game. With more it ends when
one seat or nobody who plays is left; until then a bot plays on, so that the others keep the game that they began, and
the seat can't win. A game that is ended together is counted as it stands: it is decided, and nobody has to lose it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from bosquet.server.base.refusals import Refusal
from bosquet.server.table import events
from bosquet.server.table.events import Event
from bosquet.server.table.messages import Offer
from bosquet.server.table.session import Session

OFFERS: dict[Offer, Literal["agreed", "void"]] = {"end": "agreed", "void": "void"}
"""How a game ends to whose end, or to whose being void, all agree."""


def resign(session: Session, command: events.Resign) -> list[Event]:
    """Return what a resignation comes to. Raises Refusal."""
    _check_playing(session, command.guest, command.seat)
    if len(session.chairs) == 1:
        raise Refusal("not now", "alone there is nobody to resign to; void the game instead")
    seat, resigned = command.seat, sorted([*session.resigned, command.seat])
    left = [chair for other, chair in enumerate(session.chairs) if other not in resigned]
    if len(left) == 1 or all(chair.guest is None for chair in left):
        return [_ended(session, command.at, "resigned", seat, resigned)]
    return _left(session, seat, session.dealt().spec.luck_bot, "resigned", command.at)


def leave(session: Session, command: events.Leave, bot: str) -> list[Event]:
    """Return what leaving a seat to a bot comes to. Raises Refusal."""
    _check_playing(session, command.guest, command.seat)
    if all(chair.guest is None for seat, chair in enumerate(session.chairs) if seat != command.seat):
        raise Refusal("not now", "nobody else plays here; resign or void the game instead")
    return _left(session, command.seat, bot, "left", command.at)


def agree(session: Session, command: events.Agree) -> list[Event]:
    """Return what agreeing to an end comes to. Raises Refusal."""
    mine = session.seats_of(command.guest)
    _check_playing(session, command.guest, mine[0] if mine else 0)
    if command.offer == "end" and len(session.chairs) == 1:
        raise Refusal("not now", "alone there is nothing to count before the end; void the game instead")
    if command.offer == "end" and session.daily is not None:
        raise Refusal("not now", "the deal of a day is played to its end, or given up")
    if session.duel is not None and not set(_asked(session, "void")) - set(mine):
        raise Refusal("not now", "a game of a duel ends before its end only by resigning, or if others agree")
    if _agreed(session, command.offer, besides=mine):
        return [_ended(session, command.at, OFFERS[command.offer])]
    said = all(session.chairs[seat].agrees == command.offer for seat in mine)
    return [] if said else [events.Agreed(command.guest, command.offer)]


def decline(session: Session, command: events.Decline) -> list[Event]:
    """Return what declining an offer comes to. Raises Refusal."""
    if not session.seats_of(command.guest):
        raise Refusal("not yours", "only those who play here decline an offer")
    return dropped(session)


def dropped(session: Session) -> list[Event]:
    """Return that nothing is offered any more, if anything was."""
    offered = session.phase == "playing" and any(chair.agrees for chair in session.chairs)
    return [events.OffersDropped()] if offered else []


def lapsed(session: Session, seat: int) -> list[Event]:
    """Return that offers are dropped because somebody plays on who has agreed to none."""
    return [] if session.chairs[seat].agrees else dropped(session)


def conclude(session: Session, at: str) -> list[Event]:
    """Return the end of the game if all agree to it."""
    if session.phase != "playing":
        return []
    agreed = [offer for offer in OFFERS if _agreed(session, offer)]
    return [_ended(session, at, OFFERS[agreed[0]])] if agreed else []


def _check_playing(session: Session, guest: str, seat: int) -> None:
    session.check_mine(guest, seat)
    if session.phase != "playing":
        raise Refusal("not now", "no game is being played here")


def _agreed(session: Session, offer: Offer, besides: Collection[int] = ()) -> bool:
    """Return whether all who are asked have agreed, some seats aside."""
    asked = _asked(session, offer)
    return bool(asked) and all(session.chairs[seat].agrees == offer for seat in asked if seat not in besides)


def _asked(session: Session, offer: Offer) -> list[int]:
    """Return the seats of those who are asked about an offer: people, not their programs.

    Who is away while a bot stands in is asked only whether the game does not count: an end is counted for them, too.
    """
    return [
        seat
        for seat, chair in enumerate(session.chairs)
        if chair.guest is not None and not chair.program and (chair.bot is None or offer == "void")
    ]


def _left(session: Session, seat: int, bot: str, how: Literal["left", "resigned"], at: str) -> list[Event]:
    """Return that a seat is given to a bot, and the end of the game if all who are left have agreed to it."""
    guest = session.chairs[seat].guest
    assert guest is not None
    resigned = sorted([*session.resigned, seat]) if how == "resigned" else session.resigned
    given: list[Event] = [events.SeatLeft(seat, guest, bot, how)]
    for offer, ends in OFFERS.items():
        others = [other for other, chair in enumerate(session.chairs) if chair.guest is not None and other != seat]
        if others and any(session.chairs[other].agrees for other in others) and _agreed(session, offer, [seat]):
            return [*given, _ended(session, at, ends, resigned=resigned)]
    return given


def _ended(
    session: Session,
    at: str,
    how: Literal["resigned", "agreed", "void"],
    seat: int | None = None,
    resigned: list[int] | None = None,
) -> events.EndedEarly:
    """Return that the game ends now."""
    game = session.dealt().copy()
    game.end(how, session.resigned if resigned is None else resigned)
    assert game.ending is not None
    scores = None if how == "void" else game.scores
    return events.EndedEarly(at, how, seat, game.ending.resigned, scores, game.winners)
