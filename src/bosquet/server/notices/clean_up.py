"""The clean-up of notices: those that could not be sent, and what is kept for guests who are gone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import sqlalchemy as sa

from bosquet.server.guests.clean_up import is_orphaned, midnight
from bosquet.server.store.schema import devices, mail_addresses, mail_counts, notice_settings, notices, subscriptions
from bosquet.server.store.store import Store


@dataclass(frozen=True)
class NoticeRetention:
    """How many days notices are kept."""

    unsent: int = 1
    """Notices that could not be sent, and addresses that nobody has confirmed, after their code has expired."""
    mails: int = 31
    """Days for which it is kept how many mails were sent to confirm an address."""


async def clean_up(store: Store, retention: NoticeRetention, today: date) -> None:
    """Delete notices, subscriptions and addresses that are of no use any more. Raises Refusal."""
    there = (devices.c.guest == subscriptions.c.guest) & (devices.c.number == subscriptions.c.device)
    expired = midnight(today, retention.unsent)
    uncounted = (today - timedelta(days=retention.mails)).isoformat()
    await store.write(
        sa.delete(subscriptions).where(~sa.exists().where(there, devices.c.revoked.is_(None))),
        sa.delete(notices).where(notices.c.since < expired),
        sa.delete(mail_addresses).where(mail_addresses.c.expires < expired),
        sa.delete(mail_counts).where(mail_counts.c.day < uncounted),
        *(sa.delete(table).where(is_orphaned(table.c.guest)) for table in (notice_settings, mail_addresses)),
    )
