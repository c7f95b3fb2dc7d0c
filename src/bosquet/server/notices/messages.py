"""Messages about notices and e-mail."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from bosquet.server.base.messages import Language

Hour = Annotated[int, Meta(ge=0, lt=24)]
Base64 = Annotated[str, Meta(max_length=100, pattern="^[A-Za-z0-9_-]+=*$")]


class QuietHours(Struct, forbid_unknown_fields=True):
    """The hours in which a guest gets no notice: from `start` to `end`, over midnight if `end` is not after `start`."""

    start: Hour | None
    """None for no quiet hours; then `end` is None, too."""
    end: Hour | None
    zone: Annotated[str, Meta(max_length=64)]
    """The guest's time zone, as `Europe/Berlin`."""


class MailSettings(Struct):
    """Where a guest gets notices by e-mail."""

    address: str | None
    state: Literal["none", "waiting", "confirmed", "refused"]
    """Whether there is an address and it was confirmed. A mail server has `refused` it: nobody gets mail there."""


class NoticeSettings(Struct):
    """Which notices a guest gets."""

    key: str
    """The public key of this server, with which a browser subscribes at its push service."""
    here: bool
    """Whether this device gets notices."""
    devices: int
    """How many devices of the guest get them."""
    quiet: QuietHours | None
    """None where nothing was ever sent to the guest."""
    mail: MailSettings | None
    """None where this server sends no mail."""


class Subscribe(Struct, forbid_unknown_fields=True):
    """Send notices to this device: what its push service has given to the browser."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Base64
    auth: Base64
    language: Language
    zone: Annotated[str, Meta(max_length=64)]


class Unsubscribe(Struct, forbid_unknown_fields=True):
    """Send no more notices: to this device, or to none of mine and not by e-mail either."""

    all: bool


class SetMail(Struct, forbid_unknown_fields=True):
    """Send notices to this address, too, once it is confirmed by the link in a mail that is sent there now."""

    address: Annotated[str, Meta(max_length=254)]
    language: Language
    zone: Annotated[str, Meta(max_length=64)]


class ConfirmMail(Struct, forbid_unknown_fields=True):
    """Send mail to the address to which this code was sent."""

    code: Annotated[str, Meta(max_length=64)]


class KeptMail(Struct):
    """Where notices are mailed."""

    address: str
    state: Literal["waiting", "confirmed", "refused"]
    language: str
    since: str
    """The day on which it was given, confirmed or refused."""


class KeptNotices(Struct):
    """What is kept of a guest who gets notices."""

    settings: NoticeSettings
    endpoints: list[str]
    """The push services of its devices."""
    waiting: list[str]
    """The tables of which the guest is to be told next."""
    mail: KeptMail | None
    """None for a guest who wants no mail."""


NoticeKind = Literal["turn", "reminder", "stood in"]


class NoticeTable(Struct):
    """A table at which it is somebody's turn, or to which they are invited, as a notice names it.

    It says nothing about the game itself.
    """

    table: str
    title: str
    """What the game is called."""
    deadline: int | None
    """Until when, in seconds since 1970."""
    invited: bool = False
    """Whether somebody invites the guest there; else it is about the guest's turn."""
    kind: NoticeKind = "turn"
    """Whether it is the guest's turn, still is and has to be made soon, or was made by a bot."""


class Notice(Struct):
    """What a browser is sent through its push service, encrypted."""

    language: str
    tables: list[NoticeTable]
    """The first of them."""
    total: int
    invited: int = 0
    """How many of all of them are invitations."""
    stood_in: int = 0
    """At how many of them a bot has played."""
