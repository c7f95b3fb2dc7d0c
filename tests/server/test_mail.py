"""E-mail: how a server is named, how mails are handed over, and whose an address is."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.core.errors import BosquetError
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.devices import Devices
from bosquet.server.host import serve
from bosquet.server.host.serve import Serving
from bosquet.server.http.app import create_app
from bosquet.server.http.limits import Limits
from bosquet.server.notices import mails, smtp
from bosquet.server.notices.mail_addresses import CODE_SECONDS, MONTH, MailAddresses
from bosquet.server.notices.messages import MailSettings, NoticeTable, QuietHours, SetMail, Subscribe
from bosquet.server.notices.notices import DAY, GATHER_SECONDS, PAUSE_SECONDS, Notices
from bosquet.server.notices.sender import GIVE_UP_SECONDS, RETRY_SECONDS, Sender
from bosquet.server.notices.slots import SLOT_SECONDS
from bosquet.server.notices.smtp import AwayError, NoMailboxError, SmtpServer, UnsentError, is_mail_address, read_server
from bosquet.server.notices.web_push import Vapid
from bosquet.server.store.schema import mail_addresses, mail_counts, notice_settings, notices
from bosquet.server.store.store import Store
from tests.helpers.rows import each_row
from tests.helpers.services import postgresql
from tests.server.helpers.clocks import NOON, Clock
from tests.server.helpers.guests import FIREFOX
from tests.server.helpers.kept import empty, sweep
from tests.server.helpers.mail_server import PUBLIC, SENDER, MailServer
from tests.server.helpers.people import FRIEND, LOOSE, ME, Person
from tests.server.helpers.push_service import Browser, PushService, certificate

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


# --- how a mail server is named ---


@each_row(
    ("url", "server"),
    [
        (f"smtp://mail.example.org?from={SENDER}", SmtpServer("mail.example.org", 587, "starttls", SENDER)),
        (f"smtps://mail.example.org?from={SENDER}", SmtpServer("mail.example.org", 465, "tls", SENDER)),
        (f"smtp://localhost:25?from={SENDER}", SmtpServer("localhost", 25, "none", SENDER)),
        (f"smtp://[::1]/?from={SENDER}", SmtpServer("::1", 587, "none", SENDER)),
        (f"smtp://mail:25?tls=off&from={SENDER}", SmtpServer("mail", 25, "none", SENDER)),
        (
            f"smtp://ann%40example.org:p%23ss@mail.example.org:2525?from={SENDER}",
            SmtpServer("mail.example.org", 2525, "starttls", SENDER, "ann@example.org", "p#ss"),
        ),
        ("", None),
        ("mail.example.org", None),
        ("http://mail.example.org?from=a@example.org", None),
        ("smtp://?from=a@example.org", None),
        ("smtp://mail.example.org", None),
        ("smtp://mail.example.org?from=tables", None),
        ("smtp://mail.example.org?from=a@example.org%0d%0ax:y", None),
        ("smtp://mail.example.org?from=a@example.org&from=b@example.org", None),
        ("smtp://mail.example.org?from=a@example.org&tls=maybe", None),
        ("smtps://mail.example.org?from=a@example.org&tls=off", None),
        ("smtp://mail.example.org?from=a@example.org&starttls=no", None),
        ("smtp://mail.example.org:x?from=a@example.org", None),
        ("smtp://mail.example.org/inbox?from=a@example.org", None),
        ("smtp://ann@mail.example.org?from=a@example.org", None),
        ("smtp://ann:hunter2@mail.example.org", None),
        ("smtp://ann:hunter2@mail?tls=off&from=a@example.org", None),
        ("smtp://ann:hun#ter2@mail?from=a@example.org", None),
    ],
)
def test_a_mail_server_is_named_by_a_url(url: str, server: SmtpServer | None) -> None:
    if server is not None:
        assert read_server(url) == server
        return
    with pytest.raises(BosquetError, match="--smtp") as refused:
        read_server(url)
    assert "hun" not in str(refused.value)


def test_no_password_is_shown() -> None:
    url = f"smtp://ann:hunter2@mail.example.org?from={SENDER}"
    assert "hunter2" not in repr(read_server(url)) + repr(Serving(smtp=url))


@each_row(
    ("options", "public"),
    [
        ({"names": ["tables.example.org", "another.example.org"]}, PUBLIC),
        ({"names": ["tables.example.org"], "public": "http://tables.example.org:8642/"},
         "http://tables.example.org:8642"),
        ({"public": "http://192.168.1.5:8642"}, "http://192.168.1.5:8642"),
        ({"public": "http://[fd00::1]:8642"}, "http://[fd00::1]:8642"),
        ({"public": "http://anything", "host": "0.0.0.0"}, "http://anything"),
        ({"names": ["tables.example.org"], "base": "/games/"}, f"{PUBLIC}/games"),
        ({"public": "http://192.168.1.5/games/", "base": "/games/"}, "http://192.168.1.5/games"),
        ({"public": "http://192.168.1.5/others", "base": "/games/"}, "must be the address of the start page"),
        ({}, "--public or --name"),
        ({"public": PUBLIC}, "add --name tables.example.org"),
        ({"public": "tables.example.org"}, "must be the address"),
        ({"public": f"{PUBLIC}/games"}, "must be the address"),
        ({"public": "https://ann:hunter2@tables.example.org"}, "must be the address"),
    ],
)  # fmt: skip
def test_links_begin_with_the_public_address(options: dict[str, Any], public: str) -> None:
    serving = Serving(smtp=f"smtp://localhost?from={SENDER}", **options)
    if public.startswith("http"):
        mailer = serve.mailer_of(serving)
        assert mailer is not None
        assert mailer.public == public
    else:
        with pytest.raises(BosquetError, match=public):
            serve.mailer_of(serving)


@each_row(
    ("address", "valid"),
    [
        ("ann@example.org", True),
        ("ann.b+tables@mail.example.co.uk", True),
        ("o'neill@example.org", True),
        ("ann@xn--bcher-kva.example", True),
        (f"{'a' * 64}@example.org", True),
        (f"{'a' * 65}@example.org", False),
        (f"ann@{'a' * 60}.{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 10}.org", False),
        ("ann", False),
        ("ann@localhost", False),
        ("ann@127.0.0.1", False),
        ("ann@[127.0.0.1]", False),
        ("ann@example.org\n", False),
        ("ann@example.org\r\nBcc: bea@example.org", False),
        ("ann@example.org,bea@example.org", False),
        ("ann@example.org bea@example.org", False),
        ("Ann <ann@example.org>", False),
        ('"ann"@example.org', False),
        ("ann(b)@example.org", False),
        ("ann%example.com@example.org", False),
        ("example.com!ann@example.org", False),
        (".ann@example.org", False),
        ("ann..b@example.org", False),
        ("ann@example..org", False),
        ("ann@-example.org", False),
        ("änn@example.org", False),
        ("ann@example.org\0", False),
        ("", False),
    ],
)
def test_an_address_is_one_plain_address(address: str, valid: bool) -> None:
    assert is_mail_address(address) == valid


# --- how mails are handed over ---


@pytest.mark.parametrize("implicit", [False, True], ids=["STARTTLS", "TLS"])
def test_a_mail_is_handed_over_encrypted_with_a_password(tmp_path: Path, implicit: bool) -> None:
    async def main() -> None:
        security = "tls" if implicit else "starttls"
        async with MailServer(certificate(tmp_path), "hunter2").open(implicit=implicit) as server:
            message = mails.confirmation(SENDER, "ann@example.org", "de", PUBLIC, "code")
            account = {"security": security, "user": "ann@example.org"}
            await server.mailer(host="localhost", password="hunter2", **account).send("ann@example.org", message)
            (mail,) = server.received
            assert (mail.sender, mail.to, mail.encrypted) == (SENDER, ["ann@example.org"], True)
            with pytest.raises(AwayError) as refused:
                await server.mailer(host="localhost", password="hunter3", **account).send("ann@example.org", message)
            assert "hunter" not in str(refused.value)
            stranger = server.mailer(host="localhost", password="hunter2", **account)
            stranger._context = None  # whose certificates are those of the system
            with pytest.raises(AwayError):
                await stranger.send("ann@example.org", message)

    asyncio.run(main())


def test_nothing_is_sent_in_clear_where_tls_is_meant() -> None:
    async def main() -> None:
        async with MailServer().open() as server:
            message = mails.confirmation(SENDER, "ann@example.org", "en", PUBLIC, "code")
            with pytest.raises(AwayError):
                await server.mailer(security="starttls").send("ann@example.org", message)
            assert server.received == []

    asyncio.run(main())


@each_row(
    ("answer", "gone"),
    [
        ("550 no such user", True),
        ("550 5.1.1 no such user", True),
        ("551 moved", True),
        ("553 not allowed", True),
        ("554 5.2.1 mailbox disabled", True),
        ("550 5.7.1 relaying denied", False),
        ("554 relay access denied", False),
        ("550 5.1.8 bad sender", False),
        ("530 5.7.0 authentication required", False),
        ("552 5.2.2 mailbox full", False),
        ("552 mailbox full", False),
        ("450 4.2.1 try later", False),
        ("452 too many", False),
    ],
)
def test_a_server_refuses_a_recipient_or_what_holds_for_all(answer: str, gone: bool) -> None:
    async def main() -> None:
        async with MailServer().open() as server:
            server.to_recipient = answer
            with pytest.raises(UnsentError) as refused:
                await server.mailer().send("ann@example.org", mails.confirmation(SENDER, "a@b.org", "en", PUBLIC, "c"))
            assert isinstance(refused.value, NoMailboxError) == gone
            assert "ann" not in str(refused.value)

    asyncio.run(main())


def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "SECONDS", 0.3)

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def main() -> None:
        silent = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
        server = MailServer()
        server.port = silent.sockets[0].getsockname()[1]
        mailer, message = server.mailer(), mails.confirmation(SENDER, "a@b.org", "en", PUBLIC, "c")
        tries = [mailer.send("ann@example.org", message) for _ in range(3 * smtp.SLOTS)]
        began = asyncio.get_running_loop().time()
        failed = await asyncio.gather(*tries, return_exceptions=True)
        assert asyncio.get_running_loop().time() - began < 2  # who asks for a mail waits no longer for a slot
        assert {type(one) for one in failed} == {AwayError}
        silent.close()

    asyncio.run(main())


# --- whose an address is ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_asks_whose_an_address_is(tmp_path: Path, language: str) -> None:
    async def work(world: World) -> None:
        await world.give("ann", language=language)
        (mail,) = world.server.received
        assert mail.message["From"] == SENDER
        assert mail.message["To"] == "ann@example.org"
        assert mail.message["Subject"] == mails.WORDS["confirm_subject"][language]
        assert mail.message["Auto-Submitted"] == "auto-generated"
        assert mail.message["Content-Language"] == language
        assert mail.message["Message-ID"].endswith("@example.org>")
        assert "tables.example.org" in mail.text
        assert "{" not in mail.text

    run(tmp_path, work)


def test_every_text_of_mails_is_there_in_every_language() -> None:
    for name, texts in mails.WORDS.items():
        assert tuple(texts) == LANGUAGES, name
        assert len({tuple(sorted(re.findall(r"{\w*}", text))) for text in texts.values()}) == 1, name


def test_an_address_counts_once_it_is_confirmed(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        assert await world.state("ann") == "none"
        code = await world.give("ann")
        assert await world.state("ann") == "waiting"
        for wrong in ("", code[:-1], code + "a", "é"):
            with pytest.raises(Refusal):
                await world.mail.confirm(wrong)
        await world.mail.confirm(code)
        assert await world.mail.settings("ann") == MailSettings("ann@example.org", "confirmed")
        with pytest.raises(Refusal):
            await world.mail.confirm(code)  # once
        assert await world.give("ann") == ""  # it is confirmed already
        assert len(world.server.received) == 1

    run(tmp_path, work)


def test_a_code_expires_and_only_the_last_one_counts(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        first, second = await world.give("ann"), await world.give("ann", "bea@example.org")
        with pytest.raises(Refusal):
            await world.mail.confirm(first)
        world.clock.now += CODE_SECONDS
        assert await world.state("ann") == "none"
        with pytest.raises(Refusal):
            await world.mail.confirm(second)
        await world.mail.confirm(await world.give("ann"))
        changed = await world.give("ann", "bea@example.org")
        assert await world.state("ann") == "waiting"
        await world.mail.remove("ann")
        with pytest.raises(Refusal):
            await world.mail.confirm(changed)
        assert await world.count(mail_addresses) == 0

    run(tmp_path, work, limits=MANY)


def test_no_code_is_kept(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        code = await world.give("ann")
        for table in (mail_addresses, mail_counts):
            assert code not in str(await world.store.select(sa.select(table)))
        assert "example.org" not in str(await world.store.select(sa.select(mail_counts)))

    run(tmp_path, work)


@each_row(
    ("guests", "addresses", "days", "sent"),
    [
        (1, 20, 1, Limits.mails_of_guest),
        (20, 1, 1, Limits.mails_to_address),
        (4, 1, MONTH, Limits.mails_to_address_a_month),
        (4, 1, MONTH + 4, 2 * Limits.mails_to_address_a_month),
        (20, 20, 1, 12),
    ],
)
def test_nobody_can_flood_an_address(
    tmp_path_factory: pytest.TempPathFactory, guests: int, addresses: int, days: int, sent: int
) -> None:
    async def work(world: World) -> None:
        for _ in range(days):
            # A server that was started again, each day.
            mail = MailAddresses(world.store, b"a key for tests", limits, world.server.mailer(), world.clock)
            world.notices.mail = mail
            for number in range(max(guests, addresses)):
                address = f"{chr(97 + number % addresses)}.b+{number}@example.org"
                with contextlib.suppress(Refusal):
                    await world.give(f"guest{number % guests}", address)
            world.clock.now += DAY
        assert len(world.server.received) == sent

    limits = Limits(mails=12)
    run(tmp_path_factory.mktemp("data"), work, limits=limits)


def test_of_two_nodes_that_count_at_once_none_loses_count(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await asyncio.gather(*(world.give(f"guest{number}", f"a{number}@example.org") for number in range(4)))
        rows = await world.store.select(sa.select(mail_counts).where(mail_counts.c.whose == "all"))
        assert [row.mails for row in rows] == [4] == [len(world.server.received)]

    run(tmp_path, work)


def test_a_server_that_is_away_uses_up_nothing(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        async with world.server.away():
            for _ in range(2 * Limits.mails_of_guest):
                with pytest.raises(Refusal) as refused:
                    await world.give("ann")
                assert refused.value.code == "unavailable"
            assert await world.state("ann") == "none"
        await world.mail.confirm(await world.give("ann"))
        assert await world.state("ann") == "confirmed"

    run(tmp_path, work)


def test_a_mailbox_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        world.server.to_recipient = "550 5.1.1 no such user"
        assert await world.give("ann") == ""
        assert await world.mail.settings("ann") == MailSettings("ann@example.org", "refused")
        world.server.to_recipient = "250 OK"
        await world.mail.confirm(await world.give("ann"))
        assert await world.state("ann") == "confirmed"

    run(tmp_path, work)


def test_no_device_that_was_signed_out_gives_an_address(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.devices.note("ann", 7, FIREFOX)
        await world.devices.note("ann", 0, FIREFOX)
        await world.devices.revoke("ann", 7, 0)
        with pytest.raises(Refusal):
            await world.give("ann")
        assert world.server.received == []
        assert await world.count(mail_addresses) == await world.count(mail_counts) == 0

    run(tmp_path, work)


def test_the_address_that_a_device_gave_goes_with_it(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.devices.note("ann", 7, FIREFOX)
        await world.confirmed("ann")  # on another device, by the person who has it
        await world.confirmed("bea", "bea@example.org")
        await world.devices.revoke("ann", 7, 0)
        assert (await world.state("ann"), await world.state("bea")) == ("none", "confirmed")

    run(tmp_path, work)


def test_what_is_kept_of_addresses_is_erased_and_swept(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        code = await world.give("ann")
        kept = await world.notices.kept("ann", 0)
        assert kept is not None
        assert kept.mail is not None
        assert (kept.mail.address, kept.mail.state) == ("ann@example.org", "waiting")
        assert code not in repr(kept)
        await world.notices.erase("ann")
        assert await world.count(mail_addresses) == await world.count(notice_settings) == 0
        assert "ann" not in str(await world.store.select(sa.select(mail_counts)))

        await world.give("ann")
        await world.mail.confirm(await world.give("bea", "bea@example.org"))
        await sweep_later(world, 3)
        rows = await world.store.select(sa.select(mail_addresses))
        assert [row.guest for row in rows] == ["bea"]  # nobody has confirmed the other one
        assert await world.count(mail_counts) > 0
        await sweep_later(world, MONTH + 2)
        assert await world.count(mail_counts) == 0
        for days in (1000, 2000):  # devices are signed out first, and deleted when they are older
            await sweep_later(world, days)
        assert await world.count(mail_addresses) == 0

    run(tmp_path, work)


async def sweep_later(world: World, days: int) -> None:
    """Sweep this number of days from now."""
    day = datetime.fromtimestamp(max(world.clock.now, datetime.now(UTC).timestamp()) + days * DAY, UTC).date()
    await sweep(world.store, day)


@pytest.mark.slow
def test_the_same_on_postgresql(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        codes = await asyncio.gather(*(world.give(f"guest{number}", f"a{number}@example.org") for number in range(4)))
        await world.mail.confirm(codes[0] or code_in(world.server.received[0].text))
        for number in range(Limits.mails_of_guest):
            await world.give("ann", f"b{number}@example.org")
        with pytest.raises(Refusal):
            await world.give("ann", "c@example.org")
        await world.notices.your_turn("guest0", "table", "topas")
        other = Notices(world.store, VAPID, world.mail, now=world.clock)
        world.server.received.clear()
        world.clock.now += GATHER_SECONDS
        await asyncio.gather(Sender(world.notices).send_due(), Sender(other).send_due())
        assert [mail.message["Subject"] for mail in world.server.received] == ["It is your turn"]
        await sweep_later(world, MONTH + 2)
        await world.notices.erase("ann")
        assert await world.count(mail_counts) == 0

    with postgresql() as server:
        run(tmp_path, work, server.database())


# --- notices ---


@each_row(
    ("language", "subject", "line"),
    [
        ("en", "It is your turn at 2 tables", "Schlossgarten, until 23 November 2026, 15:00"),
        ("fr", "C’est ton tour à 2 tables", "Schlossgarten, jusqu’au 23 novembre 2026 à 15:00"),
        ("es", "Es tu turno en 2 mesas", "Schlossgarten, hasta el 23 de noviembre de 2026, 15:00"),
        ("de", "Du bist an 2 Tischen am Zug", "Schlossgarten, bis 23. November 2026, 15:00 Uhr"),
    ],
)
def test_a_mail_says_whose_turn_it_is_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, language: str, subject: str, line: str
) -> None:
    async def work(world: World) -> None:
        await world.confirmed("ann", language=language)
        deadline = datetime.fromtimestamp(NOON + 7200, UTC)
        await world.notices.your_turn("ann", "abcdefgh", "schlossgarten", deadline)
        await world.notices.your_turn("ann", "ijklmnop", "topas")
        await world.notices.your_turn("bea", "abcdefgh", "schlossgarten", deadline)  # wants none
        assert await world.send_after(GATHER_SECONDS - 1) == 0
        assert await world.send_after(1) == 1
        (mail,) = world.server.received
        (row,) = await world.store.select(sa.select(mail_addresses))
        end = f"{PUBLIC}/mail/stop/{row.stop}"
        assert (mail.sender, mail.to, mail.message["Subject"]) == (SENDER, ["ann@example.org"], subject)
        assert mail.message["Auto-Submitted"] == "auto-generated"
        assert mail.message["List-Unsubscribe"] == f"<{end}>"
        assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert f"List-Unsubscribe: <{end}>\r\n".encode() in mail.raw  # as it is: no program decodes an address
        assert max(map(len, re.findall(rb"=\?\S+\?=", mail.raw)), default=0) <= 75  # RFC 2047
        first, second, zone, last = mail.text.split("\n\n")
        assert first == f"{line}\n{PUBLIC}/table/abcdefgh"
        assert second == f"Topas\n{PUBLIC}/table/ijklmnop"
        assert "Europe/Berlin" in zone
        assert [part for part in last.split() if "://" in part] == [end, f"{PUBLIC}/me?notices"]
        assert "{" not in mail.text
        assert await world.send_after(DAY) == 0

    run(tmp_path_factory.mktemp("data"), work)


def test_a_mail_and_a_notice_of_a_browser_are_called_the_same() -> None:
    words = msgspec.json.decode(Path("web/src/words/notices.json").read_bytes())
    same = {"turn_subject": "push_turn", "turns_subject": "push_turns", "until": "push_until"}
    same |= {"invitation_subject": "push_invitation", "invitations_subject": "push_invitations"}
    same |= {"invited": "push_invited", "stood_in_subject": "push_stood_in", "stood_ins_subject": "push_stood_ins"}
    same |= {"stood_in": "push_played", "reminder": "push_reminder"}
    for ours, theirs in same.items():
        assert mails.WORDS[ours] == words[theirs]


def mail(*tables: NoticeTable) -> tuple[str, list[str]]:
    """The subject of a mail of some tables, and what it says of them."""
    made = mails.notice_mail(SENDER, "a@b.org", "en", PUBLIC, tables, "UTC", "t")
    return str(made["Subject"]), made.get_content().split("\n\n")[: len(tables)]


def test_a_mail_says_that_a_bot_has_played_and_that_the_others_are_waiting() -> None:
    played = NoticeTable("a", "Topas", None, kind="stood in")
    soon = NoticeTable("b", "Topiary", 0, kind="reminder")
    invited = NoticeTable("c", "Topas", None, invited=True)
    line = f"Topas: a bot has played for you\n{PUBLIC}/table/a"
    assert mail(played) == ("A bot has played for you", [line])
    assert mail(played, invited, played)[0] == "A bot has played for you at 2 tables"
    waiting = f"Topiary: the others are waiting, until 1 January 1970, 00:00\n{PUBLIC}/table/b"
    assert mail(played, soon) == ("It is your turn", [line, waiting])


def test_a_mail_of_invitations_leads_to_the_start_page() -> None:
    invited, turn = NoticeTable("a", "Topas", None, invited=True), NoticeTable("b", "Topiary", None)
    line = f"Topas: an invitation\n{PUBLIC}/"
    assert mail(invited) == ("You are invited to a table", [line])
    assert mail(invited, invited) == ("You are invited to 2 tables", [line, line])
    assert mail(invited, turn) == ("It is your turn", [line, f"Topiary\n{PUBLIC}/table/b"])


def test_without_https_no_program_is_told_to_stop_mail_by_itself() -> None:
    mail = mails.notice_mail(
        SENDER, "a@b.org", "en", "http://localhost:1", [NoticeTable("a", "Topas", None)], "UTC", "t"
    )
    assert mail["List-Unsubscribe"] == "<http://localhost:1/mail/stop/t>"
    assert mail["List-Unsubscribe-Post"] is None
    assert "UTC" not in mail.get_content()  # there is no time in it


def test_nothing_is_mailed_before_an_address_is_confirmed(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        code = await world.give("ann")
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(GATHER_SECONDS) == 0
        assert await world.count(notices) == 0
        await world.mail.confirm(code)
        await world.notices.your_turn("ann", "table", "topas")
        await world.give("ann", "eve@example.org")  # in the place of the one that was confirmed
        assert await world.send_after(GATHER_SECONDS) == 0

    run(tmp_path, work)


def test_browsers_and_an_address_share_one_notice_and_its_hours(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        async with PushService(certificate(tmp_path)).open() as service:
            world.notices = Notices(world.store, VAPID, world.mail, service.delivery(), world.clock)
            await world.confirmed("ann")
            await world.notices.subscribe("ann", 0, Subscribe(**Browser().subscription(service.endpoint())))
            world.clock.now = NOON + 10 * 3600
            await world.notices.your_turn("ann", "table", "topas")
            assert await world.send_after(9 * 3600 - 1) == 0  # 22 to 8 in Berlin
            assert await world.send_after(1) == len(service.received) == 1
            await world.notices.your_turn("ann", "table", "topas")
            assert await world.send_after(PAUSE_SECONDS - 1) == 0
            assert await world.send_after(1) == 1
            assert len(service.received) == 2
            await world.notices.unsubscribe("ann", 0)  # of the browser alone
            await world.notices.your_turn("ann", "table", "topas")
            assert await world.send_after(PAUSE_SECONDS) == 1
            assert len(service.received) == 2
            await world.notices.unsubscribe("ann", None)
            assert await world.count(mail_addresses) == 0

    run(tmp_path, work)


def test_a_mail_server_that_is_away_is_tried_again_for_a_day(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.confirmed("ann")
        await world.notices.set_quiet("ann", 0, QuietHours(None, None, "UTC"))
        await world.notices.your_turn("ann", "table", "topas")
        world.server.to_recipient = "450 4.2.1 try later"
        assert await world.send_after(GATHER_SECONDS) == 0
        world.server.to_recipient, world.server.to_mail = "250 OK", "554 5.7.1 this looks unwanted"
        assert await world.send_after(RETRY_SECONDS) == 0
        async with world.server.away():
            assert await world.send_after(RETRY_SECONDS) == 0
        world.server.to_mail = "250 OK"
        assert await world.send_after(RETRY_SECONDS - 1) == 0
        assert await world.send_after(1) == 1
        assert await world.count(notices) == 0
        await world.notices.your_turn("ann", "table", "topas")
        async with world.server.away():
            assert await world.send_after(GIVE_UP_SECONDS) == 0
        assert await world.count(notices) == 0
        assert await world.state("ann") == "confirmed"

    run(tmp_path, work)


def test_an_address_that_is_refused_gets_no_more_mail(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.confirmed("ann")
        await world.notices.your_turn("ann", "table", "topas")
        world.server.to_recipient = "550 5.1.1 no such user"
        assert await world.send_after(GATHER_SECONDS) == 0
        assert await world.state("ann") == "refused"
        assert await world.count(notices) == 0
        world.server.to_recipient = "250 OK"
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(DAY) == 0

    run(tmp_path, work)


def test_a_slow_mail_server_holds_up_no_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(world: World) -> None:
        async with PushService(certificate(tmp_path)).open() as service:
            world.notices = Notices(world.store, VAPID, world.mail, service.delivery(), world.clock)
            for number in range(2 * smtp.SLOTS):
                await world.confirmed(f"slow{number}", f"a{number}@example.org")
                await world.notices.your_turn(f"slow{number}", "table", "topas")
            await world.devices.note("ann", 0, FIREFOX)
            await world.notices.subscribe("ann", 0, Subscribe(**Browser().subscription(service.endpoint())))
            await world.notices.your_turn("ann", "table", "topas")
            world.server.received.clear()
            released = asyncio.Event()

            async def wait() -> None:
                await asyncio.wait_for(released.wait(), 10)

            world.server.meanwhile = wait
            world.clock.now += GATHER_SECONDS
            monkeypatch.setattr(smtp, "SECONDS", 1.0)
            sending = asyncio.create_task(Sender(world.notices).send_due())
            while not service.received:
                await asyncio.sleep(0.01)
            assert not sending.done()
            assert world.server.received == []
            await asyncio.wait_for(sending, 10)
            assert await world.count(notices) == 2 * smtp.SLOTS
            released.set()

    run(tmp_path, work, limits=MANY)


def test_more_mails_than_have_slots_in_fifteen_seconds_are_all_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One slot, ten times as long as a mail takes, and twelve mails."""
    monkeypatch.setattr(smtp, "SLOTS", 1)

    async def work(world: World) -> None:
        for number in range(12):
            await world.confirmed(f"ann{number}", f"a{number}@example.org")
            await world.notices.your_turn(f"ann{number}", "table", "topas")

        async def take() -> None:
            await asyncio.sleep(0.1)

        world.server.meanwhile = take
        monkeypatch.setattr(smtp, "SECONDS", 1.0)
        assert await world.send_after(GATHER_SECONDS) == 12
        assert await world.count(notices) == 0

    run(tmp_path, work, limits=MANY)
    assert smtp.SECONDS + SLOT_SECONDS < RETRY_SECONDS, "none is sent twice"


