"""The waiting room: who may give a seat to a bot or close the table, and what the lobby offers."""

from __future__ import annotations

import time
from typing import Any

import pytest
from starlette.testclient import TestClient

import bosquet
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.server.table.viewers import presence
from tests.server.helpers.memory import forget_table
from tests.server.helpers.people import FRIEND, GREEDY, ME, Page, Person

GIVE = {"bot": "greedy", "name": "Ivy"}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is away for a moment counts as gone."""
    monkeypatch.setattr(presence, "GONE_SECONDS", 0.2)


def free_seat(page: Page) -> int:
    """The free seat of a table."""
    return next(number for number, seat in enumerate(page.news["seats"]) if seat["name"] is None)


def join(person: Person, table: str, invitation: str | None = None) -> Any:
    """Take a free seat."""
    return person.post(f"/api/tables/{table}/join", {"name": "Bea", "invitation": invitation})


def test_the_host_gives_a_free_seat_to_a_bot_and_the_game_begins(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND])
    with ann.at(table) as hers, bea.at(table) as watching:
        hers.ready()
        watching.hear("table")
        seat = free_seat(watching)
        assert watching.news["host"] is False
        assert watching.refusal("give", seat=seat, **GIVE) == "not yours"
        assert hers.news["host"] is True
        assert hers.refusal("give", seat=1 - seat, **GIVE) == "not now"
        assert hers.refusal("give", seat=3, **GIVE) == "no seat"
        assert hers.refusal("give", seat=seat, bot="deep", name="Deep") == "malformed"
        assert hers.refusal("give", seat=seat, bot="greedy", name="\u200b") == "name"
        hers.ask("give", seat=seat, **GIVE)
        hers.hear("position")
        assert hers.news["seats"][seat] | {"ready": True} == hers.news["seats"][seat]
        assert (hers.news["seats"][seat]["name"], hers.news["seats"][seat]["bot"]) == ("Ivy", "greedy")
        assert hers.news["invitation"] is None
        hers.play_on(Rng(1))
    fair.verify(bosquet.load(ann.get(f"/api/tables/{table}/record").json()))


def test_a_host_without_a_seat_has_the_invitation_and_no_other_spectator(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [FRIEND, FRIEND])
    with ann.at(table) as hers, bea.at(table) as watching:
        assert (watching.hear("table")["invitation"], watching.news["host"]) == (None, False)
        invitation = hers.hear("table")["invitation"]
        assert (hers.news["mine"], hers.news["host"]) == ([], True)
        join(bea, table, invitation)
        hers.ask("give", seat=1, **GIVE)
        while hers.hear("table")["invitation"]:
            pass
        assert hers.news["host"] is True


def test_a_friend_at_the_table_is_no_host(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 3}, [ME, FRIEND, FRIEND], listed=True)
    join(bea, table)
    with bea.at(table) as hers:
        hers.hear("table")
        assert hers.news["mine"]
        assert hers.news["host"] is False
        assert hers.refusal("give", seat=free_seat(hers), **GIVE) == "not yours"
        assert hers.refusal("close") == "not yours"


def test_a_closed_table_tells_everybody_and_takes_nobody(ann: Person, bea: Person, client: TestClient) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    with ann.at(table) as hers, bea.at(table) as watching:
        invitation = hers.hear("table")["invitation"]
        hers.ready()
        assert watching.refusal("close") == "not yours"
        hers.ask("close")
        while hers.news["phase"] != "closed":
            hers.hear("table")
        while watching.news["phase"] != "closed":
            watching.hear("table")
        assert hers.news["invitation"] is None
        assert hers.refusal("close") == "not now"
        assert hers.refusal("give", seat=free_seat(hers), **GIVE) == "not now"
        assert hers.refusal("sheet") == "not now"
        hers.ask("ready", nonce="0" * 32)
        assert hers.refusal("rematch") == "not now"
    assert join(bea, table, invitation).json()["code"] == "no seat"
    assert table not in bea.get("/api/lobby").text + ann.get("/api/lobby").text
    forget_table(client, table)
    with ann.at(table) as hers:
        assert hers.hear("table")["phase"] == "closed"


def test_a_running_game_can_not_be_closed(ann: Person) -> None:
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        assert page.refusal("close") == "not now"


def test_the_lobby_offers_no_table_that_its_host_has_left(
    ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    with ann.at(table) as hers:
        invitation = hers.hear("table")["invitation"]
        with monkeypatch.context() as later:
            later.setattr(presence, "GONE_SECONDS", 0.0)
            assert table in bea.get("/api/lobby").text
    assert table in bea.get("/api/lobby").text
    monkeypatch.setattr(presence, "GONE_SECONDS", 0.0)  # a moment of which any is long enough
    assert table not in bea.get("/api/lobby").text
    assert table in ann.get("/api/lobby").text
    assert join(bea, table).json()["code"] == "host away"
    with ann.at(table) as hers:
        hers.hear("table")
        assert table in bea.get("/api/lobby").text
    assert join(bea, table, invitation).status_code == 204


def test_a_bot_stands_in_for_one_who_left_until_they_come_back(ann: Person, bea: Person, short: None) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    join(bea, table)
    with ann.at(table) as hers:
        with bea.at(table) as other:
            hers.ready()
            other.ready()
            hers.hear("position")
            other.hear("position")
            seat = other.position["viewpoint"]
            hand = other.position["view"]["hand"]
            assert hers.refusal("give", seat=seat, **GIVE) == "not now"
        while not hers.hear("table")["seats"][seat]["gone"]:
            assert not hers.news["seats"][seat]["here"]
        ann.client.cookies.clear()
        with Person(ann.client).at(table) as watching:
            assert watching.refusal("give", seat=seat, **GIVE) == "not yours"
        hers.ask("give", seat=seat, **GIVE)
        while not hers.hear("table")["seats"][seat]["stands_in"]:
            pass
        assert hers.news["seats"][seat]["name"] == "Bea"
        assert hers.refusal("give", seat=seat, **GIVE) == "not now"
        assert hand not in [hers.position["view"]["hand"]]
        rng = Rng(2)
        hers.play_on(rng, 2)
        while hers.position["view"]["seat"] == seat:
            hers.hear("position")
        with bea.at(table) as other:
            assert other.hear("table")["seats"][seat]["stands_in"] is False
            assert other.news["mine"] == [seat]
            assert other.hear("position")["viewpoint"] == seat
            hers.play_on(rng, 1)
            while hers.position["view"]["seat"] != seat:
                hers.hear("position")
            while other.position["view"]["seat"] != seat:
                other.hear("position")
            number = other.position["number"]
            time.sleep(0.3)
            other.play(other.position["view"]["moves"][0]["say"])
            assert other.hear("position")["entries"][0]["number"] == number


def test_a_bot_that_stands_in_agrees_to_no_hints(ann: Person, bea: Person, short: None) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    join(bea, table)
    with ann.at(table) as hers:
        with bea.at(table) as other:
            hers.ready()
            other.ready()
            hers.hear("position")
            seat = other.hear("position")["viewpoint"]
        while not hers.hear("table")["seats"][seat]["gone"]:
            pass
        hers.ask("hints", allow=True)
        hers.ask("give", seat=seat, **GIVE)
        while not hers.hear("table")["seats"][seat]["stands_in"]:
            pass
        assert not hers.news["hints"]
        while hers.position["view"]["seat"] == seat:
            hers.hear("position")
        assert hers.refusal("hinted") == "not now"
        with bea.at(table) as other:
            other.hear("position")
            other.ask("hints", allow=True)
            while not other.hear("table")["hints"]:
                pass


def test_in_the_waiting_room_a_bot_stands_in_for_a_friend_who_left(ann: Person, bea: Person, short: None) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    with ann.at(table) as hers:
        hers.ready()
        seat = free_seat(hers)
        join(bea, table)
        while not hers.hear("table")["seats"][seat]["gone"]:
            pass
        hers.ask("give", seat=seat, **GIVE)
        hers.hear("position")
        assert hers.news["seats"][seat]["stands_in"] is True
        with bea.at(table) as other:
            assert other.hear("position")["viewpoint"] == seat


def chosen(person: Person, first: Any, seats: list[dict[str, Any]], **more: Any) -> Any:
    """Open a table of Topiary, say who begins, and give the answer."""
    asked = {"game": "topiary", "options": {"players": len(seats)}, "seats": seats, "first": first, "pace": "instant"}
    return person.post("/api/tables", asked | more)


def test_who_opens_a_table_may_say_who_begins_and_the_deal_is_as_fair(ann: Person) -> None:
    for first in range(3):
        table = chosen(ann, first, [ME, GREEDY, GREEDY | {"name": "Oak"}]).json()["table"]
        with ann.at(table) as page:
            page.ready()
            names = ["Ann", "Greedy", "Oak"]
            assert [seat["name"] for seat in page.news["seats"]] == names[first:] + names[:first]
            assert page.news["first"] == "chosen"
            page.play_on(Rng(1))
            page.ask("rematch")
            again = page.hear("table")["rematch"]
        fair.verify(bosquet.load(ann.get(f"/api/tables/{table}/record").json()))
        with ann.at(again) as page:
            now = [seat["name"] for seat in page.hear("table")["seats"]]
            assert (now, page.news["first"]) == (names[first - 1 :] + names[: first - 1], "chosen")


def test_a_lot_falls_on_each_seat(ann: Person) -> None:
    tables = [ann.open("topas", {"players": 3}, [ME, FRIEND, FRIEND]) for _ in range(40)]
    seats = {ann.get(f"/api/tables/{table}").json()["names"].index("Ann") for table in tables}
    assert seats == {0, 1, 2}


def test_it_is_refused_to_choose_at_a_listed_table_or_a_seat_that_is_not_there(ann: Person) -> None:
    for first, more in ((2, {}), (1, {"listed": True}), ("open", {"listed": True}), ("me", {}), (-1, {})):
        answer = chosen(ann, first, [ME, FRIEND], **more)
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_those_who_sit_down_say_who_begins_before_anybody_adds_to_the_shuffle(ann: Person, bea: Person) -> None:
    table = chosen(ann, "open", [ME, FRIEND]).json()["table"]
    with ann.at(table) as hers, ann.at(table) as screen:
        invitation = hers.hear("table")["invitation"]
        hers.ask("ready", nonce="0" * 32)
        assert screen.refusal("first", seat=1) == "not now"
        join(bea, table, invitation)
        with bea.at(table) as other:
            other.ask("ready", nonce="1" * 32)
            screen.ask("first", seat=1)
            for page in (hers, other):
                while page.hear("table")["first"] != "chosen":
                    pass
            assert [(seat["name"], seat["ready"]) for seat in hers.news["seats"]] == [("Bea", False), ("Ann", False)]
            assert (hers.news["mine"], other.news["mine"]) == ([1], [0])
            hers.ask("ready", nonce="0" * 32)
            other.ask("ready", nonce="1" * 32)
            assert hers.hear("position")["viewpoint"] == 1
            assert other.hear("position")["viewpoint"] == 0
            assert other.position["view"]["moves"]
