"""The puzzles of the days: pages judge answers, and the server keeps the first one of each guest."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from bosquet.lab.puzzles.files import read_lines, stock, stock_file
from bosquet.lab.puzzles.puzzle import GRADES
from bosquet.server.base.limits import Rate
from bosquet.server.today import puzzles as server_puzzles
from bosquet.server.today.days import ARCHIVE_DAYS
from bosquet.server.today.puzzles import KEPT_DAYS, today
from tests.server.helpers.people import LOOSE, Person, make_app

TODAY = today().isoformat()


def at(game: str = "topas", day: str = TODAY, grade: str = "hard") -> str:
    return f"/api/puzzles/{game}/{day}/{grade}"


def tries(person: Person, *, solved: bool, **where: str) -> tuple[int, int]:
    """Tell an answer; return how many have answered and how many have solved the puzzle."""
    answer = person.post(at(**where), {"solved": solved})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    return found["tries"], found["solved"]


def test_the_first_answer_counts_as_the_page_has_judged_it(ann: Person, bea: Person) -> None:
    assert tries(ann, solved=True) == (1, 1)
    assert tries(ann, solved=False) == (1, 1)
    assert tries(bea, solved=False) == (2, 1)
    assert tries(bea, solved=True, grade="easy") == (1, 1)
    assert tries(bea, solved=True, game="topiary") == (1, 1)
    mine = {"game": "topas", "day": TODAY, "grade": "hard", "solved": True, "on_day": True}
    assert ann.get("/api/puzzles").json() == {"answers": [mine]}
    assert ann.get("/api/me").json()["puzzles"] == [mine]
    assert ann.post("/api/me/erase", {}).status_code == 204
    assert tries(bea, solved=False) == (1, 0)


def test_an_answer_to_an_older_puzzle_says_so(ann: Person) -> None:
    day = (date.fromisoformat(TODAY) - timedelta(days=1)).isoformat()
    assert tries(ann, solved=True, day=day) == (1, 1)
    assert [one["on_day"] for one in ann.get("/api/puzzles").json()["answers"]] == [False]


def test_one_address_adds_few_first_answers(tmp_path: Path) -> None:
    limits = replace(LOOSE, answers_of_address=Rate(2, 0))
    with TestClient(make_app(tmp_path, limits)) as client:
        said = []
        for _ in range(3):
            client.cookies.clear()
            guest = Person(client)
            guest.get("/api/me")
            said.append(guest.post(at(), {"solved": True}).status_code)
        assert said == [200, 200, 429]


def test_puzzles_that_are_not_there(ann: Person) -> None:
    now = date.fromisoformat(TODAY)
    oldest = now - timedelta(days=ARCHIVE_DAYS)
    assert tries(ann, solved=True, day=oldest.isoformat()) == (1, 1)
    rows: list[dict[str, str]] = [
        {"day": (now + timedelta(days=1)).isoformat()},
        {"day": (oldest - timedelta(days=1)).isoformat()},
        {"game": "chess"},
        {"grade": "trivial"},
        *({"day": day} for day in ("today", "20261123", "2026-W48-1")),
    ]
    for where in rows:
        assert ann.post(at(**where), {"solved": True}).status_code == 404, where


def test_what_comes_in_may_be_malformed(ann: Person) -> None:
    bodies: list[object] = [{}, {"solved": 1}, {"solved": "yes"}, {"solved": True, "moves": []}, []]
    for body in bodies:
        assert ann.post(at(), body).status_code == 400, body
    assert ann.get("/api/puzzles").json() == {"answers": []}


def test_answers_are_forgotten_when_they_are_old(ann: Person, client: TestClient) -> None:
    tries(ann, solved=True)
    server, portal = cast(Any, client.app).state.server, cast(Any, client.portal)
    for days, left in ((KEPT_DAYS, 1), (KEPT_DAYS + 1, 0)):
        portal.call(server_puzzles.sweep, server.services.store, date.fromisoformat(TODAY) + timedelta(days=days))
        assert len(ann.get("/api/me").json()["puzzles"]) == left


@pytest.mark.parametrize("game", ["topas", "topiary", "schlossgarten"])
def test_the_puzzles_are_a_file_that_the_list_of_games_names(game: str, client: TestClient) -> None:
    listed = {one["name"]: one for one in client.get("/api/games").json()}[game]
    sent = client.get(listed["puzzles"])
    assert sent.headers["content-type"].startswith("application/jsonl")
    assert "immutable" in sent.headers["cache-control"]
    assert listed["puzzles_bytes"] < 150_000
    file = stock_file(game)
    assert file is not None
    assert read_lines(file, sent.content.splitlines())[1] == stock(game)
    assert {puzzle.grade for puzzle in stock(game)} <= set(GRADES)
