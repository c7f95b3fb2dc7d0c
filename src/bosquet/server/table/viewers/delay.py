"""The state of a public table some seconds ago. Those who watch see that one, so that they can't help a player.

Those who sit there see the present state, and after the game everybody does.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from bosquet.core.game import Game
from bosquet.server.table.session import Session

SECONDS = 10.0
"""By how much those who watch are behind."""


class Moment(NamedTuple):
    """A game as it stood, and the number of its position."""

    game: Game
    number: int
    at: float


class Delay:
    """What those see who watch one table."""

    def __init__(self, session: Session, show: Callable[[], None]) -> None:
        """Take what is called whenever they are to see more."""
        self._session = session
        self._show = show
        self._moments: deque[Moment] = deque()
        """The moment that they see, or are to see first, and those after it."""

    def concerns(self, guest: str) -> bool:
        """Return whether a guest sees the game later than it is played."""
        return self._session.is_delayed and not self._session.seats_of(guest)

    def note(self) -> None:
        """Note how the game stands, which is shown in a while."""
        session, moments = self._session, self._moments
        if not session.is_delayed or session.game is None:
            moments.clear()
        elif not moments or moments[-1].number != session.number:
            moments.append(Moment(session.game.copy(), session.number, time.monotonic()))
            self._forget()
            asyncio.get_running_loop().call_later(SECONDS, self._show)

    def seen(self) -> Moment | None:
        """Return the moment that is shown now; None before the first one."""
        if not self._moments:
            self.note()  # the table was read from where it is kept
        due = self._forget()
        return self._moments[0] if self._moments and self._moments[0].at <= due else None

    def _forget(self) -> float:
        """Forget the moments before the one that is shown now; return the time up to which they are shown."""
        due = time.monotonic() - SECONDS + 0.01  # a timer may be early by its resolution
        while len(self._moments) > 1 and self._moments[1].at <= due:
            self._moments.popleft()
        return due