def test_two_nodes_send_one_mail(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.confirmed("ann")
        other = Notices(world.store, VAPID, world.mail, now=world.clock)
        for number in range(10):
            world.clock.now += DAY
            world.server.received.clear()
            await world.notices.your_turn("ann", f"table{number}", "topas")
            world.clock.now += GATHER_SECONDS
            await asyncio.gather(Sender(world.notices).send_due(), Sender(other).send_due())
            assert len(world.server.received) == 1

    run(tmp_path, work)


def test_the_token_of_a_mail_ends_mail_and_nothing_else(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.confirmed("ann")
        await world.confirmed("bea", "bea@example.org")
        async with PushService(certificate(tmp_path)).open() as service:
            world.notices = Notices(world.store, VAPID, world.mail, service.delivery(), world.clock)
            await world.notices.subscribe("ann", 0, Subscribe(**Browser().subscription(service.endpoint())))
            await world.notices.your_turn("ann", "table", "topas")
            assert await world.send_after(GATHER_SECONDS) == 1
            token = world.server.received[0].message["List-Unsubscribe"].strip("<>").rpartition("/")[2]
            await world.mail.stop(token)
            await world.mail.stop(token)
            await world.mail.stop("another")
            assert (await world.state("ann"), await world.state("bea")) == ("none", "confirmed")
            assert (await world.notices.settings("ann", 0)).here

    run(tmp_path, work)


# --- requests ---


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, MailServer]]:
    """A server that sends mail."""
    folder = tmp_path_factory.mktemp("data")
    with MailServer().in_thread() as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr("bosquet.server.notices.sender.LOOK_SECONDS", 0.05)
        app = create_app(
            f"sqlite:///{folder / 'tables.db'}",
            b"a key for tests",
            limits=LOOSE,
            processes=1,
            mailer=server.mailer(),
            warm=False,
        )
        with TestClient(app, base_url="http://testserver") as client:
            yield client, server


