"""The puzzles of the days: pages judge answers, and the server keeps the first one of each guest."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from bosquet import GAMES
from bosquet.lab.puzzles.files import read_lines, stock, stock_file
from bosquet.lab.puzzles.puzzle import GRADES
from bosquet.server.base import engines
from bosquet.server.base.rate_limits import Rate
from bosquet.server.today import puzzles as server_puzzles
from bosquet.server.today.days import ARCHIVE_DAYS
from bosquet.server.today.puzzles import KEPT_DAYS, today
from tests.server.helpers.people import LOOSE, Person, make_app

TODAY = today().isoformat()
YEAR = 12 * engines.PART


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


@pytest.mark.parametrize("game", GAMES)
def test_the_puzzles_are_files_whose_addresses_follow_from_the_list_of_games(game: str, client: TestClient) -> None:
    listed = {one["name"]: one for one in client.get("/api/games").json()}[game]["puzzles"]
    for grade in GRADES:
        found = []
        for number in range(-(-listed["counts"][grade] // listed["part"])):
            sent = client.get(f"{listed['address']}.{grade}.{number}.jsonl")
            assert sent.headers["content-type"].startswith("application/jsonl")
            assert "immutable" in sent.headers["cache-control"]
            found += read_lines(Path(str(sent.url)), sent.content.splitlines())[1]
            assert len(found) == min((number + 1) * listed["part"], listed["counts"][grade])
        assert found == [puzzle for puzzle in stock(game) if puzzle.grade == grade]
    assert sum(listed["counts"].values()) == len(stock(game))


@pytest.mark.parametrize("year", [False, True])
def test_a_day_of_puzzles_takes_few_bytes(year: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if year:
        files = {game: a_year_of(game, tmp_path) for game in GAMES}
        monkeypatch.setattr(engines, "stock_file", files.get)
    dealt = [engines.puzzles_of.__wrapped__(game) for game in GAMES]
    biggest = []
    for puzzles in filter(None, dealt):
        assert not year or set(puzzles.counts.values()) == {YEAR}
        for grade in GRADES:
            sizes = [len(part.compressed) for part in puzzles.parts if f".{grade}." in part.address]
            assert len(sizes) == -(-puzzles.counts[grade] // engines.PART)
            biggest.append(max(sizes))
    print(f"at most {max(biggest) / 1000:.1f} kB in a file, {sum(biggest) / 1000:.1f} kB for a day")
    assert max(biggest) < 10_000
    assert sum(biggest) < 50_000


def a_year_of(game: str, folder: Path) -> Path:
    """Write a file with a year of puzzles of each grade; those that there are come again."""
    file = stock_file(game)
    assert file is not None
    header, *lines = file.read_bytes().splitlines(keepends=True)
    graded = {grade: [n for n, one in enumerate(stock(game)) if one.grade == grade] for grade in GRADES}
    target = folder / game
    target.write_bytes(header + b"".join(lines[some[n % len(some)]] for n in range(YEAR) for some in graded.values()))
    return target
