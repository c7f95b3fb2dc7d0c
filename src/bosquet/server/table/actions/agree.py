"""Ending a game together, or voiding it: proposed by one of those who play, and done once all agree.

A game that is ended together is counted as it stands: it is decided, and nobody has to lose it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from bosquet.core.ending import How
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.entries import JournalEntry
from bosquet.server.store.rows import Rows
from bosquet.server.table.action import Command, Context, Event, JournalEvent
from bosquet.server.table.messages import Proposal
from bosquet.server.table.outcomes import EndedHow
from bosquet.server.table.session import LogEntry, Session

PROPOSALS: dict[Proposal, Literal["agreed", "void"]] = {"end": "agreed", "void": "void"}
"""How a game ends once all have agreed to a proposal."""


class Agree(Command, tag="agree"):
    """Propose to end the game or to void it, or agree to that.

    It is done once all agree. To end the game, the people who play now must agree. To void it, people for whom a bot
    stands in must agree, too.
    """

    proposal: Proposal

    def decide(self, session: Session, context: Context) -> list[Event]:
        mine = session.seats_of(context.guest)
        check_playing(session, context.guest, mine[0] if mine else 0)
        if self.proposal == "end" and len(session.chairs) == 1:
            raise Refusal("not now", "alone there is nothing to count before the end; void the game instead")
        if self.proposal == "end" and session.daily is not None:
            raise Refusal("not now", "the deal of a day is played to its end, or given up")
        if session.duel is not None and not set(_asked(session, "void")) - set(mine):
            raise Refusal("not now", "a game of a duel ends before its end only by resigning, or if others agree")
        if all_agree(session, self.proposal, besides=mine):
            return [ended_early(session, context.at, PROPOSALS[self.proposal])]
        said = all(session.chairs[seat].agrees == self.proposal for seat in mine)
        return [] if said else [Agreed(context.guest, self.proposal)]


class Decline(Command, tag="decline"):
    """Decline what was proposed, or take one's own proposal back."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        if not session.seats_of(context.guest):
            raise Refusal("not yours", "only those who play here decline a proposal")
        return _dropped(session)


class Conclude(Command):
    """End the game if all have agreed. Two agreements at two nodes may each have missed that they were the last."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        if session.phase != "playing":
            return []
        agreed = [proposal for proposal in PROPOSALS if all_agree(session, proposal)]
        return [ended_early(session, context.at, PROPOSALS[agreed[0]])] if agreed else []


class Agreed(Event, frozen=True):
    """A guest proposes to end the game or to void it, or agrees to that."""

    guest: str
    proposal: Proposal

    def write(self, rows: Rows) -> None:
        rows.set_seats({"guest": self.guest}, agrees=self.proposal)


class ProposalsDropped(Event, frozen=True):
    """Nothing is proposed any more."""

    def write(self, rows: Rows) -> None:
        rows.set_seats({}, agrees=None)


class EndedEarly(JournalEvent, frozen=True):
    """The game was ended before its end; scores and winners follow from the moves."""

    kind = "end"
    log = ("ended early", "how")

    at: str
    how: How
    seat: int | None
    """The seat that has just resigned."""
    resigned: list[int]
    """All seats that have."""
    scores: list[int] | None
    winners: list[int]
    late: bool = False
    """Whether all who have resigned were out of time. The row of the table keeps it, not the journal."""

    @classmethod
    def read(cls, session: Session, text: str) -> EndedEarly:
        how, seat, *resigned = text.split(" ")
        if how not in ("resigned", "agreed", "void"):
            raise ValueError("an end of another kind")
        return cls("", how, None if seat == "-" else int(seat), [int(one) for one in resigned], None, [])  # type: ignore[arg-type]

    def apply(self, session: Session) -> None:
        session.dealt().end(self.how, self.resigned)
        session.log.append(LogEntry(self.seat, [], ending=self.how))
        if self.at:  # else it was read, and the row says when
            super().apply(session)

    @property
    def listed(self) -> EndedHow:
        """Return how the game ended, as lists show it."""
        return "time" if self.late else self.how

    def write(self, rows: Rows) -> None:
        seat = "-" if self.seat is None else str(self.seat)
        rows.entries.append(JournalEntry("end", " ".join([self.how, seat, *map(str, self.resigned)])))
        result = {"scores": self.scores, "winners": self.winners, "how": self.listed}
        rows.set(phase="over", ended=self.at, result=result, turn=None)
        rows.expect_left()


def lapsed(session: Session, seat: int) -> list[Event]:
    """Return that proposals are dropped because somebody plays on who has agreed to none."""
    return [] if session.chairs[seat].agrees else _dropped(session)


def _dropped(session: Session) -> list[Event]:
    """Return that nothing is proposed any more, if anything was."""
    proposed = session.phase == "playing" and any(chair.agrees for chair in session.chairs)
    return [ProposalsDropped()] if proposed else []


def check_playing(session: Session, guest: str, seat: int) -> None:
    """Check that a guest has a seat in a game that is being played. Raises Refusal."""
    session.check_mine(guest, seat)
    if session.phase != "playing":
        raise Refusal("not now", "no game is being played here")


def all_agree(session: Session, proposal: Proposal, besides: Collection[int] = ()) -> bool:
    """Return whether all who are asked have agreed, some seats aside."""
    asked = _asked(session, proposal)
    return bool(asked) and all(session.chairs[seat].agrees == proposal for seat in asked if seat not in besides)


def _asked(session: Session, proposal: Proposal) -> list[int]:
    """Return the seats of those who are asked about a proposal: people, not their programs.

    A person for whom a bot stands in is asked only whether to void the game. An ended game is counted for them, too.
    """
    return [
        seat
        for seat, chair in enumerate(session.chairs)
        if chair.guest is not None and not chair.program and (chair.bot is None or proposal == "void")
    ]


def ended_early(
    session: Session,
    at: str,
    how: Literal["resigned", "agreed", "void"],
    seat: int | None = None,
    resigned: list[int] | None = None,
    *,
    late: bool = False,
) -> EndedEarly:
    """Return that the game ends now; `late` says that all who have resigned are out of time."""
    game = session.dealt().copy()
    game.end(how, session.resigned if resigned is None else resigned)
    assert game.ending is not None
    scores = None if how == "void" else game.scores
    return EndedEarly(at, how, seat, game.ending.resigned, scores, game.winners, late)