def someone(client: TestClient) -> Person:
    client.cookies.clear()
    return Person(client)


ASK = {"address": "ann@example.org", "language": "en", "zone": "Europe/Berlin"}


def test_a_guest_gives_an_address_and_anybody_with_the_code_confirms_it(served: tuple[TestClient, MailServer]) -> None:
    client, server = served
    ann = someone(client)
    assert ann.get("/api/me/notices").json()["mail"] == {"address": None, "state": "none"}
    assert ann.post("/api/me/notices/mail", ASK).status_code == 204
    settings = ann.get("/api/me/notices").json()
    assert settings["mail"] == {"address": "ann@example.org", "state": "waiting"}
    assert settings["quiet"] == {"start": 22, "end": 8, "zone": "Europe/Berlin"}
    code = code_in(server.received[-1].text)
    client.cookies.clear()
    body, other = {"code": code}, {"origin": "https://evil.example"}
    assert client.post("/api/mail/confirm", json=body, headers=other).json()["code"] == "wrong origin"
    assert client.get("/api/mail/confirm").status_code == 404  # programs that open links confirm nothing
    assert ann.get("/api/me/notices").json()["mail"]["state"] == "waiting"
    client.cookies.clear()
    assert client.post("/api/mail/confirm", json=body).status_code == 204
    assert client.post("/api/mail/confirm", json=body).json()["code"] == "no code"
    kept = ann.get("/api/me").json()["notices"]
    assert kept["mail"] | {"since": ""} == {
        "address": "ann@example.org", "state": "confirmed", "language": "en", "since": ""
    }  # fmt: skip
    assert ann.post("/api/me/notices/mail/remove", {}).status_code == 204
    assert ann.get("/api/me/notices").json()["mail"] == {"address": None, "state": "none"}


