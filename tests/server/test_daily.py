"""The deals of days: nobody knows them before, one attempt, nothing is told to those who may still play, results."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import bosquet
from bosquet.core.installed import spec
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.server.base.clock import days_before
from bosquet.server.compute.daily_play import play_deal
from bosquet.server.http.app import create_app
from bosquet.server.http.retention import Retention
from bosquet.server.store.schema import daily_attempts, daily_bots
from bosquet.server.store.schema import daily_results as daily_rows
from bosquet.server.store.store import Store
from bosquet.server.table import table
from bosquet.server.today import daily, daily_results
from bosquet.server.today import daily_bots as playing
from bosquet.server.today import daily_deals as telling
from bosquet.server.today import days as calendar
from bosquet.server.today.daily_bots import DailyBots
from bosquet.server.today.daily_deals import DailyDeals
from tests.server.helpers.guests import code_of, erase, move
from tests.server.helpers.kept import TODAY, sweep, with_store
from tests.server.helpers.people import Person, make_app

KEY = b"a key for tests"


BOTS = ["random", "greedy"]


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server of its own, where few bots play, and when a test says so."""
    monkeypatch.setattr(playing, "EVERY_SECONDS", 3600)
    for module in (playing, telling):
        monkeypatch.setattr(module, "bots_of", lambda: BOTS)
    with TestClient(make_app(tmp_path), base_url="http://testserver") as client:
        yield client


def today(person: Person) -> dict[str, Any]:
    answer = person.get("/api/today")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def deal(person: Person, game: str = "topas") -> dict[str, Any]:
    (found,) = [one for one in today(person)["today"]["games"] if one["game"] == game]
    return dict(found)


def begin(person: Person, game: str = "topas", day: str | None = None, name: str = "Ann") -> str:
    day = day or today(person)["today"]["day"]
    answer = person.post(f"/api/today/{day}/{game}", {"name": name})
    assert answer.status_code in (200, 201), answer.text
    return str(answer.json()["table"])


def finish(person: Person, where: str, seed: int = 3) -> int:
    """Play to the end; return the points of the first seat."""
    with person.at(where) as page:
        page.play_on(Rng(seed))
        return int(page.position["view"]["scores"][0])


def give_up(person: Person, where: str) -> None:
    with person.at(where) as page:
        page.hear("position")
        if len(page.news["seats"]) == 1:
            page.ask("agree", proposal="void")
        else:
            page.ask("resign", seat=page.news["mine"][0])
        while page.news["phase"] != "over":
            page.hear("table")


# --- the deal ---


def test_the_deal_of_a_day_follows_from_the_key_and_nothing_else(tmp_path: Path) -> None:
    secrets = {
        daily.secret_of(key, game, day)
        for key in (KEY, b"another")
        for game in ("topas", "topiary")
        for day in ("2026-11-23", "2026-11-24")
    }
    assert len(secrets) == 8
    told = []
    for node in ("one", "two"):
        (tmp_path / node).mkdir()
        with TestClient(make_app(tmp_path / node)) as client:
            person = Person(client)
            told.append([(one["game"], one["commitment"], one["seat"]) for one in today(person)["today"]["games"]])
            where = begin(person)
            with person.at(where) as page:
                page.hear("position")
                told[-1].append(page.position["view"])
    assert told[0] == told[1]
    with TestClient(create_app(f"sqlite:///{tmp_path / 'x.db'}", b"another key", processes=1, warm=False)) as client:
        assert deal(Person(client))["commitment"] not in json.dumps(told)


def test_the_promise_of_the_day_before_is_kept(client: TestClient, ann: Person) -> None:
    deals: DailyDeals = client.app.state.server.daily  # type: ignore[attr-defined]
    promised = {one["game"]: one["commitment"] for one in today(ann)["next"]}
    day = date.fromisoformat(today(ann)["today"]["day"])
    deals.clock = lambda: f"{day + timedelta(1)}T00:00:00.000Z"
    (game,) = [one for one in today(ann)["today"]["games"] if one["game"] == "topas"]
    assert game["commitment"] == promised["topas"]
    assert game["secret"] is None
    deals.clock = lambda: f"{day + timedelta(2)}T06:00:00.000Z"
    (game,) = [one for one in ann.get(f"/api/today/{day + timedelta(1)}").json()["games"] if one["game"] == "topas"]
    assert fair.commitment(game["secret"]) == promised["topas"]
    record = ann.get(f"/api/tables/{give_up_late(ann, day + timedelta(1))}/record").json()
    assert record["fair"] == {"commitment": promised["topas"], "secret": game["secret"], "nonces": [None]}
    fair.verify(bosquet.load(record))


