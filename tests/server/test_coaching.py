"""Hints at tables, and finished games that are studied."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from starlette.testclient import TestClient

import bosquet
from bosquet import bots
from bosquet.core.rng import Rng
from bosquet.lab import coach, luck
from bosquet.server.base.limits import Rate
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute import coaching, messages
from bosquet.server.compute.analyses import Analyses
from bosquet.server.compute.messages import Analysis, AnalysisBegun, AnalysisStep
from bosquet.server.compute.workers import Pool
from bosquet.server.http.limits import Limits
from tests.server.helpers.people import FRIEND, ME, RANDOM, Person, make_app, my_turn


def searches(test: Any) -> Any:
    """Mark a test that searches as the server does, which is for compiled code."""
    return pytest.mark.slow(pytest.mark.compiled(test))


def finished(name: str, players: int = 2, **options: Any) -> dict[str, Any]:
    """The record of a game of gentle bots."""
    game = bosquet.new(name, players=players, seed=6, **options)
    rng = Rng(6)
    seats = [bots.make("greedy") for _ in range(players)]
    while game.seat is not None:
        game.play(seats[game.seat].choose(game.view(game.seat), rng))
    return game.record()


def lines(answer: Any) -> list[dict[str, Any]]:
    """What a study said."""
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


# --- hints ---


@searches
@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_hint_names_moves_that_can_be_played(ann: Person, name: str) -> None:
    table = ann.open(name, {"players": 2}, [ME, RANDOM])
    with ann.at(table) as page:
        page.ready()
        seat = my_turn(page)
        assert page.news["hints"]
        page.ask("hint", seat=seat)
        hint = page.hear("hint")
    view = page.position["view"]
    assert (hint["seat"], hint["number"]) == (seat, page.position["number"])
    assert 1 <= len(hint["choices"]) <= 3
    for choice in hint["choices"]:
        assert choice["moves"][0] in [move["say"] for move in view["moves"]]
        assert [move["say"] for move in choice["data"]] == choice["moves"]
        assert 0 <= choice["win"] <= 1
        assert isinstance(choice["points"], float)


@searches
def test_alone_a_hint_promises_points_only(ann: Person) -> None:
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        page.ask("hint", seat=my_turn(page))
        assert page.hear("hint")["choices"][0]["win"] is None


@searches
def test_a_hint_is_found_in_what_the_seat_sees() -> None:
    game = bosquet.new("topas", players=3, seed=3)
    assert game.seat is not None
    view: Any = game.view(game.seat)
    asked = coaching.hint(view)
    assert {move for choice in asked for move in choice.moves} <= {move.say for move in view.moves}
    with pytest.raises(bosquet.BosquetError):
        coach.best(game.view((game.seat + 1) % 3), Rng(1))


@searches
@pytest.mark.parametrize("name", bosquet.GAMES)
def test_the_same_view_gets_the_same_hint_whatever_is_hidden(name: str) -> None:
    game = bosquet.new(name, players=2, seed=3)
    assert game.seat is not None
    view: Any = game.view(game.seat)
    other = game.spec.view.determinize(view, Rng("other hands"))
    assert coaching.hint(view) == coaching.hint(game.spec.view.view(other, game.seat))


@searches
def test_with_others_hints_are_given_when_everybody_agreed(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})
    with ann.at(table) as first, bea.at(table) as second:
        first.ready()
        second.ready()
        first.hear("position")
        second.hear("position")
        mover, other = (first, second) if first.position["view"]["moves"] else (second, first)
        seat = mover.position["viewpoint"]
        assert not mover.news["hints"]
        assert mover.refusal("hint", seat=seat) == "not now"
        mover.ask("hints", allow=True)
        while not any(chair["hints"] for chair in other.hear("table")["seats"]):
            pass
        assert [chair["hints"] for chair in other.news["seats"]] == [i == seat for i in (0, 1)]
        assert mover.refusal("hint", seat=seat) == "not now"
        other.ask("hints", allow=True)
        while not mover.hear("table")["hints"]:
            pass
        mover.ask("hint", seat=seat)
        hint = mover.hear("hint")
        assert hint["number"] == mover.position["number"] == 0
        assert other.refusal("hint", seat=other.position["viewpoint"]) == "not now"
        assert other.refusal("hint", seat=seat) == "not yours"
        other.ask("hints", allow=False)
        while mover.hear("table")["hints"]:
            pass
        assert mover.refusal("hint", seat=seat) == "not now"


def test_who_agreed_to_hints_has_agreed_after_a_restart(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 2}, [ME, FRIEND])
        with ann.at(table) as page:
            page.hear("table")
            page.ask("hints", allow=True)
            while not page.news["seats"][page.news["mine"][0]]["hints"]:
                page.hear("table")
            mine = page.news["mine"]
    with TestClient(make_app(tmp_path)) as client:
        ann.client = client
        with ann.at(table) as page:
            seats = page.hear("table")["seats"]
            assert [seat["hints"] for seat in seats] == [[i] == mine for i in range(2)]


def test_who_watches_neither_asks_nor_agrees(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    with ann.at(table) as page, bea.at(table) as watching:
        page.ready()
        seat = my_turn(page)
        assert watching.refusal("hint", seat=seat) == "not yours"
        assert watching.refusal("hints", allow=True) == "not yours"


def test_a_move_does_not_wait_for_a_hint(ann: Person, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    compute = client.app.state.server.services.compute
    asked = []

    async def never(*given: Any) -> Any:
        asked.append(given)
        await asyncio.sleep(1000)

    monkeypatch.setattr(compute, "hint", never)
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        seat = my_turn(page)
        page.ask("hint", seat=seat)
        assert page.refusal("hint", seat=seat) == "busy"
        page.play(page.position["view"]["moves"][0]["say"])
        assert page.hear("position")["number"] > 0
    assert len(asked) == 1


@searches
def test_hints_are_bounded(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, Limits(hints=Rate(1, 0.001)))) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 1}, [ME])
        with ann.at(table) as page:
            page.ready()
            seat = my_turn(page)
            page.ask("hint", seat=seat)
            hint = page.hear("hint")
            page.ask("hint", seat=seat)
            assert page.hear("hint") == hint, "for the same position it is only given again"
            page.play(page.position["view"]["moves"][0]["say"])
            page.hear("position")
            page.ask("hint", seat=seat)
            refused = page.hear("refused")
            assert refused["code"] == "busy"
            assert 900 < refused["wait"] <= 1000


def test_a_hint_for_a_position_that_is_over_is_not_waited_for(
    ann: Person, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[Any] = []

    async def hint(guest: str, address: str, view: Any) -> list[messages.Hinted]:
        if ended:
            return []
        try:
            await asyncio.sleep(1000)
        finally:
            ended.append(view)
        raise AssertionError

    monkeypatch.setattr(client.app.state.server.services.compute, "hint", hint)
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        seat = my_turn(page)
        page.ask("hint", seat=seat)
        page.play(page.position["view"]["moves"][0]["say"])
        page.hear("position")
        page.ask("hint", seat=seat)
        second = page.hear("hint")
        assert second["number"] == page.position["number"]
    assert len(ended) <= 1


# --- the coach and the luck receipt ---


@searches
def test_the_coach_tells_every_decision_and_what_they_come_to(ann: Person) -> None:
    record = finished("topas")
    begun, *steps, judged = lines(ann.post("/api/coach", {"record": record}))
    people = {"names": ["Player 1", "Player 2"], "bots": [None, None]}
    assert begun == {"type": "begun", "game": "topas", **people, "steps": len(steps)}
    assert [step["done"] for step in steps] == list(range(1, len(steps) + 1))
    told = [step["decision"] for step in reversed(steps) if step["decision"]]  # the last one is sent first
    for decision in told:
        for choice in (decision["made"], *decision["best"]):
            for move in choice["data"]:
                assert move.pop("kind", "move") == "move"  # a default that comes from another process is written
    game = bosquet.load(record)
    report = coach.report(game, list(coach.analyse(game)))
    assert told == msgspec.to_builtins(report.decisions)
    assert judged["costliest"] == report.costliest
    assert judged["lost"] == pytest.approx(report.lost, abs=1e-3)


@searches
def test_what_decisions_cost_is_kept_in_the_history_of_a_table(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        page.play_on(Rng(1))
    record = ann.get(f"/api/tables/{table}/record").json()
    *steps, judged = lines(bea.post("/api/coach", {"record": record, "table": table}))
    (game,) = ann.get("/api/history").json()["games"]
    assert judged["decisions"] == [sum(bool(step.get("decision")) for step in steps)]
    assert [[game["cost"]], [game["decisions"]]] == [judged["lost"], judged["decisions"]]


@searches
def test_a_game_is_studied_once_for_all_who_look(ann: Person, bea: Person, client: Any) -> None:
    record = finished("topas", players=1)
    first = lines(ann.post("/api/coach", {"record": record}))
    students = client.app.state.server.services.compute.analysis
    students.close()
    try:
        assert lines(bea.post("/api/coach", {"record": record})) == first
    finally:
        students.open()


@searches
def test_the_deal_is_played_a_hundred_times(ann: Person) -> None:
    record = finished("topas", players=3)
    begun, *steps, receipt = lines(ann.post("/api/luck", {"record": record}))
    assert begun["steps"] == len(steps) == luck.GAMES / coaching.BATCH
    assert [spread["seat"] for spread in receipt["spreads"]] == [0, 1, 2]
    game = bosquet.load(record)
    spreads = luck.receipt(game, list(luck.replayed(game)))
    assert receipt["spreads"] == msgspec.to_builtins(spreads)
    assert receipt["bot"] == "level3"


@pytest.mark.parametrize("path", ["/api/coach", "/api/luck"])
def test_only_games_that_are_over_are_studied(ann: Person, path: str) -> None:
    running = bosquet.new("topas", players=2, seed=1).record()
    assert ann.post(path, {"record": running}).json()["code"] == "not now"
    assert ann.post(path, {"record": {}}).json()["code"] == "malformed"
    assert ann.post(path, {"record": finished("topas"), "more": 1}).json()["code"] == "malformed"
    nested = '{"record": ' + "[" * 20_000 + "]" * 20_000 + "}"
    headers = {"cookie": f"bosquet={ann.cookie}", "content-type": "application/json"}
    assert ann.client.post(path, content=nested, headers=headers).json()["code"] == "malformed"


def test_analyses_are_bounded_and_end_with_who_listens() -> None:
    class AtOnce:
        processes = 1

        async def run(self, function: Callable[[int], int], value: int) -> int:
            await asyncio.sleep(0)
            return function(value)

    analyses = Analyses(cast(Pool, AtOnce()), Limits(analyses=3, analyses_of_guest=2))
    ended: list[Any] = []

    async def endless(workers: Any, body: bytes) -> AsyncGenerator[Analysis, None]:
        try:
            yield AnalysisBegun(game="topas", names=[], bots=[], steps=10**6)
            for done in range(10**6):
                await workers.run(abs, done)
                yield AnalysisStep(done=done)
        finally:
            ended.append(body)

    async def bounded() -> None:
        reading = []
        for guest in ("ann", "ann", "bea"):
            reading.append(analyses.lines(endless, guest, "here", b"a game"))
            await anext(reading[-1])
        for guest in ("ann", "bea", "cem"):
            with pytest.raises(Refusal) as refused:
                await anext(analyses.lines(endless, guest, "here", b"another"))
            assert refused.value.code == "busy"
        await reading[0].aclose()
        assert ended == [b"a game"]
        again = analyses.lines(endless, "ann", "here", b"another")
        assert b"begun" in await anext(again)
        elsewhere = analyses.lines(endless, "dan", "there", b"a third")
        assert b"begun" in await anext(elsewhere), "another address is not kept out"
        rest = [json.loads(line)["type"] async for line in reading[1]]
        assert rest[-1] == "failed", "the oldest one gives way"
        for lines in (*reading, again, elsewhere):
            await lines.aclose()

    asyncio.run(bounded())


def test_a_study_whose_process_dies_says_so_and_is_not_kept() -> None:
    analyses = Analyses(None, Limits())  # type: ignore[arg-type]

    async def dies_at_once(workers: Any, body: bytes) -> AsyncGenerator[Analysis, None]:
        raise BrokenProcessPool
        yield

    async def dies_later(workers: Any, body: bytes) -> AsyncGenerator[Analysis, None]:
        yield AnalysisBegun(game="topas", names=[], bots=[], steps=3)
        raise BrokenProcessPool

    async def told() -> None:
        with pytest.raises(Refusal) as refused:
            await anext(analyses.lines(dies_at_once, "ann", "here", b"a game"))
        assert refused.value.code == "busy"
        for _ in range(2):
            types = [json.loads(line)["type"] async for line in analyses.lines(dies_later, "ann", "here", b"a game")]
            assert types == ["begun", "failed"]

    asyncio.run(told())
