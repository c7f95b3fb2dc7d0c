"""What may be asked of a session, and what happens then: commands and events, as data.

A command says who wants what, and carries what the session can't know by itself: the time, and who is away. An event
says what has happened; a session that applies the same events is the same session.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from bosquet.core.ending import How
from bosquet.core.view import Move
from bosquet.server.store.entries import JournalEntry
from bosquet.server.table.messages import Offer, Pace

# --- commands ---


class Join(Struct, frozen=True):
    """Take a free seat."""

    guest: str
    name: str
    invitation: str | None
    program: bool
    """Whether a program of the guest plays."""
    host_is_near: bool
    """Whether the host is here, or was a moment ago."""
    blocked: bool = False
    """Whether the host has blocked the guest, to whom the table is then one that is not listed."""


class Remove(Struct, frozen=True):
    """Send away whoever sits on a seat, before the deal."""

    guest: str
    seat: int
    invitation: str
    """What opens a seat from then on, instead of the link that they have."""


class Bar(Struct, frozen=True):
    """Send somebody away who watches."""

    guest: str
    mark: str
    """Stands for whoever watches; see `session.mark_at`."""
    invitation: str


class AddNonce(Struct, frozen=True):
    """Add to the shuffle for all seats of a guest; deal once everybody has."""

    guest: str
    nonce: str
    at: str


class Begin(Struct, frozen=True):
    """Deal if nobody has to be waited for, as at a table of bots."""

    at: str


class GiveSeat(Struct, frozen=True):
    """Let a bot have a free seat, or stand in for somebody who has been away for long."""

    guest: str
    seat: int
    bot: str
    name: str
    is_gone: bool
    """Whether the one who has the seat has been away for long enough."""
    at: str


class TakeBack(Struct, frozen=True):
    """Give a guest who comes back their seats again, if bots stood in."""

    guest: str
    at: str


class LookAfter(Struct, frozen=True):
    """See whether a slow table goes on: a bot stands in for whoever is to move and late."""

    at: str


class Close(Struct, frozen=True):
    """Give the table up before the deal."""

    guest: str


class SetPace(Struct, frozen=True):
    """Let bots move at a human pace, or at once."""

    guest: str
    pace: Pace


class Play(Struct, frozen=True):
    """Make a move; `number` is that of the position in which it was chosen."""

    guest: str
    seat: int
    number: int
    move: str
    at: str


class PlayForBot(Struct, frozen=True):
    """Make the move that a bot chose in a position."""

    bot: str
    seat: int
    number: int
    move: str
    at: str
    is_back: bool = False
    """Whether the guest for whom it stands in has come back meanwhile."""


class Undo(Struct, frozen=True):
    """Take the last move back."""

    guest: str
    seat: int
    number: int


class AllowHints(Struct, frozen=True):
    """Agree to hints, or no longer."""

    guest: str
    allow: bool


class AllowChat(Struct, frozen=True):
    """Switch the chat on for oneself, or off."""

    guest: str
    allow: bool


class GoOn(Struct, frozen=True):
    """Say at which table the same people play again."""

    guest: str
    table: str


class Resign(Struct, frozen=True):
    """Give the game up for a seat."""

    guest: str
    seat: int
    at: str


class Leave(Struct, frozen=True):
    """Leave a seat to a bot for the rest of the game."""

    guest: str
    seat: int
    bot: str
    at: str


class Agree(Struct, frozen=True):
    """Offer to end the game or to void it, or agree to that."""

    guest: str
    offer: Offer
    at: str


class Decline(Struct, frozen=True):
    """Decline what was offered, or take an offer back."""

    guest: str


class Conclude(Struct, frozen=True):
    """End the game if all agree to that: of two who did at two nodes, neither may have known that it was the last."""

    at: str


Command = (
    Join
    | Remove
    | Bar
    | AddNonce
    | Begin
    | GiveSeat
    | TakeBack
    | LookAfter
    | Close
    | SetPace
    | Play
    | PlayForBot
    | Undo
    | AllowHints
    | AllowChat
    | GoOn
    | Resign
    | Leave
    | Agree
    | Decline
    | Conclude
)


# --- events ---


class SeatTaken(Struct, frozen=True):
    """Somebody has sat down."""

    seat: int
    guest: str
    name: str
    program: bool = False
    chat: bool = False
    """Whether the chat is on for them from the start."""


class Barred(Struct, frozen=True):
    """The host has sent somebody away, who can't come back."""

    barred: str
    """The marks of all who were sent away, and those before that. Of two nodes that add one, the second is refused."""
    since: str
    seat: int | None
    """The seat that is free again; None where somebody watched."""
    guest: str | None
    """Who sat there."""
    invitation: str | None
    """What opens a seat from now on; None where it has not changed."""