def give_up_late(person: Person, day: date) -> str:
    where = begin(person, day=day.isoformat())
    give_up(person, where)
    return where


# --- one attempt ---


def test_there_is_one_attempt_however_often_it_is_opened(tmp_path: Path) -> None:
    apps = [make_app(tmp_path), make_app(tmp_path)]
    with TestClient(apps[0]) as one, TestClient(apps[1]) as two:
        ann, there = Person(one), Person(two)
        there.cookie = ann.cookie
        day = today(ann)["today"]["day"]
        both = threading.Barrier(6)

        def press(person: Person) -> str:
            both.wait(10)
            return begin(person, day=day)

        with ThreadPoolExecutor(6) as pool:
            tables = set(pool.map(press, [ann, there] * 3))
        assert len(tables) == 1
        (where,) = tables
        before = finish(ann, where)
        assert begin(there, day=day) == where
        assert deal(there)["attempt"]["result"]["points"] == before


def test_nobody_takes_a_second_chance(ann: Person) -> None:
    where = begin(ann)
    with ann.at(where) as page:
        page.hear("position")
        assert page.news["daily"] == today(ann)["today"]["day"]
        assert page.refusal("hinted") == "not now"
        assert page.refusal("hints", allow=True) == "not now"
        assert page.refusal("agree", proposal="end") == "not now"
        assert page.refusal("leave", seat=0, bot="level6") == "not now"
        page.ask("ready", nonce="0" * 32)
        page.play_on(Rng(1))
        while page.news["phase"] != "over":
            page.hear("table")
        assert page.refusal("rematch") == "not now"
    rival = begin(ann, "topiary")
    with ann.at(rival) as page:
        page.hear("position")
        assert page.refusal("agree", proposal="end") == "not now"
        assert page.news["seats"][1 - page.news["mine"][0]]["bot"] == daily.LEVEL
    give_up(ann, rival)
    given_up = deal(ann, "topiary")
    assert given_up["attempt"]["result"] == {"value": None, "points": None, "against": None, "ranked": False}
    assert given_up["players"] == 0
    assert begin(ann, "topiary") == rival


@pytest.mark.slow
def test_equal_moves_meet_equal_answers(ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "LEVEL", "random")
    games = []
    for person in (ann, bea):
        with person.at(begin(person, "topiary")) as page:
            page.play_on(Rng(5), 6)
            while page.position["view"]["seat"] != page.position["viewpoint"]:
                page.hear("position")
            games.append([entry["say"] for entry in page.entries])
    shorter = min(map(len, games))
    assert shorter > 10
    assert games[0][:shorter] == games[1][:shorter]


# --- who is told what ---


