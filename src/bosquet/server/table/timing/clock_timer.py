"""Calls a function when the time of the seat to move is up, at every node where the table is in memory.

What happens then is decided in `actions/clock.py` (`CallTime`). If two nodes decide it at once, the database takes the
events of one. If all such nodes are gone, another one finds that the table is due (`tables/deadlines.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bosquet.server.base.clock import now, seconds_between
from bosquet.server.table.session import Session
from bosquet.server.table.timing.clocks import flag

AFTER_SECONDS = 0.005
"""Seconds after the time is up at which that is looked at: times are kept in whole milliseconds."""


class ClockTimer:
    """The timer of one table, which it holds only while the timer is set."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._timer: asyncio.TimerHandle | None = None
        self._up: str | None = None

    def set(self, call: Callable[[], None]) -> None:
        """Take over when the time of the seat to move is up, and call a function then."""
        up = flag(self._session)
        if up == self._up:
            return
        self.cancel()
        self._up = up
        if up is not None:
            seconds = max(0.0, seconds_between(now(), up)) + AFTER_SECONDS
            self._timer = asyncio.get_running_loop().call_later(seconds, self._ring, call)

    def cancel(self) -> None:
        """Call nothing until it is set again."""
        if self._timer is not None:
            self._timer.cancel()
        self._up = self._timer = None

    def _ring(self, call: Callable[[], None]) -> None:
        self._up = self._timer = None
        call()
