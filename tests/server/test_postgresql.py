"""Tables in PostgreSQL: the same as in SQLite, with a real server that is restarted, cut off and shared."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.core.errors import BosquetError
from bosquet.core.rng import Rng
from bosquet.core.system.extras import remedy
from bosquet.server.guests import people
from bosquet.server.history import ratings
from bosquet.server.history.rater import Rater
from bosquet.server.http.app import create_app
from bosquet.server.http.retention import Sweeper
from bosquet.server.store import databases
from bosquet.server.store.schema import brought, chat, fellows, finished, reports, results, shown
from bosquet.server.store.store import Conflict, JournalEntry, Store
from tests.helpers.rows import each_row
from tests.helpers.services import LEAVES_CONNECTIONS, Postgresql, postgresql
from tests.server.helpers.acquaintances import answer, invite, invited, play, some_people
from tests.server.helpers.brought import request, whole
from tests.server.helpers.chat import mine, seated, told, write
from tests.server.helpers.forms import assert_migrations_give_the_form_of_a_new_one
from tests.server.helpers.kept import with_store
from tests.server.helpers.people import FRIEND, GREEDY, LOOSE, ME, Person
from tests.server.helpers.rated import all_kept, some_games

pytestmark = [pytest.mark.slow, *LEAVES_CONNECTIONS]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Postgresql]:
    with postgresql() as server:
        yield server


@pytest.fixture
def url(cluster: Postgresql) -> str:
    return cluster.database()


def app_over(url: str) -> Any:
    return create_app(url, b"a key for tests", limits=LOOSE, processes=1, warm=False)


def test_a_game_is_kept_and_goes_on_after_a_restart(url: str) -> None:
    with TestClient(app_over(url)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 2}, [ME, GREEDY])
        with ann.at(table) as page:
            page.ready()
            page.play_on(Rng(3), 4)
            seen = page.position["number"]
    with TestClient(app_over(url)) as client:
        again = Person(client)
        again.cookie = ann.cookie
        with again.at(table) as page:
            page.hear("position")
            assert page.position["number"] >= seen
            page.play_on(Rng(4))
        record = again.get(f"/api/tables/{table}/record").json()
        assert len(record["moves"]) == page.position["number"]
        assert again.get("/api/lobby").json()["mine"][0]["phase"] == "over"
        (played,) = again.get("/api/history?bot=greedy&game=topas&from=2020-01-01&before=9999~").json()["games"]
        assert [seat["score"] for seat in played["seats"]] == record["result"]["scores"]
        summary = again.get("/api/history/summary?opponent=").json()
        assert (summary["games"], summary["levels"][0]["tally"]["games"]) == (1, 1)
        assert summary["totals"][0]["mean"] == record["result"]["scores"][played["seat"]]
        assert [one["table"] for one in again.get("/api/history/plot?game=topas&players=2").json()] == [table]
        assert json.loads(again.get("/api/history/records").text) == record
        assert again.post("/api/me/erase", {}).status_code == 204
        server, portal = cast(Any, client.app).state.server, client.portal
        assert portal is not None
        portal.call(Sweeper(server.clean_ups).sweep)


def test_migrations_give_the_form_of_a_new_database(cluster: Postgresql) -> None:
    new, older = (
        sa.create_engine(cluster.database().replace("postgresql:", "postgresql+psycopg:"), poolclass=sa.pool.NullPool)
        for _ in range(2)
    )
    assert_migrations_give_the_form_of_a_new_one(new, older)


def test_a_game_of_a_device_is_brought_once_and_erased(url: str) -> None:
    with TestClient(app_over(url)) as client:
        ann, game = Person(client), request(whole())
        assert [ann.post("/api/history/brought", game).status_code for _ in range(2)] == [201, 200]
        (played,) = ann.get("/api/history").json()["games"]
        assert (played["device"], played["kept"]) == (True, True)
        assert ann.get(f"/api/tables/{played['table']}/record").json()["moves"] == game["record"]["moves"]
        assert ann.post("/api/me/erase", {}).status_code == 204

    async def left() -> int:
        store = Store(url)
        await store.open()
        found = [len(await store.select(sa.select(table))) for table in (finished, results, brought)]
        await store.close()
        return sum(found)

    assert asyncio.run(left()) == 0


def test_of_two_that_write_one_number_one_wins(url: str) -> None:
    async def run() -> None:
        store = Store(url)
        await store.open()
        row: dict[str, Any] = {"id": "t", "game": "topas", "options": {"players": 2}, "phase": "playing"}
        row |= {"box": None, "pace": "instant", "listed": False, "invitation": "i", "secret": "s", "host": "h"}
        seats = [{"seat": i, "bot": None, "name": None, "guest": None, "nonce": None} for i in range(2)]
        await store.add_table(row, seats)
        outcomes = await asyncio.gather(
            *(store.append("t", 0, [JournalEntry("move", move)], turn=1) for move in ("a", "b", "c")),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes if outcome is not None] == [Conflict, Conflict]
        assert len(await store.read_journal("t")) == 1
        await store.close()

    asyncio.run(run())


def test_nodes_that_open_an_empty_database_at_once_all_find_its_form(url: str) -> None:
    async def run() -> None:
        nodes = [Store(url, alone=False) for _ in range(4)]
        await asyncio.gather(*(node.open() for node in nodes))
        await asyncio.gather(*(node.close() for node in nodes))

    asyncio.run(run())


def test_a_second_server_does_not_start(url: str) -> None:
    async def run() -> None:
        first, second = Store(url), Store(url)
        await first.open()
        with pytest.raises(BosquetError, match="another server uses it"):
            await second.open()
        await first.close()
        third = Store(url)
        await third.open()
        await third.close()

    asyncio.run(run())


def test_a_restart_of_postgresql_loses_no_acknowledged_move(cluster: Postgresql, url: str) -> None:
    with TestClient(app_over(url)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 2}, [ME, ME | {"kind": "here", "name": "Bea"}])
        with ann.at(table) as page:
            page.ready()
            page.hear("position")
            seen = 0
            for stop in (True, False):
                for _ in range(2):
                    look(page)
                    page.play(page.position["view"]["moves"][0]["say"])
                    seen = page.hear("position")["number"]
                if stop:
                    look(page)
                    cluster.stop()
                    assert page.refusal("play", **asked(page)) == "unavailable"
                    assert ann.get("/api/lobby").status_code == 503
                    cluster.start()
                    assert_recovers(page)
                    seen += 1
        assert page.position["number"] == seen
    with TestClient(app_over(url)) as client:
        again = Person(client)
        again.cookie = ann.cookie
        with again.at(table) as page:
            assert page.hear("position")["number"] == seen


def look(page: Any) -> None:
    """Look from the seat that is to move."""
    seat = page.position["view"]["seat"]
    if page.position["viewpoint"] != seat:
        page.ask("look", seat=seat)
        page.hear("position")


def asked(page: Any) -> dict[str, Any]:
    position = page.position
    move = position["view"]["moves"][0]["say"]
    return {"seat": position["viewpoint"], "number": position["number"], "move": move}


def assert_recovers(page: Any) -> None:
    """A move is possible again within ten seconds."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        page.ask("play", **asked(page))
        message = page.hear()
        if message["type"] == "position":
            return
        time.sleep(0.1)
    raise AssertionError("the table is stuck")