def test_nothing_is_told_to_those_who_may_still_play(client: TestClient, ann: Person, bea: Person) -> None:
    where = begin(ann, name="Zoe")
    hidden: dict[str, Callable[[Person], Any]] = {
        "outline": lambda one: one.get(f"/api/tables/{where}"),
        "record": lambda one: one.get(f"/api/tables/{where}/record"),
        "records": lambda one: one.get(f"/api/tables/{where}/duel"),
        "ranking": lambda one: one.get(f"/api/today/{today(one)['today']['day']}/topas/ranking"),
    }

    def check_hidden(person: Person) -> None:
        for what, ask in hidden.items():
            answer = ask(person)
            assert (answer.status_code, answer.json()["code"]) == (409, "hidden"), what
        for query in ("", "?watch"):
            headers = {"cookie": f"bosquet={person.cookie}"}
            address = f"/api/tables/{where}/live{query}"
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(address, headers=headers):
                pass
        told = deal(person)
        assert (told["outcome"], told["secret"]) == (None, None)

    check_hidden(bea)
    points = finish(ann, where)
    asyncio_look(client)
    check_hidden(bea)
    secret = ann.get(f"/api/tables/{where}/record").json()["fair"]["secret"]
    hers = begin(bea)
    with bea.at(hers) as page:
        page.play_on(Rng(4), 3)
        told = json.dumps([page.news, page.position, page.entries])
    told += bea.get("/api/today").text + bea.get("/api/today/days").text + bea.get("/api/lobby").text
    told += bea.get("/api/me").text + bea.get("/api/history").text
    assert "Zoe" not in told
    assert secret not in told
    assert bea.get(f"/api/tables/{hers}/record").json()["code"] == "not now"
    check_hidden(bea)  # hers goes on

    finish(bea, hers, seed=9)
    assert bea.get(f"/api/tables/{where}/record").json()["result"]["scores"] == [points]
    outcome = deal(bea)["outcome"]
    assert [one["bot"] for one in outcome["bots"]] == BOTS
    assert not outcome["bots_due"]
    rows = hidden["ranking"](bea).json()["rows"]
    assert {(row["name"], row["mine"]) for row in rows} == {("Zoe", False), ("Ann", True)}
    assert sum(one["players"] for one in outcome["scores"]) == 2


def asyncio_look(client: TestClient) -> None:
    """Have the bots play what is due now, in the loop of the server."""
    app: Any = client.app
    assert client.portal is not None
    while client.portal.call(app.state.server.daily_bots.look):
        pass


