"""Notices: what a push service gets, when, and to whom; and what it can't be made to do."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec

from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.devices import Devices
from bosquet.server.http.limits import Limits
from bosquet.server.notices import push_delivery, sender
from bosquet.server.notices.mail_addresses import MailAddresses
from bosquet.server.notices.messages import QuietHours, Subscribe
from bosquet.server.notices.notices import (
    DAY,
    GATHER_SECONDS,
    MOST_TABLES,
    PAUSE_SECONDS,
    Notices,
)
from bosquet.server.notices.push_delivery import (
    INTERIM,
    SECONDS,
    SLOTS_OF_OTHERS,
    Delivery,
    UndeliveredError,
    is_public,
)
from bosquet.server.notices.quiet_hours import next_loud
from bosquet.server.notices.sender import ENCRYPTED_AT_ONCE, GIVE_UP_SECONDS, NAMED, RETRY_SECONDS, Sender
from bosquet.server.notices.slots import SLOT_SECONDS
from bosquet.server.notices.web_push import Vapid, encrypted, from_text, to_text
from bosquet.server.store.schema import fellows, invitations, notice_settings, notices, subscriptions
from bosquet.server.store.store import Store
from bosquet.server.table.actions.join import SeatTaken
from tests.helpers.rows import each_row
from tests.helpers.services import postgresql
from tests.server.helpers.clocks import NOON, Clock
from tests.server.helpers.guests import FIREFOX
from tests.server.helpers.kept import empty, happen, sweep
from tests.server.helpers.people import Person
from tests.server.helpers.push_service import Browser, PushService, certificate, signer_of


class World:
    """A store, a push service and notices, at a time of their own."""

    def __init__(self, store: Store, service: PushService) -> None:
        self.store, self.service, self.clock = store, service, Clock()
        self.devices = Devices(store, Limits())
        self.vapid = Vapid(b"a key for tests", "https://tables.example.org")
        self.mail = MailAddresses(store, b"a key for tests", Limits(), now=self.clock)
        self.notices = Notices(store, self.vapid, self.mail, service.delivery(), self.clock)

    async def subscribe(
        self, guest: str, device: int = 0, name: str = "a", browser: Browser | None = None, **more: Any
    ) -> Browser:
        """Let a device of a guest get notices."""
        browser = browser or Browser()
        await self.devices.note(guest, device, FIREFOX)
        ask = browser.subscription(self.service.endpoint(name)) | more
        await self.notices.subscribe(guest, device, Subscribe(**ask))
        return browser

    async def send_after(self, seconds: int) -> int:
        """Let time pass; return how many messages came in."""
        self.clock.now += seconds
        self.service.received.clear()
        await Sender(self.notices).send_due()
        return len(self.service.received)

    async def count(self, table: sa.Table) -> int:
        """How many rows there are."""
        return len(await self.store.select(sa.select(table)))


def run(folder: Path, work: Callable[[World], Awaitable[None]], database: str | None = None) -> None:
    """Do something in a fresh world."""

    @asynccontextmanager
    async def world() -> AsyncIterator[World]:
        store = Store(database or f"sqlite:///{folder / 'tables.db'}")
        if database is not None:
            await store.prepare()
        await store.open()
        try:
            async with PushService(certificate(folder)).open() as service:
                yield World(store, service)
        finally:
            await store.close()

    async def main() -> None:
        async with world() as made:
            await work(made)

    (folder / "tables.db").write_bytes(empty())
    asyncio.run(main())


# --- encryption ---


def test_the_example_of_rfc_8291() -> None:
    sender = ec.derive_private_key(
        int.from_bytes(from_text("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw") or b""), ec.SECP256R1()
    )
    receiver = from_text("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    auth, salt = from_text("BTBZMqHH6r4Tts7J_aSIgg"), from_text("DGv6ra1nlYgDCS1FRnbzlw")
    assert receiver is not None
    assert auth is not None
    made = encrypted(b"When I grow up, I want to be a watermelon", receiver, auth, sender, salt)
    assert to_text(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_the_pair_of_keys_follows_from_the_key_of_the_server() -> None:
    assert Vapid(b"one").public == Vapid(b"one").public != Vapid(b"two").public


# --- what is sent ---


def test_a_browser_reads_whose_turn_it_is_and_nothing_else(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        browser = await world.subscribe("ann", language="de")
        deadline = datetime.fromtimestamp(NOON + 7200, UTC)
        await world.notices.your_turn("ann", "abcdefgh", "schlossgarten", deadline)
        await world.notices.your_turn("bea", "abcdefgh", "schlossgarten", deadline)  # wants none
        assert await world.send_after(GATHER_SECONDS - 1) == 0
        assert await world.send_after(1) == 1
        (message,) = world.service.received
        assert browser.read(message.body) == {
            "language": "de",
            "tables": [
                {
                    "table": "abcdefgh",
                    "title": "Schlossgarten",
                    "deadline": NOON + 7200,
                    "invited": False,
                    "kind": "turn",
                }
            ],
            "total": 1,
            "invited": 0,
            "stood_in": 0,
        }
        assert message.path == "/push/a"
        assert (message.headers["content-encoding"], message.headers["ttl"]) == (
            "aes128gcm",
            str(7200 - GATHER_SECONDS),
        )
        key, claims = signer_of(message.headers["authorization"])
        assert key == world.vapid.public
        assert claims["aud"] == f"https://localhost:{world.service.port}"
        assert claims["sub"] == "https://tables.example.org"
        assert world.clock.now < claims["exp"] <= world.clock.now + DAY
        assert await world.send_after(DAY) == 0

    run(tmp_path, work)


async def invite(store: Store, guest: str, table: str, host: str = "bea") -> None:
    """Invite a guest to a table of a host that waits."""
    row = {"game": "topas", "options": {}, "pace": "human", "listed": False, "invitation": "i", "secret": "s"}
    seated = {"name": None, "shelved": False, "hints": False, "program": False, "stood_in": False}
    await store.add_table(
        row | {"id": table, "phase": "waiting", "host": host},
        [seated | {"seat": seat, "guest": one} for seat, one in enumerate((host, None))],
    )
    invited = {"guest": guest, "table_id": table, "host": host, "made": int(time.time()), "declined": False}
    await store.write(sa.insert(invitations).values(invited))


def test_who_is_invited_is_told_as_long_as_that_counts(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        browser, store = await world.subscribe("ann"), world.store

        async def told(*tables: str) -> list[tuple[str, bool]]:
            for table in tables:
                await world.notices.invited("ann", table, "topas")
            if not await world.send_after(PAUSE_SECONDS):
                return []
            read = browser.read(world.service.received[0].body)
            assert read["invited"] == sum(one["invited"] for one in read["tables"])
            return [(one["table"], one["invited"]) for one in read["tables"]]

        for table in ("open", "begun", "gone", "taken", "seated", "blocked"):
            await invite(store, "ann", table)
        assert await told("open", "none") == [("open", True)], "only what is an invitation"
        await world.notices.invited("cid", "open", "topas")
        assert await world.count(notices) == 0, "of somebody else's nobody is told"

        for table in ("begun", "gone", "taken", "seated"):
            await world.notices.invited("ann", table, "topas")
        await store.update_table("begun", phase="playing")
        await happen(store, "seated", SeatTaken(1, "ann", "Ann"))
        await happen(store, "taken", SeatTaken(1, "cid", "Cid"))
        declined = sa.update(invitations).where(invitations.c.table_id == "gone").values(declined=True)
        await store.write(declined)
        before = await world.count(notices)
        assert (before, await told(), await world.count(notices)) == (4, [], 0), "what lapsed is dropped"

        await store.update_table("seated", phase="playing")
        await world.notices.your_turn("ann", "seated", "topas")
        assert sorted(await told("open")) == [("open", True), ("seated", False)]
        row = {"owner": "ann", "other": "bea", "id": "A" * 16, "blocked": True}
        await store.write(sa.insert(fellows).values(row))
        assert await told("blocked") == []
        await store.write(sa.update(fellows).values(owner="bea", other="ann"))
        assert await told("blocked") == [], "whichever of the two blocks"
        assert await world.count(notices) == 0

    run(tmp_path, work)


def test_several_tables_are_one_notice_and_the_next_one_waits(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        browser = await world.subscribe("ann")
        for number in range(MOST_TABLES + 5):
            await world.notices.your_turn("ann", f"table{number}", "topas")
        await world.notices.your_turn("ann", "table0", "topas")  # told again
        await world.notices.settled("ann", "table1")
        assert await world.send_after(GATHER_SECONDS) == 1
        read = browser.read(world.service.received[0].body)
        assert (read["total"], len(read["tables"])) == (MOST_TABLES - 1, NAMED)
        await world.notices.your_turn("ann", "table0", "topas")
        assert await world.send_after(PAUSE_SECONDS - 1) == 0
        assert await world.send_after(1) == 1
        await world.notices.your_turn("ann", "table0", "topas")
        await world.notices.settled("ann", "table0")
        assert await world.send_after(DAY) == 0

    run(tmp_path, work)


def test_a_reminder_takes_the_place_of_a_notice_and_ends_with_the_turn(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        browser = await world.subscribe("ann")
        end = datetime.fromtimestamp(NOON + 24 * 3600, UTC)

        async def told(seconds: int) -> list[tuple[str, str]]:
            if not await world.send_after(seconds):
                return []
            read = browser.read(world.service.received[0].body)
            assert read["stood_in"] == sum(one["kind"] == "stood in" for one in read["tables"])
            return sorted((one["table"], one["kind"]) for one in read["tables"])

        await world.notices.your_turn("ann", "a", "topas", end)
        await world.notices.remind("ann", "a", "topas", end)
        await world.notices.stood_in("ann", "b", "topas")
        assert await told(PAUSE_SECONDS) == [("a", "reminder"), ("b", "stood in")], "one notice, each table once"
        await world.notices.remind("ann", "a", "topas", end)
        await world.notices.stood_in("ann", "b", "topas")
        for table in ("a", "b"):
            await world.notices.settled("ann", table)
        assert await told(PAUSE_SECONDS) == []
        world.clock.now = NOON + 10 * 3600  # 23 in Berlin, where it is quiet until 8
        morning = NOON + 19 * 3600
        for table, deadline in (("early", morning - 3600), ("late", morning + 3600)):
            await world.notices.remind("ann", table, "topas", datetime.fromtimestamp(deadline, UTC))
        await world.notices.stood_in("ann", "b", "topas")
        assert await told(PAUSE_SECONDS) == []
        world.clock.now = morning
        assert await told(0) == [("b", "stood in"), ("late", "reminder")], "what is too late is not said"
        await world.notices.remind("bea", "a", "topas", end)
        assert await world.count(notices) == 0, "who wants no notices gets none"

    run(tmp_path, work)


def test_it_is_quiet_when_the_guest_wants(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.subscribe("ann")  # 22 to 8 in Berlin, which is an hour ahead
        world.clock.now = NOON + 10 * 3600
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(GATHER_SECONDS) == 0
        assert await world.send_after(9 * 3600 - GATHER_SECONDS - 1) == 0
        assert await world.send_after(1) == 1
        await world.notices.set_quiet("ann", 0, QuietHours(8, 22, "Europe/Berlin"))
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(13 * 3600) == 0
        assert await world.send_after(3600) == 1
        world.clock.now += 12 * 3600
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(PAUSE_SECONDS) == 0
        await world.notices.set_quiet("ann", 0, QuietHours(None, None, "Europe/Berlin"))
        assert await world.send_after(0) == 1  # what waited for their end
        for wrong in (QuietHours(8, 8, "UTC"), QuietHours(None, 8, "UTC"), QuietHours(1, 2, "../../etc/passwd")):
            with pytest.raises(Refusal):
                await world.notices.set_quiet("ann", 0, wrong)

    run(tmp_path, work)


@each_row(
    ("at", "start", "end", "loud"),
    [
        ("2026-11-23T12:00", 22, 8, "2026-11-23T12:00"),
        ("2026-11-23T22:00", 22, 8, "2026-11-24T07:00"),
        ("2026-11-23T21:00", 22, 8, "2026-11-24T07:00"),
        ("2026-11-23T20:59", 22, 8, "2026-11-23T20:59"),
        ("2026-11-23T06:59", 22, 8, "2026-11-23T07:00"),
        ("2026-11-23T07:00", 22, 8, "2026-11-23T07:00"),
        ("2026-11-23T00:30", 0, 7, "2026-11-23T06:00"),
        ("2026-11-23T12:00", 13, 0, "2026-11-23T23:00"),
        ("2026-03-28T23:00", 22, 8, "2026-03-29T06:00"),  # the night in which summer time begins
        ("2026-11-23T12:00", None, None, "2026-11-23T12:00"),
    ],
)
def test_quiet_hours_are_those_of_the_clock_on_the_wall(at: str, start: int | None, end: int | None, loud: str) -> None:
    def seconds(text: str) -> int:
        return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())

    assert next_loud(seconds(at), start, end, "Europe/Berlin") == seconds(loud)


# --- to whom ---


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_subscription_that_counts_no_longer_is_deleted(tmp_path: Path, status: int) -> None:
    async def work(world: World) -> None:
        await world.subscribe("ann")
        world.service.answer = f"HTTP/1.1 {status} Gone\r\ncontent-length: 0\r\n\r\n".encode()
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(GATHER_SECONDS) == 1
        assert await world.count(subscriptions) == await world.count(notices) == 0

    run(tmp_path, work)


def test_who_cannot_be_reached_is_tried_again_for_a_day(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.subscribe("ann")
        await world.notices.set_quiet("ann", 0, QuietHours(None, None, "UTC"))
        world.service.answer = b"HTTP/1.1 503 Later\r\ncontent-length: 0\r\n\r\n"
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(GATHER_SECONDS) == 1
        assert await world.send_after(RETRY_SECONDS - 1) == 0
        assert await world.send_after(1) == 1
        assert await world.send_after(GIVE_UP_SECONDS) == 1
        assert await world.count(notices) == 0
        assert await world.count(subscriptions) == 1

    run(tmp_path, work)


def test_what_is_over_before_a_notice_arrives_is_not_told_again(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        browser = await world.subscribe("ann")
        await world.notices.set_quiet("ann", 0, QuietHours(None, None, "UTC"))
        world.service.answer = b"HTTP/1.1 503 Later\r\ncontent-length: 0\r\n\r\n"

        async def again() -> None:
            await world.notices.settled("ann", "over")
            await world.notices.settled("ann", "again")
            await world.notices.your_turn("ann", "again", "topas")

        for table in ("over", "again", "on"):
            await world.notices.your_turn("ann", table, "topas")
        world.service.meanwhile = again
        assert await world.send_after(GATHER_SECONDS) == 1
        world.service.meanwhile, world.service.answer = None, b"HTTP/1.1 201 Created\r\n\r\n"
        assert await world.send_after(RETRY_SECONDS) == 1
        told = browser.read(world.service.received[0].body)["tables"]
        assert [one["table"] for one in told] == ["on", "again"]
        assert await world.count(notices) == 0

    run(tmp_path, work)


def test_who_is_erased_while_a_notice_is_sent_leaves_nothing(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.subscribe("ann")
        world.service.answer = b"HTTP/1.1 503 Later\r\ncontent-length: 0\r\n\r\n"
        world.service.meanwhile = lambda: world.notices.erase("ann")
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(GATHER_SECONDS) == 1
        assert [await world.count(table) for table in (subscriptions, notice_settings, notices)] == [0, 0, 0]
        found = await world.subscribe("ann") and await world.notices.settings_row("ann")
        await world.notices.erase("ann")

        async def settings(guest: str) -> Any:
            return found  # as it was a moment ago

        world.notices.settings_row = settings  # type: ignore[method-assign]
        world.notices.receivers = lambda guest: settings(guest)  # type: ignore[method-assign]
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.count(notices) == 0

    run(tmp_path, work)


def test_a_clock_that_was_ahead_keeps_no_notice(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.subscribe("ann")
        world.clock.now += 365 * DAY
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(GATHER_SECONDS) == 1
        world.clock.now = NOON
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(PAUSE_SECONDS) == 1

    run(tmp_path, work)


def test_no_device_that_was_signed_out_is_told_anything(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        here, lost = await world.subscribe("ann", 0, "here"), await world.subscribe("ann", 7, "lost")
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(GATHER_SECONDS) == 2
        await world.devices.revoke("ann", 0, 7)
        assert await world.count(subscriptions) == 1
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(PAUSE_SECONDS) == 1
        here.read(world.service.received[0].body)
        assert lost is not here
        with pytest.raises(Refusal):
            await world.subscribe("ann", 7, "lost")

    run(tmp_path, work)


def test_a_browser_gets_notices_of_one_guest(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        browser = await world.subscribe("ann")
        with pytest.raises(Refusal):  # an address alone is not enough: its keys are missing
            await world.subscribe("eve")
        await world.subscribe("bea", browser=browser)
        await world.notices.your_turn("ann", "secret", "topas")
        await world.notices.your_turn("bea", "table", "topas")
        assert await world.send_after(GATHER_SECONDS) == 1
        assert browser.read(world.service.received[0].body)["tables"][0]["table"] == "table"

    run(tmp_path, work)


def test_one_press_ends_all_and_erasing_leaves_nothing(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.subscribe("ann", 0, "here")
        await world.subscribe("ann", 7, "there")
        await world.notices.your_turn("ann", "table", "topas")
        await world.notices.unsubscribe("ann", None)
        assert await world.send_after(DAY) == 0
        assert await world.count(subscriptions) == await world.count(notices) == 0
        await world.subscribe("ann", 0, "here")
        await world.notices.your_turn("ann", "table", "topas")
        kept = await world.notices.kept("ann", 0)
        assert kept is not None
        assert (kept.endpoints, kept.waiting) == ([world.service.endpoint("here")], ["table"])
        await world.notices.erase("ann")
        assert [await world.count(table) for table in (subscriptions, notice_settings, notices)] == [0, 0, 0]

    run(tmp_path, work)


def test_two_nodes_send_one_notice(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.subscribe("ann")
        await world.notices.your_turn("ann", "table", "topas")
        other = Notices(world.store, world.vapid, world.mail, world.service.delivery(), world.clock)
        for number in range(20):
            world.clock.now += DAY
            world.service.received.clear()
            await world.notices.your_turn("ann", f"table{number}", "topas")
            world.clock.now += GATHER_SECONDS
            await asyncio.gather(Sender(world.notices).send_due(), Sender(other).send_due())
            assert len(world.service.received) == 1

    run(tmp_path, work)


@pytest.mark.slow
def test_the_same_on_postgresql(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        browser = await world.subscribe("ann")
        for table in ("one", "two", "three"):
            await world.notices.your_turn("ann", table, "topas")
        await world.notices.settled("ann", "two")
        other = Notices(world.store, world.vapid, world.mail, world.service.delivery(), world.clock)
        world.clock.now += GATHER_SECONDS
        await asyncio.gather(Sender(world.notices).send_due(), Sender(other).send_due())
        (message,) = world.service.received
        assert [one["table"] for one in browser.read(message.body)["tables"]] == ["one", "three"]
        await sweep(world.store)
        assert await world.count(subscriptions) == 1
        await world.notices.erase("ann")

    with postgresql() as server:
        run(tmp_path, work, server.database())


def test_what_nobody_needs_is_swept(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        await world.subscribe("ann")
        await world.notices.your_turn("ann", "table", "topas")
        later = datetime.now(UTC).date().replace(year=datetime.now(UTC).year + 3)
        for _ in range(2):  # devices are signed out first, and deleted when they are older
            await sweep(world.store, later)
        assert await world.count(subscriptions) == await world.count(notices) == 0

    run(tmp_path, work)


# --- what it can't be made to do ---


@each_row(
    ("endpoint", "accepted"),
    [
        ("https://push.example.org/a/b?c=d", True),
        ("https://push.example.org:443/a", True),
        ("https://push.example.org:8443/a", False),
        ("http://push.example.org/a", False),
        ("file:///etc/passwd", False),
        ("https:///a", False),
        ("https://ann@push.example.org/a", False),
        ("https://push.example.org/a#b", False),
        ("https://push.example.org/a b", False),
        ("https://push.example.org/a\r\nx: y", False),
        ("https://push.example.org:x/", False),
        ("https://[::1/", False),
        ("https://a..b/x", False),
        (f"https://{'a' * 64}.example.org/x", False),
        ("https://push.example.org/" + "a" * 1000, False),
        ("", False),
    ],
)
def test_only_https_on_its_port_is_a_push_service(endpoint: str, accepted: bool) -> None:
    assert Delivery().accepts(endpoint) == accepted


@each_row(
    ("address", "public"),
    [
        ("::7f00:1", False),
        ("64:ff9b:1::7f00:1", False),
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::808:808", True),
        ("2002:7f00:1::", False),
        ("::ffff:0:127.0.0.1", False),
        ("fec0::1", False),
    ],
)
def test_only_addresses_of_the_internet_are_asked(address: str, public: bool) -> None:
    assert is_public(address) == public


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "127.1", "2130706433", "0x7f.1"])
def test_nothing_on_this_machine_is_asked(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object, **more: object) -> None:
        raise AssertionError("it was connected to")

    monkeypatch.setattr(asyncio, "open_connection", refuse)
    with pytest.raises(UndeliveredError):
        asyncio.run(Delivery().send(f"https://{host}/", {}, b""))


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 302 Found\r\nlocation: https://localhost/elsewhere\r\n\r\n",
        b"HTTP/1.1 201 Created\r\nx: " + b"y" * 100_000,
        b"no answer\r\n\r\n",
        b"",
        b"HTTP/1.1 100 Continue\r\n\r\n" * (INTERIM + 1) + b"HTTP/1.1 201 Created\r\n\r\n",
    ],
    ids=["redirect", "endless", "nonsense", "silence", "interim"],
)
def test_an_odd_answer_is_no_delivery(tmp_path: Path, answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push_delivery, "SECONDS", 0.3)

    async def work(world: World) -> None:
        await world.subscribe("ann")
        world.service.answer = answer
        await world.notices.your_turn("ann", "table", "topas")
        assert await world.send_after(GATHER_SECONDS) == 1
        assert await world.count(notices) == 1  # to be tried again

    run(tmp_path, work)


def test_services_that_never_answer_hold_no_slots_of_the_usual_ones_and_up_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push_delivery, "SECONDS", 30.0)
    monkeypatch.setattr(sender, "AT_A_TIME", 4)

    async def work(world: World) -> None:
        elsewhere = world.service.endpoint().replace("localhost", "127.0.0.1")
        for number in range(SLOTS_OF_OTHERS + 1):
            await world.subscribe(f"eve{number}", endpoint=f"{elsewhere}/{number}")
            await world.notices.your_turn(f"eve{number}", "table", "topas")
        world.clock.now += 1
        await world.subscribe("ann")
        await world.notices.your_turn("ann", "table", "topas")
        arrived, released = asyncio.Event(), asyncio.Event()

        async def never() -> None:
            if world.service.received[-1].path == "/push/a":
                arrived.set()
            await released.wait()

        world.service.meanwhile = never
        world.clock.now += GATHER_SECONDS
        sending = asyncio.create_task(Sender(world.notices).send_due())
        await asyncio.wait_for(arrived.wait(), 10)
        assert not sending.done()
        assert len(world.service.received) <= SLOTS_OF_OTHERS + 1
        assert await world.count(notices) >= SLOTS_OF_OTHERS + 1, "nobody has given up yet"
        released.set()
        await sending

    run(tmp_path, work)


def test_more_messages_than_have_slots_in_ten_seconds_are_all_delivered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One slot, ten times as long as a message takes, and twelve messages."""
    monkeypatch.setattr(push_delivery, "SECONDS", 1.0)
    monkeypatch.setattr(push_delivery, "SLOTS", 1)

    async def take(*_: Any) -> int:
        await asyncio.sleep(0.1)
        return 201

    monkeypatch.setattr(Delivery, "_sent", take)

    async def work(world: World) -> None:
        for number in range(12):
            await world.subscribe(f"ann{number}", name=f"a{number}")
            await world.notices.your_turn(f"ann{number}", "table", "topas")
        await world.send_after(GATHER_SECONDS)
        assert await world.count(notices) == 0

    run(tmp_path, work)
    assert SECONDS + SLOT_SECONDS < RETRY_SECONDS, "none is sent twice"