@each_row(
    ("url", "said"),
    [
        ("nonsense", "not a URL"),
        ("mysql://u:hunter2@h/d", "no such database"),
        ("postgresql://u:hunter2@127.0.0.1:1/d", "can't be used"),
    ],
)
def test_a_database_that_can_not_be_used(url: str, said: str) -> None:
    with pytest.raises(BosquetError, match=said) as refused:
        asyncio.run(Store(url).open())
    assert "hunter2" not in str(refused.value)


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(databases.database_of("postgresql://127.0.0.1/d"), databases.Postgresql)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BosquetError, match=re.escape(remedy("nodes"))):
        databases.database_of("postgresql://127.0.0.1/d")


def test_two_nodes_rate_each_game_once_and_come_to_what_sqlite_comes_to(url: str, tmp_path: Path) -> None:
    async def by_two() -> Any:
        stores = [Store(url, alone=False) for _ in range(2)]
        for store in stores:
            await store.open()
        await some_games(stores[0], 120)
        rated = await asyncio.gather(*(Rater(store, 0).rate() for store in stores))
        assert sum(rated) == 120
        found = await all_kept(stores[0])
        board = await ratings.leaderboard(stores[1], "topas", "ann")
        for store in stores:
            await store.close()
        return found, board

    async def alone(store: Store) -> Any:
        await some_games(store, 120)
        await Rater(store, 0).rate()
        return await all_kept(store), await ratings.leaderboard(store, "topas", "ann")

    assert asyncio.run(by_two()) == with_store(tmp_path, alone)


def test_people_are_listed_and_blocked(url: str) -> None:
    async def story() -> None:
        store = Store(url, alone=False)
        await store.open()
        try:
            await some_people(store, 3)
            first, second = await asyncio.gather(people.listed(store, "ann"), people.listed(store, "ann"))
            assert [one.name for one in first.people] == ["P2", "P1", "P0"]
            assert first == second, "of two who draw ids, one draws them"
            await people.block(store, "ann", first.people[0].id, True)
            assert [one.name for one in (await people.listed(store, "ann")).blocked] == ["P2"]
            assert (await people.listed(store, "p2")).people == []
            assert await people.apart(store, "p2", ["ann"]) == {"ann"}
            await people.erase(store, "ann")
            await people.sweep(store)
            assert await store.select(sa.select(fellows)) == []
        finally:
            await store.close()

    asyncio.run(story())


def test_invitations_arrive(url: str) -> None:
    with TestClient(app_over(url)) as client:
        ann = Person(client)
        client.cookies.clear()
        bea = Person(client)
        play(ann, bea)
        tables = [ann.open("topas", {"players": 2}, [ME, FRIEND]) for _ in range(4)]
        assert [invite(ann, "Bea", table).status_code for table in tables] == [204, 204, 204, 429]
        assert len(invited(bea)) == 3
        assert answer(bea, tables[0]).status_code == answer(bea, tables[1], "block").status_code == 204
        assert invited(bea) == []


def test_a_chat_is_reported_and_erased(url: str) -> None:
    with TestClient(app_over(url)) as client:
        people_ = []
        for _ in range(2):
            client.cookies.clear()
            people_.append(Person(client))
        ann, bea = people_
        with seated(ann, bea) as (_, hers, theirs):
            write(hers, "Hello")
            assert told(theirs) == ["Hello"]
            for _ in range(2):
                theirs.ask("report", number=0)
                assert theirs.hear("reported")["number"] == 0
        assert [(one["text"], one["reported"]) for one in mine(ann) + mine(bea)] == [("Hello", False), ("Hello", True)]
        for person in people_:
            assert person.post("/api/people/show", {"shown": True}).status_code == 204
            assert person.post("/api/me/erase", {}).status_code == 204
        store = cast(Any, client.app).state.server.services.store
        assert client.portal is not None
        query = sa.select(reports.c.name, reports.c.text, reports.c.guest, reports.c.reporter)
        assert client.portal.call(store.select, query) == [("", "Hello", None, None)]
        for kept in (chat, shown):
            assert client.portal.call(store.select, sa.select(kept)) == []
