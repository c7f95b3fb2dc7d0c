"""Hints at tables: those who sit there agree to them, and are told who was given one. Pages find them."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bosquet.server.base import engines
from bosquet.server.table import session
from tests.server.helpers.people import FRIEND, ME, RANDOM, Person, make_app


def test_with_others_hints_are_given_when_everybody_agreed_and_all_are_told(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})
    with ann.at(table) as first, bea.at(table) as second:
        first.ready()
        second.ready()
        first.hear("position")
        second.hear("position")
        mine = first.news["mine"][0]
        assert not first.news["hints"]
        assert first.refusal("hinted") == "not now"
        first.ask("hints", allow=True)
        while not any(chair["hints"] for chair in second.hear("table")["seats"]):
            pass
        assert [chair["hints"] for chair in second.news["seats"]] == [i == mine for i in (0, 1)]
        assert first.refusal("hinted") == "not now"
        second.ask("hints", allow=True)
        while not first.hear("table")["hints"]:
            pass
        for _ in range(2):
            first.ask("hinted")
            for page in (first, second):
                assert page.hear("reacted") == {"type": "reacted", "seat": mine, "sign": "hint"}
        assert first.refusal("react", seat=mine, sign="hint") == "malformed", "nobody says it of another hint"
        second.ask("hints", allow=False)
        while first.hear("table")["hints"]:
            pass
        assert first.refusal("hinted") == "not now"


def test_who_agreed_to_hints_has_agreed_after_a_restart(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 2}, [ME, FRIEND])
        with ann.at(table) as page:
            page.hear("table")
            page.ask("hints", allow=True)
            while not page.news["seats"][page.news["mine"][0]]["hints"]:
                page.hear("table")
            mine = page.news["mine"]
    with TestClient(make_app(tmp_path)) as client:
        ann.client = client
        with ann.at(table) as page:
            seats = page.hear("table")["seats"]
            assert [seat["hints"] for seat in seats] == [[i] == mine for i in range(2)]


def test_who_watches_neither_gets_hints_nor_agrees(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    with ann.at(table) as page, bea.at(table) as watching:
        page.ready()
        page.hear("position")
        assert watching.refusal("hinted") == "not yours"
        assert watching.refusal("hints", allow=True) == "not yours"


def test_the_server_finds_no_hints(ann: Person) -> None:
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        assert page.refusal("hint", seat=0) == "malformed"


def test_a_game_without_an_engine_has_no_hints(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert engines.engine_of("topas") is not None
    monkeypatch.setattr(session, "engine_of", lambda game: None)
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        assert not page.news["hints"]
        assert page.refusal("hints", allow=True) == "not now"
        assert page.refusal("hinted") == "not now"
