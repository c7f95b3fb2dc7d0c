"""Playing with anybody: who is paired with whom, and who is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bosquet.server.base.fair_queue import ASKING
from bosquet.server.base.refusals import Refusal
from bosquet.server.http.limits import Limits
from bosquet.server.lobby.house_table import HouseTable
from bosquet.server.lobby.messages import FindTable
from bosquet.server.lobby.pairing import Pairing
from bosquet.server.store.store import Store
from bosquet.server.table.table import Table
from bosquet.server.tables.registry import TableRegistry
from tests.helpers.rows import each_row
from tests.server.helpers.kept import server_of, with_store
from tests.server.helpers.people import Person

FOR_TWO: dict[str, Any] = {"game": "topiary", "players": 2}


@pytest.fixture
def cid(client: TestClient) -> Person:
    client.cookies.clear()
    return Person(client)


def find(person: Person, name: str, **wish: Any) -> str:
    answer = person.post("/api/lobby/find", {**FOR_TWO, "name": name} | wish)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["table"])


def fill_what_waits(client: TestClient) -> None:
    """Sit down at every table that other tests left waiting: they share a server, in any order."""
    for _ in range(20):
        client.cookies.clear()
        answer = Person(client).post("/api/lobby/find", {"name": "Dan"})
        if answer.status_code != 200:
            break
    assert (answer.status_code, answer.json()["code"]) == (409, "not now")


def test_two_who_want_the_same_meet(client: TestClient, ann: Person, bea: Person, cid: Person) -> None:
    fill_what_waits(client)
    table = find(ann, "Ann")
    (listed,) = [one for one in cid.get("/api/lobby").json()["waiting"] if one["table"] == table]
    assert (listed["assistance"], listed["names"].count(None)) == ("plain", 1)
    assert find(ann, "Ann") == table, "who asks again waits at the same table"
    assert find(bea, "Bea") == table
    assert find(cid, "Cid") != table, "no seat is left"
    with ann.at(table) as hers, bea.at(table) as other:
        hers.ready()
        other.ready()
        hers.hear("position")
        assert sorted(seat["name"] for seat in hers.news["seats"]) == ["Ann", "Bea"]


def test_only_tables_that_are_set_the_same_count(client: TestClient, ann: Person, bea: Person) -> None:
    fill_what_waits(client)
    me, friend, bot = {"kind": "me", "name": "Ann"}, {"kind": "friend"}, {"kind": "bot", "bot": "random"}
    game, two, three = "schlossgarten", {"players": 2}, {"players": 3}
    others = [
        ann.open("topas", two, [me, friend], listed=True),
        ann.open(game, three, [me, friend, friend], listed=True),
        ann.open(game, three, [me, friend, bot], listed=True),
        ann.open(game, two | {"work": "each"}, [me, friend], listed=True),
        ann.open(game, two, [me, friend], listed=True, assistance="full"),
        ann.open(game, two, [me, friend], listed=True, duel=True),
        ann.open(game, two, [me, friend], listed=True, slow={"days": 1, "bot": "random"}),
        ann.open(game, two, [me, friend]),  # for anyone with the link
    ]
    found = find(bea, "Bea", game=game)
    assert found not in others
    assert find(ann, "Ann", game=game) == found


def test_three_wait_for_each_other_and_the_oldest_table_fills_first(
    client: TestClient, ann: Person, bea: Person, cid: Person
) -> None:
    fill_what_waits(client)
    table = find(ann, "Ann", game="topas", players=3)
    later = bea.open("topas", {"players": 3}, [{"kind": "me", "name": "Bea"}] + [{"kind": "friend"}] * 2, listed=True)
    assert find(cid, "Cid", game="topas", players=3) == table
    assert find(bea, "Bea", game="topas", players=3) == later, "she waits already"


def test_any_game_is_one_that_somebody_waits_for(client: TestClient, ann: Person, bea: Person) -> None:
    fill_what_waits(client)
    assert bea.post("/api/lobby/find", {"name": "Bea", "players": 4}).status_code == 409
    table = find(ann, "Ann", game="topas", players=4)
    assert bea.post("/api/lobby/find", {"name": "Bea", "players": 2}).status_code == 409
    assert bea.post("/api/lobby/find", {"name": "Bea"}).json() == {"table": table}
    usual = find(ann, "Ann", game="schlossgarten", players=None)
    assert usual != table
    assert len(ann.get(f"/api/tables/{usual}").json()["names"]) == 2


@each_row(
    ("wish", "said"),
    [
        ({"game": "chess"}, "chess"),
        ({"players": 7}, "players is 7"),
        ({"game": "topas", "players": 1}, "2 or more"),
        ({"players": "2"}, "players"),
        ({"name": ""}, "name"),
        ({"options": {}}, "options"),
    ],
)
def test_what_nobody_can_be_found_for_is_refused(ann: Person, wish: dict[str, Any], said: str) -> None:
    answer = ann.post("/api/lobby/find", {**FOR_TWO, "name": "Ann"} | wish)
    assert answer.status_code == 400, answer.text
    assert said in answer.json()["message"]


def test_nobody_hides_those_who_wait(ann: Person, bea: Person, cid: Person) -> None:
    """However many other tables somebody opens, those who ask for the same meet, and the lobby lists them."""
    table = find(ann, "Ann")
    with ann.at(table):
        seats = [{"kind": "me", "name": "Cid"}] + [{"kind": "friend"}] * 3
        opened = {cid.open("schlossgarten", {"players": 4}, seats, listed=True) for _ in range(Limits.listed + 1)}
        listed = [one["table"] for one in bea.get("/api/lobby").json()["waiting"]]
        assert listed.count(table) == 1
        assert len(opened & set(listed)) == Limits.listed_of_host
        assert find(bea, "Bea") == table


def test_two_who_ask_at_one_moment_meet_and_one_who_asks_twice_has_one_seat(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        server = server_of(store)
        pairing = Pairing(server.opener, server.registry, server.open_tables)
        asked = [pairing.find(guest, FindTable(guest, **FOR_TWO)) for guest in ("ann", "ann", "bea", "bea")]
        assert len({table.id for table in await asyncio.gather(*asked)}) == 1

    with_store(tmp_path, story)


def test_who_waits_for_a_table_keeps_nobody_else_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, going_on = asyncio.Event(), asyncio.Event()
    current = TableRegistry.current

    async def late(registry: TableRegistry, table: str) -> Table:
        if ASKING.get() == "slow":
            waiting.set()
            await going_on.wait()
        return await current(registry, table)

    async def in_vain(ask: Callable[[], Awaitable[object]]) -> object:
        ASKING.set("slow")
        return await ask()

    async def story(store: Store) -> None:
        server = server_of(store)
        pairing = Pairing(server.opener, server.registry, server.open_tables)
        house = HouseTable(server.opener, server.registry, server.guests.fresh)
        await pairing.find("ann", FindTable("Ann", **FOR_TWO))
        table = await house.find(lambda: None)
        for ask, other in (
            (
                lambda: pairing.find("bea", FindTable("Bea", **FOR_TWO)),
                lambda: pairing.find("cid", FindTable("Cid", "topas")),
            ),
            (lambda: house.find(lambda: None), lambda: house.find(lambda: None)),
        ):
            waiting.clear()
            going_on.clear()
            slow = asyncio.create_task(in_vain(ask))
            await waiting.wait()
            found = await asyncio.wait_for(other(), 10)
            assert not slow.done()
            going_on.set()
            await slow
        assert found == table

    monkeypatch.setattr(TableRegistry, "current", late)
    with_store(tmp_path, story)


def test_a_table_to_watch_is_not_opened_anew_because_many_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(store: Store) -> None:
        server = server_of(store)
        house = HouseTable(server.opener, server.registry, server.guests.fresh)
        table = await house.find(lambda: None)

        async def refuse(registry: TableRegistry, table: str) -> Table:
            raise Refusal("busy", "many ask at once")

        with monkeypatch.context() as patch:
            patch.setattr(TableRegistry, "current", refuse)
            with pytest.raises(Refusal, match="many ask"):
                await house.find(lambda: None)
        assert await house.find(lambda: None) == table

    with_store(tmp_path, story)
