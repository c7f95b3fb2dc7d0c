"""Whose an address is: how a guest gives one, and how often one is asked."""

from __future__ import annotations

import asyncio
import contextlib
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from bosquet.server.base.refusals import Refusal
from bosquet.server.http.limits import Limits
from bosquet.server.notices import mails
from bosquet.server.notices.mail_addresses import CODE_SECONDS, MONTH, MailAddresses
from bosquet.server.notices.messages import MailSettings
from bosquet.server.notices.notices import DAY, GATHER_SECONDS, Notices
from bosquet.server.notices.sender import Sender
from bosquet.server.store.schema import mail_addresses, mail_counts, notice_settings
from tests.helpers.rows import each_row
from tests.helpers.services import postgresql
from tests.server.helpers.guests import FIREFOX
from tests.server.helpers.kept import sweep
from tests.server.helpers.mail_server import SENDER
from tests.server.helpers.mails import LANGUAGES, MANY, VAPID, World, code_in, run


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
