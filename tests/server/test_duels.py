"""Duels at tables: the next game, its deal, who sits where, how it stands, and its records."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import bosquet
from bosquet.core.records import fair
from bosquet.core.records.duel import Follower
from bosquet.core.rng import Rng
from tests.server.helpers.memory import delete_table
from tests.server.helpers.people import FRIEND, ME, RANDOM, Page, Person, make_app


def played(page: Page, seed: int) -> dict[str, Any]:
    """Play the game of a table to its end at random; return how the duel stands then."""
    page.ask("ready", nonce=secrets.token_hex(16))
    page.hear("position")
    page.play_on(Rng(seed))
    while page.news["phase"] != "over":
        page.hear("table")
    duel: dict[str, Any] = page.news["duel"]
    return duel


def scores(page: Page) -> list[int]:
    found: list[int] = page.position["view"]["scores"]
    return found


def test_a_duel_is_played_on_at_the_next_table(ann: Person) -> None:
    first = ann.open("topas", {"players": 2}, [ME, RANDOM], duel=True)
    assert ann.get(f"/api/tables/{first}").json()["duel"] == 0
    with ann.at(first) as page:
        page.hear("table")
        assert page.news["duel"] == {
            "game": 0,
            "games": 2,
            "over": False,
            "points": [0, 0],
            "winners": [],
            "tables": [],
        }
        one = played(page, 1)
        names, before = [seat["name"] for seat in page.news["seats"]], scores(page)
        assert one == {"game": 0, "games": 2, "over": False, "points": before, "winners": [], "tables": []}
        assert ann.get(f"/api/tables/{first}/record").json()["duel"]["game"] == 0
        page.ask("rematch")
        while not page.news["rematch"]:
            page.hear("table")
        second = page.news["rematch"]
    with ann.at(second) as page:
        page.hear("table")
        assert [seat["name"] for seat in page.news["seats"]] == names[::-1]
        assert page.news["duel"] == {
            "game": 1,
            "games": 2,
            "over": False,
            "points": before[::-1],
            "winners": [],
            "tables": [first],
        }
        two = played(page, 2)
        totals = [mine + theirs for mine, theirs in zip(before[::-1], scores(page), strict=True)]
        best = [seat for seat, points in enumerate(totals) if points == max(totals)]
        assert (two["points"], two["winners"]) == (totals, best)
        page.ask("rematch")
        while not page.news["rematch"]:
            page.hear("table")
        again = page.news["rematch"]
    assert ann.get(f"/api/tables/{again}").json()["duel"] == 0
    lines = ann.get(f"/api/tables/{second}/duel").text.splitlines()
    follower = Follower()
    games = [bosquet.load(json.loads(line)) for line in lines]
    found = [follower.add(game) for game in games]
    for game in games:
        fair.verify(game)
    assert (found[0], sorted(found[1].points if found[1] else [])) == (None, sorted(totals))
    assert games[0].deal["start"] == games[1].deal["start"]
    assert games[0].deal["hands"] != games[1].deal["hands"]
    assert ann.get(f"/api/tables/{first}/duel").text.splitlines() == lines[:1]
    delete_table(ann.client, first)
    assert ann.get(f"/api/tables/{second}/duel").text.splitlines() == lines[1:], "what is gone is left out"
    assert ann.get(f"/api/tables/{first}/duel").status_code == 404


def test_three_players_sit_on_every_seat_once(ann: Person) -> None:
    table = ann.open("topiary", {"players": 3}, [ME, RANDOM, RANDOM | {"name": "Bot 2"}], duel=True)
    seats, removed, points = [], set(), [0, 0, 0]
    for game in range(3):
        with ann.at(table) as page:
            page.hear("table")
            stand = played(page, game)
            assert stand["game"] == game
            names = [seat["name"] for seat in page.news["seats"]]
            seats.append(names.index("Ann"))
            removed.add(ann.get(f"/api/tables/{table}/record").json()["deal"]["removed"])
            points = stand["points"]
            assert bool(stand["winners"]) == (game == 2)
            page.ask("rematch")
            while not page.news["rematch"]:
                page.hear("table")
            table = page.news["rematch"]
    assert sorted(seats) == [0, 1, 2]
    assert len(removed) == 1
    assert points[stand["winners"][0]] == max(points)


@pytest.mark.slow
def test_a_duel_is_read_again_after_a_restart(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        ann = Person(client)
        first = ann.open("schlossgarten", {"players": 2}, [ME, {"kind": "here", "name": "Bea"}], duel=True)
        with ann.at(first) as page:
            page.ready()
            landscape = page.hear("position")["view"]["values"]
            _to_the_end(page)
            page.ask("rematch")
            while not page.news["rematch"]:
                page.hear("table")
            second = page.news["rematch"]
        with ann.at(second) as page:
            page.ready()
            view = page.hear("position")["view"]
            assert view["values"] == landscape
            stand = page.news["duel"]
    with TestClient(make_app(tmp_path)) as client:
        ann.client = client
        with ann.at(second) as page:
            assert page.hear("position")["view"] == view
            assert page.news["duel"] == stand


def _to_the_end(page: Page) -> None:
    """Play for all seats of one screen."""
    rng = Rng(3)
    while not page.position["view"]["over"]:
        page.ask("look", seat=page.position["view"]["seat"])
        while page.hear("position")["viewpoint"] is None:
            pass
        while page.position["view"]["moves"]:
            page.play(rng.choice(page.position["view"]["moves"])["say"])
            page.hear("position")


@pytest.mark.parametrize("seats", [[ME]])
def test_alone_there_is_no_duel(ann: Person, seats: list[dict[str, Any]]) -> None:
    answer = ann.post("/api/tables", {"game": "topas", "options": {"players": 1}, "seats": seats, "duel": True})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_the_records_of_a_running_game_stay_hidden(ann: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], duel=True)
    assert ann.get(f"/api/tables/{table}/duel").json()["code"] == "not now"


def test_who_resigns_gives_the_duel_up(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], duel=True)
    with ann.at(table) as hers:
        body = {"name": "Bea", "invitation": hers.hear("table")["invitation"]}
        assert bea.post(f"/api/tables/{table}/join", body).status_code == 204
        with bea.at(table) as other:
            hers.ask("ready", nonce=secrets.token_hex(16))
            other.ready()
            hers.hear("position")
            hers.ask("resign", seat=hers.position["viewpoint"])
            while not (hers.news["duel"]["winners"] and hers.news["phase"] == "over"):
                hers.hear("table")
            assert [hers.news["seats"][seat]["name"] for seat in hers.news["duel"]["winners"]] == ["Bea"]
            hers.ask("rematch")
            while not hers.news["rematch"]:
                hers.hear("table")
    assert ann.get(f"/api/tables/{hers.news['rematch']}").json()["duel"] == 0


def joined(ann: Person, others: list[Person], game: str = "topas") -> str:
    """Open a duel, let others join, and return the table."""
    table = ann.open(game, {"players": 1 + len(others)}, [ME, *([FRIEND] * len(others))], duel=True)
    with ann.at(table) as page:
        invitation = page.hear("table")["invitation"]
    for number, person in enumerate(others):
        body = {"name": f"Guest {number}", "invitation": invitation}
        assert person.post(f"/api/tables/{table}/join", body).status_code == 204
    return table


def test_a_game_that_does_not_count_is_played_again_on_the_same_seats(client: TestClient) -> None:
    people = []
    for _ in range(2):
        client.cookies.clear()
        people.append(Person(client))
    ann, bea = people
    table = joined(ann, [bea])
    with ann.at(table) as hers, bea.at(table) as other:
        hers.ask("ready", nonce=secrets.token_hex(16))
        other.ready()
        hers.hear("position")
        hers.ask("agree", proposal="void")
        while not any(seat["agrees"] for seat in other.news["seats"]):
            other.hear("table")
        other.ask("agree", proposal="void")
        while hers.news["phase"] != "over":
            hers.hear("table")
        names = [seat["name"] for seat in hers.news["seats"]]
        assert (hers.news["duel"]["over"], hers.news["duel"]["winners"]) == (False, [])
        assert ann.get(f"/api/tables/{table}/duel").text == ""
        hers.ask("rematch")
        while not hers.news["rematch"]:
            hers.hear("table")
    with ann.at(hers.news["rematch"]) as page:
        page.hear("table")
        assert [seat["name"] for seat in page.news["seats"]] == names
        assert (page.news["duel"]["game"], page.news["duel"]["points"]) == (0, [0, 0])


def test_nobody_ends_or_repeats_a_game_of_a_duel_alone(ann: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, RANDOM], duel=True)
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        assert page.refusal("agree", proposal="void") == "not now"
        assert page.refusal("agree", proposal="end") == "not now"


def test_who_is_left_after_the_others_gave_up_wins_the_duel(client: TestClient) -> None:
    people = []
    for _ in range(3):
        client.cookies.clear()
        people.append(Person(client))
    table = joined(people[0], people[1:], "topiary")
    with people[0].at(table) as one, people[1].at(table) as two, people[2].at(table) as three:
        pages = (one, two, three)
        for page in pages:
            page.ready()
        for page in pages[:2]:
            page.hear("position")
            page.ask("resign", seat=page.position["viewpoint"])
        while three.news.get("phase") != "over":
            three.hear("table")
        assert three.news["duel"]["over"]
        assert len(three.news["duel"]["winners"]) == 1