def test_a_burst_of_notices_keeps_no_thread_from_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, going_on = list[str](), asyncio.Event()

    async def in_thread(call: Callable[..., Any], *given: Any) -> Any:
        begun.append(call.__name__)
        await going_on.wait()
        return call(*given)

    async def take(*_: Any) -> int:
        return 201

    async def work(world: World) -> None:
        for number in range(3 * ENCRYPTED_AT_ONCE):
            await world.subscribe(f"ann{number}", name=f"a{number}")
            await world.notices.your_turn(f"ann{number}", "table", "topas")
        world.clock.now += GATHER_SECONDS
        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "to_thread", in_thread)
            sending = asyncio.create_task(Sender(world.notices).send_due())
            while await world.store.select(sa.select(notices).where(notices.c.due <= world.clock.now)):
                await asyncio.sleep(0.01)
            await world.count(notices)  # all have begun
            assert begun == ["encrypted"] * ENCRYPTED_AT_ONCE
            going_on.set()
            await sending
        assert len(begun) == 2 * 3 * ENCRYPTED_AT_ONCE
        assert await world.count(notices) == 0

    monkeypatch.setattr(Delivery, "_sent", take)
    run(tmp_path, work)


@each_row(
    ("host", "usual"),
    [
        ("fcm.googleapis.com", True),
        ("updates.push.services.mozilla.com", True),
        ("web.push.apple.com", True),
        ("wns2-par02p.notify.windows.com", True),
        ("notpush.apple.com", False),
        ("push.apple.com.example.org", False),
        ("127.0.0.1", False),
    ],
)
def test_the_usual_services_are_known_by_their_names(host: str, usual: bool) -> None:
    assert Delivery().is_usual(host) == usual


