"""The host of a table sends people away: from a seat before the deal, and from among those who watch."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from bosquet.core.rng import Rng
from bosquet.server.table.actions import send_away
from tests.server.helpers.acquaintances import answer, invite, invited, play
from tests.server.helpers.guests import key
from tests.server.helpers.memory import forget_table, held_table
from tests.server.helpers.people import FRIEND, GREEDY, ME, Page, Person, begin

ANN = ME | {"name": "Ann"}


def link_of(page: Page) -> str:
    return str(page.hear("table")["invitation"])


def join(person: Person, table: str, link: str | None = None, name: str = "Bea") -> Any:
    return person.post(f"/api/tables/{table}/join", {"name": name, "invitation": link})


def seat_of(page: Page, name: str) -> int:
    while not any(seat["name"] == name for seat in page.news["seats"]):
        page.hear("table")
    return next(number for number, seat in enumerate(page.news["seats"]) if seat["name"] == name)


def until_free(page: Page) -> None:
    while all(seat["name"] for seat in page.news["seats"]):
        page.hear("table")


def is_sent_off(page: Page) -> bool:
    """Whether a page is told nothing more."""
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            page.hear()
    return True


def denied(person: Person, table: str) -> tuple[int, str]:
    """How somebody is refused who wants to watch."""
    with pytest.raises(WebSocketDenialResponse) as refused, person.at(table):
        pass
    return refused.value.status_code, refused.value.json()["code"]


def test_who_was_sent_away_from_a_seat_comes_back_by_no_way(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea)
    table = ann.open("topas", {"players": 3}, [ANN, FRIEND, FRIEND], listed=True)
    assert invite(ann, "Bea", table).status_code == 204
    with ann.at(table) as hers:
        link = link_of(hers)
        assert join(bea, table, link).status_code == 204
        with bea.at(table) as theirs:
            theirs.ready()
            seat = seat_of(hers, "Bea")
            assert theirs.refusal("remove", seat=seat) == "not yours"
            hers.ask("remove", seat=seat)
            assert is_sent_off(theirs)
        while hers.news["seats"][seat]["name"] or hers.news["invitation"] == link:
            hers.hear("table")
        assert hers.news["seats"][seat]["ready"] is False, "nothing is left of what they added to the shuffle"
        new = hers.news["invitation"]
        for by in (link, new, None):
            answered = join(bea, table, by)
            assert (answered.status_code, answered.json()["code"]) == (403, "barred")
        assert denied(bea, table) == (403, "barred")
        assert bea.get(f"/api/tables/{table}").json()["code"] == "barred"
        assert answer(bea, table).json()["code"] == "barred"
        lobby = bea.get("/api/lobby").json()
        assert not any(one["table"] == table for one in lobby["waiting"] + lobby["mine"])
        assert invited(bea) == []
        assert invite(ann, "Bea", table).json()["code"] == "not now"
        found = bea.post("/api/lobby/find", {"name": "Bea", "game": "topas", "players": 3})
        assert found.json()["table"] != table, "nor is she paired with it"

        stranger = join(cyd, table, link, "Cyd")
        assert stranger.status_code == 204, "a table that is listed is open to all"
    assert ann.get(f"/api/tables/{table}").json()["names"].count(None) == 1


def test_the_link_of_who_was_sent_away_opens_no_seat_to_anybody(ann: Person, bea: Person, cyd: Person) -> None:
    """Guests are free to make, so that another one is nobody's bar."""
    table = ann.open("topas", {"players": 2}, [ANN, FRIEND])
    with ann.at(table) as hers:
        link = link_of(hers)
        join(bea, table, link)
        hers.ask("remove", seat=seat_of(hers, "Bea"))
        until_free(hers)
        assert join(cyd, table, link, "Cyd").json()["code"] == "no seat"
        assert join(cyd, table, hers.news["invitation"], "Cyd").status_code == 204