class NonceAdded(Struct, frozen=True):
    """A seat has added to the shuffle."""

    seat: int
    nonce: str


class Dealt(Struct, frozen=True):
    """The game was dealt, as secret and nonces have it."""

    at: str
    turn: int | None
    """The seat to move."""


class SeatGiven(Struct, frozen=True):
    """A bot plays on a seat; `guest` is the one whom it stands in for."""

    seat: int
    guest: str | None
    bot: str
    name: str


class SeatsTakenBack(Struct, frozen=True):
    """No bot stands in for a guest any more."""

    guest: str


class Closed(Struct, frozen=True):
    """The table was given up before the deal."""


class PaceSet(Struct, frozen=True):
    """Bots move at another pace."""

    pace: Pace


class HintsAllowed(Struct, frozen=True):
    """A guest has agreed to hints, or does no longer."""

    guest: str
    allow: bool


class ChatAllowed(Struct, frozen=True):
    """A guest has switched the chat on, or off."""

    guest: str
    allow: bool


class Moved(Struct, frozen=True):
    """A move was made."""

    seat: int
    move: str
    action: int
    """The move as the rules have it: legal in the position in which the event is applied."""
    observed: list[Move]
    """The move as each seat may know it, and last as a spectator may."""


class ChanceMade(Struct, frozen=True):
    """A move of chance was made, as secret and nonces have it."""

    move: str


class Undone(Struct, frozen=True):
    """A seat has taken its last move back."""

    seat: int


class TurnPassed(Struct, frozen=True):
    """It is another seat's turn. Follows from the moves: said for those who list tables."""

    seat: int | None


class TurnTimed(Struct, frozen=True):
    """At a slow table, until when the one who is to move has time."""

    deadline: str | None
    """None while a bot moves, and where nobody does."""
    due: str | None
    """When a node looks after the table next: to remind of the deadline, at the deadline, or soon where a bot moves."""
    since: str | None
    """The deadline until now. Of two nodes that change it, the second is refused."""


class Ended(Struct, frozen=True):
    """The game is over; scores and winners follow from the moves."""

    at: str
    scores: list[int]
    winners: list[int]


class SeatLeft(Struct, frozen=True):
    """A guest has given a seat to a bot for the rest of the game."""

    seat: int
    guest: str
    bot: str
    how: Literal["left", "resigned"]


class Agreed(Struct, frozen=True):
    """A guest offers to end the game or to void it, or agrees to that."""

    guest: str
    offer: Offer


class OffersDropped(Struct, frozen=True):
    """Nobody offers anything any more."""


class EndedEarly(Struct, frozen=True):
    """The game was ended before its end; scores and winners follow from the moves."""

    at: str
    how: How
    seat: int | None
    """The seat that has just resigned."""
    resigned: list[int]
    """All seats that have."""
    scores: list[int] | None
    winners: list[int]

    @property
    def entry(self) -> JournalEntry:
        """Return its entry in the journal."""
        return JournalEntry(
            "end", " ".join([self.how, "-" if self.seat is None else str(self.seat), *map(str, self.resigned)])
        )

    @staticmethod
    def read(text: str) -> EndedEarly:
        """Return the event of an entry, but for what follows from the moves. Raises ValueError."""
        how, seat, *resigned = text.split(" ")
        if how not in ("resigned", "agreed", "void"):
            raise ValueError("an end of another kind")
        return EndedEarly("", how, None if seat == "-" else int(seat), [int(one) for one in resigned], None, [])  # type: ignore[arg-type]


class WentOn(Struct, frozen=True):
    """The same people play again at another table."""

    table: str


Event = (
    SeatTaken
    | Barred
    | NonceAdded
    | Dealt
    | SeatGiven
    | SeatsTakenBack
    | Closed
    | PaceSet
    | HintsAllowed
    | ChatAllowed
    | Moved
    | ChanceMade
    | Undone
    | TurnPassed
    | TurnTimed
    | Ended
    | SeatLeft
    | Agreed
    | OffersDropped
    | EndedEarly
    | WentOn
)
