"""News of tables for subscribers: of turns at slow tables, and of games that are over.

A turn is told once, by the node that wrote its beginning to the database, after the commit: not for each decision of
the turn, not again when another node reads the table, and not again after a restart. If that node is killed in between,
or does not learn whether the database took what it wrote, the news is lost. It is told again only where a connection of
the guest was lost, which may have been dead when the turn began. `slow_tables.turns_waiting` finds the turns that wait
without it.

What must be written in the transaction that ends a game is no news: it is returned by a `Writer`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import structlog
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from bosquet.server.store.store import Statement
from bosquet.server.table.outcomes import Closed
from bosquet.server.table.session import Session

log: FilteringBoundLogger = structlog.get_logger()


class TurnBegan(Struct, frozen=True):
    """It became the turn of a person at a slow table. Everything here may be told to that person."""

    guest: str
    table: str
    seat: int
    game: str
    """The game by its short name; tables have no names of their own."""
    players: list[str]
    """What those on the seats of the table are called, in turn order; the guest is at `seat`."""
    deadline: str
    """Until when there is time for the turn, as RFC 3339 has it, in UTC."""


class TurnEnded(Struct, frozen=True):
    """A pending turn notice is obsolete: the turn was made, also by a bot, its guest is there, or there is none."""

    guest: str
    table: str
    seat: int


class DeadlineNear(Struct, frozen=True):
    """It is still the turn of a person at a slow table, and its time is over soon; told once a turn at most."""

    guest: str
    table: str
    game: str
    deadline: str


class StoodIn(Struct, frozen=True):
    """A person was late at a slow table, and a bot plays for them."""

    guest: str
    table: str
    game: str


class GameEnded(Struct, frozen=True):
    """A game is over that a person has played, at any table. It is told by the node that wrote its end."""

    table: str
    game: str


TurnNews = TurnBegan | TurnEnded | DeadlineNear | StoodIn
TableNews = TurnNews | GameEnded


Writer = Callable[[str, Session, Closed], Sequence[Statement]]
"""Returns what is written in the transaction that ends a game: given the table, its session before, and how it ends."""


class Listeners:
    """Subscribers to news of tables, and writers of what is written with the end of a game."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[TableNews], None]] = []
        self.writers: list[Writer] = []
        """What else is to be written with the end of a game."""
        self.before_clocks: Callable[[], Awaitable[object]] | None = None
        """Called before a clock that runs is looked at: moves it if no server was there for a while. Raises Refusal."""

    def subscribe(self, listener: Callable[[TableNews], None]) -> None:
        """Call a function for all news from now on.

        It is called in the loop of the server while a table waits: what takes longer than a moment is for a task of
        its own. What it raises is logged, and hinders nobody.
        """
        self._listeners.append(listener)

    def tell(self, news: TableNews) -> None:
        """Call every subscriber."""
        for listener in self._listeners:
            try:
                listener(news)
            except Exception:
                log.exception("a listener of table news failed", table=news.table[:6])