class Pool:
    """Notes who is to play, and makes up their points."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, list[str]]] = []

    async def run(self, function: Any, game: str, secret: str, players: list[str]) -> list[int]:
        """Play nothing."""
        assert function is play_deal
        self.asked.append((game, secret, players))
        return [30 + i for i in range(len(players))]


def test_where_bots_come_out_is_worked_out_once_by_one_node(client: TestClient, ann: Person) -> None:
    app: Any = client.app
    deals, store = app.state.server.daily, app.state.server.daily.store
    begin(ann, "schlossgarten")
    begin(ann, "topas")
    pools = [Pool(), Pool()]
    nodes: Any = [DailyBots(deals, pool) for pool in pools]  # type: ignore[arg-type]

    async def both() -> list[int]:
        return list(await asyncio.gather(*(node.look() for node in nodes)))

    assert client.portal is not None
    assert sum(client.portal.call(both)) == 2 * len(BOTS)
    day = today(ann)["today"]["day"]
    right = deals.deal("schlossgarten", day)
    asked = [one for pool in pools for one in pool.asked]
    pairs = [[daily.LEVEL, bot] if right.seat else [bot, daily.LEVEL] for bot in BOTS]
    assert sorted(asked) == sorted(
        [("schlossgarten", right.secret, pair) for pair in pairs]
        + [("topas", deals.deal("topas", day).secret, [bot]) for bot in BOTS]
    )
    rows = client.portal.call(store.select, sa.select(daily_bots).order_by(daily_bots.c.game))
    own = 30 + right.seat
    assert [(row.value, row.points, row.against) for row in rows[:2]] == [(2 * own - 61, own, 61 - own)] * 2
    assert [(row.value, row.points, row.against) for row in rows[2:]] == [(30, 30, None)] * 2
    # What was claimed by a node that is gone is worked out by another one.
    lost = sa.update(daily_bots).where(daily_bots.c.bot == "greedy", daily_bots.c.game == "topas")
    client.portal.call(store.write, lost.values(value=None, claimed=1))
    assert sum(client.portal.call(both)) == 1


def test_a_bot_plays_a_deal_the_same_way_everywhere() -> None:
    for game, players in (("topas", ["greedy"]), ("topiary", ["random", "greedy"])):
        assert play_deal(game, "5" * 64, players) == play_deal(game, "5" * 64, players)
    assert play_deal("topas", "5" * 64, ["random"]) != play_deal("topas", "6" * 64, ["random"])


# --- midnight ---


def test_a_game_over_midnight_counts_for_some_hours(
    client: TestClient, ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals: DailyDeals = client.app.state.server.daily  # type: ignore[attr-defined]
    day = date.fromisoformat(today(ann)["today"]["day"])
    tables = begin(ann), begin(bea)

    def at(time: str) -> None:
        deals.clock = lambda: time
        monkeypatch.setattr(table, "now", lambda: time)

    morning = day + timedelta(1)
    at(f"{morning}T05:59:59.999Z")
    assert client.get(f"/api/today/{day}").json()["phase"] == "ending"
    assert begin(ann, day=day.isoformat()) == tables[0]
    refused = ann.post(f"/api/today/{day}/topiary", {"name": "Ann"})
    assert (refused.status_code, refused.json()["code"]) == (409, "not now")
    assert ann.get(f"/api/tables/{tables[1]}").json()["code"] == "hidden"
    finish(ann, tables[0])
    at(f"{morning}T06:00:00.000Z")
    assert client.get(f"/api/today/{day}").json()["phase"] == "closed"
    finish(bea, tables[1])

    def result(person: Person) -> Any:
        games = person.get(f"/api/today/{day}").json()["games"]
        return next(game["attempt"]["result"]["ranked"] for game in games if game["game"] == "topas")

    assert result(ann)
    assert not result(bea)
    assert today(ann)["streak"] == 1
    assert today(ann)["week"] == [False] * 5 + [True, False]
    assert today(bea)["streak"] == 0
    assert today(bea)["week"] == [False] * 7
    late = begin(ann, "topiary", day.isoformat())
    give_up(ann, late)
    archive = ann.get("/api/today/days").json()["days"]
    assert len(archive) == calendar.ARCHIVE_DAYS
    assert archive[0]["day"] == day.isoformat()
    assert set(archive[0]["results"]) == {"topas", "topiary"}
    beyond = day - timedelta(calendar.ARCHIVE_DAYS)
    assert ann.get(f"/api/today/{beyond}").status_code == 404
    assert ann.get(f"/api/today/{morning + timedelta(1)}").status_code == 404
    for wrong in ("x", "2026-1-1", "20261123", "2026-02-30"):
        assert ann.get(f"/api/today/{wrong}").json()["code"] == "malformed", wrong
    assert ann.post(f"/api/today/{morning}/chess", {"name": "Ann"}).status_code == 404


@given(st.sets(st.integers(0, 40)), st.integers(0, 45))
def test_streaks(days: set[int], now: int) -> None:
    days = {one for one in days if one <= now}
    start = date(2026, 2, 1)
    written = [(start + timedelta(one)).isoformat() for one in sorted(days)]
    current, best = calendar.streaks(written, (start + timedelta(now)).isoformat())
    runs = [sum(all(one + i in days for i in range(n + 1)) for n in range(len(days))) for one in days]
    assert best == max(runs, default=0)
    end = now if now in days else now - 1
    assert current == sum(all(end - i in days for i in range(n + 1)) for n in range(len(days)))


# --- ranking, and what is kept ---


def test_the_ranking_of_thousands_shares_ranks_over_pages(tmp_path: Path) -> None:
    rng = Rng(7)
    values = sorted((rng.below(60) - 20 for _ in range(3000)), reverse=True)

    async def story(store: Store) -> list[Any]:
        for begin_at in range(0, len(values), 500):
            rows = [
                {
                    "day": "2026-11-23",
                    "game": "topas",
                    "guest": f"g{i}",
                    "table_id": f"t{i * 7919 % 3000:04}",
                    "name": None if i % 50 == 0 else f"N{i}",
                    "value": value,
                    "points": value,
                    "whole": True,
                    "ranked": True,
                    "first": i % 3 == 0,
                    "ended": f"2026-11-23T{i % 24:02}:00:00.000Z",
                }
                for i, value in enumerate(values)
                if begin_at <= i < begin_at + 500
            ]
            await store.write(sa.insert(daily_rows).values(rows))
        found: list[Any] = []
        after = None
        while True:
            page = await daily_results.ranking(store, "2026-11-23", "topas", "g77", after)
            found += page.rows
            after = page.next
            if after is None:
                return found

    rows = with_store(tmp_path, story)
    assert [row.value for row in rows] == values
    assert [row.rank for row in rows] == [1 + sum(other > value for other in values) for value in values]
    assert len({row.table for row in rows}) == len(values)
    assert [row.table for row in rows if row.mine] == [f"t{77 * 7919 % 3000:04}"]


@pytest.mark.parametrize("after", ["x", "1~2", "~~", "1~2~3~4", "99999999999~a~b", "1~a~b\0"])
def test_a_cursor_that_is_none_is_refused(client: TestClient, ann: Person, after: str) -> None:
    give_up(ann, begin(ann))
    answer = ann.client.get(
        f"/api/today/{today(ann)['today']['day']}/topas/ranking",
        params={"after": after},
        headers={"cookie": f"bosquet={ann.cookie}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_the_opening_of_a_deal_tells_nothing_that_is_hidden(ann: Person) -> None:
    for told in today(ann)["today"]["games"]:
        view = told["opening"]
        assert (view["viewer"], view["moves"], view["over"]) == (None, [], False)
    for game in daily.games_of_day():
        found = daily.deal_of(KEY, game, "2026-11-23")
        players = found.options["players"]
        dealt = fair.deal(spec(game), {"players": players}, found.secret, [None] * players)
        seen = daily.opening(game, players, found.secret)
        for seed in range(5):  # whatever lies face down and in hands
            assert dealt.with_state(dealt.position(None).determinize(seed)).view(None, moves=False) == seen


def test_results_are_the_guests_own(client: TestClient, ann: Person, bea: Person) -> None:
    where = begin(ann, name="Zerbinetta")
    points = finish(ann, where)
    kept = ann.get("/api/me").json()["daily"]
    assert [(one["table"], one["name"], one["result"]["points"]) for one in kept] == [(where, "Zerbinetta", points)]
    assert bea.get("/api/me").json()["daily"] == []
    move(bea, code_of(ann))  # another device of hers
    assert deal(bea)["attempt"]["table"] == where
    assert today(bea)["streak"] == 1
    running = begin(ann, "topiary")
    before = deal(ann)
    erase(ann)
    client.cookies.clear()
    other = Person(client)
    give_up(other, begin(other))
    assert deal(other)["players"] == before["players"] - 1
    assert "Zerbinetta" not in other.get(f"/api/today/{today(other)['today']['day']}/topas/ranking").text
    answer = other.get(f"/api/tables/{running}")
    assert answer.json()["code"] == "hidden"


def test_a_new_guest_is_marked_whatever_they_play_first(ann: Person) -> None:
    day = today(ann)["today"]["day"]
    before = days_before(day, 2)
    finish(ann, begin(ann, day=before))
    finish(ann, begin(ann))
    (row,) = ann.get(f"/api/today/{day}/topas/ranking").json()["rows"]
    assert row["first"]


def test_old_days_are_forgotten(tmp_path: Path) -> None:
    async def story(store: Store) -> list[str]:
        last = TODAY - timedelta(Retention.daily)
        for day in (last, last - timedelta(1)):
            named = {"day": day.isoformat(), "game": "topas"}
            done = {"table_id": f"t{day}", "whole": True, "ranked": True, "first": False, "ended": f"{day}T08:00Z"}
            await store.write(
                sa.insert(daily_attempts).values(named | {"guest": "a", "table_id": f"t{day}"}),
                sa.insert(daily_rows).values(named | {"guest": "a"} | done),
                sa.insert(daily_bots).values(named | {"bot": "greedy", "claimed": 1}),
            )
        await sweep(store, TODAY)
        found = []
        for kept in (daily_attempts, daily_rows, daily_bots):
            found += [row.day for row in await store.select(sa.select(kept.c.day))]
        return found

    assert with_store(tmp_path, story) == [(TODAY - timedelta(Retention.daily)).isoformat()] * 3


def test_a_deal_that_takes_two_is_kept_apart(ann: Person) -> None:
    """A table that somebody opens is no deal of the day, whatever its options are."""
    where = ann.open("topas", {"players": 1}, [{"kind": "me", "name": "Ann"}])
    assert ann.get(f"/api/tables/{where}").json()["daily"] is None
    assert deal(ann)["attempt"] is None
    body = {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "me", "name": "Ann"}], "daily": "2026-11-23"}
    assert ann.post("/api/tables", body).json()["code"] == "malformed"
