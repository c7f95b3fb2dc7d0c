"""Games that were played on a device are brought to the server: checked, kept once, and nobody else's business."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

import bosquet
from bosquet.core.errors import BosquetError
from bosquet.core.records import fair
from bosquet.server.base.clock import now
from bosquet.server.base.rate_limits import Rate
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute.messages import ReplayRequest
from bosquet.server.compute.replays import replay
from bosquet.server.guests.devices import Devices
from bosquet.server.history import brought_games
from bosquet.server.history import games as history
from bosquet.server.history.brought_reading import read_game
from bosquet.server.history.messages import HistoryRequest
from bosquet.server.store.schema import brought, finished, results
from bosquet.server.store.store import Store
from tests.helpers.rows import each_row
from tests.server.helpers.brought import ENDED, dealt, play_on, record_of, request, whole
from tests.server.helpers.kept import TODAY, sweep, with_store
from tests.server.helpers.people import LOOSE, Person, make_app

RECORD = whole()
COMMITMENT = RECORD[fair.KEY]["commitment"]


def bring(person: Person, record: Any = RECORD, **more: Any) -> str:
    """Bring a game; return where it is kept."""
    answer = person.post("/api/history/brought", request(record, **more))
    assert answer.status_code in (200, 201), answer.text
    place: str = answer.json()["table"]
    return place


def refused(person: Person, body: Any) -> dict[str, Any]:
    """Bring what can't be kept; return the refusal."""
    answer = person.post("/api/history/brought", body)
    assert answer.status_code >= 400
    found: dict[str, Any] = answer.json()
    return found


