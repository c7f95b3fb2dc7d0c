"""Messages about finding a table."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from bosquet.server.base.messages import GameName, Name
from bosquet.server.guests.messages import PersonId
from bosquet.server.table.messages import Waiting


class FindTable(Struct, forbid_unknown_fields=True):
    """Play with anybody: take a seat at a table that waits for that, or open one."""

    name: Name
    game: GameName | None = None
    """None is any; then none is opened."""
    players: int | None = None
    """None is any number; where a table is opened, the usual one of the game."""


class InvitePerson(Struct, forbid_unknown_fields=True):
    """Invite somebody to a table that one has opened and that still has a free seat.

    The answer does not say whether it arrives: who has blocked the host is not told of it.
    """

    person: PersonId
    table: Annotated[str, Meta(max_length=32)]


class AnswerInvitation(Struct, forbid_unknown_fields=True):
    """Accept an invitation, which takes a free seat of the table, or decline it, which its host is not told.

    `block` declines it and blocks its host.
    """

    table: Annotated[str, Meta(max_length=32)]
    answer: Literal["accept", "decline", "block"]
    name: Name | None = None
    """What one is called at the table; needed to accept."""


class Invited(Struct):
    """An invitation to a table that waits."""

    name: str
    """Who invites."""
    table: Waiting


class KeptInvitation(Struct):
    """An invitation that is kept of a guest."""

    table: str
    sent: bool
    """Whether the guest made it; else it was made to the guest."""
    made: str


class Watched(Struct):
    """A running table that anybody may watch."""

    table: Waiting
    watchers: int
    """How many watch."""


class Lobby(Struct):
    """What the start page lists."""

    waiting: list[Waiting]
    """Listed tables with a free seat whose host is here, or was a moment ago."""
    mine: list[Waiting]
    """Tables at which this guest sits: those that are over last, else the latest first."""
    invitations: list[Invited] = []
    """Invitations of people with whom this guest has played, the latest first."""
    watched: list[Watched] = []
    """Tables that are played now for anybody to watch, those with most watchers first."""
