"""The vacations of guests: days in which the deadlines of their slow tables stand still. Each has some days a year.

A vacation counts as whole days, and as one at least: many short ones gain nothing.
"""

from __future__ import annotations

import math

import sqlalchemy as sa

from bosquet.server.base.clock import later, seconds_between
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.messages import KeptVacation, Vacation
from bosquet.server.store.schema import vacations
from bosquet.server.store.store import Conflict, Store

DAYS_A_YEAR = 21
"""Days of vacation that a guest has in any `YEAR_DAYS` days."""
YEAR_DAYS = 365
DAY_SECONDS = 86_400


async def kept(store: Store, guest: str) -> list[KeptVacation]:
    """Return the vacations that are kept of a guest, the last one first. Raises Refusal."""
    query = sa.select(vacations.c.start, vacations.c.until).where(vacations.c.guest == guest)
    found = await store.select(query.order_by(vacations.c.number.desc()))
    return [KeptVacation(start=row.start, until=row.until) for row in found]


async def until(store: Store, guest: str, at: str) -> str | None:
    """Return until when a guest is on vacation; None for one who is not. Raises Refusal."""
    query = sa.select(sa.func.max(vacations.c.until)).where(vacations.c.guest == guest, vacations.c.until > at)
    last: str | None = (await store.select(query))[0][0]
    return last


async def shown(store: Store, guest: str, at: str) -> Vacation:
    """Return whether a guest is on vacation, and how many days it has left. Raises Refusal."""
    year_ago = later(at, days=-YEAR_DAYS)
    taken = [one for one in await kept(store, guest) if one.until > year_ago]
    days = sum(max(1, math.ceil(seconds_between(one.start, one.until) / DAY_SECONDS)) for one in taken)
    return Vacation(until=await until(store, guest, at), left=max(0, DAYS_A_YEAR - days), of=DAYS_A_YEAR)


async def take(store: Store, guest: str, days: int, at: str) -> None:
    """Send a guest on vacation from now on. Raises Refusal."""
    now = await shown(store, guest, at)
    if now.until is not None:
        raise Refusal("not now", f"you are on vacation until {now.until}; end that one first")
    if days > now.left:
        raise Refusal("not now", f"you have {now.left} days of vacation left in a year; take fewer")
    query = sa.select(sa.func.coalesce(sa.func.max(vacations.c.number), -1) + 1).where(vacations.c.guest == guest)
    ((number,),) = await store.select(query)
    row = {"guest": guest, "number": number, "start": at, "until": later(at, days=days)}
    try:
        await store.write(sa.insert(vacations).values(**row))
    except Conflict:
        raise Refusal("stale", "another page of yours was quicker; look again") from None


async def end(store: Store, guest: str, at: str) -> None:
    """End the vacation of a guest. Raises Refusal."""
    theirs = (vacations.c.guest == guest) & (vacations.c.until > at)
    try:
        await store.write(sa.update(vacations).where(theirs).values(until=at))
    except Conflict:
        raise Refusal("not now", "you are not on vacation") from None


async def erase(store: Store, guest: str) -> None:
    """Forget the vacations of a guest. Raises Refusal."""
    await store.write(sa.delete(vacations).where(vacations.c.guest == guest))


def too_old(today: str) -> sa.Delete:
    """Return what deletes vacations that count no more on a day."""
    return sa.delete(vacations).where(vacations.c.until < later(f"{today}T00:00:00.000Z", days=-YEAR_DAYS))
