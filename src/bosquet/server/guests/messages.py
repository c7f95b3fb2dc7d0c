"""Messages about who somebody is: devices, transfers, people."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from bosquet.server.base.messages import Name


class Device(Struct):
    """A device of a guest."""

    number: int
    browser: str | None
    """None where it does not say, or says something unknown."""
    system: str | None
    here: bool
    """Whether it is the one that asks."""
    first_day: str
    """When it was first known, and when it was last there: `2026-11-22`."""
    last_day: str
    revoked: str | None
    """The day on which it was signed out."""


class OpenTransfer(Struct):
    """The code that a guest made last to be let in on another device."""

    seconds: int
    """For how long it can still be used; 0 once it has expired or was used."""
    claimed: int | None
    """The number of the device that came by it."""


class Identity(Struct):
    """A guest, as its own devices know it."""

    name: str | None
    devices: list[Device]
    phrase: str | None
    """The day on which the recovery phrase was made; None if there is none."""
    transfer: OpenTransfer | None


class Rename(Struct, forbid_unknown_fields=True):
    """What a guest is called from the next table on, on all its devices."""

    name: Name


class TransferCode(Struct):
    """A one-time code that links another device to this guest."""

    code: str
    seconds: int


class LookAtTransfer(Struct, forbid_unknown_fields=True):
    """Ask whose device one becomes by a code."""

    code: Annotated[str, Meta(max_length=64)]


class Arrival(Struct):
    """Whose device one becomes by a code."""

    name: str | None
    browser: str | None
    """The device that made the code."""
    system: str | None
    same: bool
    """Whether the asking device is one of this guest already."""


class ClaimTransfer(Struct, forbid_unknown_fields=True):
    """Let this device be one of the guest who made the code."""

    code: Annotated[str, Meta(max_length=64)]
    give_up: bool = False
    """Whether the device may lose its way to the tables at which it sits as another guest."""


class Recover(Struct, forbid_unknown_fields=True):
    """Let this device be one of the guest who made the recovery phrase."""

    phrase: Annotated[str, Meta(max_length=100)]
    give_up: bool = False
    """The same as of a code."""


class Phrase(Struct):
    """A new recovery phrase, which is told once."""

    phrase: str


class Revoke(Struct, forbid_unknown_fields=True):
    """Sign another device of mine out."""

    device: Annotated[int, Meta(ge=0, lt=1 << 53)]


PersonId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{16}$", max_length=16)]
"""How a guest names another person: drawn for these two, so that two guests can't compare theirs."""


class Person(Struct):
    """Somebody with whom one has played."""

    id: str
    name: str
    """What the person is called now."""
    games: int
    """How many games that have ended one has played with the person, of the latest ones."""
    game: str
    """The last of them: its game, its table, and when it ended."""
    table: str
    ended: str
    invited: bool = False
    """Whether one has invited the person to the table for which the list was asked."""
    here: bool = False
    """Whether the person is here now, or was within a minute, and lets it be seen."""


class People(Struct):
    """The people with whom one has played, those of the latest games first."""

    people: list[Person]
    blocked: list[Person]
    """People whom one has blocked; they are not among the others."""
    shown: bool = False
    """Whether one lets these people see that one is here."""


class BlockPerson(Struct, forbid_unknown_fields=True):
    """Block somebody, or do so no longer.

    Then neither sees the other in its list, no invitation passes, and the one who is blocked can't come to an open
    table of the one who blocks without its link.
    """

    person: PersonId
    blocked: bool


class ShowMe(Struct, forbid_unknown_fields=True):
    """Let the people with whom one has played see that one is here, or no longer."""

    shown: bool


class KeptPerson(Struct):
    """Somebody with whom a guest has played, as it is kept for the guest."""

    id: str
    name: str
    blocked: bool


class Vacation(Struct):
    """Whether the guest is on vacation, in which the deadlines of its slow tables stand still."""

    until: str | None
    """None for one who is not."""
    left: int
    """Days that may still be taken: those of the last 365 days are counted."""
    of: int
    """Days in a year."""


class TakeVacation(Struct, forbid_unknown_fields=True):
    """Go on vacation for some days from now on."""

    days: Annotated[int, Meta(ge=1, le=21)]


class KeptVacation(Struct):
    """A vacation that is kept of a guest, for a year."""

    start: str
    until: str
