"""What happens when something is asked of a session: the rules of a table.

Pure, like the session: a decision changes nothing, and the same command in the same session gives the same events.
"""

from __future__ import annotations

from collections.abc import Mapping

from bosquet import bots
from bosquet.core import fair
from bosquet.core.errors import BosquetError, IllegalMove
from bosquet.server.base.refusals import Refusal
from bosquet.server.table import events, rights, slow
from bosquet.server.table.display_names import check_name_of_bot, name_of_person
from bosquet.server.table.events import Command, Event
from bosquet.server.table.presence import GONE
from bosquet.server.table.session import Session

MOST_BARRED = 50
"""People whom the host of a table may send away."""
SENT_AWAY = "the host has sent you away from this table; you can't come back to it"
TIMED = (
    events.AddNonce,
    events.Agree,
    events.Begin,
    events.Conclude,
    events.GiveSeat,
    events.Leave,
    events.LookAfter,
    events.Play,
    events.PlayForBot,
    events.Resign,
    events.TakeBack,
)
"""Commands that may begin or end a turn, or change who makes it."""


def check_bot(bot: str | None) -> str:
    """Return the name of a bot. Raises Refusal."""
    if bot not in bots.NAMES:
        raise Refusal("malformed", f"a bot seat needs a bot: {', '.join(bots.NAMES)}")
    return bot


def decide(session: Session, command: Command) -> list[Event]:
    """Return what happens when this is asked; nothing has changed yet. Raises Refusal."""
    happened = _decide(session, command)
    if session.slow is not None and happened and isinstance(command, TIMED):
        if not any(isinstance(event, events.TurnTimed) for event in happened):
            happened += slow.timed(session, happened, command.at)
    return happened


def _decide(session: Session, command: Command) -> list[Event]:
    match command:
        case events.Play():
            _check_turn(session, command.guest, command.seat, command.number)
            back = [events.SeatsTakenBack(command.guest)] if session.chairs[command.seat].bot is not None else []
            return [*back, *_moves(session, command.move, command.at), *rights.lapsed(session, command.seat)]
        case events.PlayForBot():
            current = session.number == command.number and session.chairs[command.seat].bot == command.bot
            if not current:  # whom it stood in for may be back
                return []
            return slow.given_back(session, command, _moves(session, command.move, command.at))
        case events.Undo():
            return _undo(session, command)
        case events.Join():
            return _join(session, command)
        case events.Remove():
            return _remove(session, command)
        case events.Bar():
            return _bar(session, command)
        case events.AddNonce():
            if session.daily is not None:  # nobody adds to this shuffle
                return _add_nonces(session, {}, command.at)
            missing = [seat for seat in session.seats_of(command.guest) if session.chairs[seat].nonce is None]
            return _add_nonces(session, dict.fromkeys(missing, command.nonce), command.at) if missing else []
        case events.Begin():
            return _add_nonces(session, {}, command.at)
        case events.GiveSeat():
            return _give(session, command)
        case events.TakeBack():
            stood_in = any(session.chairs[seat].bot is not None for seat in session.seats_of(command.guest))
            if slow.is_made_by_bot(session, command.guest):
                return []
            return [events.SeatsTakenBack(command.guest)] if stood_in else []
        case events.LookAfter():
            return slow.looked_after(session, command)
        case events.Close():
            return _close(session, command.guest)
        case events.SetPace():
            if not session.seats_of(command.guest):
                raise Refusal("not yours", "only those who sit here set the pace")
            return [events.PaceSet(command.pace)] if command.pace != session.pace else []
        case events.AllowHints():
            mine = session.seats_of(command.guest)
            if not mine:
                raise Refusal("not yours", "only those who sit here agree to hints")
            if session.assistance == "none" or session.daily is not None:
                raise Refusal("not now", "no hints are given at this table")
            if all(session.chairs[seat].hints == command.allow for seat in mine):
                return []
            return [events.HintsAllowed(command.guest, command.allow)]
        case events.AllowChat():
            mine = session.seats_of(command.guest)
            if not session.is_person(command.guest):
                raise Refusal("not yours", "only people who sit here have the chat")
            if all(session.chairs[seat].chat == command.allow for seat in mine):
                return []
            return [events.ChatAllowed(command.guest, command.allow)]
        case events.Resign():
            return rights.resign(session, command)
        case events.Leave():
            return rights.leave(session, command, check_bot(command.bot))
        case events.Agree():
            return rights.agree(session, command)
        case events.Decline():
            return rights.decline(session, command)
        case events.Conclude():
            return rights.conclude(session, command.at)
        case events.GoOn():
            check_rematch(session, command.guest)
            return [events.WentOn(command.table)] if session.rematch is None else []


