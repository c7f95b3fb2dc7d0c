"""A guest on several devices: codes, phrases and signing out, attacked as somebody would who wants its seats."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, cast

import httpx2
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from bosquet.server.base.rate_limits import Rate
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests import transfers as module
from bosquet.server.guests.clean_up import GuestRetention, clean_up
from bosquet.server.guests.devices import Devices, added, named
from bosquet.server.guests.transfers import Transfers, fresh_phrase, read_phrase
from bosquet.server.http.limits import Limits
from bosquet.server.store.schema import devices, identities, phrases, transfers
from bosquet.server.store.store import Store
from bosquet.server.tables.connection import Connection
from tests.helpers.rows import each_row
from tests.server.helpers.guests import FIREFOX, PHONE, ask, code_of, move
from tests.server.helpers.kept import keep_game, sweep, with_store
from tests.server.helpers.people import FRIEND, GREEDY, LOOSE, ME, Page, Person, make_app


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash phrases as seldom as tests need: the hash itself is Python's."""
    monkeypatch.setattr(module, "_scrypt", lambda symbols: symbols.encode()[::-1])


def said(answer: httpx2.Response) -> str:
    """The code of a refusal."""
    assert answer.status_code >= 400, answer.text
    code: str = answer.json()["code"]
    return code


def copy_of(person: Person) -> Person:
    """Somebody who has copied a cookie."""
    thief = Person.__new__(Person)
    thief.client, thief.cookie = person.client, person.cookie
    return thief


def closed(page: Page) -> int:
    """The code with which a connection is closed, after what was sent before."""
    try:
        while True:
            page.hear()
    except WebSocketDisconnect as ended:
        return ended.code


def number_here(person: Person) -> int:
    (here,) = [one["number"] for one in ask(person, "identity").json()["devices"] if one["here"]]
    return int(here)


# --- codes ---


def test_a_guest_comes_to_another_device_with_name_and_tables(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, GREEDY])
    assert ask(ann, "name", {"name": "  Ann of the  Garden "}).status_code == 204
    code = code_of(ann)
    look = ask(bea, "transfer/look", {"code": code}, PHONE).json()
    assert look == {"name": "Ann of the Garden", "browser": "Firefox", "system": "Linux", "same": False}
    assert ask(ann, "identity").json()["transfer"]["claimed"] is None
    assert move(bea, code).status_code == 204
    told = ask(ann, "identity").json()
    assert [(one["browser"], one["system"], one["here"]) for one in told["devices"] if one["number"]] == [
        ("Chrome", "Android", False)
    ]
    assert told["transfer"] == {"seconds": 0, "claimed": number_here(bea)}
    assert [one["table"] for one in bea.get("/api/lobby").json()["mine"]] == [table]
    with bea.at(table) as page:
        assert page.hear("table")["mine"] != []


def test_a_code_counts_once(ann: Person, bea: Person, client: TestClient) -> None:
    client.cookies.clear()
    cid = Person(client)
    code = code_of(ann)
    assert move(bea, code).status_code == 204
    before = cid.cookie
    assert said(move(cid, code)) == "no code"
    assert said(ask(cid, "transfer/look", {"code": code})) == "no code"
    assert said(move(bea, code)) == "no code"
    assert cid.cookie == before


def test_a_new_code_voids_the_one_before(ann: Person, bea: Person) -> None:
    first, second = code_of(ann), code_of(ann)
    assert said(move(bea, first)) == "no code"
    assert move(bea, second).status_code == 204


