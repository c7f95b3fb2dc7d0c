"""The people with whom a guest has played: who is listed, under which name and id, and what blocking does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.server.base.rate_limits import Rate
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests import people
from bosquet.server.http.limits import Limits
from bosquet.server.store.schema import fellows, seats
from bosquet.server.store.store import Store
from tests.server.helpers.acquaintances import block, id_of, of, play, some_people
from tests.server.helpers.guests import code_of, key, move
from tests.server.helpers.kept import TODAY, sweep, with_store
from tests.server.helpers.people import FRIEND, ME, RANDOM, Person, make_app


def names(person: Person) -> list[str]:
    return [one["name"] for one in of(person)["people"]]


# --- the list ---


def test_who_has_played_together_is_listed_the_latest_first(ann: Person, bea: Person, cyd: Person) -> None:
    assert of(ann) == {"people": [], "blocked": []}
    play(ann, bea)
    play(ann, cyd, names=("Ann", "Cyd"))
    last = play(ann, bea, names=("Ann", "Beate"))
    found = of(ann)["people"]
    assert [(one["name"], one["games"]) for one in found] == [("Beate", 2), ("Cyd", 1)], "by the name of the last game"
    assert (found[0]["table"], found[0]["game"]) == (last, "topas")
    assert names(bea) == names(cyd) == ["Ann"]
    assert of(ann)["people"] == found, "ids stay"


def test_bots_programs_and_people_at_the_same_screen_are_not_listed(ann: Person, bea: Person) -> None:
    play(ann, bea, program=True)
    table = ann.open("topas", {"players": 3}, [ME, {"kind": "here", "name": "Dot"}, RANDOM])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        page.ask("agree", proposal="end")
        while page.news.get("phase") != "over":
            page.hear()
    assert names(ann) == []
    assert names(bea) == ["Ann"], "who has a program play knows with whom"


def test_who_only_sat_at_one_table_or_played_with_the_same_is_not_listed(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea)
    play(bea, cyd, names=("Bea", "Cyd"))
    assert names(ann) == names(cyd) == ["Bea"]
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    with ann.at(table) as page:
        page.hear("table")
        assert cyd.post(f"/api/tables/{table}/join", {"name": "Cyd"}).status_code == 204
        assert names(ann) == ["Bea"], "a game that has not ended makes nobody known"


def test_nobody_learns_the_key_of_another_and_no_two_have_the_same_id(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea, cyd)
    found = {person: person.get("/api/people").text for person in (ann, bea, cyd)}
    for person, text in found.items():
        assert len(json.loads(text)["people"]) == 2
        assert not any(key(one) in text for one in (ann, bea, cyd))
        assert not any(key(one) in person.get("/api/me").text for one in (ann, bea, cyd))
    ids = [one["id"] for text in found.values() for one in json.loads(text)["people"]]
    assert len(set(ids)) == 6


def test_the_name_on_all_devices_is_shown(ann: Person, bea: Person) -> None:
    play(ann, bea)
    before = of(ann)["people"][0]
    assert bea.post("/api/me/name", {"name": "Beatrix"}).status_code == 204
    assert of(ann)["people"] == [before | {"name": "Beatrix"}]


def test_the_list_is_the_same_on_another_device(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea)
    before = of(ann)
    assert move(cyd, code_of(ann)).status_code == 204
    assert of(cyd) == before


# --- blocking ---


def test_neither_sees_the_other_until_that_is_taken_back(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea, cyd)
    before = {person: of(person) for person in (ann, bea)}
    block(ann, "Bea")
    assert (names(ann), names(bea)) == (["Cyd"], ["Cyd"])
    assert [one["name"] for one in of(ann)["blocked"]] == ["Bea"]
    assert of(bea)["blocked"] == []
    block(ann, "Bea", blocked=False)
    assert {person: of(person) for person in (ann, bea)} == before


def test_who_is_blocked_may_block_and_neither_learns_of_the_other(ann: Person, bea: Person) -> None:
    play(ann, bea)
    stale = id_of(bea, "Ann")
    block(ann, "Bea")
    answer = bea.post("/api/people/block", {"person": stale, "blocked": True})
    assert answer.status_code == 204, "as ever, though the page is out of date"
    for person, name in ((ann, "Bea"), (bea, "Ann")):
        found = of(person)
        assert (found["people"], [one["name"] for one in found["blocked"]]) == ([], [name])
    block(ann, "Bea", blocked=False)
    assert of(ann) == {"people": [], "blocked": []}, "as if Bea had erased herself"
    block(bea, "Ann", blocked=False)
    assert (names(ann), names(bea)) == (["Bea"], ["Ann"])


def test_ids_of_others_and_ids_that_are_none_are_refused(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea)
    of_bea, of_ann = id_of(ann, "Bea"), id_of(bea, "Ann")
    for foreign in (of_bea, "A" * 16, of_ann):
        answer = cyd.post("/api/people/block", {"person": foreign, "blocked": True})
        assert (answer.status_code, answer.json()["code"]) == (404, "no person")
    answer = ann.post("/api/people/block", {"person": of_ann, "blocked": True})
    assert answer.status_code == 404, "not even that of the other one of the two"
    for wrong in ("", "A" * 17, "\0" * 16, key(bea), None, 1):
        assert ann.post("/api/people/block", {"person": wrong, "blocked": True}).json()["code"] == "malformed"
    headers = {"cookie": f"bosquet={ann.cookie}", "origin": "http://elsewhere"}
    body = {"person": of_bea, "blocked": True}
    assert ann.client.post("/api/people/block", json=body, headers=headers).json()["code"] == "wrong origin"
    assert names(ann) == ["Bea"]


def test_the_lobby_keeps_apart_who_blocks_and_who_is_blocked(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea, cyd)
    block(ann, "Bea")

    def waiting(person: Person) -> set[str]:
        return {one["table"] for one in person.get("/api/lobby").json()["waiting"]}

    for slow in (None, {"days": 1, "bot": "greedy"}):
        mine = ann.open("topas", {"players": 3}, [ME, FRIEND, FRIEND], listed=True, slow=slow)
        theirs = bea.open("topas", {"players": 2}, [ME | {"name": "Bea"}, FRIEND], listed=True, slow=slow)
        with ann.at(mine) as page, bea.at(mine) as blocked, cyd.at(mine) as other:
            link = page.hear("table")["invitation"]
            assert (mine in waiting(bea), mine in waiting(cyd), theirs in waiting(ann)) == (False, True, False)
            assert (blocked.hear("table")["listed"], other.hear("table")["listed"]) == (False, True)
            refused = bea.post(f"/api/tables/{mine}/join", {"name": "Bea"})
            unlisted = cyd.open("topas", {"players": 2}, [ME | {"name": "Cyd"}, FRIEND], slow=slow)
            assert refused.json() == bea.post(f"/api/tables/{unlisted}/join", {"name": "Bea"}).json()
            assert "block" not in refused.text
            assert cyd.post(f"/api/tables/{mine}/join", {"name": "Cyd"}).status_code == 204
            with_link = bea.post(f"/api/tables/{mine}/join", {"name": "Bea", "invitation": link})
            assert with_link.status_code == 204, "a link was given by somebody who sits there"


# --- what is kept ---


def test_who_is_erased_is_in_nobodys_list(client: TestClient, ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea, cyd)
    of(bea), of(cyd)
    block(ann, "Bea")
    block(ann, "Cyd")
    assert [one["blocked"] for one in ann.get("/api/me").json()["people"]] == [True, True]
    gone = key(bea)
    bea.post("/api/me/erase", {})
    assert [one["name"] for one in of(ann)["blocked"]] == ["Cyd"]
    assert names(cyd) == []
    assert bea.get("/api/people").json()["code"] == "erased"
    store = client.app.state.server.services.store  # type: ignore[attr-defined]
    query = sa.select(fellows).where(sa.or_(fellows.c.owner == gone, fellows.c.other == gone))
    assert client.portal is not None
    assert client.portal.call(store.select, query) == []


def test_the_download_says_whom_one_blocks_and_not_who_blocks(ann: Person, bea: Person) -> None:
    play(ann, bea)
    before = bea.get("/api/me").json()["people"], of(bea)["people"][0]["id"]
    assert before[0] == [], "nothing is kept before a list was asked for"
    block(ann, "Bea")
    (kept,) = ann.get("/api/me").json()["people"]
    assert kept == {"id": id_of(ann, "Bea"), "name": "Bea", "blocked": True}
    assert bea.get("/api/me").json()["people"] == []


def test_lists_and_blocks_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST_BLOCKED", 3)

    async def work(store: Store) -> None:
        count = people.LISTED + 5
        await some_people(store, count)
        found = (await people.listed(store, "ann")).people
        assert [one.name for one in found] == [f"P{number}" for number in reversed(range(5, count))]
        for one in found[:3]:
            await people.block(store, "ann", one.id, True)
        with pytest.raises(Refusal, match="you have blocked 3"):
            await people.block(store, "ann", found[3].id, True)
        after = await people.listed(store, "ann")
        assert ([one.name for one in after.blocked], len(after.people)) == ([one.name for one in found[:3]], 100)
        await people.block(store, "ann", found[0].id, False)
        assert await people.apart(store, "ann", ["p103", "p104", "p1"]) == {"p103"}
        assert await people.apart(store, "p103", ["ann", "p104"]) == {"ann"}
        assert await people.has_blocked(store, "ann", "p103")
        assert not await people.has_blocked(store, "p103", "ann")

    with_store(tmp_path, work)


def test_people_are_forgotten_with_the_results(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await some_people(store, 3)
        await people.listed(store, "p1")
        for one in (await people.listed(store, "ann")).people:
            await people.block(store, "ann", one.id, True)
        seated = {"name": "x", "shelved": False, "hints": False, "program": False, "stood_in": False}
        row = {"game": "topas", "options": {}, "pace": "human", "listed": False, "invitation": "i", "secret": "s"}
        await store.add_table(
            row | {"id": "t", "phase": "playing", "host": None},
            [seated | {"seat": seat, "guest": guest} for seat, guest in enumerate(("ann", "p1"))],
        )
        await sweep(store, TODAY)
        rows = await store.select(sa.select(fellows.c.owner, fellows.c.other).order_by(fellows.c.owner))
        assert [tuple(row) for row in rows] == [("ann", "p1"), ("p1", "ann")], "the others are not known any more"
        await store.write(sa.delete(seats))
        await sweep(store, TODAY)
        assert await store.select(sa.select(fellows)) == []

    with_store(tmp_path, work)


def test_who_asks_very_often_has_to_wait(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, Limits(people=Rate(2, 0.01)))) as client:
        person = Person(client)
        assert [person.get("/api/people").status_code for _ in range(3)] == [200, 200, 429]
