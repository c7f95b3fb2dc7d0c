"""Notices by mail: what they say, when they are sent, and what ends them."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.server.http.app import create_app
from bosquet.server.notices import mails, smtp
from bosquet.server.notices.messages import NoticeTable, QuietHours, Subscribe
from bosquet.server.notices.notices import DAY, GATHER_SECONDS, PAUSE_SECONDS, Notices
from bosquet.server.notices.sender import GIVE_UP_SECONDS, RETRY_SECONDS, Sender
from bosquet.server.notices.slots import SLOT_SECONDS
from bosquet.server.store.schema import mail_addresses, notices
from tests.helpers.rows import each_row
from tests.server.helpers.clocks import NOON
from tests.server.helpers.guests import FIREFOX
from tests.server.helpers.mail_server import PUBLIC, SENDER, MailServer
from tests.server.helpers.mails import MANY, VAPID, World, code_in, run
from tests.server.helpers.people import FRIEND, LOOSE, ME, Person
from tests.server.helpers.push_service import Browser, PushService, certificate

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
