"""What guests have played: written with the end of a game, searched and counted, and nobody else's business."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

import bosquet
from bosquet.core.rng import Rng
from bosquet.server.base.refusals import Refusal
from bosquet.server.history import games as history
from bosquet.server.history.messages import HistoryRequest
from bosquet.server.history.my_games import MyGames
from bosquet.server.http.limits import Limits
from bosquet.server.http.retention import Retention
from bosquet.server.store.schema import finished, results, tables
from bosquet.server.store.store import Conflict, JournalEntry, Store
from bosquet.server.table.outcomes import Closed, Seated, outcomes
from tests.server.helpers.guests import code_of, move
from tests.server.helpers.kept import keep_game, services_of, sweep, with_store
from tests.server.helpers.people import FRIEND, GREEDY, ME, RANDOM, Person, begin, two_people


def played(person: Person, query: str = "") -> list[dict[str, Any]]:
    """The games of a person."""
    answer = person.get(f"/api/history{query}")
    assert answer.status_code == 200, answer.text
    games: list[dict[str, Any]] = answer.json()["games"]
    return games


def play(person: Person, game: str, seats: list[dict[str, Any]], seed: int = 3, **more: Any) -> str:
    """Play a game to its end."""
    table = person.open(game, {"players": len(seats)}, seats, **more)
    with person.at(table) as page:
        page.ready()
        page.play_on(Rng(seed))
    return table


# --- what a game comes to ---


def test_what_a_game_comes_to_for_each_seat() -> None:
    def seats(*guests: str | None, left: dict[int, str] | None = None) -> list[Seated]:
        return [
            Seated(guest, person=guest is not None, left=(left or {}).get(seat)) for seat, guest in enumerate(guests)
        ]

    def found(scores: list[int] | None, winners: list[int], how: str | None, seated: list[Seated]) -> list[Any]:
        return outcomes(Closed("then", scores, winners, how), seated)

    assert found([5, 9], [1], None, seats("a", None)) == [("lost", 2), ("won", 1)]
    assert found([9, 5, 9], [0, 2], None, seats("a", "b", None)) == [("shared", 1), ("lost", 3), ("shared", 1)]
    assert found([7, 7, 5], [1], None, seats("a", "b", "c")) == [("lost", 2), ("won", 1), ("lost", 3)]
    for how in ("resigned", "time"):
        assert found([9, 5], [1], how, seats("a", "b")) == [("lost", 2), ("won", 1)]
    quit_early = seats("a", "b", "c", left={0: "resigned"})
    assert found([9, 5, 4], [1], "played", quit_early) == [("lost", 3), ("won", 1), ("lost", 2)]
    assert found([9, 5, 4], [0], None, seats("a", "b", "c", left={0: "left"})) == [
        ("left", 1),
        ("lost", 2),
        ("lost", 3),
    ]
    assert found(None, [], "void", seats("a", "b")) == [("void", None)] * 2
    assert found([30], [0], None, seats("a")) == [("alone", None)]
    assert found([1, 2, 3], [2], None, seats("a", "a", None)) == [("together", 3), ("together", 2), ("won", 1)]


# --- a game that ends at a table ---


def test_a_game_is_in_the_history_of_those_who_played_and_of_nobody_else(ann: Person, bea: Person) -> None:
    table = play(ann, "topiary", [ME, GREEDY, RANDOM], assistance="plain")
    (game,) = played(ann)
    record = ann.get(f"/api/tables/{table}/record").json()
    assert [seat["score"] for seat in game["seats"]] == record["result"]["scores"]
    assert [seat["bot"] for seat in game["seats"]] == record["bots"]
    (seat,) = [seat for seat, one in enumerate(game["seats"]) if one["mine"]]
    won = seat in record["result"]["winners"]
    alone = len(record["result"]["winners"]) == 1
    assert (game["seat"], game["outcome"]) == (seat, ("won" if alone else "shared") if won else "lost")
    assert (game["table"], game["game"]) == (table, "topiary")
    assert game["options"].items() >= record["options"].items()
    assert (game["assistance"], game["ending"], game["duel"], game["kept"]) == ("plain", None, None, True)
    assert (game["started"], game["ended"]) == (record["started"], record["ended"])
    everything = ann.get("/api/history/summary").text + json.dumps(game)
    assert ann.cookie.partition(".")[0] not in everything, "guests are nobody's business"
    for address in ("", "/summary", "/plot?game=topiary&players=3", "/records"):
        answer = bea.get(f"/api/history{address}")
        assert answer.status_code == 200
        assert table not in answer.text
    assert played(bea) == []
    assert ann.get("/api/me").json()["games"] == [game]


def test_games_that_end_early_or_at_one_screen(ann: Person, bea: Person) -> None:
    table = two_people(ann, bea)
    with ann.at(table) as page, bea.at(table) as other:
        begin(page, other)
        page.ask("resign", seat=page.position["viewpoint"])
        while page.news.get("phase") != "over":
            page.hear()
    (lost,), (won,) = played(ann), played(bea)
    assert (lost["outcome"], won["outcome"]) == ("lost", "won")
    assert (lost["ending"], lost["table"]) == ("resigned", table)
    (totals,) = ann.get("/api/history/summary").json()["totals"]
    assert (totals["scored"], totals["best"], totals["mean"]) == (0, None, None), "its points are not of a whole game"
    (opponent,) = ann.get("/api/history/summary").json()["opponents"]
    assert (opponent["name"], opponent["tally"]) == ("Bea", {"games": 1, "won": 0, "shared": 0})

    shared = ann.open("topas", {"players": 2}, [ME, {"kind": "here", "name": "Cid"}])
    with ann.at(shared) as page:
        page.ready()
        page.hear("position")
        page.ask("agree", proposal="end")
        while page.news.get("phase") != "over":
            page.hear()
    game, _ = played(ann)
    assert (game["table"], game["outcome"], [seat["mine"] for seat in game["seats"]]) == (
        shared,
        "together",
        [True] * 2,
    )
    assert [one["table"] for one in played(ann, "?outcome=lost&opponent=bEa&from=2020-01-01&to=2100-01-01")] == [table]
    assert played(ann, "?opponent=Cid&game=topiary") == played(ann, "?to=2020-01-01") == []


def test_who_is_erased_is_somebody_to_the_others(ann: Person, bea: Person, client: TestClient) -> None:
    table = two_people(ann, bea)
    with ann.at(table) as page, bea.at(table) as other:
        begin(page, other)
        other.ask("resign", seat=other.position["viewpoint"])
        while page.news.get("phase") != "over":
            page.hear()
    gone = bea.cookie.partition(".")[0]
    before = played(ann)[0]
    bea.post("/api/me/erase", {})
    after = played(ann)[0]
    assert {seat["name"] for seat in before["seats"]} == {"Ann", "Bea"}
    assert {seat["name"] for seat in after["seats"]} == {"Ann", None}
    for seat in (*before["seats"], *after["seats"]):
        del seat["name"]
    assert after == before
    assert ann.get("/api/history/summary").json()["opponents"] == []
    store = client.app.state.server.services.store  # type: ignore[attr-defined]
    assert client.portal is not None
    assert client.portal.call(store.select, sa.select(results.c.seat).where(results.c.guest == gone)) == []


def test_the_end_of_a_game_writes_how_each_seat_came_out(ann: Person, bea: Person, client: TestClient) -> None:
    for how in ("resign", "leave", "agree"):
        table = two_people(ann, bea)
        with ann.at(table) as page, bea.at(table) as other:
            begin(page, other)
            if how == "agree":
                page.ask("agree", proposal="void")
                other.ask("agree", proposal="void")
            else:
                more = {"bot": "random"} if how == "leave" else {}
                page.ask(how, seat=page.position["viewpoint"], **more)
                if how == "leave":
                    other.play_on(Rng(2))
            while other.news.get("phase") != "over":
                other.hear()
    play(ann, "topas", [ME, RANDOM], duel=True)
    screen = ann.open("topas", {"players": 3}, [ME, {"kind": "here", "name": "Cid"}, RANDOM])
    with ann.at(screen) as page:
        page.ready()
        page.hear("position")
        page.ask("agree", proposal="end")
        while page.news.get("phase") != "over":
            page.hear()
    server = client.app.state.server  # type: ignore[attr-defined]
    store, portal = server.services.store, client.portal
    assert portal is not None

    written = portal.call(store.select, sa.select(results.c.outcome))
    assert {row.outcome for row in written} >= {"left", "void", "together", "won", "lost"}


def test_the_history_goes_along_to_another_device(ann: Person, bea: Person) -> None:
    table = play(ann, "topas", [ME, RANDOM])
    assert move(bea, code_of(ann)).status_code == 204
    assert [game["table"] for game in played(bea)] == [table]


def test_slow_readers_of_records_keep_nobody_else_from_theirs(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        my_games = MyGames(services_of(store), Limits(), Limits.connections)
        open_files = []
        for number in range(2 * Limits.exports):
            open_files.append(my_games._lines(f"guest{number}", f"192.0.2.{number}", HistoryRequest()))
            assert await anext(open_files[-1]) == b""
        with pytest.raises(Refusal, match="records"):
            await anext(my_games._lines("guest0", "192.0.2.99", HistoryRequest()))
        for lines in open_files:
            await lines.aclose()
        lines = my_games._lines("guest0", "192.0.2.99", HistoryRequest())
        assert await anext(lines) == b""
        await lines.aclose()

    with_store(tmp_path, story)


def test_records_of_all_games_are_a_file(ann: Person, bea: Person) -> None:
    first, second = play(ann, "topas", [ME, RANDOM]), play(ann, "topiary", [ME, RANDOM])
    ann.open("topas", {"players": 2}, [ME, FRIEND])
    answer = ann.get("/api/history/records")
    assert "attachment" in answer.headers["content-disposition"]
    records = [json.loads(line) for line in answer.text.splitlines()]
    expected = [ann.get(f"/api/tables/{table}/record").json() for table in (second, first)]
    assert records == expected
    assert all(bosquet.load(record).over for record in records)
    assert json.loads(ann.get("/api/history/records?game=topas").text) == expected[1]
    assert bea.get("/api/history/records").text == ""


@pytest.mark.parametrize(
    "query",
    [
        "game=" + "x" * 99,
        "players=7",
        "players=x",
        "outcome=best",
        "from=2026-13-01",
        "to=9999-12-31",
        "from=now",
        "x=1",
        "opponent=%00",
    ],
)
def test_searches_are_checked(ann: Person, query: str) -> None:
    for address in ("", "/summary", "/plot", "/records"):
        answer = ann.get(f"/api/history{address}?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), address


def test_strange_searches_find_nothing(ann: Person) -> None:
    for query in (
        "game=none",
        "bot=none",
        "opponent=%25",
        "before=~",
        "before=%F0%9F%98%80",
        "from=0001-01-01",
    ):
        assert ann.get(f"/api/history?{query}").json() == {"games": [], "next": None}, query


def test_what_a_pages_coach_says_is_kept_of_ones_own_decisions(ann: Person, bea: Person) -> None:
    table = play(ann, "topas", [ME, RANDOM])
    mine = played(ann)[0]["seat"]

    def said(person: Person, **wrong: Any) -> Any:
        cost = {"table": table, "lost": [0.25, 0.5], "decisions": [10, 11]} | wrong
        status = person.post("/api/history/cost", cost).status_code
        return status, played(ann)[0]["cost"], played(ann)[0]["decisions"]

    assert said(bea) == (204, None, None), "it was not her game"
    assert said(ann, table="none") == (204, None, None)
    for wrong in (
        {"lost": [-1.0, 0.0]},
        {"lost": [1e9] * 2},
        {"decisions": [0.5] * 2},
        {"lost": [0.0] * 5},
        {"table": f"{table}\0"},
        {"more": 1},
    ):
        assert said(ann, **wrong) == (400, None, None), wrong
    assert said(ann, lost=[], decisions=[]) == (204, None, None)
    assert said(ann) == (204, *[(0.25, 10), (0.5, 11)][mine])
    (plotted,) = ann.get("/api/history/plot?game=topas&players=2").json()
    assert (plotted["table"], plotted["cost"]) == (table, [0.25, 0.5][mine])
    assert ann.get("/api/history/plot?game=topas").status_code == 400


def test_results_are_written_with_the_end_or_not_at_all(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await keep_game(store, "one", "topas", plies=3)
        row = sa.insert(finished).values(id="one", game="topas", options={}, assistance="full", ended="then")
        with pytest.raises(Conflict):
            await store.append("one", 0, [JournalEntry("move", "again")], then=[(row, None)], phase="over")
        assert await store.select(sa.select(finished)) == []

    with_store(tmp_path, work)


def test_results_live_as_long_as_their_guests(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await keep_game(store, "one", "topiary")
        retention = Retention(pause=0, finished=100)
        await sweep(store, retention=retention)
        assert len((await history.page(store, "ann", HistoryRequest())).games) == 1
        await store.write(
            sa.text("INSERT INTO devices VALUES ('ann', 0, NULL, NULL, '2026-01-01', '9999-01-01', NULL)")
        )
        await store.write(sa.update(tables).values(touched="2020-01-01"))
        await sweep(store, retention=retention)
        (game,) = (await history.page(store, "ann", HistoryRequest())).games
        assert (game.kept, [seat.name for seat in game.seats]) == (False, ["ann", None]), "the other one is not there"
        await store.write(sa.text("DELETE FROM devices"))
        await sweep(store, retention=retention)
        assert await store.select(sa.select(finished)) == await store.select(sa.select(results)) == []

    with_store(tmp_path, work)


def test_the_latest_games_of_a_guest_are_kept(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for table in range(4):
            await keep_game(store, str(table), "topas")
            ended = {"ended": f"2026-01-0{table + 1}"}
            await store.write(sa.update(results).where(results.c.table_id == str(table)).values(ended))
        await sweep(store, retention=Retention(pause=0, finished=10**5, games_of_guest=3))
        assert [game.table for game in (await history.page(store, "ann", HistoryRequest())).games] == ["3", "2", "1"]

    with_store(tmp_path, work)


# --- counted against plain Python ---

GUESTS = ["ann", "bea", "cid", None]
NAMES = {"ann": "Ann", "bea": "Bea 100%", "cid": "Çid"}


def random_games(rng: random.Random, count: int) -> list[dict[str, Any]]:
    """Finished games with anything in them that can be."""
    games = []
    for number in range(count):
        players = rng.randint(1, 4)
        guests = [rng.choice(GUESTS) for _ in range(players)]
        seats = []
        for seat, guest in enumerate(guests):
            seats.append(
                {
                    "table_id": f"t{number:04}",
                    "seat": seat,
                    "guest": guest,
                    "name": NAMES.get(guest or ""),
                    "bot": rng.choice(["greedy", "level3", None]) if guest is None else None,
                    "program": False,
                    "again": guest is not None and guest in guests[:seat],
                    "stood_in": False,
                    "game": "",
                    "players": players,
                    "ended": "",
                    "whole": True,
                    "outcome": rng.choice(["won", "shared", "lost", "left", "void", "alone", "together"]),
                    "score": rng.choice([None, *range(20)]),
                    "place": None,
                    "cost": rng.choice([None, 0.25, 0.5]),
                    "decisions": 3,
                }
            )
        ended = f"2026-01-{rng.randint(1, 9):02}T12:00:00.000Z"
        common = {"game": rng.choice(["topas", "topiary"]), "ended": ended, "whole": rng.random() < 0.8}
        games.append({"seats": [seat | common for seat in seats], **common})
    return games


def tally(outcomes: list[str]) -> dict[str, int]:
    """How games went that are decided."""
    decided = [one for one in outcomes if one in ("won", "shared", "lost")]
    return {"games": len(decided), "won": decided.count("won"), "shared": decided.count("shared")}


def expected(games: list[dict[str, Any]], asked: HistoryRequest) -> tuple[list[str], dict[str, Any]]:
    """The tables of Ann's games and what these come to, counted one by one."""
    found = []
    for game in games:
        own = [seat for seat in game["seats"] if seat["guest"] == "ann"]
        if not own:
            continue
        me, others = own[0], [seat for seat in game["seats"] if seat["seat"] != own[0]["seat"]]
        wanted = (
            asked.game in (None, game["game"]),
            asked.players in (None, me["players"]),
            asked.outcome in (None, me["outcome"]),
            asked.bot is None or any(seat["bot"] == asked.bot for seat in others),
            asked.opponent is None
            or any(seat["bot"] is None and asked.opponent.lower() in (seat["name"] or "").lower() for seat in others),
            asked.since is None or game["ended"][:10] >= asked.since,
            asked.until is None or game["ended"][:10] <= asked.until,
        )
        if all(wanted):
            found.append((me, others))
    found.sort(key=lambda one: (one[0]["ended"], one[0]["table_id"]), reverse=True)

    def by(key: Any) -> dict[Any, list[Any]]:
        groups: dict[Any, list[Any]] = {}
        for me, others in found:
            for group in key(me, others):
                groups.setdefault(group, []).append(me)
        return dict(sorted(groups.items()))

    totals = []
    for (game, players), own in by(lambda me, _: {(me["game"], me["players"])}).items():
        scores = [
            me["score"]
            for me in own
            if me["whole"] and me["score"] is not None and me["outcome"] in ("won", "shared", "lost", "alone")
        ]
        costs = [me["cost"] for me in own if me["cost"] is not None and me["outcome"] != "together"]
        totals.append(
            {
                "game": game,
                "players": players,
                "games": len(own),
                "tally": tally([me["outcome"] for me in own]),
                "scored": len(scores),
                "best": max(scores, default=None),
                "mean": round(sum(scores) / len(scores), 2) if scores else None,
                "weighed": len(costs),
                "cost": round(sum(costs) / len(costs), 4) if costs else None,
            }
        )

    def counted(key: Any) -> dict[Any, dict[str, int]]:
        tallies = {group: tally([me["outcome"] for me in own]) for group, own in by(key).items()}
        return {group: one for group, one in tallies.items() if one["games"]}

    levels = counted(lambda me, others: {(me["game"], one["bot"]) for one in others if one["bot"]})
    seats = counted(lambda me, _: {(me["game"], me["players"], me["seat"])})
    people = counted(lambda _, others: {one["name"] for one in others if one["guest"] not in (None, "ann")})
    outcomes = [me["outcome"] for me, _ in found]
    return [me["table_id"] for me, _ in found], {
        "games": len(found),
        "outcomes": {one: outcomes.count(one) for one in sorted(set(outcomes))},
        "totals": totals,
        "levels": [{"game": game, "bot": bot, "tally": one} for (game, bot), one in levels.items()],
        "seats": [
            {"game": game, "players": players, "seat": seat, "tally": one}
            for (game, players, seat), one in seats.items()
        ],
        "opponents": sorted(
            ({"name": name, "tally": one} for name, one in people.items()), key=lambda one: str(one["name"])
        ),
    }