def test_one_press_ends_mail_too(served: tuple[TestClient, MailServer]) -> None:
    client, _ = served
    bea = someone(client)
    assert bea.post("/api/me/notices/mail", ASK | {"address": "bea@example.org"}).status_code == 204
    assert bea.post("/api/me/notices/unsubscribe", {"all": False}).status_code == 204
    assert bea.get("/api/me/notices").json()["mail"]["state"] == "waiting"
    assert bea.post("/api/me/notices/unsubscribe", {"all": True}).status_code == 204
    assert bea.get("/api/me/notices").json()["mail"]["state"] == "none"
    assert bea.post("/api/me/erase", {}).status_code == 204


@each_row(
    ("change", "code"),
    [
        ({"address": "ann@example.org\r\nBcc: bea@example.org"}, "malformed"),
        ({"address": "ann@example.org,bea@example.org"}, "malformed"),
        ({"address": "a" * 255}, "malformed"),
        ({"address": None}, "malformed"),
        ({"language": "it"}, "malformed"),
        ({"more": 1}, "malformed"),
    ],
)
def test_what_is_no_address_is_refused(
    served: tuple[TestClient, MailServer], change: dict[str, Any], code: str
) -> None:
    client, server = served
    before, person = len(server.received), someone(client)
    assert person.post("/api/me/notices/mail", ASK | change).json()["code"] == code
    assert len(server.received) == before