def games(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.get("/api/history").json()["games"]
    return found


def which(person: Person, *commitments: str) -> list[str]:
    answer = person.post("/api/history/brought/which", {"games": commitments})
    assert answer.status_code == 200, answer.text
    found: list[str] = answer.json()["games"]
    return found


# --- one's own game ---


def test_a_game_is_brought_once_and_is_one_of_ones_own(ann: Person, bea: Person) -> None:
    assert which(ann, COMMITMENT, "0" * 64) == []
    first = ann.post("/api/history/brought", request(RECORD))
    again = ann.post("/api/history/brought", request(RECORD | {"comment": "another form of the same game"}))
    assert (first.status_code, again.status_code) == (201, 200)
    place = first.json()["table"]
    assert again.json() == {"table": place}
    assert which(ann, COMMITMENT, "0" * 64) == [COMMITMENT]
    (game,) = games(ann)
    assert (game["table"], game["game"], game["device"], game["kept"]) == (place, "topas", True, True)
    assert (game["ended"], game["started"], game["assistance"], game["ending"]) == (ENDED, None, "full", None)
    assert [seat["score"] for seat in game["seats"]] == RECORD["result"]["scores"]
    assert [(seat["name"], seat["bot"], seat["mine"]) for seat in game["seats"]] == [
        ("Ann", None, True),
        ("greedy", "greedy", False),
    ]
    alone = len(RECORD["result"]["winners"]) == 1
    won = 0 in RECORD["result"]["winners"]
    assert game["outcome"] == ("won" if won and alone else "shared" if won else "lost")
    assert ann.get("/api/history/summary").json()["games"] == 1
    assert ann.get("/api/me").json()["games"] == [game]
    # The other has brought nothing, and may bring the same game: both were at that device.
    assert games(bea) == []
    assert which(bea, COMMITMENT) == []
    assert bring(bea) != place
    assert len(games(bea)) == 1


def test_its_record_is_there_for_replay_and_coach_and_for_nobody_else(ann: Person, bea: Person) -> None:
    place = bring(ann, RECORD | {"comment": "<b>", "bots": RECORD["bots"]})
    record = ann.get(f"/api/tables/{place}/record").json()
    assert record == {**RECORD, "players": ["Ann", "greedy"]}
    fair.verify(bosquet.load(record))
    (line,) = ann.get("/api/history/records").text.splitlines()
    assert json.loads(line) == record
    assert replay(ReplayRequest(record, 0)).names == ["Ann", "greedy"]
    cost = {"table": place, "lost": [0.25, 0.5], "decisions": [7, 7]}
    assert ann.post("/api/history/cost", cost).status_code == 204
    assert (games(ann)[0]["cost"], games(ann)[0]["decisions"]) == (0.25, 7)
    answer = bea.get(f"/api/tables/{place}/record")
    assert (answer.status_code, answer.json()["code"]) == (404, "no table")
    for address in (f"/api/tables/{place}", f"/api/tables/{place}/duel"):
        assert ann.get(address).status_code == bea.get(address).status_code == 404, "there is no table of it"
    for address in ("/api/history", "/api/history/records", "/api/people", "/api/lobby", "/api/me", "/api/ratings"):
        assert place not in bea.get(address).text
    assert bea.post("/api/history/cost", cost | {"lost": [0.9, 0.9]}).status_code == 204
    assert games(ann)[0]["cost"] == 0.25


def test_it_counts_neither_for_ratings_nor_as_played_with_others(ann: Person) -> None:
    assert ann.post("/api/ratings/wish", {"wanted": True}).status_code == 204
    place = bring(ann, whole("topiary", 5), ended=now())
    assert ann.get(f"/api/ratings/table/{place}").json()["verdict"] == "device"
    assert ann.get("/api/ratings").json()["mine"] == []
    assert ann.get("/api/ratings/plot/topiary").json() == []
    assert ann.get("/api/people").json()["people"] == []
    assert place not in ann.get("/api/lobby").text + ann.get("/api/today").text


def test_several_people_at_one_screen_and_games_that_ended_early() -> None:
    together = whole("topiary", 3, players=3, bots=[None, None, "level1"])
    assert read_game(msgspec.json.encode(request(together))).bots == [None, None, "level1"]
    game, secret = dealt("topiary", 4)
    game = play_on(game, secret, 6)
    ended = game.copy()
    ended.end("resigned", [0])
    read = read_game(msgspec.json.encode(request(record_of(ended, secret))))
    assert (read.how, read.resigned, read.winners) == ("resigned", [0], [1])
    void = game.copy()
    void.end("void", [])
    assert read_game(msgspec.json.encode(request(record_of(void, secret)))).scores is None


def test_what_they_come_to(ann: Person) -> None:
    bring(ann, whole("topiary", 3, players=3, bots=[None, None, "level1"]))
    assert [game["outcome"] for game in games(ann)] == ["together"]
    game, secret = dealt("topiary", 4)
    game = play_on(game, secret, 6)
    game.end("resigned", [0])
    bring(ann, record_of(game, secret), ended="2026-01-03T00:00:00Z")
    lost = games(ann)[0]
    assert (lost["outcome"], lost["ending"]) == ("lost", "resigned")
    bring(ann, whole("topas", 8, players=1), ended="2026-01-04T00:00:00+02:00")
    alone = games(ann)[0]
    assert (alone["outcome"], alone["ended"]) == ("alone", "2026-01-03T22:00:00.000Z")


def test_later_games_of_a_duel_are_dealt_as_the_first_one(ann: Person) -> None:
    first, secret = dealt("topiary", 6)
    opened = first.spec.open_part(first.deal)
    second = "7" * 64
    game = play_on(fair.deal(first.spec, first.options, second, [None, None], None, opened), second)
    told = {"id": fair.commitment(secret), "game": 1, "games": 2}
    place = bring(ann, record_of(game, second) | {"duel": told})
    assert games(ann)[0]["duel"] == 1
    assert ann.get(f"/api/tables/{place}/record").json()["duel"] == told


# --- what a device may say ---


def _unfinished() -> dict[str, Any]:
    game, secret = dealt(seed=9)
    return record_of(play_on(game, secret, 4), secret)


OTHER = whole(seed=2)


@each_row(
    ("wrong", "said"),
    [
        (_unfinished(), "result is null"),
        (RECORD | {"result": {**RECORD["result"], "scores": [999, 0]}}, "result.scores"),
        (RECORD | {"result": None}, "the game is over; result must be"),
        (RECORD | {"moves": RECORD["moves"][:-1]}, "not over after the last move"),
        (RECORD | {"moves": [*RECORD["moves"], RECORD["moves"][0]]}, "the game is over"),
        (RECORD | {"moves": ["nonsense"]}, "ply 0"),
        (RECORD | {"moves": 7}, "moves"),
        (RECORD | {"game": "chess"}, "chess"),
        (RECORD | {"game": "../topas"}, "topas"),
        (RECORD | {"format": "bosquet/2"}, "format"),
        ({key: value for key, value in RECORD.items() if key != "fair"}, "fair"),
        (RECORD | {"fair": OTHER["fair"]}, "is not what secret and nonces give"),
        (RECORD | {"fair": RECORD["fair"] | {"commitment": "0" * 64}}, "fair.commitment"),
        (RECORD | {"fair": RECORD["fair"] | {"nonces": [{}, []]}}, "fair.nonces"),
        (RECORD | {"bots": ["greedy", "greedy"]}, "bots"),
        (RECORD | {"bots": [None, "nobody"]}, "bots[1]"),
        (RECORD | {"bots": [None]}, "bots"),
        (RECORD | {"bots": None}, "bots"),
        (RECORD | {"players": "Ann"}, "players"),
        (RECORD | {"ending": {"how": "resigned", "resigned": [0]}}, "ending"),
        (RECORD | {"duel": {"id": "x", "game": 5, "games": 2}}, "duel.game"),
        ({}, "format"),
        ([], "object"),
        (None, "object"),
    ],
)
def test_a_record_that_is_wrong_is_refused(wrong: Any, said: str) -> None:
    with pytest.raises(BosquetError) as error:
        read_game(msgspec.json.encode(request(wrong)))
    assert said in str(error.value)


def test_names_are_made_legible_and_times_possible(ann: Person) -> None:
    names = ["\u202ebidi\u0000 and much too long for a name of a player", "\u2800"]
    bring(ann, RECORD | {"players": names}, ended="9999-01-01T00:00:00Z")
    (game,) = games(ann)
    assert game["ended"] <= now()
    first, second = (seat["name"] for seat in game["seats"])
    assert first.startswith("bidi")
    assert len(first) <= 24
    assert "\u202e" not in first
    assert second is None
    for seed, time in enumerate(("yesterday", "", "0001-01-01T00:00:00+23:59", "1970-01-01"), 20):
        bring(ann, whole(seed=seed), ended=time)
    assert all("2026" <= game["ended"] <= now() for game in games(ann))


def test_what_is_no_request_is_refused(client: TestClient, ann: Person) -> None:
    assert refused(ann, request(RECORD, ended=7))["code"] == "malformed"
    assert refused(ann, request(RECORD, assistance="all"))["code"] == "malformed"
    assert refused(ann, request(RECORD, more=1))["code"] == "malformed"
    assert refused(ann, request(RECORD | {"result": {"scores": [1, 2]}}))["code"] == "malformed"
    assert refused(ann, request(RECORD | {"comment": "x" * (1 << 17)}))["code"] == "too large"
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    assert refused(ann, request(RECORD | {"deal": {"a": deep}}))["code"] == "malformed"
    for games_asked in (["x"], ["0" * 64] * 501, 7):
        answer = ann.post("/api/history/brought/which", {"games": games_asked})
        assert answer.json()["code"] == "malformed"
    assert games(ann) == []
    client.cookies.clear()
    nobody = client.post("/api/history/brought", json=request(RECORD))
    assert nobody.json()["code"] == "not now", "nobody could be found again"


def test_how_many_are_kept_and_how_often(tmp_path: Path) -> None:
    few = replace(LOOSE, most_brought=2)
    with TestClient(make_app(tmp_path, few)) as client:
        ann = Person(client)
        first = bring(ann, whole(seed=1))
        bring(ann, whole(seed=2))
        assert refused(ann, request(whole(seed=3)))["code"] == "not now"
        assert bring(ann, whole(seed=1)) == first
        assert len(games(ann)) == 2
    seldom = replace(LOOSE, brought=Rate(100, 0), brought_of_address=Rate(3, 0))
    with TestClient(make_app(tmp_path, seldom)) as client:
        for seed in (4, 5, 6):
            bring(Person(client), whole(seed=seed))
            client.cookies.clear()
        assert refused(Person(client), request(whole(seed=7)))["code"] == "busy"


# --- the end of it ---


async def counted(store: Store) -> list[int]:
    """How many rows there are of finished games, their seats, and what was brought."""
    kept = (finished, results, brought)
    return [(await store.select(sa.select(sa.func.count()).select_from(table)))[0][0] for table in kept]


def test_all_of_it_goes_with_its_guest(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        ann = Person(client)
        client.cookies.clear()
        bea = Person(client)
        place = bring(ann)
        bring(bea)
        assert ann.post("/api/me/erase", {}).status_code == 204
        assert refused(ann, request(RECORD))["code"] == "erased"
        assert bea.get(f"/api/tables/{place}/record").status_code == 404
        assert len(games(bea)) == 1
    assert with_store(tmp_path, counted) == [1, 2, 1]


def test_nothing_is_kept_of_a_guest_who_is_erased_meanwhile_and_one_of_two_at_once(tmp_path: Path) -> None:
    read = read_game(msgspec.json.encode(request(RECORD)))

    async def work(store: Store) -> None:
        with pytest.raises(Refusal, match="signed out"):
            await brought_games.keep(store, "ann", 0, read, 9)
        assert await counted(store) == [0, 0, 0]
        await Devices(store, LOOSE).note("ann", 0, "")
        both = await asyncio.gather(*(brought_games.keep(store, "ann", 0, read, 9) for _ in range(2)))
        assert sorted(new for _, new in both) == [False, True]
        assert await counted(store) == [1, 2, 1]

    with_store(tmp_path, work)


def test_records_go_when_they_are_old_and_results_with_the_devices_of_their_guest(tmp_path: Path) -> None:
    read = read_game(msgspec.json.encode(request(RECORD)))

    async def work(store: Store) -> None:
        await Devices(store, LOOSE).note("ann", 0, "")
        await brought_games.keep(store, "ann", 0, read, 9)
        await sweep(store)
        assert await counted(store) == [1, 2, 1]
        await store.write(sa.update(brought).values(day=(TODAY - timedelta(days=731)).isoformat()))
        await sweep(store)
        assert await counted(store) == [1, 2, 0]
        (game,) = (await history.page(store, "ann", HistoryRequest())).games
        assert (game.kept, game.device) == (False, True)
        await sweep(store, TODAY + timedelta(days=400))
        assert await counted(store) == [0, 0, 0]

    with_store(tmp_path, work)