def check_rematch(session: Session, guest: str) -> None:
    """Check that a guest may ask for another game. Raises Refusal."""
    if not session.seats_of(guest) and not session.is_host(guest):
        raise Refusal("not yours", "only those who sit here and the host can ask for another game")
    if session.phase != "over":
        raise Refusal("not now", "the game still runs")
    if session.daily is not None:
        raise Refusal("not now", "the deal of a day is played once")


def _check_turn(session: Session, guest: str, seat: int, number: int) -> None:
    session.check_mine(guest, seat)
    game = session.dealt()
    if game.over:
        raise Refusal("not now", "the game is over")
    if number != session.number:
        raise Refusal("stale", "the position has changed; look at the table again")
    if game.seat != seat:
        raise Refusal("not now", "it is not this seat's turn")


def _moves(session: Session, move: str, at: str) -> list[Event]:
    """Return a move, and the chance that follows it."""
    game = session.dealt()
    try:
        moved = session.moved(move)
    except IllegalMove as error:
        # With the moves that are legal, but where players find these themselves.
        message = error.reason if session.assistance == "none" else error
        raise Refusal("illegal", str(message), error.reason) from None
    after = game.after(moved.action)
    happened: list[Event] = [moved]
    while after.chance_due:
        happened.append(events.ChanceMade(fair.sample_chance(after, session.secret, session.nonces)))
    if after.seat != game.seat:
        happened.append(events.TurnPassed(after.seat))
    if after.over:
        if session.resigned:
            after.end("played", session.resigned)
        happened.append(events.Ended(at, after.scores, after.winners))
    return happened


def _undo(session: Session, command: events.Undo) -> list[Event]:
    _check_turn(session, command.guest, command.seat, command.number)
    if not session.takes_back:
        raise Refusal("not now", "at a table without assistance no move is taken back")
    if not session.undos_left(command.seat):
        raise Refusal("not now", f"this seat has taken {session.undos} moves back; that is all for this game")
    try:
        session.dealt().copy().undo()
    except BosquetError as error:
        raise Refusal("not now", str(error)) from None
    return [events.Undone(command.seat)]  # whose turn it is has not changed: nobody takes a turn back


def _join(session: Session, command: events.Join) -> list[Event]:
    if session.seats_of(command.guest):
        return []
    if session.is_barred(command.guest):
        raise Refusal("barred", SENT_AWAY)
    free = [seat for seat, chair in enumerate(session.chairs) if not chair.taken]
    if session.phase == "closed":
        raise Refusal("no seat", "the host has closed this table")
    if not free:
        raise Refusal("no seat", "every seat is taken; you can watch")
    if command.invitation != session.invitation:
        if command.program:
            raise Refusal("no seat", "a program needs an invitation; ask somebody who sits there for the link")
        if not session.listed or command.blocked:
            raise Refusal("no seat", "these seats are for those who have the invitation; ask for the link")
        if session.phase != "waiting" or not (command.host_is_near or session.slow):
            raise Refusal("host away", "nobody is at this table; choose another one")
    name = name_of_person(command.name, session.chairs)
    chat = not session.listed and not command.program  # strangers switch it on first
    return [events.SeatTaken(free[0], command.guest, name, command.program, chat)]