def test_a_server_without_a_mail_server_offers_none(ann: Person) -> None:
    assert ann.get("/api/me/notices").json()["mail"] is None
    assert ann.post("/api/me/notices/mail", ASK).json()["code"] == "not now"


@each_row(
    ("kind", "body", "stops"),
    [
        ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click", True),
        (
            "multipart/form-data; boundary=x",
            '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
            True,
        ),
        ("application/x-www-form-urlencoded", "", False),
        ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click" + "x" * 5000, False),
        ("application/json", '{"List-Unsubscribe": "One-Click"}', False),
    ],
)
def test_a_mail_program_stops_mail_without_a_cookie(
    served: tuple[TestClient, MailServer], kind: str, body: str, stops: bool
) -> None:
    client, server = served
    person = someone(client)
    path = f"/mail/stop/{token_of(with_mail(person, server), client)}"
    client.cookies.clear()
    client.get(path)  # as programs do that look through mail
    client.head(path)
    client.cookies.clear()
    headers = {"content-type": kind, "origin": "https://mail.example", "sec-fetch-site": "cross-site"}
    answer = client.post(path, content=body, headers=headers)
    assert answer.is_success == stops
    assert "set-cookie" not in answer.headers
    assert person.get("/api/me/notices").json()["mail"]["state"] == ("none" if stops else "confirmed")


