"""A store, a mail server and addresses for the tests of mail."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from bosquet.server.guests.devices import Devices
from bosquet.server.http.limits import Limits
from bosquet.server.notices.mail_addresses import MailAddresses
from bosquet.server.notices.messages import SetMail
from bosquet.server.notices.notices import Notices
from bosquet.server.notices.sender import Sender
from bosquet.server.notices.web_push import Vapid
from bosquet.server.store.store import Store
from tests.server.helpers.clocks import Clock
from tests.server.helpers.guests import FIREFOX
from tests.server.helpers.kept import empty
from tests.server.helpers.mail_server import PUBLIC, MailServer

VAPID = Vapid(b"a key for tests")
LANGUAGES = ("en", "fr", "es", "de")
MANY = Limits(mails_of_guest=100, mails_to_address=100, mails_to_address_a_month=100, mails=1000)


class World:
    """A store, a mail server and addresses, at a time of their own."""

    def __init__(self, store: Store, server: MailServer, limits: Limits) -> None:
        self.store, self.server, self.clock = store, server, Clock()
        self.devices = Devices(store, Limits())
        self.mail = MailAddresses(store, b"a key for tests", limits, server.mailer(), self.clock)
        self.notices = Notices(store, VAPID, self.mail, now=self.clock)

    async def give(self, guest: str, address: str = "ann@example.org", language: Any = "en") -> str:
        """Let a guest give an address; return the code that was sent there."""
        await self.devices.note(guest, 0, FIREFOX)
        before = len(self.server.received)
        await self.notices.give_address(guest, 0, SetMail(address, language, "Europe/Berlin"))
        return code_in(self.server.received[-1].text) if len(self.server.received) > before else ""

    async def confirmed(self, guest: str, address: str = "ann@example.org", language: Any = "en") -> None:
        """Let a guest give an address and confirm it."""
        await self.mail.confirm(await self.give(guest, address, language))

    async def send_after(self, seconds: int) -> int:
        """Let time pass; return how many mails came in."""
        self.clock.now += seconds
        self.server.received.clear()
        await Sender(self.notices).send_due()
        return len(self.server.received)

    async def state(self, guest: str) -> str:
        """Whether there is an address and it was confirmed."""
        settings = await self.mail.settings(guest)
        assert settings is not None
        return settings.state

    async def count(self, table: sa.Table) -> int:
        """How many rows there are."""
        return len(await self.store.select(sa.select(table)))


def code_in(text: str) -> str:
    found = re.search(rf"^{PUBLIC}/mail/confirm#(\S+)$", text, re.MULTILINE)
    assert found, text
    return found[1]


def run(
    folder: Path, work: Callable[[World], Awaitable[None]], database: str | None = None, limits: Limits | None = None
) -> None:
    """Do something in a fresh world."""

    async def main() -> None:
        store = Store(database or f"sqlite:///{folder / 'tables.db'}")
        if database is not None:
            await store.prepare()
        await store.open()
        try:
            async with MailServer().open() as server:
                await work(World(store, server, limits or Limits()))
        finally:
            await store.close()

    (folder / "tables.db").write_bytes(empty())
    asyncio.run(main())