def test_a_certificate_of_somebody_else_is_no_push_service(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        with pytest.raises(UndeliveredError):
            await Delivery(private=True).send(world.service.endpoint(), {}, b"")
        assert world.service.received == []

    run(tmp_path, work)


# --- requests ---


def test_a_guest_looks_after_notices(ann: Person) -> None:
    nothing = {"key": "", "here": False, "devices": 0, "quiet": None, "mail": None}
    assert ann.get("/api/me/notices").json() | {"key": ""} == nothing
    quiet = {"start": 23, "end": 7, "zone": "Europe/Paris"}
    assert ann.post("/api/me/notices/quiet", quiet).status_code == 409  # there is nothing to change yet
    ask = Browser().subscription("https://push.example.org/ann")
    assert ann.post("/api/me/notices/subscribe", ask).status_code == 204
    assert ann.post("/api/me/notices/quiet", quiet).status_code == 204
    settings = ann.get("/api/me/notices").json()
    assert (settings["here"], settings["devices"], settings["quiet"]) == (True, 1, quiet)
    kept = ann.get("/api/me").json()["notices"]
    assert kept == {"settings": settings, "endpoints": ["https://push.example.org/ann"], "waiting": [], "mail": None}
    assert ask["auth"] not in json.dumps(kept)
    assert ann.post("/api/me/notices/unsubscribe", {"all": True}).status_code == 204
    assert ann.get("/api/me/notices").json()["devices"] == 0


@each_row(
    ("change", "code"),
    [
        ({"endpoint": "http://push.example.org/"}, "malformed"),
        ({"endpoint": "https://push.example.org:22/"}, "malformed"),
        ({"p256dh": "AAAA"}, "malformed"),
        ({"p256dh": "B" * 87}, "malformed"),
        ({"auth": "AAAA"}, "malformed"),
        ({"auth": "é"}, "malformed"),
        ({"language": "it"}, "malformed"),
        ({"more": 1}, "malformed"),
    ],
)
def test_what_is_no_subscription_is_refused(client: Any, change: dict[str, Any], code: str) -> None:
    client.cookies.clear()
    person = Person(client)
    answer = person.post("/api/me/notices/subscribe", Browser().subscription("https://push.example.org/x") | change)
    assert answer.json()["code"] == code
    assert person.get("/api/me/notices").json()["devices"] == 0