def test_searches_and_sums_are_those_of_plain_python(tmp_path: Path) -> None:
    rng = random.Random(15)
    games = random_games(rng, 200)

    async def work(store: Store) -> None:
        rows = [
            {
                "id": game["seats"][0]["table_id"],
                "game": game["game"],
                "options": {},
                "assistance": "full",
                "ended": game["ended"],
            }
            for game in games
        ]
        seats = [seat for game in games for seat in game["seats"]]
        await store.write(sa.insert(finished).values(rows))
        await store.write(sa.insert(results).values(seats))
        for _ in range(25):
            choices: dict[str, list[Any]] = {
                "game": ["topas", "topiary"],
                "players": [1, 2, 3, 4],
                "opponent": ["bea", "%", "Ç", "0_"],
                "bot": ["greedy", "level3"],
                "outcome": ["won", "lost", "together"],
                "since": ["2026-01-03"],
                "until": ["2026-01-06"],
            }
            chosen = {key: rng.choice(values) for key, values in choices.items() if rng.random() < 0.3}
            asked = HistoryRequest(**chosen)
            ids, sums = expected(games, asked)
            found: list[str] = []
            following: str | None = None
            while True:
                some = await history.page(store, "ann", msgspec.structs.replace(asked, before=following), 7)
                found += [game.table for game in some.games]
                if (following := some.next) is None:
                    break
            assert found == ids, chosen
            summed = msgspec.to_builtins(await history.summary(store, "ann", asked))
            summed["outcomes"] = dict(sorted(summed["outcomes"].items()))
            summed["opponents"].sort(key=lambda one: one["name"])
            assert summed == sums, chosen
        with pytest.raises(Refusal):
            await history.page(store, "ann", HistoryRequest(since="2026-02-30"))

    with_store(tmp_path, work)


