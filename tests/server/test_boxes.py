"""Tables with another box than that of the house."""

from __future__ import annotations

from typing import Any

import pytest

import bosquet
from bosquet.core.records import fair
from tests.server.helpers.people import GREEDY, ME, RANDOM, Person

STARTS = [["d2", "c2", "e2"], ["d6", "e6", "c6"]]
BOX = {"note": "of another edition", "tiles": [10, 20, 19], "starts": {"2": STARTS}}
OPTIONS = {"players": 2, "work": "each", "overbuild": "elements"}


def test_a_table_is_dealt_from_its_box(ann: Person) -> None:
    table = ann.open("schlossgarten", OPTIONS, [ME, RANDOM], box=BOX)
    with ann.at(table) as page:
        page.ready()
        view = page.hear("position")["view"]
        assert view["pawns"] == STARTS
        assert view["box"] == {"tiles": [10, 20, 19], "starts": STARTS}
        assert page.news["options"] == OPTIONS


def test_a_finished_table_with_a_box_verifies(ann: Person) -> None:
    table = ann.open("schlossgarten", OPTIONS, [GREEDY, GREEDY], box={"tiles": [1, 1, 47]})
    with ann.at(table) as page:
        page.hear("proof")
    game = bosquet.load(ann.get(f"/api/tables/{table}/record").json())
    assert game.over
    assert game.deal["tiles"] == [1, 1, 47]
    assert game.record()["options"] == OPTIONS
    fair.verify(game)


@pytest.mark.parametrize(
    ("game", "box", "message"),
    [
        ("schlossgarten", {"tiles": [50, 0, 0]}, "tiles[0] is 50"),
        ("schlossgarten", {"note": "mine"}, "none of cards, tiles, starts"),
        ("schlossgarten", {"cards": [{"id": 1}] * 32}, "cards[0]"),
        ("schlossgarten", {"starts": [["a1"]]}, "starts has 1"),
        ("topas", {"tiles": [17, 16, 16]}, "no box"),
    ],
)
def test_a_bad_box_opens_no_table(ann: Person, game: str, box: dict[str, Any], message: str) -> None:
    body = {"game": game, "options": {"players": 2}, "seats": [ME, RANDOM], "box": box}
    answer = ann.post("/api/tables", body)
    assert answer.status_code == 400
    assert message in answer.json()["message"]
