"""What a table shows before a move is agreed: what is off is in no message."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.core.assistance import NONE
from bosquet.core.rng import Rng
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.schema import tables
from bosquet.server.table.actions.move import Play
from bosquet.server.table.messages import Assistance
from tests.contract.helpers.positions import every_ply
from tests.helpers.cases import every_size, every_size_briefly
from tests.helpers.rows import each_row
from tests.server.helpers.listeners import Ear, table_of
from tests.server.helpers.people import FRIEND, ME, RANDOM, Person, my_turn

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
        ([ME, RANDOM], "none", "none"),
        ([ME, FRIEND], "none", "none"),
    ],
)
def test_among_people_the_default_is_plain(ann: Person, seats: list[Any], asked: str | None, shown: str) -> None:
    more = {} if asked is None else {"assistance": asked}
    table = ann.open("topas", {"players": len(seats)}, seats, **more)
    assert ann.get(f"/api/tables/{table}").json()["assistance"] == shown


def sent(table: Any, guest: str, assistance: str) -> list[dict[str, Any]]:
    """What somebody is sent who comes to a table."""
    table.session.assistance = assistance
    table.broadcast.forget_position()
    ear = Ear(guest)
    asyncio.run(table.attach(ear))
    return [json.loads(message) for message in ear.heard]


@every_size
def test_a_plain_table_says_which_moves_are_legal_and_nothing_of_what_they_come_to(
    name: str, options: dict[str, Any]
) -> None:
    differed = 0
    for game in every_ply(name, options, 1, 30):
        if game.seat is None:
            continue
        table = table_of(game)
        full, plain = (
            [one for one in sent(table, str(game.seat), shown) if one["type"] == "position"]
            for shown in ("full", "plain")
        )
        moves = [position["view"].pop("moves") for (position,) in (full, plain)]
        assert [[move["say"] for move in some] for some in moves] == [game.legal()] * 2
        assert all(move.keys().isdisjoint(SAID) for move in moves[1])
        differed += moves[0] != moves[1]
        assert full == plain, "nothing else depends on it"
    assert differed


@every_size
def test_a_table_without_assistance_sends_nobody_what_may_be_done(name: str, options: dict[str, Any]) -> None:
    """Neither in a list nor in how long a message is: what is sent can be made of the rest of the view alone."""
    hidden = 0
    for game in every_ply(name, options, 1, 30):
        bare = game.spec.view_type.OFFERS + game.spec.view_type.AIDS
        for guest in [*map(str, range(game.players)), "somebody"]:
            table = table_of(game)
            full, none = (
                [one for one in sent(table, guest, shown) if one["type"] == "position"] for shown in ("full", "none")
            )
            views = [position["view"] for (position,) in (full, none)]
            assert [views[1][field] for field in bare] == [[]] * len(bare)
            hidden += any(views[0][field] for field in bare)
            for view in views:
                for field in bare:
                    del view[field]
            assert [position.pop("undo") for position in none] == [False]
            del full[0]["undo"]
            assert full == none, "nothing else depends on it"
    assert hidden


@every_size
def test_what_is_not_shown_follows_from_what_is(name: str, options: dict[str, Any]) -> None:
    """A program that knows the rules finds the moves by itself."""
    for game in every_ply(name, options, 2, 30):
        if game.seat is not None:
            full = game.view(game.seat)
            bare = msgspec.json.decode(game.view_json(game.seat, NONE), type=game.spec.view_type)
            assert not bare.moves
            assert game.spec.offered_view(bare, Rng(1)) == full


@every_size_briefly
def test_a_refusal_says_the_rule_and_where_no_moves_are_shown_none(name: str, options: dict[str, Any]) -> None:
    rng, said = random.Random(1), 0
    others = [move for game in every_ply(name, options, 3, 40) for move in game.legal()]
    for game in every_ply(name, options, 1, 30):
        legal = game.legal()
        if game.seat is None:
            continue
        for move in rng.sample(others, min(10, len(others))):
            if move in legal:
                continue
            said += 1
            refusals = []
            assistance: Assistance
            for assistance in ("plain", "none"):
                table = table_of(game, assistance)
                play = Play(seat=game.seat, number=table.session.number, move=move)
                with pytest.raises(Refusal) as refused:
                    asyncio.run(table.do(str(game.seat), play))
                refusals.append(refused.value)
            plain, none = refusals
            assert plain.why == none.why
            assert f"legal: {legal[0]}" in str(plain)
            assert "legal: " not in str(none)
            assert none.why is None or not any(word in str(none) for word in legal if len(word) > 4)
    assert said


def test_no_hints_at_a_table_without_assistance(ann: Person) -> None:
    table = ann.open("schlossgarten", {"players": 2}, [ME, RANDOM], assistance="none")
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        while page.position["view"]["seat"] != page.position["viewpoint"]:
            page.hear("position")
        seat = page.position["viewpoint"]
        assert not page.news["hints"]
        assert page.refusal("hints", allow=True) == "not now"
        card = page.position["view"]["hand"][0]
        assert page.refusal("hinted") == "not now"
        number = page.position["number"]
        page.ask("play", seat=seat, number=number, move="stop")
        refused = page.hear("refused")
        assert refused["message"] == "play one of the two cards first"
        assert refused["why"] == {"key": "card_first", "about": {}}
        page.ask("play", seat=seat, number=number, move=f"card {card}")
        assert page.hear("position")["view"]["played"] == card


def test_that_a_page_gives_hints_is_noted_where_all_who_play_agree_to_them(
    ann: Person, bea: Person, client: TestClient
) -> None:
    table = ann.open("schlossgarten", {"players": 2}, [ME, FRIEND], listed=True, assistance="full")
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})
    with ann.at(table) as first, bea.at(table) as second:
        first.ready()
        second.ready()
        first.hear("position")
        second.hear("position")
        assert first.refusal("hinted") == "not now"
        for page in (first, second):
            page.ask("hints", allow=True)
        while not first.hear("table")["hints"]:
            pass
        assert not hinted(client, table)
        first.ask("hinted")
        first.ask("sheet")
        first.hear("sheet")
        assert hinted(client, table)


def hinted(client: TestClient, table: str) -> bool:
    """Whether it is kept that hints were given at a table."""
    store = client.app.state.server.services.store  # type: ignore[attr-defined]
    ((found,),) = client.portal.call(store.select, sa.select(tables.c.hinted).where(tables.c.id == table))  # type: ignore[union-attr]
    return bool(found)


def test_alone_at_a_plain_table_hints_need_consent(ann: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, RANDOM], assistance="plain")
    with ann.at(table) as page:
        page.ready()
        my_turn(page)
        assert page.refusal("hinted") == "not now"
        page.ask("hints", allow=True)
        while not page.news["hints"]:
            page.hear("table")
        page.ask("hinted")
        assert page.hear("reacted")["sign"] == "hint"


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


def test_a_table_without_assistance_takes_no_move_back(ann: Person) -> None:
    """It would be a question: what does this come to, does the figure stand?"""
    table = ann.open("schlossgarten", {"players": 2}, [ME, RANDOM], assistance="none")
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        while page.position["view"]["seat"] != page.position["viewpoint"]:
            page.hear("position")
        seat = page.position["viewpoint"]
        page.ask("play", seat=seat, number=page.position["number"], move=f"card {page.position['view']['hand'][0]}")
        assert page.hear("position")["view"]["phase"] == "move"
        assert page.position["undo"] is False
        assert page.refusal("undo", seat=seat, number=page.position["number"]) == "not now"