def test_a_code_expires(ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    code, now = code_of(ann), time.time()
    monkeypatch.setattr(module, "_now", lambda: int(now) + 601)
    assert said(ask(bea, "transfer/look", {"code": code})) == "no code"
    assert said(move(bea, code)) == "no code"
    assert ask(ann, "identity").json()["transfer"]["seconds"] == 0


def test_the_device_that_made_a_code_does_not_use_it_up(ann: Person, bea: Person) -> None:
    code = code_of(ann)
    assert ask(ann, "transfer/look", {"code": code}).json()["same"]
    assert said(move(ann, code)) == "not now"
    assert move(bea, code).status_code == 204


@each_row("code", ["", "x", "A" * 22, "é" * 22, "' OR 1=1 --"])
def test_no_other_code_counts(ann: Person, bea: Person, code: str) -> None:
    code_of(ann)
    assert said(move(bea, code)) == "no code"
    assert said(ask(bea, "transfer/look", {"code": code})) == "no code"


def test_who_guesses_is_slowed_down_also_with_new_cookies(tmp_path: Path) -> None:
    limits = Limits(identity=Rate(3, 0), identity_of_address=Rate(8, 0))
    with TestClient(make_app(tmp_path, limits)) as client:
        tries = []
        for _ in range(4):
            client.cookies.clear()
            guesser = Person(client)
            tries += [said(move(guesser, "A" * 22)) for _ in range(3)]
            tries.append(said(ask(guesser, "recover", {"phrase": fresh_phrase()})))
    assert tries == ["no code"] * 3 + ["busy"] + ["no code"] * 3 + ["busy"] + ["no code"] * 2 + ["busy"] * 6


def test_who_only_looks_leaves_few_traces_also_with_new_cookies(tmp_path: Path) -> None:
    limits = replace(LOOSE, identity=Rate(3, 0), identity_of_address=Rate(5, 0))
    with TestClient(make_app(tmp_path, limits)) as client:
        guests = []
        for _ in range(7):
            client.cookies.clear()
            guests.append(Person(client))
        assert [guest.get("/api/me/identity").status_code for guest in guests] == [200] * 5 + [429] * 2
        assert guests[0].get("/api/me/identity").status_code == 200, "it is known already"
        wishes = [guest.post("/api/ratings/wish", {"wanted": True}).status_code for guest in guests]
        assert wishes == [204] * 5 + [429] * 2


def test_other_sites_can_neither_make_nor_claim_nor_sign_out(ann: Person, bea: Person) -> None:
    code = code_of(ann)
    headers = {"cookie": f"bosquet={bea.cookie}", "origin": "https://evil.example"}
    bodies = {"transfer": {}, "transfer/claim": {"code": code}, "phrase": {}, "revoke": {"device": 0}}
    for path, body in bodies.items():
        answer = bea.client.post(f"/api/me/{path}", json=body, headers=headers)
        assert answer.json()["code"] == "wrong origin"
        assert "set-cookie" not in answer.headers
    assert move(bea, code).status_code == 204


def test_a_device_that_plays_as_somebody_else_is_asked_first(ann: Person, bea: Person, client: TestClient) -> None:
    table = bea.open("topas", {"players": 2}, [ME | {"name": "Bea"}, FRIEND])
    code, before = code_of(ann), copy_of(bea)
    assert said(move(bea, code)) == "other tables"
    assert bea.cookie == before.cookie
    phrase = ask(bea, "phrase", {}).json()["phrase"]  # so that the tables are not lost
    assert move(bea, code, give_up=True).status_code == 204
    assert bea.get("/api/lobby").json()["mine"] == []
    assert said(ask(before, "identity")) == "revoked"  # a copy of the cookie counts no longer either
    client.cookies.clear()
    back = Person(client)
    assert ask(back, "recover", {"phrase": phrase}).status_code == 204
    assert [one["table"] for one in back.get("/api/lobby").json()["mine"]] == [table]


def test_of_two_claims_at_once_one_counts(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        there = Devices(store, LOOSE)
        ways = Transfers(store, there)
        await there.note("ann", 0, FIREFOX)
        code = (await ways.make_code("ann", 0)).code
        claims = [ways.claim(code, f"guest {i}", PHONE, False) for i in range(8)]
        outcomes = await asyncio.gather(*claims, return_exceptions=True)
        assert sorted(type(one).__name__ for one in outcomes) == ["Refusal"] * 7 + ["tuple"]
        assert len(await there.rows("ann")) == 2

    with_store(tmp_path, work)


def test_a_guest_has_so_many_devices_and_no_more(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        there = Devices(store, Limits(devices=3, devices_a_year=4))
        ways = Transfers(store, there)
        await there.note("ann", 0, FIREFOX)

        async def come() -> int:
            return (await ways.claim((await ways.make_code("ann", 0)).code, "bea", PHONE, False))[1]

        first, _ = [await come() for _ in range(2)]
        with pytest.raises(Refusal, match="at most 3"):
            await come()
        await there.revoke("ann", 0, first)
        await come()
        (last, *_) = [row["number"] for row in await there.rows("ann") if row["number"] and not row["revoked"]]
        await there.revoke("ann", 0, last)
        with pytest.raises(Refusal, match="at most 4 devices a year") as refused:
            await come()
        assert refused.value.code == "devices"

    with_store(tmp_path, work)


# --- signing out ---


def with_phone(ann: Person, bea: Person) -> int:
    """Make Bea's browser a device of Ann; return its number."""
    assert move(bea, code_of(ann)).status_code == 204
    return number_here(bea)


def test_a_stolen_cookie_is_refused_once_its_device_is_signed_out(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, GREEDY])
    phone = with_phone(ann, bea)
    thief, again = copy_of(bea), copy_of(bea)
    with thief.at(table) as page:
        page.hear("table")
        assert ask(ann, "revoke", {"device": phone}).status_code == 204
        assert closed(page) == 1008
    with pytest.raises(WebSocketDenialResponse) as denied, again.at(table):
        pass
    assert denied.value.status_code == 403
    for path in ("identity", "transfer", "phrase", "name", "revoke", "erase"):
        body: dict[str, Any] | None = None if path == "identity" else {}
        assert said(ask(copy_of(again), path, body)) == "revoked"
    assert said(again.get("/api/me")) == "revoked"
    assert said(again.get("/api/lobby")) == "revoked"
    assert said(again.post("/api/tables", {})) == "revoked"
    assert said(again.post(f"/api/tables/{table}/archive", {"archived": True})) == "revoked"
    answer = ask(again, "identity")
    assert said(answer) == "revoked"
    assert ask(again, "identity").json()["devices"][0]["number"] == 0  # the browser is somebody new
    assert again.get("/api/lobby").json()["mine"] == []
    assert [one["table"] for one in ann.get("/api/lobby").json()["mine"]] == [table]


def test_a_device_that_is_signed_out_while_it_connects_is_cut_off(
    ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ann.open("topas", {"players": 2}, [ME, GREEDY])
    phone, check = with_phone(ann, bea), Devices.check
    server = cast(Any, ann.client.app).state.server

    async def check_and_sign_out(self: Devices, guest: str, number: int) -> None:
        await check(self, guest, number)
        if number == phone:
            await self.revoke(guest, 0, number)
            server.connections.sign_out(guest, number)

    monkeypatch.setattr(Devices, "check", check_and_sign_out)
    with bea.at(table) as page:
        assert closed(page) == 1008
        assert page.news == {}


class Socket:
    """A connection on which a message arrives just after its device was signed out."""

    scope: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.asked = False

    async def accept(self, *spoken: Any) -> None: ...

    async def send_text(self, text: str) -> None: ...

    async def close(self, *why: Any) -> None: ...

    async def receive(self) -> dict[str, Any]:
        await asyncio.sleep(0)
        assert self.connection is not None
        if self.asked:
            return {"type": "websocket.disconnect"}
        self.asked = True
        self.connection.sign_out()
        return {"type": "websocket.receive", "text": '{"type": "close"}'}


def test_nothing_is_done_for_a_device_after_it_was_signed_out(ann: Person) -> None:
    table_id = ann.open("topas", {"players": 2}, [ME, FRIEND])
    server = cast(Any, ann.client.app).state.server
    guest = ann.cookie.partition(".")[0]

    async def ask_and_look() -> str:
        socket, table = Socket(), await server.registry.find(table_id)
        shared = server.opener, server.registry, server.services, server.gates, LOOSE
        socket.connection = Connection(cast(Any, socket), guest, 0, "", table, *shared, 0)
        await socket.connection.run()
        phase: str = table.session.phase
        return phase

    assert ann.client.portal is not None
    assert ann.client.portal.call(ask_and_look) == "waiting"


def test_the_first_device_can_be_signed_out(ann: Person, bea: Person) -> None:
    with_phone(ann, bea)
    assert ask(bea, "revoke", {"device": 0}).status_code == 204
    assert said(ask(ann, "identity")) == "revoked"


def test_a_code_of_a_device_that_is_signed_out_counts_no_longer(ann: Person, bea: Person, client: TestClient) -> None:
    phone = with_phone(ann, bea)
    code, phrase = code_of(bea), ask(bea, "phrase", {}).json()["phrase"]
    assert ask(ann, "revoke", {"device": phone}).status_code == 204
    client.cookies.clear()
    cid = Person(client)
    assert said(move(cid, code)) == "no code"
    assert said(ask(cid, "recover", {"phrase": phrase})) == "no code"
    assert ask(ann, "identity").json()["phrase"] is None


def test_a_phrase_of_another_device_outlives_a_lost_one(ann: Person, bea: Person, client: TestClient) -> None:
    phrase = ask(ann, "phrase", {}).json()["phrase"]
    assert ask(ann, "revoke", {"device": with_phone(ann, bea)}).status_code == 204
    client.cookies.clear()
    assert ask(Person(client), "recover", {"phrase": phrase}).status_code == 204


def test_a_device_signs_out_others_of_its_guest_alone(ann: Person, bea: Person, client: TestClient) -> None:
    phone = with_phone(ann, bea)
    assert said(ask(ann, "revoke", {"device": 0})) == "not now"
    assert said(ask(ann, "revoke", {"device": phone + 1})) == "stale"
    client.cookies.clear()
    cid = Person(client)
    assert said(ask(cid, "revoke", {"device": phone})) == "stale"
    assert ask(bea, "identity").status_code == 200
    for odd in ({"device": -1}, {"device": 2**60}, {"device": "0"}, {}):
        assert said(ask(ann, "revoke", odd)) == "malformed"


Doing = Callable[[Transfers], Any]


CHANGES: dict[str, Doing] = {
    "code": lambda ways: ways.make_code("ann", 5),
    "phrase": lambda ways: ways.make_phrase("ann", 5),
    "name": lambda ways: ways.rename("ann", 5, "Eve"),
    "sign out": lambda ways: ways._devices.revoke("ann", 5, 0),
}


@each_row("change", CHANGES)
def test_what_a_device_does_while_it_is_signed_out_changes_nothing(tmp_path: Path, change: str) -> None:
    """It was checked before, and has been signed out since: the database refuses what it writes."""

    async def work(store: Store) -> None:
        there = Devices(store, LOOSE)
        ways = Transfers(store, there)
        await there.note("ann", 0, FIREFOX)
        await store.write(added("ann", 5, PHONE))
        await there.check("ann", 5)
        await there.revoke("ann", 0, 5)
        with pytest.raises(Refusal) as refused:
            await CHANGES[change](ways)
        assert refused.value.code == "stale"
        for table in (transfers, phrases, identities):
            assert await store.select(sa.select(table)) == []
        await there.check("ann", 0)

    (tmp_path / change).mkdir()
    with_store(tmp_path / change, work)


# --- phrases ---


def test_a_phrase_brings_a_guest_back_however_it_was_written_down(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, GREEDY])
    phrase = ask(ann, "phrase", {}).json()["phrase"]
    assert ask(ann, "identity").json()["phrase"] == datetime.now(UTC).date().isoformat()
    untidy = phrase.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert ask(bea, "recover", {"phrase": f" {untidy}\n"}).status_code == 204
    assert [one["table"] for one in bea.get("/api/lobby").json()["mine"]] == [table]


def test_a_new_phrase_voids_the_one_before(ann: Person, bea: Person) -> None:
    first, second = (ask(ann, "phrase", {}).json()["phrase"] for _ in range(2))
    assert said(ask(bea, "recover", {"phrase": first})) == "no code"
    assert ask(bea, "recover", {"phrase": second}).status_code == 204


def test_a_misread_phrase_is_told_from_a_wrong_one(bea: Person) -> None:
    phrase = fresh_phrase()
    assert said(ask(bea, "recover", {"phrase": phrase})) == "no code"
    for wrong in (phrase[:-1], phrase + "0", phrase.replace("-", "U", 1), "", "-" * 40):
        assert said(ask(bea, "recover", {"phrase": wrong})) == "malformed"


def test_phrases_have_128_bits_and_notice_a_wrong_symbol() -> None:
    phrases = {fresh_phrase() for _ in range(200)}
    assert len(phrases) == 200
    assert len(module.SYMBOLS) ** module.PHRASE_SYMBOLS >= 2**128
    phrase = phrases.pop().replace("-", "")
    wrong = [
        phrase[:i] + symbol + phrase[i + 1 :] for i in range(26) for symbol in module.SYMBOLS if symbol != phrase[i]
    ]
    assert sum(read_phrase(one) is not None for one in wrong) < len(wrong) / 100
    assert read_phrase(phrase) == phrase


def test_neither_codes_nor_phrases_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the slow hash itself

    async def work(store: Store) -> tuple[str, str]:
        there = Devices(store, LOOSE)
        ways = Transfers(store, there)
        await there.note("ann", 0, FIREFOX)
        return (await ways.make_code("ann", 0)).code, (await ways.make_phrase("ann", 0)).phrase

    code, phrase = with_store(tmp_path, work)
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"transfers" in files
    assert code.encode() not in files
    assert phrase.encode() not in files
    assert phrase.replace("-", "").encode() not in files
    assert module._digest(code).encode() in files


# --- what is kept ---


def test_all_of_it_is_in_the_download_and_erased(ann: Person, bea: Person) -> None:
    phone = with_phone(ann, bea)
    ask(ann, "name", {"name": "Zoe"})
    ask(ann, "phrase", {})
    guest = ann.cookie.partition(".")[0]
    kept = ann.get("/api/me").json()["identity"]
    assert (kept["name"], len(kept["devices"]), kept["phrase"] is None) == ("Zoe", 2, False)
    assert phone in [one["number"] for one in kept["devices"]]
    table = ann.open("topas", {"players": 2}, [ME, GREEDY])
    with bea.at(table) as page:
        page.hear("table")
        assert ask(ann, "erase", {}).status_code == 204
        assert closed(page) == 1008
    assert said(ask(bea, "identity")) == "erased"
    server = cast(Any, ann.client.app).state.server
    store = server.services.store

    async def left() -> list[Any]:
        tables = (devices, transfers, phrases, identities)
        assert await server.devices.revoked([(guest, 0), (guest, phone), ("new", 0)]) == {(guest, 0), (guest, phone)}
        return [row for table in tables for row in await store.select(sa.select(table).where(table.c.guest == guest))]

    assert ann.client.portal is not None
    assert ann.client.portal.call(left) == []


def test_who_is_erased_with_an_old_cookie_is_somebody_new(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    table = ann.open("topas", {"players": 2}, [ME, GREEDY])
    before = ann.cookie
    guest, now = before.partition(".")[0], time.time()
    monkeypatch.setattr("bosquet.server.guests.cookie._today", lambda: int(now) // 86400 + 40)
    assert ask(ann, "erase", {}).status_code == 204
    assert guest not in ann.cookie
    assert ann.get(f"/api/tables/{table}").json()["mine"] is False
    ann.cookie = before
    assert said(ann.get(f"/api/tables/{table}")) == "erased"
    with pytest.raises(WebSocketDenialResponse), ann.at(table) as page:
        page.hear("table")


def test_an_old_cookie_is_renewed_for_its_device(ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    phone, now = with_phone(ann, bea), time.time()
    before = bea.cookie
    monkeypatch.setattr("bosquet.server.guests.cookie._today", lambda: int(now) // 86400 + 40)
    assert number_here(bea) == phone
    assert bea.cookie != before
    assert number_here(bea) == phone


def test_a_device_that_was_signed_out_stays_so_while_another_one_is_used(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await keep_game(store, "t", plies=3)
        there = Devices(store, LOOSE)
        await there.note("eve", 0, FIREFOX)
        await store.write(added("eve", 5, PHONE))
        await there.revoke("eve", 5, 0)
        later = datetime.now(UTC).date() + timedelta(days=400)
        await store.write(sa.update(devices).where(devices.c.number == 5).values(last_day=later.isoformat()))
        await sweep(store, later)
        with pytest.raises(Refusal) as refused:
            await there.check("eve", 0)
        assert refused.value.code == "revoked"

    with_store(tmp_path, work)


def test_what_a_device_asks_that_was_signed_out_is_not_counted_for_the_others(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, Limits(requests=Rate(20, 0.001), computing=LOOSE.computing))) as client:
        ann = Person(client)
        client.cookies.clear()
        bea = Person(client)
        assert move(bea, code_of(ann)).status_code == 204
        thief = copy_of(bea)
        assert ask(ann, "revoke", {"device": number_here(bea)}).status_code == 204
        before = len([said(thief.get("/api/lobby")) for _ in range(25)])
        assert before == 25
        assert ask(ann, "identity").status_code == 200


def test_what_nobody_needs_is_swept(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await keep_game(store, "t", plies=3)
        there = Devices(store, LOOSE)
        ways = Transfers(store, there)
        for guest in ("ann", "cid"):
            await there.note(guest, 0, FIREFOX)
            await store.write(added(guest, 5, PHONE))
            await there.revoke(guest, 0, 5)
            await ways.rename(guest, 0, guest)
            await ways.make_phrase(guest, 0)
            await ways.make_code(guest, 0)

        async def after(days: int) -> list[tuple[Any, ...]]:
            await clean_up(store, GuestRetention(), datetime.now(UTC).date() + timedelta(days=days))
            rows = await store.select(sa.select(devices.c.guest, devices.c.number, devices.c.revoked.is_(None)))
            return sorted(tuple(row) for row in rows)

        assert await after(1) == [("ann", 0, 1), ("ann", 5, 0), ("cid", 0, 1), ("cid", 5, 0)]
        assert len(await store.select(sa.select(transfers))) == 2
        await after(3)
        assert await store.select(sa.select(transfers)) == []
        # Unseen for a year: signed out. Ann sits at a table, so a copy of her cookie must not count again.
        assert await after(367) == [("ann", 0, 0), ("ann", 5, 0), ("cid", 0, 0)]
        assert await after(800) == [("ann", 0, 0), ("ann", 5, 0)]
        assert [row.guest for row in await store.select(sa.select(phrases))] == ["ann"]
        assert [row.guest for row in await store.select(sa.select(identities))] == ["ann"]

    with_store(tmp_path, work)


AGENTS = {
    FIREFOX: ("Firefox", "Linux"),
    PHONE: ("Chrome", "Android"),
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0": (
        "Edge",
        "Windows",
    ),
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1": (
        "Safari",
        "iPhone",
    ),
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15": (
        "Safari",
        "macOS",
    ),
    "<script>alert(1)</script>": (None, None),
    "": (None, None),
}


@each_row("agent", AGENTS)
def test_a_device_is_named_by_a_closed_list(agent: str) -> None:
    assert named(agent) == AGENTS[agent]