def test_nobody_is_thrown_out_of_a_game(ann: Person, bea: Person, cyd: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ANN, FRIEND])
    with ann.at(table) as hers:
        join(bea, table, link_of(hers))
        with bea.at(table) as theirs, cyd.at(table):
            begin(hers, theirs)
            seat = seat_of(hers, "Bea")
            assert hers.refusal("remove", seat=seat) == "not now"
            assert theirs.refusal("watchers") == theirs.refusal("bar", watcher="0" * 16) == "not yours"
            session = held_table(ann.client, table).session
            for person in (ann, bea):
                assert hers.refusal("bar", watcher=session.mark(key(person))) == "not now"
            theirs.ask("resign", seat=seat)
            while hers.news["phase"] != "over":
                hers.hear()
            assert hers.refusal("bar", watcher=session.mark(key(bea))) == "not now", "nor afterwards"


def test_who_watches_is_sent_away_from_a_running_game(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea)
    table = ann.open("topas", {"players": 2}, [ANN, GREEDY])
    with ann.at(table) as hers:
        hers.ready()
        with bea.at(table) as theirs, cyd.at(table) as others:
            for page in (theirs, others):
                page.hear("position")
            hers.ask("watchers")
            watchers = hers.hear("watchers")["watchers"]
            assert [one["name"] for one in watchers] == ["Bea", None]
            text = str(watchers)
            assert not any(key(person) in text for person in (bea, cyd))
            hers.ask("bar", watcher=watchers[0]["id"])
            assert is_sent_off(theirs)
            assert denied(bea, table) == (403, "barred")
            hers.ask("watchers")
            assert [one["id"] for one in hers.hear("watchers")["watchers"]] == [watchers[1]["id"]]
            others.ask("sheet")
            others.hear()
        hers.play_on(Rng(1))
    for path in ("", "/record"):
        assert bea.get(f"/api/tables/{table}{path}").json()["code"] == "barred"
    assert cyd.get(f"/api/tables/{table}/record").status_code == 200


def test_a_mark_is_another_one_at_another_table(ann: Person, bea: Person) -> None:
    seen = []
    for _ in range(2):
        table = ann.open("topas", {"players": 2}, [ANN, FRIEND])
        with ann.at(table) as hers, bea.at(table) as theirs:
            theirs.hear("table")
            while hers.news.get("watchers") != 1:
                hers.hear("table")
            hers.ask("watchers")
            (one,) = hers.hear("watchers")["watchers"]
            seen.append(one["id"])
    assert len(set(seen)) == 2


def test_what_can_not_be_asked(ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    table = ann.open("topas", {"players": 3}, [ANN, GREEDY, FRIEND])
    with ann.at(table) as hers, bea.at(table) as theirs:
        hers.hear("table")
        theirs.hear("table")
        seats = {seat["name"]: number for number, seat in enumerate(hers.news["seats"])}
        for seat in (*seats.values(), 3):
            assert hers.refusal("remove", seat=seat) == "not now", "her own, a bot's, a free one, and none"
        for watcher in ("", "g" * 16, "0" * 17):
            assert hers.refusal("bar", watcher=watcher) == "malformed"
        monkeypatch.setattr(send_away, "MOST_BARRED", 1)
        hers.ask("bar", watcher="0" * 16)
        hers.ask("watchers")
        hers.hear("watchers")
        hers.ask("watchers")
        (one,) = hers.hear("watchers")["watchers"]
        assert hers.refusal("bar", watcher=one["id"]) == "not now"
        theirs.ask("watchers")
        assert theirs.hear("refused")["code"] == "not yours"


def test_bars_are_kept_with_the_table(client: TestClient, ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ANN, FRIEND])
    with ann.at(table) as hers:
        join(bea, table, link_of(hers))
        hers.ask("remove", seat=seat_of(hers, "Bea"))
        until_free(hers)
    forget_table(client, table)
    assert denied(bea, table) == (403, "barred")
    assert bea.get("/api/me").json()["tables"] == []


def test_the_host_is_told_of_the_new_link_when_nobody_else_is_left(ann: Person, bea: Person, cyd: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ANN, FRIEND])
    with ann.at(table) as hers:
        old = link_of(hers)
        with bea.at(table):
            hers.hear("table")
            hers.ask("watchers")
            (watcher,) = hers.hear("watchers")["watchers"]
        while hers.hear("table")["watchers"]:
            pass
        hers.ask("bar", watcher=watcher["id"])
        link = link_of(hers)
        assert link != old
        assert join(cyd, table, old).status_code == 409
        assert join(cyd, table, link).status_code == 204
