"""What an action of a table is made of: a message that asks for it, what is decided, and the events that follow.

An `Ask` has a method `answer`. A `Command` is an `Ask` that changes the table: it is decided first, which gives events.
An event changes the session. Its method `write` notes what is stored: an entry of the journal, columns of the rows of
the table and its seats, and the values that these columns must still have when it is written (else Conflict).

Deciding and applying are pure: no clock, no database, no random numbers but those of the shuffle. The actions are the
modules of `actions`; `table.py` has commands decided, written and applied.
"""

from __future__ import annotations

from typing import ClassVar, Protocol

from msgspec import Struct

from bosquet.server.base.messages import Shown
from bosquet.server.base.rate_limits import Gate
from bosquet.server.compute.compute import Compute
from bosquet.server.store.rows import Rows
from bosquet.server.store.store import Store
from bosquet.server.table.messages import Tell
from bosquet.server.table.session import Session
from bosquet.server.table.viewers.attendance import Attendance
from bosquet.server.table.viewers.broadcast import Broadcast, Subscriber


class Around(Protocol):
    """What a session can't know by itself, besides who asks and when."""

    def is_gone(self, seat: int) -> bool:
        """Return whether the person on a seat has been away for so long that a bot may stand in."""

    def host_is_near(self) -> bool:
        """Return whether the host is here, or was a moment ago."""

    def has_blocked(self, guest: str) -> bool:
        """Return whether the host has blocked a guest, to whom the table is then one that is not listed."""

    def new_invitation(self) -> str:
        """Return a text that opens a seat from now on, if it is to be another one."""


class Context(Struct, frozen=True):
    """Who asks for something and when, and what else a decision depends on besides the session."""

    guest: str
    """Empty where the server does it by itself."""
    at: str
    around: Around


class Event(Struct, frozen=True):
    """Something that has happened at a table."""

    log: ClassVar[tuple[str, ...]] = ()
    """What is logged of it: words, and then the names of fields that tell nothing secret."""
    changes_state: ClassVar[bool] = True
    """Whether it changes how the table stands, which pages and other nodes are then told; else the position alone."""

    def write(self, rows: Rows) -> None:
        """Note what is kept of it, and how the rows must be until then."""
        raise NotImplementedError

    def apply(self, session: Session) -> None:
        """Change a session as the rows change, and in what follows from that.

        Raises what `as_unreadable` turns into Unreadable if it can't have happened there.
        """
        rows = Rows("")
        self.write(rows)
        session.take_over(rows)


class JournalEvent(Event, frozen=True):
    """An event that is an entry of the journal."""

    kind: ClassVar[str]
    """The kind of the entry."""

    @classmethod
    def read(cls, session: Session, text: str) -> Event:
        """Return the event of an entry that comes next. Raises what `as_unreadable` turns into Unreadable."""
        raise NotImplementedError


class Ask(Struct, forbid_unknown_fields=True):
    """A message that asks for something at a table."""

    on_screens: ClassVar[bool] = False
    """Whether it may be asked from a screen that all look at: not what has to do with a hand."""

    async def answer(self, page: Page) -> None:
        """Do what a page asks. Raises Refusal, BosquetError, msgspec.DecodeError."""
        raise NotImplementedError


class Command(Ask):
    """Something that changes a table: from a page, or from the server itself."""

    tries: ClassVar[int] = 1
    """How often it is tried where another node is quicker."""

    def decide(self, session: Session, context: Context) -> list[Event]:
        """Return what happens when this is asked; nothing has changed yet. Raises Refusal."""
        raise NotImplementedError

    async def answer(self, page: Page) -> None:
        """Have it decided, kept, done and told."""
        await page.table.do(page.guest, self)


class AskedTable(Protocol):
    """The table of a page."""

    id: str
    session: Session
    store: Store
    broadcast: Broadcast
    attendance: Attendance

    async def do(self, guest: str, command: Command) -> list[Event]:
        """Change the table as a guest asks, and tell everybody; return what has happened. Raises Refusal."""

    async def send_chat(self, guest: str) -> None:
        """Send the chat to the pages of a guest. Raises Refusal."""

    def send_reaction(self, seat: int, reaction: Shown) -> None:
        """Show a reaction of a seat to everybody, at all nodes."""


class Gates(Protocol):
    """How often a page may ask for some things."""

    @property
    def chats(self) -> Gate:
        """Lines of chats."""

    @property
    def reports(self) -> Gate:
        """Lines of chats that are reported."""


class Page(Subscriber, Protocol):
    """A page at a table, to which asks are answered."""

    @property
    def table(self) -> AskedTable:
        """Where it is."""

    @property
    def compute(self) -> Compute:
        """Other processes, which work things out."""

    @property
    def gates(self) -> Gates:
        """How often it may ask."""

    def tell(self, message: Tell) -> None:
        """Send a message to this page alone."""

    async def rematch(self) -> None:
        """Open a table for the same people. Raises Refusal."""

    async def offer_again(self) -> None:
        """Have the finished table before this one offer another game, for this one was closed. Raises Refusal."""
