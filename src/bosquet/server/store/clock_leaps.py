"""Notices when the clock of the machine has leaped, so that nothing is deleted by its date for a week.

A clock that has leaped would make everything old at once. The day of the last look and the day since when the clock is
steady are in the database, so a leap while no server ran is detected, too.
"""

from __future__ import annotations

import contextlib
from datetime import date

import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.clock import days_between
from bosquet.server.store.schema import clock
from bosquet.server.store.store import Conflict, Store

LEAP_DAYS = 8
"""More days than these between two looks are a leap; a server that is used every week is off for fewer."""
STEADY_DAYS = 7
"""Days without a leap after which a clock is steady again: as long as somebody has to notice and to set it."""

log: FilteringBoundLogger = structlog.get_logger()


async def is_steady(store: Store, today: date) -> bool:
    """Look at the clock, and return whether it has not leaped in the last days. Raises Refusal."""
    day = today.isoformat()
    found = next(iter(await store.select(sa.select(clock))), None)
    since = day if found is None else found.since
    if found is not None and not 0 <= days_between(found.day, day) <= LEAP_DAYS:
        log.error(
            "the clock has leaped, or the server was off for long: nothing is deleted for a week. Is the date right?",
            before=found.day,
            now=day,
        )
        since = day
    if found is None or (found.day, found.since) != (day, since):
        with contextlib.suppress(Conflict):  # another node looks at the same moment
            await store.write(sa.delete(clock), sa.insert(clock).values(day=day, since=since))
    return days_between(since, day) >= STEADY_DAYS
