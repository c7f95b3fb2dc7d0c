"""What a table shows before a move is agreed: what is off is in no message."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.testclient import TestClient

import bosquet
from bosquet.core.rng import Rng
from bosquet.server.messages import Hinted
from tests.cases import every_game
from tests.contract.positions import every_ply
from tests.rows import each_row
from tests.server.people import FRIEND, ME, RANDOM, Person
from tests.server.test_coaching import my_turn
from tests.server.test_secrets import Ear, table_of

HERE = {"kind": "here", "name": "Bea"}
SAID = {"points", "rows", "sight"}
"""Fields of moves that say what they come to."""


@each_row(
    ("seats", "asked", "shown"),
    [
        ([ME, RANDOM], None, "full"),
        ([ME, RANDOM], "plain", "plain"),
        ([ME, HERE], None, "plain"),
        ([ME, FRIEND, RANDOM], None, "plain"),
        ([ME, FRIEND], "full", "full"),
        ([RANDOM, RANDOM], None, "full"),
    ],
)
def test_among_people_the_default_is_plain(ann: Person, seats: list[Any], asked: str | None, shown: str) -> None:
    more = {} if asked is None else {"assistance": asked}
    table = ann.open("topas", {"players": len(seats)}, seats, **more)
    assert ann.get(f"/api/tables/{table}").json()["assistance"] == shown


def sent(table: Any, guest: str, full: bool) -> list[dict[str, Any]]:
    """What somebody is sent who comes to a table."""
    table.session.assistance = "full" if full else "plain"
    table._broadcast.forget_position()
    ear = Ear(guest)
    asyncio.run(table.attach(ear))
    return [json.loads(message) for message in ear.heard]


@every_game
def test_a_plain_table_says_which_moves_are_legal_and_nothing_of_what_they_come_to(
    name: str, options: dict[str, Any]
) -> None:
    differed = 0
    for game in every_ply(name, options, 1, 30):
        if game.seat is None:
            continue
        table = table_of(game)
        full, plain = (
            [one for one in sent(table, str(game.seat), on) if one["type"] == "position"] for on in (True, False)
        )
        moves = [position["view"].pop("moves") for (position,) in (full, plain)]
        assert [[move["say"] for move in some] for some in moves] == [game.legal()] * 2
        assert all(move.keys().isdisjoint(SAID) for move in moves[1])
        differed += moves[0] != moves[1]
        assert full == plain, "nothing else depends on it"
    assert differed


def test_figures_within_reach_are_hints_which_all_who_play_agree_to(ann: Person, bea: Person) -> None:
    table = ann.open("schlossgarten", {"players": 2}, [ME, FRIEND], listed=True, assistance="full")
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})
    with ann.at(table) as first, bea.at(table) as second:
        first.ready()
        second.ready()
        first.hear("position")
        second.hear("position")
        mover, other = (first, second) if first.position["view"]["moves"] else (second, first)
        card = mover.position["view"]["hand"][0]
        query = {"seat": mover.position["viewpoint"], "query": "reachable", "argument": {"card": card}}
        assert mover.refusal("query", **query) == "not now"
        for page in (mover, other):
            page.ask("hints", allow=True)
        while not mover.hear("table")["hints"]:
            pass
        mover.ask("query", **query)
        assert mover.hear("answered")["answer"]["card"] == card


def test_alone_at_a_plain_table_hints_need_consent_and_say_no_points_of_moves(
    ann: Person, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hint(guest: str, address: str, view: Any) -> list[Hinted]:
        move: Any = bosquet.new("topas", seed=1).view(0).moves[0]
        assert move.rows is not None
        return [Hinted(moves=[move.say], data=[move], win=0.5, points=3.0)]

    monkeypatch.setattr(client.app.state.registry, "hint", hint)  # type: ignore[attr-defined]
    table = ann.open("topas", {"players": 2}, [ME, RANDOM], assistance="plain")
    with ann.at(table) as page:
        page.ready()
        seat = my_turn(page)
        assert page.refusal("hint", seat=seat) == "not now"
        page.ask("hints", allow=True)
        while not page.news["hints"]:
            page.hear("table")
        page.ask("hint", seat=seat)
        (choice,) = page.hear("hint")["choices"]
        assert choice["data"][0].keys().isdisjoint(SAID)
        page.play_on(Rng(1))


def test_another_game_shows_what_the_last_one_showed(ann: Person) -> None:
    table = ann.open("topas", {"players": 1}, [ME], assistance="plain")
    with ann.at(table) as page:
        page.ready()
        page.play_on(Rng(1))
        page.hear("proof")
        page.ask("rematch")
        while page.news["rematch"] is None:
            page.hear("table")
    assert ann.get(f"/api/tables/{page.news['rematch']}").json()["assistance"] == "plain"