def _remove(session: Session, command: events.Remove) -> list[Event]:
    _check_sends_away(session, command.guest)
    if session.phase != "waiting":
        raise Refusal("not now", "nobody is sent away from a game that has begun")
    guest = session.chairs[command.seat].guest if command.seat < len(session.chairs) else None
    if guest is None:
        raise Refusal("not now", "no person sits on this seat")
    if guest == command.guest:
        raise Refusal("not now", "this seat is your own; close the table instead")
    return [_barred(session, session.mark(guest), command.seat, guest, command.invitation)]


def _bar(session: Session, command: events.Bar) -> list[Event]:
    _check_sends_away(session, command.guest)
    if command.mark in session.barred.split():
        return []
    seated = {chair.guest or chair.left_by for chair in session.chairs} | {session.host}
    if command.mark in {session.mark(guest) for guest in seated if guest is not None}:
        raise Refusal("not now", "whoever sits here, or has left a seat, may watch")
    # Whoever watches may have the link; nobody needs it once the game has begun.
    invitation = command.invitation if session.phase == "waiting" else None
    return [_barred(session, command.mark, None, None, invitation)]


def _check_sends_away(session: Session, guest: str) -> None:
    if not session.is_host(guest):
        raise Refusal("not yours", "the host of a table sends people away")
    if len(session.barred.split()) >= MOST_BARRED:
        raise Refusal("not now", f"{MOST_BARRED} people were sent away already; open another table")


def _barred(session: Session, mark: str, seat: int | None, guest: str | None, invitation: str | None) -> events.Barred:
    barred = " ".join([*session.barred.split(), mark])
    return events.Barred(barred, session.barred, seat, guest, invitation)


def _add_nonces(session: Session, nonces: Mapping[int, str], at: str, given: int | None = None) -> list[Event]:
    """Return some nonces, and the deal if they were the last; a bot is `given` one of the seats."""
    if session.phase != "waiting":
        return []
    added: list[Event] = [events.NonceAdded(seat, nonce) for seat, nonce in nonces.items()]
    complete = all(
        seat == given or (chair.taken and (chair.ready or seat in nonces or session.daily is not None))
        for seat, chair in enumerate(session.chairs)
    )
    if complete:
        all_nonces = [nonces.get(seat, chair.nonce) for seat, chair in enumerate(session.chairs)]
        added.append(events.Dealt(at, session.deal(all_nonces).seat))
    return added


def _give(session: Session, command: events.GiveSeat) -> list[Event]:
    check_bot(command.bot)
    allowed = {"waiting": session.is_host(command.guest), "playing": bool(session.seats_of(command.guest))}
    if session.phase not in allowed:
        raise Refusal("not now", "nobody plays here any more")
    if not allowed[session.phase]:
        raise Refusal("not yours", "before the deal its host gives seats away, then those who play")
    if command.seat >= len(session.chairs):
        last = len(session.chairs) - 1
        raise Refusal("no seat", f"there is no seat {command.seat}; this table has the seats 0 to {last}")
    chair = session.chairs[command.seat]
    if chair.bot is not None:
        raise Refusal("not now", "a bot sits there already")
    if chair.guest is not None and session.slow is not None:
        raise Refusal("not now", "at a slow table a bot stands in when the time for a turn is over, not before")
    if chair.guest is not None and not command.is_gone:
        raise Refusal("not now", f"{chair.name} is here, or was in the last {GONE / 60:g} minutes")
    if chair.guest is None:
        check_name_of_bot(command.name, session.chairs)
    name = (chair.name or command.name) if chair.guest is not None else command.name
    given = events.SeatGiven(command.seat, chair.guest, command.bot, name)
    return [given, *_add_nonces(session, {}, command.at, given=command.seat)]


def _close(session: Session, guest: str) -> list[Event]:
    if not session.is_host(guest):
        raise Refusal("not yours", "its host can close a table")
    if session.phase != "waiting":
        raise Refusal("not now", "the game has begun")
    return [events.Closed()]
