"""Sends notices that are due, to the devices of guests and by e-mail.

Any node sends what is due; if two try, the database lets one of them. A notice stays in the database until it has
arrived, so that a turn that is made meanwhile, or a guest who is erased, takes it away. What is sent names tables and
games, and nothing that is hidden there.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence, Set
from typing import Any

import msgspec
import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core import installed
from bosquet.server.base.background import failures_logged, in_background
from bosquet.server.lobby import invitations
from bosquet.server.notices.messages import Notice, NoticeTable
from bosquet.server.notices.notices import DAY, Notices, one_device
from bosquet.server.notices.push_delivery import UndeliveredError
from bosquet.server.notices.web_push import encrypted, from_text
from bosquet.server.store.schema import notice_settings, notices, subscriptions
from bosquet.server.store.store import Conflict

RETRY_SECONDS = 900
"""Until the next try, where neither a push service of a guest nor the mail server could be reached."""
GIVE_UP_SECONDS = DAY
"""Seconds after which a notice that could not be delivered is dropped."""
LOOK_SECONDS = 15.0
"""Between two looks at what is due."""
AT_A_TIME = 256
"""Guests of whom the database is asked together."""
AT_ONCE = 8
"""Guests whose rows are read at the same time."""
MOST = 4096
"""Guests to whom something may be on its way when more is begun. Most of them wait for a slot."""
ENCRYPTED_AT_ONCE = 8
"""Messages that are encrypted and signed at a time, in threads that phrases and downloads need, too."""
NAMED = 4
"""Tables that a notice of a browser names; of the others it gives the number."""
GONE_STATUSES = (401, 403, 404, 410)
"""Statuses by which a push service says that a subscription is gone, or was made with another key."""
ENCODER = msgspec.json.Encoder()

Row = sa.Row[*tuple[Any, ...]]
Way = Callable[[Sequence[NoticeTable]], Awaitable[bool | None]]
"""Tells a guest of some tables; gives whether it did, None where that can be tried again."""

log: FilteringBoundLogger = structlog.get_logger()


class Sender:
    """Sends notices."""

    def __init__(self, waiting: Notices) -> None:
        self._notices = waiting
        self._store = waiting.store
        self._mail = waiting.mail
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._encrypting = asyncio.Semaphore(ENCRYPTED_AT_ONCE)
        self._on_the_way = 0

    @contextlib.asynccontextmanager
    async def sending(self) -> AsyncIterator[None]:
        """Send what is due, in the background, meanwhile."""
        async with in_background(self._run()):
            yield

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as group:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                with failures_logged("notices could not be sent"):
                    await self._begin_due(group)

    async def send_due(self) -> None:
        """Send what is due to each guest, as one notice, and wait until that is done."""
        async with asyncio.TaskGroup() as group:
            await self._begin_due(group)

    async def _begin_due(self, group: asyncio.TaskGroup) -> None:
        """Begin to send what is due, as far as no other node does. Raises Refusal."""
        begun = AT_A_TIME
        while begun == AT_A_TIME and self._on_the_way < MOST:
            query = sa.select(notices.c.guest).where(notices.c.due <= self._notices.now()).group_by(notices.c.guest)
            found = await self._store.select(query.order_by(sa.func.min(notices.c.due)).limit(AT_A_TIME))
            begun = sum(await asyncio.gather(*(self._begin(row.guest, group) for row in found)))

    async def _begin(self, guest: str, group: asyncio.TaskGroup) -> bool:
        """Begin to send what is due to a guest, if that is for this node to do; return whether it is."""
        with failures_logged("a notice could not be sent"):
            async with self._at_once:
                claimed = await self._claim(guest)
            if claimed is not None:
                group.create_task(self._send(guest, *claimed))
                return True
        return False

    async def _send(self, guest: str, rows: list[Row], ways: list[Way], invited: Set[str]) -> None:
        """Send a guest what was claimed; where it fails, others are not hindered."""
        self._on_the_way += 1
        try:
            with failures_logged("a notice could not be sent"):
                tables = [
                    NoticeTable(row.table_id, _title(row.game), row.deadline, row.table_id in invited, row.kind)
                    for row in rows
                ]
                sent = await asyncio.gather(*(way(tables) for way in ways))
                old = self._notices.now() - GIVE_UP_SECONDS
                done = rows if any(sent) or None not in sent else [row for row in rows if row.since <= old]
                if done:  # as they were: of what has begun since, nobody was told
                    told = sa.tuple_(notices.c.table_id, notices.c.since).in_(
                        [(row.table_id, row.since) for row in done]
                    )
                    await self._store.write(sa.delete(notices).where(notices.c.guest == guest, told))
        finally:
            self._on_the_way -= 1

    async def _claim(self, guest: str) -> tuple[list[Row], list[Way], Set[str]] | None:
        """Claim what this node is to send to a guest now; return notices, ways, and the tables that invite it.

        What is claimed is due again later, in case it is not delivered. Raises Refusal.
        """
        settings = await self._notices.settings_row(guest)
        query = sa.select(notices).where(notices.c.guest == guest).order_by(notices.c.since, notices.c.table_id)
        rows = await self._store.select(query)
        invited = await invitations.to_be_told(self._store, guest, [row.table_id for row in rows])
        lapsed = [table for table, counts in invited.items() if not counts]
        if lapsed:
            await self._store.write(sa.delete(notices).where(notices.c.guest == guest, notices.c.table_id.in_(lapsed)))
            rows = [row for row in rows if row.table_id not in lapsed]
        ways = [] if settings is None else await self._ways(guest, settings)
        now = self._notices.now()
        if not any(row.due <= now for row in rows):  # another node has just sent it
            return None
        if settings is None or not ways:
            await self._store.write(sa.delete(notices).where(notices.c.guest == guest))
            return None
        loud = self._notices.due(settings, now)
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
        now = self._notices.now()
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
            async with self._encrypting:
                body = await asyncio.to_thread(encrypted, content, receiver, auth)
                headers["authorization"] = await asyncio.to_thread(self._notices.vapid.authorization, to.endpoint, now)
            status = await self._notices.delivery.send(to.endpoint, headers, body)
        except UndeliveredError as error:
            log.info("a notice was not delivered", reason=str(error))
            return None
        if status in GONE_STATUSES:
            here = one_device(to.guest, to.device) & (subscriptions.c.digest == to.digest)
            await self._store.write(sa.delete(subscriptions).where(here))
            return False
        if not 200 <= status < 300:
            log.info("a notice was not delivered", status=status)
            return None
        return True

    async def _ways(self, guest: str, settings: Row) -> list[Way]:
        """How a guest is told: by devices, and by mail where an address is confirmed."""
        pushes: list[Way] = [functools.partial(self._push, row) for row in await self._notices.receivers(guest)]
        address = await self._mail.confirmed(guest)
        return pushes + ([] if address is None else [functools.partial(self._mail.send, address, zone=settings.zone)])


def _title(game: str) -> str:
    """What a game is called; a game of a package that is gone still has its name."""
    return installed.spec(game).title if game in installed.names() else game