def test_a_move_at_a_slow_table_becomes_one_mail_to_the_other(
    served: tuple[TestClient, MailServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bosquet.server.notices.notices.GATHER_SECONDS", 0)
    client, server = served
    ann, bea = someone(client), someone(client)
    addresses = [with_mail(person, server) for person in (ann, bea)]
    for person in (ann, bea):  # the clock of the test may say that it is night
        never = {"start": None, "end": None, "zone": "Europe/Berlin"}
        assert person.post("/api/me/notices/quiet", never).status_code == 204
    agreed = {"days": 1, "bot": "greedy", "until_back": False}
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], slow=agreed)
    with ann.at(table) as hers:
        hers.ready()
        body = {"name": "Bea", "invitation": hers.news["invitation"]}
        assert bea.post(f"/api/tables/{table}/join", body).status_code == 204
        with bea.at(table) as theirs:
            theirs.ready()
            for page in (hers, theirs):
                page.hear("position")
            mine = hers.position["view"]["seat"] == hers.position["viewpoint"]
    mover, to = (ann, addresses[1]) if mine else (bea, addresses[0])
    with mover.at(table) as page:
        page.hear("position")
        page.play(page.position["view"]["moves"][0]["say"])
        page.hear("position")
    limit = time.monotonic() + 20
    while not (mails := [mail for mail in server.received if mail.to == [to] and table in mail.text]):
        assert time.monotonic() < limit, "no mail came"
        time.sleep(0.05)
    (mail,) = mails
    assert mail.message["Subject"] == "It is your turn"
    assert f"{PUBLIC}/table/{table}" in mail.text


def with_mail(person: Person, server: MailServer) -> str:
    """Let somebody confirm an address that nobody has had; return it."""
    address = f"a{len(server.received)}@example.org"
    assert person.post("/api/me/notices/mail", ASK | {"address": address}).status_code == 204
    assert person.post("/api/mail/confirm", {"code": code_in(server.received[-1].text)}).status_code == 204
    return address


def token_of(address: str, client: Any) -> str:
    """Return the token that mails to an address have."""
    query = sa.select(mail_addresses.c.stop).where(mail_addresses.c.address == address)
    (row,) = client.portal.call(client.app.state.server.services.store.select, query)
    return str(row.stop)
