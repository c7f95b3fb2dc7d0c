"""The clean-up of guests: devices that were not used for long, and what is kept of guests who have none any more.

What erases a guest who asks for it is `PersonalData` in `http/personal_data.py`.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa

from bosquet.server.guests import vacations
from bosquet.server.store.schema import devices, identities, phrases, seats, shown, transfers
from bosquet.server.store.store import Conflict, Store


@dataclass(frozen=True)
class GuestRetention:
    """How many days devices and codes are kept."""

    devices: int = 366
    """Devices that were not there; then they are signed out, and their cookie has expired.

    Those that were signed out are kept as long again, and as long as their guest sits anywhere: a cookie that somebody
    has copied must not count again.
    """
    transfers: int = 1
    """Codes for other devices, after they have expired."""


async def clean_up(store: Store, retention: GuestRetention, today: date) -> None:
    """Sign out and delete old devices, and delete codes and identities that are of no use any more. Raises Refusal."""
    before = (today - timedelta(days=retention.devices)).isoformat()
    unseen = devices.c.revoked.is_(None) & (devices.c.last_day < before)
    with contextlib.suppress(Conflict):  # there is none
        await store.write(sa.update(devices).where(unseen).values(revoked=today.isoformat()))
    other = devices.alias()
    # A guest who is still there keeps those that were signed out: of the first device it counts that it is there.
    stands = sa.exists().where(other.c.guest == devices.c.guest, other.c.revoked.is_(None))
    await store.write(
        sa.delete(transfers).where(transfers.c.expires < midnight(today, retention.transfers)),
        sa.delete(devices).where(devices.c.revoked < before, ~sits(devices.c.guest), ~stands),
        vacations.too_old(today.isoformat()),
        *(sa.delete(table).where(is_orphaned(table.c.guest)) for table in (phrases, identities, shown)),
    )


def sits(guest: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Return whether a guest sits at a table, or has left a seat there."""
    return sa.exists().where(sa.or_(seats.c.guest == guest, seats.c.left_by == guest))


def is_orphaned(guest: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Return whether a guest sits nowhere and has no device left, so that nobody can be this guest again."""
    return sa.and_(~sits(guest), ~sa.exists().where(devices.c.guest == guest))


def midnight(today: date, days: int) -> int:
    """Return when the day began that is a number of days before a day, in seconds since 1970."""
    day = today - timedelta(days=days)
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
