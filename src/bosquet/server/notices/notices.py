"""Notices to guests, and which of them a guest wants; `sender` sends them.

They say that it is the guest's turn, once more before its time is over, that a bot has played for them, or that they
are invited to a table.

A notice waits in the database until it is due: some seconds, so that several tables are told of together, longer where
the guest was told of something a while ago, and until the end of the guest's quiet hours.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.clock import today
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.devices import acting, acting_alone
from bosquet.server.lobby import invitations
from bosquet.server.notices.mail_addresses import MailAddresses
from bosquet.server.notices.messages import (
    KeptNotices,
    NoticeKind,
    NoticeSettings,
    QuietHours,
    SetMail,
    Subscribe,
)
from bosquet.server.notices.push_delivery import Delivery
from bosquet.server.notices.quiet_hours import is_zone, next_loud
from bosquet.server.notices.web_push import AUTH_BYTES, Vapid, from_text, is_point
from bosquet.server.store.schema import devices, notice_settings, notices, subscriptions
from bosquet.server.store.store import Conflict, Store

DAY = 24 * 3600
GATHER_SECONDS = 60
"""Seconds that the first notice waits for others to go with it."""
PAUSE_SECONDS = 600
"""Between two notices to one guest."""
MOST_TABLES = 50
"""Tables that wait in the notice to one guest."""
DEFAULT_QUIET = (22, 8)

Row = sa.Row[*tuple[Any, ...]]

log: FilteringBoundLogger = structlog.get_logger()


class Notices:
    """The notices that wait, and the settings of guests."""

    def __init__(
        self,
        store: Store,
        vapid: Vapid,
        mail: MailAddresses,
        delivery: Delivery | None = None,
        now: Callable[[], int] = lambda: int(time.time()),
    ) -> None:
        self.store = store
        self.vapid = vapid
        self.mail = mail
        self.delivery = delivery or Delivery()
        self.now = now

    # --- what happens at tables ---

    async def your_turn(self, guest: str, table: str, game: str, deadline: datetime | None = None) -> None:
        """Tell a guest, who is not at the table, that it is their turn there. Raises Refusal.

        Nothing is sent before this returns; that the same is told several times does no harm.
        """
        await self._tell(guest, table, game, "turn", deadline)

    async def remind(self, guest: str, table: str, game: str, deadline: datetime) -> None:
        """Tell a guest, who is not at the table, that the time for their turn is over soon. Raises Refusal."""
        await self._tell(guest, table, game, "reminder", deadline)

    async def stood_in(self, guest: str, table: str, game: str) -> None:
        """Tell a guest, who is not at the table, that a bot plays for them. Raises Refusal."""
        await self._tell(guest, table, game, "stood in", None)

    async def _tell(self, guest: str, table: str, game: str, kind: NoticeKind, deadline: datetime | None) -> None:
        """Have a guest told of a table, in place of what was to be told of it. Raises Refusal."""
        settings = await self.settings_row(guest)
        if settings is None or not await self._is_reached(guest):
            return
        waiting = await self.store.select(sa.select(notices.c.table_id).where(notices.c.guest == guest))
        if len(waiting) >= MOST_TABLES:
            return
        now = self.now()
        row: dict[str, Any] = {
            "guest": guest,
            "table_id": table,
            "game": game,
            "deadline": None if deadline is None else int(deadline.timestamp()),
            "since": now,
            "due": self.due(settings, max(now + GATHER_SECONDS, next_time(settings, now))),
            "kind": kind,
        }
        if kind == "reminder" and row["due"] >= row["deadline"]:
            return  # too late to be of use
        values = [sa.literal(value, notices.c[column].type) for column, value in row.items()]
        # Not for a guest who was erased meanwhile.
        there = sa.select(*values).where(sa.exists().where(notice_settings.c.guest == guest))
        with contextlib.suppress(Conflict):  # it was told twice at once
            await self.store.write(self._settled(guest, table), sa.insert(notices).from_select(list(row), there))

    async def invited(self, guest: str, table: str, game: str) -> None:
        """Tell a guest that somebody invites them to a table, if the invitation reaches them. Raises Refusal."""
        if (await invitations.to_be_told(self.store, guest, [table])).get(table):
            await self.your_turn(guest, table, game)

    async def settled(self, guest: str, table: str) -> None:
        """Withdraw the notices of a table from a guest, who has played or answered, or is there. Raises Refusal."""
        await self.store.write(self._settled(guest, table))

    # --- what guests want ---

    async def settings(self, guest: str, device: int) -> NoticeSettings:
        """Return which notices a guest gets, as one of its devices sees it. Raises Refusal."""
        found = await self.settings_row(guest)
        receivers = await self.receivers(guest)
        return NoticeSettings(
            key=self.vapid.public,
            here=any(row.device == device for row in receivers),
            devices=len(receivers),
            quiet=None if found is None else QuietHours(found.quiet_start, found.quiet_end, found.zone),
            mail=await self.mail.settings(guest),
        )

    async def subscribe(self, guest: str, device: int, ask: Subscribe) -> None:
        """Send notices to a device from now on. Raises Refusal."""
        receiver, auth = from_text(ask.p256dh), from_text(ask.auth)
        if receiver is None or not is_point(receiver) or auth is None or len(auth) != AUTH_BYTES:
            raise Refusal("malformed", "p256dh and auth: must be the keys of a push subscription, as base64url")
        if not self.delivery.accepts(ask.endpoint):
            raise Refusal("malformed", "endpoint: must be the https address of a push service")
        digest = hashlib.sha256(ask.endpoint.encode()).hexdigest()
        row = {"guest": guest, "device": device, "digest": digest, "made": today(), "language": ask.language}
        row |= {"endpoint": ask.endpoint, "p256dh": ask.p256dh, "auth": ask.auth}
        # Knowing the address of another's subscription is not enough to end it: the keys must be the same, too.
        same = (subscriptions.c.p256dh == ask.p256dh) & (subscriptions.c.auth == ask.auth)
        with acting_alone():
            await self.store.write(
                acting(guest, device),
                # A browser that was somebody else's, or has subscribed anew.
                sa.delete(subscriptions).where(
                    subscriptions.c.digest == digest, sa.or_(same, subscriptions.c.guest == guest)
                ),
                sa.delete(subscriptions).where(one_device(guest, device)),
                sa.insert(subscriptions).values(row),
                *await self._first(guest, ask.zone),
            )

    async def give_address(self, guest: str, device: int, ask: SetMail) -> None:
        """Send notices to an address, too, once it is confirmed. Raises Refusal."""
        await self.mail.give(guest, device, ask, await self._first(guest, ask.zone))

    async def unsubscribe(self, guest: str, device: int | None) -> None:
        """Send no more notices to a device, or none at all to a guest; then none waits either. Raises Refusal."""
        if device is None:
            deleted = [sa.delete(table).where(table.c.guest == guest) for table in (subscriptions, notices)]
            await self.store.write(*deleted, *self.mail.removed(guest))
        else:
            await self.store.write(sa.delete(subscriptions).where(one_device(guest, device)))

    async def set_quiet(self, guest: str, device: int, quiet: QuietHours) -> None:
        """Change the quiet hours of a guest. Raises Refusal."""
        if (quiet.start is None) != (quiet.end is None) or (quiet.start is not None and quiet.start == quiet.end):
            raise Refusal("malformed", "start and end: must be two different hours, or both null")
        if not is_zone(quiet.zone):
            raise Refusal("malformed", "zone: must be the name of a time zone, as Europe/Berlin")
        changed = {"quiet_start": quiet.start, "quiet_end": quiet.end, "zone": quiet.zone}
        with acting_alone():
            await self.store.write(
                acting(guest, device),
                sa.update(notice_settings).where(notice_settings.c.guest == guest).values(changed),
            )
        settings = await self.settings_row(guest)
        due = next_time(settings, self.now()) if settings else self.now()
        with contextlib.suppress(Conflict):  # none waits
            await self.store.write(sa.update(notices).where(notices.c.guest == guest).values(due=due))

    async def kept(self, guest: str, device: int) -> KeptNotices | None:
        """Return all that is kept of a guest here. Raises Refusal."""
        settings = await self.settings(guest, device)
        if settings.quiet is None:
            return None
        ends = await self.store.select(sa.select(subscriptions.c.endpoint).where(subscriptions.c.guest == guest))
        waiting = await self.store.select(sa.select(notices.c.table_id).where(notices.c.guest == guest))
        return KeptNotices(
            settings=settings,
            endpoints=sorted(row.endpoint for row in ends),
            waiting=sorted(row.table_id for row in waiting),
            mail=await self.mail.kept(guest),
        )

    async def erase(self, guest: str) -> None:
        """Erase all that is kept of a guest here. Raises Refusal."""
        kept = (subscriptions, notice_settings, notices)
        deleted = [sa.delete(table).where(table.c.guest == guest) for table in kept]
        await self.store.write(*deleted, *self.mail.erased(guest))

    # --- what is kept ---

    async def settings_row(self, guest: str) -> Row | None:
        """Return the settings of a guest as they are kept; None if it never wanted notices. Raises Refusal."""
        found = await self.store.select(sa.select(notice_settings).where(notice_settings.c.guest == guest))
        return found[0] if found else None

    async def _first(self, guest: str, zone: str) -> list[sa.Insert]:
        """The change that begins to keep settings of a guest, if there are none."""
        if await self.settings_row(guest):
            return []
        return [_set(guest, QuietHours(*DEFAULT_QUIET, zone if is_zone(zone) else "UTC"))]

    async def _is_reached(self, guest: str) -> bool:
        """Return whether a guest gets notices: on a device, or by mail where an address is confirmed."""
        return bool(await self.receivers(guest)) or await self.mail.confirmed(guest) is not None

    async def receivers(self, guest: str) -> list[Row]:
        """The devices of a guest that get notices and were not signed out."""
        there = (devices.c.guest == subscriptions.c.guest) & (devices.c.number == subscriptions.c.device)
        query = sa.select(subscriptions).join(devices, there & devices.c.revoked.is_(None))
        return await self.store.select(query.where(subscriptions.c.guest == guest).order_by(subscriptions.c.device))

    def due(self, settings: Row, wanted: int) -> int:
        """Return when a guest is told of something: at a time, or at the end of its quiet hours."""
        return next_loud(wanted, settings.quiet_start, settings.quiet_end, settings.zone)

    def _settled(self, guest: str, table: str) -> sa.Delete:
        return sa.delete(notices).where(notices.c.guest == guest, notices.c.table_id == table)


def next_time(settings: Row, now: int) -> int:
    """Return when a guest may be told something again. A clock that was ahead must not keep it from them."""
    return max(now, int(min(settings.last_sent, now)) + PAUSE_SECONDS)


def one_device(guest: str, device: int) -> sa.ColumnElement[bool]:
    """Return the condition that selects the subscription of a device."""
    return (subscriptions.c.guest == guest) & (subscriptions.c.device == device)


def _set(guest: str, quiet: QuietHours) -> sa.Insert:
    return sa.insert(notice_settings).values(
        guest=guest, quiet_start=quiet.start, quiet_end=quiet.end, zone=quiet.zone, last_sent=0
    )