def test_the_database_finds_with_whom_one_has_played_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be thousands of people: the loop of the server looks through none of them."""
    most, select = list[int](), Store.select
    met = [number for number in range(3 * history.OPPONENTS) for _ in range(number + 1)]

    async def counted(store: Store, query: Any) -> Any:
        rows = await select(store, query)
        most.append(len(rows))
        return rows

    async def work(store: Store) -> None:
        (game,) = random_games(random.Random(1), 1)
        common = game["seats"][0] | {"bot": None, "again": False, "outcome": "won", "players": 2}
        seats = [
            common | {"table_id": f"t{table:04}", "seat": seat, "guest": guest, "name": guest}
            for table, person in enumerate(met)
            for seat, guest in enumerate(("ann", f"person {person:02}"))
        ]
        about = {"game": common["game"], "options": {}, "assistance": "full", "ended": common["ended"]}
        await store.write(sa.insert(finished).values([about | {"id": f"t{table:04}"} for table in range(len(met))]))
        await store.write(sa.insert(results).values(seats))
        monkeypatch.setattr(Store, "select", counted)
        found = (await history.summary(store, "ann", HistoryRequest())).opponents
        known = sorted(set(met), reverse=True)[: history.OPPONENTS]
        assert [(one.name, one.tally.won) for one in found] == [(f"person {one:02}", one + 1) for one in known]
        assert max(most) == history.OPPONENTS

    with_store(tmp_path, work)
