"""The chat of a table: who writes and who reads it, that nobody else learns of it, its bounds, and reports."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.core.rng import Rng
from bosquet.server.base.rate_limits import Rate
from bosquet.server.http.limits import Limits
from bosquet.server.store.schema import chat as kept_chat
from bosquet.server.store.schema import reports, tables
from bosquet.server.store.store import Store
from bosquet.server.table import chat
from bosquet.server.table.actions import chat as writing
from tests.server.helpers.acquaintances import block, play
from tests.server.helpers.chat import mine, seated, told, write
from tests.server.helpers.guests import key
from tests.server.helpers.kept import TODAY, keep_game, sweep, with_store
from tests.server.helpers.people import LOOSE, Page, Person, make_app


def all_told(page: Page) -> list[dict[str, Any]]:
    """Everything that a page is told until it is refused something."""
    page.ask("undo", seat=3, number=0)
    found = []
    while (message := page.hear())["type"] != "refused":
        found.append(message)
    return found


def chats(page: Page) -> list[str]:
    return [line["text"] for one in all_told(page) if one["type"] == "chat" for line in one["lines"]]


def test_who_came_by_the_link_reads_and_writes(ann: Person, bea: Person) -> None:
    with seated(ann, bea) as (table, hers, theirs):
        assert [seat["chat"] for seat in hers.news["seats"]] == [True, True]
        write(hers, " Good\u202e luck,\n\u200bBea ")
        for page in (hers, theirs):
            (line,) = page.hear("chat")["lines"]
            assert (line["number"], line["name"], line["text"]) == (0, "Ann", "Good luck, Bea")
            assert line["seat"] == hers.position["viewpoint"]
            assert key(ann) not in str(line)
        write(theirs, "And you")
        assert told(hers) == told(theirs) == ["And you"]
        with bea.at(table) as again:
            assert told(again) == ["Good luck, Bea", "And you"], "who connects again has missed nothing"


def test_strangers_switch_it_on_each_for_themselves(ann: Person, bea: Person) -> None:
    with seated(ann, bea, listed=True, by_link=False) as (_, hers, theirs):
        assert [seat["chat"] for seat in hers.news["seats"]] == [False, False]
        assert hers.refusal("write", seat=hers.position["viewpoint"], text="Hello") == "not now"
        hers.ask("allow chat", allow=True)
        write(hers, "Hello")
        assert told(hers) == ["Hello"]
        assert chats(theirs) == []
        theirs.ask("allow chat", allow=True)
        assert told(theirs) == ["Hello"]
        hers.ask("allow chat", allow=False)
        write(theirs, "Hello, Ann")
        assert told(theirs) == ["Hello, Ann"]
        assert chats(hers) == []


def test_by_the_link_at_a_table_that_is_open_to_all_it_is_off(ann: Person, bea: Person) -> None:
    with seated(ann, bea, listed=True) as (_, hers, _theirs):
        assert [seat["chat"] for seat in hers.news["seats"]] == [False, False]


def test_a_rematch_keeps_what_each_has_chosen(ann: Person, bea: Person) -> None:
    with seated(ann, bea, listed=True) as (_, hers, theirs):
        hers.ask("allow chat", allow=True)
        for page in (hers, theirs):
            page.ask("agree", proposal="end")
        while hers.news["phase"] != "over":
            hers.hear()
        hers.ask("rematch")
        while hers.news["rematch"] is None:
            hers.hear("table")
        with ann.at(hers.news["rematch"]) as next_page:
            seats = next_page.hear("table")["seats"]
            assert {seat["name"]: seat["chat"] for seat in seats} == {"Ann": True, "Bea": False}


def test_nobody_else_learns_that_anything_was_written(ann: Person, bea: Person, cyd: Person) -> None:
    """Spectators, a screen for all, programs, records, outlines and lobbies are the same with a chat and without."""
    with seated(ann, bea) as (table, hers, theirs), cyd.at(table) as watching:
        watching.hear("position")
        headers = {"cookie": f"bosquet={ann.cookie}"}
        with ann.client.websocket_connect(f"/api/tables/{table}/live?watch", headers=headers) as socket:
            screen = Page(socket)
            screen.hear("position")
            all_told(watching)
            all_told(screen)
            before = [path.json() for path in (cyd.get(f"/api/tables/{table}"), ann.get("/api/lobby"))]
            write(hers, "Xanthippe")
            assert told(theirs) == ["Xanthippe"]
            assert all_told(watching) == all_told(screen) == []
            assert watching.refusal("write", seat=0, text="Hello") == "not yours"
            assert screen.refusal("write", seat=0, text="Hello") == "not yours"
            assert watching.refusal("report", number=0) == watching.refusal("allow chat", allow=True) == "not yours"
            assert [path.json() for path in (cyd.get(f"/api/tables/{table}"), ann.get("/api/lobby"))] == before
        with cyd.at(table) as again:
            assert {one["type"] for one in all_told(again)} == {"table", "position"}
        mover, other = (hers, theirs) if hers.position["view"]["moves"] else (theirs, hers)
        assert "Xanthippe" not in str(mover.position)
        for page in (mover, other):
            page.ask("agree", proposal="end")
        while hers.news["phase"] != "over":
            hers.hear()
        for person in (ann, bea, cyd):
            assert "Xanthippe" not in person.get(f"/api/tables/{table}/record").text
        assert "Xanthippe" not in cyd.get("/api/me").text
    assert [(one["text"], one["reported"]) for one in mine(ann)] == [("Xanthippe", False)]
    assert mine(bea) == []


def test_a_program_has_no_chat(ann: Person, bea: Person) -> None:
    with seated(ann, bea, program=True) as (_, hers, theirs):
        write(hers, "Hello")
        assert told(hers) == ["Hello"]
        assert chats(theirs) == []
        assert theirs.refusal("write", seat=theirs.position["viewpoint"], text="Hello") == "not now"
        assert theirs.refusal("allow chat", allow=True) == "not yours"


def test_what_a_blocked_person_writes_is_not_shown(ann: Person, bea: Person) -> None:
    play(ann, bea)
    with seated(ann, bea) as (table, hers, theirs):
        write(theirs, "Before")
        assert told(hers) == told(theirs) == ["Before"]
        block(ann, "Bea")
        write(theirs, "After")
        assert told(theirs) == ["After"], "nobody is told that they are blocked"
        write(hers, "Mine")
        assert told(hers) == ["Mine"]
        assert told(theirs) == ["Mine"]
        with ann.at(table) as again:
            assert told(again) == ["Mine"]


def test_what_can_not_be_written(ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    with seated(ann, bea) as (_, hers, theirs):
        seat = hers.position["viewpoint"]
        assert hers.refusal("write", seat=1 - seat, text="Hello") == "not yours"
        for text in ("", "x" * 201, 7, None):
            assert hers.refusal("write", seat=seat, text=text) == "malformed"
        for text in (" ", "\u200b\u0301", "\u2800"):
            assert hers.refusal("write", seat=seat, text=text) == "name"
        monkeypatch.setattr(writing, "MOST", 1)
        write(hers, "<b>x</b>'; DROP TABLE chat; \U0001f600")
        assert told(theirs) == ["<b>x</b>'; DROP TABLE chat; \U0001f600"]
        assert hers.refusal("write", seat=seat, text="Hello") == "not now"


def test_how_fast_lines_are_written_is_bounded(tmp_path: Path) -> None:
    limits = Limits(chat=Rate(2, 0.001))
    with TestClient(make_app(tmp_path, limits)) as client:
        ann = Person(client)
        client.cookies.clear()
        bea = Person(client)
        with seated(ann, bea) as (_, hers, theirs):
            for text in ("1", "2"):
                write(hers, text)
            assert hers.refusal("write", seat=hers.position["viewpoint"], text="3") == "busy"
            assert told(theirs) + told(theirs) == ["1", "2"]


def test_a_line_is_reported_to_the_operators_of_the_server(
    client: TestClient, ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: Store = client.app.state.server.services.store  # type: ignore[attr-defined]
    assert client.portal is not None

    def found() -> list[Any]:
        assert client.portal is not None
        query = sa.select(reports.c.name, reports.c.text, reports.c.guest, reports.c.reporter)
        return [tuple(row) for row in client.portal.call(store.select, query)]

    with seated(ann, bea) as (table, hers, theirs):
        for text in ("One", "Two"):
            write(hers, text)
            told(theirs)
        theirs.ask("report", number=1)
        assert theirs.hear("reported")["number"] == 1
        theirs.ask("report", number=1)
        assert theirs.hear("reported")["number"] == 1, "twice is once"
        assert found() == [("Ann", "Two", key(ann), key(bea))]
        assert hers.refusal("report", number=0) == theirs.refusal("report", number=2) == "not now"
        monkeypatch.setattr(chat, "REPORTS_A_DAY", 1)
        assert theirs.refusal("report", number=0) == "busy"
        monkeypatch.setattr(chat, "REPORTS_A_DAY", 10)
        monkeypatch.setattr(chat, "MOST_REPORTS", 1)
        assert theirs.refusal("report", number=0) == "busy"
    assert [(one["text"], one["reported"]) for one in mine(bea)] == [("Two", True)]
    ann.post("/api/me/erase", {})
    assert found() == [("", "Two", None, key(bea))]
    with bea.at(table) as again:
        assert chats(again) == [], "what was written by somebody who was erased is gone"
    bea.post("/api/me/erase", {})
    assert found() == [("", "Two", None, None)]


def test_one_address_reports_few_lines_a_day(tmp_path: Path) -> None:
    limits = replace(LOOSE, reports=Rate(2, 0), reports_of_address=Rate(3, 0))
    with TestClient(make_app(tmp_path, limits)) as client:
        ann = Person(client)
        client.cookies.clear()
        bea = Person(client)
        with seated(ann, bea) as (_, hers, theirs):
            for page, other in ((hers, theirs), (theirs, hers)):
                for text in ("1", "2", "3"):
                    write(page, text)
                    told(page), told(other)
            for number in (3, 4):
                hers.ask("report", number=number)
                assert hers.hear("reported")["number"] == number
            assert hers.refusal("report", number=5) == "busy"
            theirs.ask("report", number=0)
            assert theirs.hear("reported")["number"] == 0
            assert theirs.refusal("report", number=1) == "busy", "the address has reported enough"


def test_the_chat_goes_with_its_table_and_reports_after_a_while(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await keep_game(store, "t")
        line = {"table_id": "t", "number": 0, "seat": 0, "guest": "ann", "name": "Ann", "text": "x", "at": "2026"}
        await store.write(sa.insert(kept_chat).values(line))
        report = {"table_id": "t", "number": 0, "guest": "ann", "reporter": "bea", "name": "Ann", "text": "x"}
        for number, made in enumerate(("2000-01-01", TODAY.isoformat())):
            await store.write(sa.insert(reports).values(report | {"number": number, "made": made}))
        await store.write(sa.update(tables).values(touched="2000-01-01"))
        await sweep(store, TODAY)
        assert await store.select(sa.select(tables.c.id)) == await store.select(sa.select(kept_chat.c.number)) == []
        assert [row.number for row in await store.select(sa.select(reports.c.number))] == [1]

    with_store(tmp_path, work)


def test_a_game_is_the_same_with_a_chat(ann: Person, bea: Person) -> None:
    """What is written changes no position, and nobody's moves."""
    with seated(ann, bea) as (_, hers, theirs):
        before = [page.position for page in (hers, theirs)]
        write(hers, "Hello")
        told(theirs)
        with contextlib.ExitStack() as stack:
            for page, person in ((hers, ann), (theirs, bea)):
                again = stack.enter_context(person.at(page.news["table"]))
                again.hear("position")
                shown = {name: value for name, value in again.position.items() if name != "entries"}
                old = before[page is theirs]
                assert shown == {name: value for name, value in old.items() if name != "entries"}
        mover = hers if hers.position["view"]["moves"] else theirs
        mover.play(Rng(1).choice(mover.position["view"]["moves"])["say"])
        assert mover.hear("position")["number"] == 1
