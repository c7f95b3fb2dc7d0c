"""The puzzles of the days: judged by the server, told nothing of before, first answers count."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from bosquet.core.assistance import PLAIN
from bosquet.core.game import Game
from bosquet.server.base.limits import Rate
from bosquet.server.today import puzzles as server_puzzles
from bosquet.server.today.days import ARCHIVE_DAYS
from bosquet.server.today.puzzle_work import puzzle_of
from bosquet.server.today.puzzles import KEPT_DAYS, today
from tests.server.helpers.people import LOOSE, Person, make_app

TODAY = today().isoformat()


def at(game: str, day: str = TODAY) -> str:
    return f"/api/puzzles/{game}/{day}"


def answer(person: Person, game: str, moves: list[str], day: str = TODAY) -> dict[str, Any]:
    """What the server says to a turn, move by move as a page plays it."""
    for n in range(1, len(moves) + 1):
        made = person.post(at(game, day), {"moves": moves[:n]})
        assert made.status_code == 200, made.text
        found: dict[str, Any] = made.json()
        if n < len(moves):
            assert found["verdict"] is None
            assert found["view"]["seat"] == puzzle_of(game, day).seat
    return found


@pytest.mark.parametrize("game", ["topas", "topiary", "schlossgarten"])
def test_a_right_answer_counts_once_and_is_explained(game: str, ann: Person, bea: Person) -> None:
    puzzle = puzzle_of(game, TODAY)
    position = ann.get(at(game)).json()
    assert (position["task"], position["grade"], position["solved"]) == (puzzle.task, puzzle.grade, None)
    found = answer(ann, game, puzzle.best.moves)
    verdict = found["verdict"]
    assert (verdict["right"], verdict["first"], found["view"]) == (True, True, None)
    assert [move["say"] for move in verdict["best"]["moves"]] == puzzle.best.moves
    assert verdict["entries"], "where the points come from"
    assert verdict["tries"] == {"tries": 1, "solved": 1}
    again = answer(ann, game, puzzle.second.moves)["verdict"]
    assert (again["right"], again["first"], again["tries"]) == (False, False, {"tries": 1, "solved": 1})
    assert ann.get(at(game)).json()["solved"] is True

    given_up = bea.post(at(game), {"moves": [], "give_up": True}).json()["verdict"]
    assert (given_up["right"], given_up["first"], given_up["tries"]) == (False, True, {"tries": 2, "solved": 1})
    assert answer(bea, game, puzzle.best.moves)["verdict"]["first"] is False
    assert bea.get(at(game)).json()["solved"] is False

    listed = ann.get("/api/puzzles").json()
    days = [day[0]["day"] for day in listed["days"]]
    assert ann.get(at(game)).json()["before"] == days[1]
    assert ann.get(at(game, days[-1])).json()["before"] is None
    assert listed["streak"] == 1
    assert {one["game"]: one["solved"] for one in listed["days"][0]}[game] is True
    assert len(listed["days"]) == ARCHIVE_DAYS + 1
    assert ann.get("/api/me").json()["puzzles"] == [{"game": game, "day": TODAY, "solved": True}]
    assert ann.post("/api/me/erase", {}).status_code == 204
    assert bea.get(at(game)).json()["tries"] == {"tries": 1, "solved": 0}


@pytest.mark.parametrize("game", ["topas", "topiary", "schlossgarten"])
def test_nothing_of_the_answer_and_nothing_hidden_is_told_before_it(game: str, ann: Person) -> None:
    puzzle = puzzle_of(game, TODAY)
    told = ann.get(at(game)).json()
    assert not {"answers", "best", "second", "margin", "found_by", "deal"} & told.keys()
    played = puzzle.begun()
    drawn = played.state
    played.spec.rules.determinize_in_place(drawn, puzzle.seat, [1, 2, 3, 4])
    other = Game(played.spec, played.options, drawn, deal=played.deal)
    mine, theirs = (json.loads(json.dumps(told["view"])), told["view"])
    assert mine == theirs
    assert json.loads(other.view_json(puzzle.seat, PLAIN)) == told["view"]
    assert all("points" not in move for move in told["view"]["moves"])


def test_one_address_adds_few_first_answers(tmp_path: Path) -> None:
    limits = replace(LOOSE, answers_of_address=Rate(2, 0))
    with TestClient(make_app(tmp_path, limits)) as client:
        said = []
        for _ in range(3):
            client.cookies.clear()
            guest = Person(client)
            said.append(guest.post(at("topas"), {"moves": puzzle_of("topas", TODAY).best.moves}).status_code)
        assert said == [200, 200, 429]
        assert guest.get(at("topas")).json()["tries"] == {"tries": 2, "solved": 2}


def test_days_that_are_not_there(ann: Person) -> None:
    def status(game: str, day: str) -> int:
        asked, posted = ann.get(at(game, day)), ann.post(at(game, day), {"moves": []})
        assert asked.status_code == posted.status_code
        return int(asked.status_code)

    now = date.fromisoformat(TODAY)
    assert status("topas", (now - timedelta(days=ARCHIVE_DAYS)).isoformat()) == 200
    for day in (now + timedelta(days=1), now - timedelta(days=ARCHIVE_DAYS + 1)):
        assert status("topas", day.isoformat()) == 404
    for game, given in [("chess", TODAY), ("topas", "today"), ("topas", "20261123"), ("topas", "2026-W48-1")]:
        assert status(game, given) == 404


def test_what_comes_in_may_be_malformed(ann: Person) -> None:
    first = puzzle_of("topas", TODAY).best.moves[0]
    for body, status in [
        ({}, 400),
        ({"moves": "x"}, 400),
        ({"moves": ["x"]}, 400),
        ({"moves": [first, first]}, 400),
        ({"moves": ["x" * 65]}, 400),
        ({"moves": [], "more": 1}, 400),
    ]:
        assert ann.post(at("topas"), body).status_code == status, body
    assert ann.get(at("topas")).json()["solved"] is None


def test_a_streak_counts_days_on_which_the_puzzle_of_that_day_was_solved(
    ann: Person, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = cast(Any, client.app).state.server
    now = date.fromisoformat(TODAY)

    def solve(on: date, day: date, moves: str = "best") -> int:
        monkeypatch.setattr(server.puzzles, "_today", lambda: on)
        puzzle = puzzle_of("topas", day.isoformat())
        answer(ann, "topas", getattr(puzzle, moves).moves, day.isoformat())
        streak: int = ann.get("/api/puzzles").json()["streak"]
        return streak

    assert solve(now, now) == 1
    assert solve(now + timedelta(days=1), now + timedelta(days=1)) == 2
    assert solve(now + timedelta(days=3), now + timedelta(days=2)) == 0  # a day late, it fills no gap
    assert solve(now + timedelta(days=3), now + timedelta(days=3)) == 1
    assert solve(now + timedelta(days=4), now + timedelta(days=4), "second") == 1  # until the end of the day
    assert (
        cast(Any, client.portal).call(server_puzzles.sweep, server.services.store, now + timedelta(days=KEPT_DAYS + 2))
        is None
    )
    assert [one["day"] for one in ann.get("/api/me").json()["puzzles"]] == [
        (now + timedelta(days=n)).isoformat() for n in (2, 3, 4)
    ]
