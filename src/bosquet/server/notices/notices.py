"""Notices to guests, sent by Web Push and by e-mail.

They say that it is their turn, once more before its time is over, that a bot has played for them, or that they are
invited to a table.

A notice waits in the database until it is due: some seconds, so that several tables are told of together, longer where
the guest was told of something a while ago, and until the end of the guest's quiet hours. Any node sends what is due;
of two that try, the database lets one. It stays in the database until it has arrived, so that a turn that is made
meanwhile, or a guest who is erased, takes it away. What is sent names tables and games, and nothing that is hidden
there.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence, Set
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core import installed
from bosquet.server.base.background import failures_logged, in_background
from bosquet.server.base.clock import today
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.devices import acting, acting_alone
from bosquet.server.lobby import invitations
from bosquet.server.notices.mail_addresses import MailAddresses
from bosquet.server.notices.messages import (
    KeptNotices,
    Notice,
    NoticeKind,
    NoticeSettings,
    NoticeTable,
    QuietHours,
    SetMail,
    Subscribe,
)
from bosquet.server.notices.push_delivery import Delivery, UndeliveredError
from bosquet.server.notices.quiet_hours import is_zone, next_loud
from bosquet.server.notices.web_push import AUTH_BYTES, Vapid, encrypted, from_text, is_point
from bosquet.server.store.schema import devices, notice_settings, notices, subscriptions
from bosquet.server.store.store import Conflict, Store

DAY = 24 * 3600
GATHER_SECONDS = 60
"""How long the first notice waits for others to go with it."""
PAUSE_SECONDS = 600
"""Between two notices to one guest."""
RETRY_SECONDS = 900
"""Until the next try, where neither a push service of a guest nor the mail server could be reached."""
GIVE_UP_SECONDS = DAY
"""After so long a notice that could not be delivered is dropped."""
LOOK_SECONDS = 15.0
"""Between two looks at what is due."""
AT_A_TIME = 256
"""Guests who are sent something at one look; it takes as long as one push service or the mail server may."""
AT_ONCE = 8
"""Of them, those for whom the database is asked at the same time."""
MOST_TABLES = 50
"""Tables that wait in the notice to one guest."""
NAMED = 4
"""Tables that a notice of a browser names; of the others it gives the number."""
GONE = (401, 403, 404, 410)
"""With these statuses a push service says that a subscription counts no longer, or was made with another key."""
DEFAULT_QUIET = (22, 8)
ENCODER = msgspec.json.Encoder()

Row = sa.Row[*tuple[Any, ...]]
Way = Callable[[Sequence[NoticeTable]], Awaitable[bool | None]]
"""Tells a guest of some tables; gives whether it did, None where that can be tried again."""

log: FilteringBoundLogger = structlog.get_logger()


class Notices:
    """Tells guests that it is their turn."""

    def __init__(
        self,
        store: Store,
        vapid: Vapid,
        mail: MailAddresses,
        delivery: Delivery | None = None,
        now: Callable[[], int] = lambda: int(time.time()),
    ) -> None:
        self._store = store
        self._vapid = vapid
        self.mail = mail
        self._delivery = delivery or Delivery()
        self._now = now
        self._at_once = asyncio.Semaphore(AT_ONCE)

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
        settings = await self._settings(guest)
        if settings is None or not await self._ways(guest, settings):
            return
        waiting = await self._store.select(sa.select(notices.c.table_id).where(notices.c.guest == guest))
        if len(waiting) >= MOST_TABLES:
            return
        now = self._now()
        row: dict[str, Any] = {
            "guest": guest,
            "table_id": table,
            "game": game,
            "deadline": None if deadline is None else int(deadline.timestamp()),
            "since": now,
            "due": self._due(settings, max(now + GATHER_SECONDS, _next(settings, now))),
            "kind": kind,
        }
        if kind == "reminder" and row["due"] >= row["deadline"]:
            return  # too late to be of use
        values = [sa.literal(value, notices.c[column].type) for column, value in row.items()]
        # Not for a guest who was erased meanwhile.
        there = sa.select(*values).where(sa.exists().where(notice_settings.c.guest == guest))
        with contextlib.suppress(Conflict):  # it was told twice at once
            await self._store.write(self._settled(guest, table), sa.insert(notices).from_select(list(row), there))

    async def invited(self, guest: str, table: str, game: str) -> None:
        """Tell a guest that somebody invites them to a table, if the invitation reaches them. Raises Refusal."""
        if (await invitations.to_be_told(self._store, guest, [table])).get(table):
            await self.your_turn(guest, table, game)

    async def settled(self, guest: str, table: str) -> None:
        """Tell a guest nothing of a table any more: they have played or answered, or are there. Raises Refusal."""
        await self._store.write(self._settled(guest, table))

    # --- what guests want ---

    async def settings(self, guest: str, device: int) -> NoticeSettings:
        """Return which notices a guest gets, as one of its devices sees it. Raises Refusal."""
        found = await self._settings(guest)
        receivers = await self._receivers(guest)
        return NoticeSettings(
            key=self._vapid.public,
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
        if not self._delivery.accepts(ask.endpoint):
            raise Refusal("malformed", "endpoint: must be the https address of a push service")
        digest = hashlib.sha256(ask.endpoint.encode()).hexdigest()
        row = {"guest": guest, "device": device, "digest": digest, "made": today(), "language": ask.language}
        row |= {"endpoint": ask.endpoint, "p256dh": ask.p256dh, "auth": ask.auth}
        # Whoever knows no more than the address of somebody else's must not end it: the keys have to be the same, too.
        same = (subscriptions.c.p256dh == ask.p256dh) & (subscriptions.c.auth == ask.auth)
        with acting_alone():
            await self._store.write(
                acting(guest, device),
                # A browser that was somebody else's, or has subscribed anew.
                sa.delete(subscriptions).where(
                    subscriptions.c.digest == digest, sa.or_(same, subscriptions.c.guest == guest)
                ),
                sa.delete(subscriptions).where(_one(guest, device)),
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
            await self._store.write(*deleted, *self.mail.removed(guest))
        else:
            await self._store.write(sa.delete(subscriptions).where(_one(guest, device)))

    async def set_quiet(self, guest: str, device: int, quiet: QuietHours) -> None:
        """Change the quiet hours of a guest. Raises Refusal."""
        if (quiet.start is None) != (quiet.end is None) or (quiet.start is not None and quiet.start == quiet.end):
            raise Refusal("malformed", "start and end: must be two different hours, or both null")
        if not is_zone(quiet.zone):
            raise Refusal("malformed", "zone: must be the name of a time zone, as Europe/Berlin")
        changed = {"quiet_start": quiet.start, "quiet_end": quiet.end, "zone": quiet.zone}
        with acting_alone():
            await self._store.write(
                acting(guest, device),
                sa.update(notice_settings).where(notice_settings.c.guest == guest).values(changed),
            )
        settings = await self._settings(guest)
        due = _next(settings, self._now()) if settings else self._now()
        with contextlib.suppress(Conflict):  # none waits
            await self._store.write(sa.update(notices).where(notices.c.guest == guest).values(due=due))

    async def kept(self, guest: str, device: int) -> KeptNotices | None:
        """Return all that is kept of a guest here. Raises Refusal."""
        settings = await self.settings(guest, device)
        if settings.quiet is None:
            return None
        ends = await self._store.select(sa.select(subscriptions.c.endpoint).where(subscriptions.c.guest == guest))
        waiting = await self._store.select(sa.select(notices.c.table_id).where(notices.c.guest == guest))
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
        await self._store.write(*deleted, *self.mail.erased(guest))

    # --- sending ---

    @contextlib.asynccontextmanager
    async def sending(self) -> AsyncIterator[None]:
        """Send what is due, in the background, meanwhile."""
        async with in_background(self._run()):
            yield

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            with failures_logged("notices could not be sent"):
                while await self.send_due() == AT_A_TIME:
                    pass

    async def send_due(self) -> int:
        """Send what is due to each guest, as one notice; return for how many this node did so. Raises Refusal."""
        query = sa.select(notices.c.guest).where(notices.c.due <= self._now()).group_by(notices.c.guest)
        found = await self._store.select(query.order_by(sa.func.min(notices.c.due)).limit(AT_A_TIME))
        return sum(await asyncio.gather(*(self._try(row.guest) for row in found)))

    async def _try(self, guest: str) -> bool:
        """Send what is due to a guest, if that is for this node to do; where it fails, others are not hindered."""
        try:
            async with self._at_once:
                claimed = await self._claim(guest)
            if claimed is None:
                return False
            rows, ways, invited = claimed
            tables = [
                NoticeTable(row.table_id, _title(row.game), row.deadline, row.table_id in invited, row.kind)
                for row in rows
            ]
            sent = await asyncio.gather(*(way(tables) for way in ways))
            old = self._now() - GIVE_UP_SECONDS
            done = rows if any(sent) or None not in sent else [row for row in rows if row.since <= old]
            if done:  # as they were: of what has begun since, nobody was told
                told = sa.tuple_(notices.c.table_id, notices.c.since).in_([(row.table_id, row.since) for row in done])
                await self._store.write(sa.delete(notices).where(notices.c.guest == guest, told))
        except Refusal:
            return False  # the store has logged why it can't be read or written
        except Exception:
            log.exception("a notice could not be sent")
            return False
        return True

    async def _claim(self, guest: str) -> tuple[list[Row], list[Way], Set[str]] | None:
        """Return what is to be sent to a guest now, and by which ways, if that is for this node to do.

        The third are the tables to which it invites. What is claimed is due again later, should it not be delivered.
        Raises Refusal.
        """
        settings = await self._settings(guest)
        query = sa.select(notices).where(notices.c.guest == guest).order_by(notices.c.since, notices.c.table_id)
        rows = await self._store.select(query)
        invited = await invitations.to_be_told(self._store, guest, [row.table_id for row in rows])
        lapsed = [table for table, counts in invited.items() if not counts]
        if lapsed:
            await self._store.write(sa.delete(notices).where(notices.c.guest == guest, notices.c.table_id.in_(lapsed)))
            rows = [row for row in rows if row.table_id not in lapsed]
        ways = [] if settings is None else await self._ways(guest, settings)
        now = self._now()
        if not any(row.due <= now for row in rows):  # another node has just sent it
            return None
        if settings is None or not ways:
            await self._store.write(sa.delete(notices).where(notices.c.guest == guest))
            return None
        loud = self._due(settings, now)
        told = notices.c.table_id.in_([row.table_id for row in rows])
        again = sa.update(notices).where(notices.c.guest == guest, told)
        if loud > now:  # the quiet hours were changed since
            with contextlib.suppress(Conflict):  # another node has just sent it
                await self._store.write(again.values(due=loud))
            return None
        unchanged = (notice_settings.c.guest == guest) & (notice_settings.c.last_sent == settings.last_sent)
        try:
            await self._store.write(
                sa.update(notice_settings).where(unchanged).values(last_sent=now + (settings.last_sent == now)),
                again.values(due=now + RETRY_SECONDS),
            )
        except Conflict:  # another node sends it, or there is nothing to be told any more
            return None
        return rows, ways, invited.keys()

    async def _push(self, to: Row, tables: Sequence[NoticeTable]) -> bool | None:
        """Whether a device was sent a notice of some tables; None if its push service could not be reached."""
        now = self._now()
        content = ENCODER.encode(
            Notice(
                to.language,
                list(tables[:NAMED]),
                len(tables),
                sum(one.invited for one in tables),
                sum(one.kind == "stood in" for one in tables),
            )
        )
        receiver, auth = from_text(to.p256dh) or b"", from_text(to.auth) or b""
        ends = [table.deadline for table in tables if table.deadline is not None]
        lasts = DAY if len(ends) < len(tables) else max(60, min(DAY, max(ends) - now))
        headers = {"content-type": "application/octet-stream", "content-encoding": "aes128gcm"}
        headers |= {"ttl": str(lasts), "urgency": "normal", "topic": "turn"}
        try:
            body = await asyncio.to_thread(encrypted, content, receiver, auth)
            headers["authorization"] = await asyncio.to_thread(self._vapid.authorization, to.endpoint, now)
            status = await self._delivery.send(to.endpoint, headers, body)
        except UndeliveredError as error:
            log.info("a notice was not delivered", reason=str(error))
            return None
        if status in GONE:
            here = _one(to.guest, to.device) & (subscriptions.c.digest == to.digest)
            await self._store.write(sa.delete(subscriptions).where(here))
            return False
        if not 200 <= status < 300:
            log.info("a notice was not delivered", status=status)
            return None
        return True

    # --- what is kept ---

    async def _settings(self, guest: str) -> Row | None:
        found = await self._store.select(sa.select(notice_settings).where(notice_settings.c.guest == guest))
        return found[0] if found else None

    async def _first(self, guest: str, zone: str) -> list[sa.Insert]:
        """The change that begins to keep settings of a guest, if there are none."""
        if await self._settings(guest):
            return []
        return [_set(guest, QuietHours(*DEFAULT_QUIET, zone if is_zone(zone) else "UTC"))]

    async def _ways(self, guest: str, settings: Row) -> list[Way]:
        """How a guest is told: by devices, and by mail where an address is confirmed."""
        pushes: list[Way] = [functools.partial(self._push, row) for row in await self._receivers(guest)]
        address = await self.mail.confirmed(guest)
        return pushes + ([] if address is None else [functools.partial(self.mail.send, address, zone=settings.zone)])

    async def _receivers(self, guest: str) -> list[Row]:
        """The devices of a guest that get notices and were not signed out."""
        there = (devices.c.guest == subscriptions.c.guest) & (devices.c.number == subscriptions.c.device)
        query = sa.select(subscriptions).join(devices, there & devices.c.revoked.is_(None))
        return await self._store.select(query.where(subscriptions.c.guest == guest).order_by(subscriptions.c.device))

    def _due(self, settings: Row, wanted: int) -> int:
        return next_loud(wanted, settings.quiet_start, settings.quiet_end, settings.zone)

    def _settled(self, guest: str, table: str) -> sa.Delete:
        return sa.delete(notices).where(notices.c.guest == guest, notices.c.table_id == table)


def _next(settings: Row, now: int) -> int:
    """Return when a guest may be told something again. A clock that was ahead must not keep it from them."""
    return max(now, int(min(settings.last_sent, now)) + PAUSE_SECONDS)


def _one(guest: str, device: int) -> sa.ColumnElement[bool]:
    return (subscriptions.c.guest == guest) & (subscriptions.c.device == device)


def _set(guest: str, quiet: QuietHours) -> sa.Insert:
    return sa.insert(notice_settings).values(
        guest=guest, quiet_start=quiet.start, quiet_end=quiet.end, zone=quiet.zone, last_sent=0
    )


def _title(game: str) -> str:
    """What a game is called; a game of a package that is gone still has its name."""
    return installed.spec(game).title if game in installed.names() else game
