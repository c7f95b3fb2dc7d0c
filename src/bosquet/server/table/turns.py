"""Tells whoever subscribes that it became somebody's turn at a slow table, that a turn is over, and that a game is.

Each turn is told once, by the node that made its beginning durable, after that: not each of the decisions of a turn,
and not again when a table is read by another node or after a restart. A node that is killed between the two, or does
not learn whether the database took what it wrote, tells nobody of that turn: it is lost. It is told again only where a
connection of the guest was lost, which may have been dead when the turn began. Whoever must know also without being
told asks for the turns that wait (`slow_tables.turns_waiting`).
"""

from __future__ import annotations

from collections.abc import Callable

import structlog
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

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
    """Nobody need be told of a turn any more: it was made, by a bot also, its guest is there, or nothing is to do."""

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


class TurnListeners:
    """Those who want to hear of turns at slow tables, and of games that are over."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[TableNews], None]] = []

    def subscribe(self, listener: Callable[[TableNews], None]) -> None:
        """Call a function for all of them from now on.

        It is called in the loop of the server while a table waits: what takes longer than a moment is for a task of
        its own. What it raises is logged, and hinders nobody.
        """
        self._listeners.append(listener)

    def tell(self, news: TableNews) -> None:
        """Tell everybody who has subscribed."""
        for listener in self._listeners:
            try:
                listener(news)
            except Exception:
                log.exception("a listener of turns failed", table=news.table[:6])
