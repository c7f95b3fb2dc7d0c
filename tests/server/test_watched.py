"""Tables that anybody may watch: the lobby lists them, and those who watch see the game some seconds later."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from bosquet.core.rng import Rng
from bosquet.server.base.messages import Code
from bosquet.server.base.rate_limits import Rate
from bosquet.server.base.refusals import Refusal
from bosquet.server.table.viewers import delay
from tests.server.helpers.people import FRIEND, GREEDY, LOOSE, ME, Page, Person, make_app

Later = Callable[[], None]


@pytest.fixture(autouse=True)
def later(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Later:
    """Let the time pass after which those who watch see more; no time passes otherwise."""
    clock = [time.monotonic()]
    monkeypatch.setattr(delay, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(delay, "SECONDS", 3600.0)  # no timer of its own comes

    async def show() -> None:
        for table in client.app.state.server.registry.held():  # type: ignore[attr-defined]
            table.broadcast.send_positions()

    def pass_by() -> None:
        clock[0] += delay.SECONDS
        assert client.portal is not None
        client.portal.call(show)

    return pass_by


def listed(person: Person) -> list[tuple[str, int]]:
    """The tables that the lobby lists to watch, and how many do."""
    return [(one["table"]["table"], one["watchers"]) for one in person.get("/api/lobby").json()["watched"]]


def hear_number(page: Page, number: int) -> None:
    """Wait for a position."""
    while page.position.get("number") != number:
        page.hear("position")


def test_a_table_is_listed_while_it_is_played_for_all_but_those_who_sit_there(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, GREEDY], watched=True)
    quiet = ann.open("topas", {"players": 2}, [ME, GREEDY])
    with ann.at(table) as hers, ann.at(quiet) as other:
        assert listed(bea) == []
        for page in (hers, other):
            page.ready()
            page.hear("position")
        assert hers.news["delay"] == delay.SECONDS
        assert other.news["delay"] is None
        assert listed(bea) == [(table, 0)]
        assert listed(ann) == []
        shown = [one.get(f"/api/tables/{table}").json()["turn"] for one in (ann, bea)]
        assert (shown[0] in (0, 1), shown[1]) == (True, None), "whose turn it is is seen later, too"
        with bea.at(table):
            while hers.hear("table")["watchers"] != 1:
                pass
            assert listed(Person(ann.client)) == [(table, 1)]
        hers.ask("resign", seat=hers.news["mine"][0])
        while hers.news["phase"] != "over":
            hers.hear("table")
        assert listed(bea) == []


def test_nobody_is_shown_a_table_of_somebody_who_has_left(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, GREEDY], watched=True)
    with ann.at(table) as hers:
        hers.ready()
        hers.hear("position")
    assert listed(bea) == []


def test_who_watches_sees_each_position_later_and_the_end_at_once(ann: Person, bea: Person, later: Later) -> None:
    table = ann.open("topas", {"players": 1}, [ME], watched=True)
    with ann.at(table) as hers, bea.at(table) as watching:
        hers.ready()
        hers.hear("position")
        assert watching.refusal("sheet") == "not now"
        assert not watching.position
        later()
        hear_number(watching, 0)
        hers.play(hers.position["view"]["moves"][0]["say"])
        hers.hear("position")
        number = hers.position["number"]
        with Person(ann.client).at(table) as late:  # somebody who comes now sees what the others see
            late.hear("position")
            assert late.position["number"] == watching.position["number"] == 0
            assert late.entries == []
            late.ask("sheet")
            sheet = late.hear("sheet")
        assert watching.position["number"] == 0
        later()
        hear_number(watching, number)
        assert watching.position["view"]["over"] is False
        assert len(watching.entries) == number
        hers.ask("sheet")
        assert hers.hear("sheet") != sheet or hers.position["view"]["scores"] == [0]
        hers.play_on(Rng(1))
        watching.hear("proof")
        assert watching.position["view"]["over"]


def test_the_messages_of_those_who_watch_tell_no_clock_before_it_is_due(ann: Person, bea: Person, later: Later) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], watched=True, clock={"minutes": 5})
    with ann.at(table) as hers, bea.at(table) as his:
        invitation = hers.hear("table")["invitation"]
        bea.post(f"/api/tables/{table}/join", {"name": "Bea", "invitation": invitation})
        ann.client.cookies.clear()
        with Person(ann.client).at(table) as watching:
            hers.ready()
            his.ready()
            hers.hear("position")
            while watching.news.get("phase") != "playing":
                watching.hear("table")
            assert hers.news["times"] is not None
            assert watching.news["times"] is None
            assert watching.refusal("sheet") == "not now"
            later()
            hear_number(watching, 0)


def test_a_rematch_is_watched_as_the_game_before(ann: Person) -> None:
    table = ann.open("topas", {"players": 1}, [ME], watched=True)
    with ann.at(table) as hers:
        hers.ready()
        hers.hear("position")
        hers.play_on(Rng(1))
        hers.hear("proof")
        hers.ask("rematch")
        while hers.news["rematch"] is None:
            hers.hear("table")
    with ann.at(hers.news["rematch"]) as again:
        assert again.hear("table")["delay"] == delay.SECONDS


def test_bots_play_for_those_who_want_to_watch_and_only_while_somebody_does(ann: Person, bea: Person) -> None:
    answer = ann.post("/api/lobby/bots", {})
    assert answer.status_code == 200, answer.text
    table = answer.json()["table"]
    assert bea.post("/api/lobby/bots", {}).json()["table"] == table
    server = ann.client.app.state.server  # type: ignore[attr-defined]
    assert ann.client.portal is not None
    held = ann.client.portal.call(server.registry.find, table)
    assert not held.goes_on
    assert held.session.number == 0
    with ann.at(table) as page:
        while page.position.get("number", 0) < 1:
            page.hear("position")
        assert held.goes_on
        assert page.news["mine"] == []
        assert not page.news["host"]
        assert page.position["viewpoint"] is None
    for person in (ann, bea):
        lobby = person.get("/api/lobby").json()
        assert lobby["mine"] == lobby["watched"] == lobby["waiting"] == []
        assert person.get("/api/me").json()["tables"] == []
    with ann.at(table) as page:
        page.hear("table")
        page.ask("close")
        page.ask("rematch")
        assert page.hear("refused")["code"] == "not yours"
        assert page.hear("refused")["code"] == "not yours"


def test_when_the_game_of_the_bots_is_over_others_are_opened_as_far_as_a_guest_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path, replace(LOOSE, opened=Rate(1, 0)))
    with TestClient(app, base_url="http://testserver") as client:
        ann, bea = Person(client), another(client)

        def end(table: str) -> None:
            assert client.portal is not None
            held = client.portal.call(app.state.server.registry.find, table)
            monkeypatch.setattr(held.session, "phase", "over")

        first = ann.post("/api/lobby/bots", {}).json()["table"]
        assert ann.post("/api/lobby/bots", {}).json()["table"] == first
        end(first)
        assert ann.post("/api/lobby/bots", {}).json()["code"] == "busy"
        second = bea.post("/api/lobby/bots", {}).json()["table"]
        assert second != first
        assert ann.post("/api/lobby/bots", {}).json()["table"] == second


@pytest.mark.parametrize(("code", "again"), [("no table", True), ("unreadable", True), ("unavailable", False)])
def test_another_table_of_bots_is_opened_only_when_one_is_gone(
    ann: Person, monkeypatch: pytest.MonkeyPatch, code: Code, again: bool
) -> None:
    first = ann.post("/api/lobby/bots", {}).json()["table"]

    async def refuse(table: str) -> None:
        raise Refusal(code, "so it is")

    server = ann.client.app.state.server  # type: ignore[attr-defined]
    monkeypatch.setattr(server.registry, "current", refuse)
    answer = ann.post("/api/lobby/bots", {}).json()
    assert ("table" in answer) is again
    monkeypatch.undo()
    assert (ann.post("/api/lobby/bots", {}).json()["table"] != first) is again


def another(client: TestClient) -> Person:
    """Somebody else."""
    client.cookies.clear()
    return Person(client)
