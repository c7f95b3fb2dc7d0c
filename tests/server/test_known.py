"""A page with the server's engine is sent what its viewer knows; everybody else is sent views."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

import bosquet
from bosquet.core.game import Game
from bosquet.server.base.engines import engine_of
from bosquet.server.table.messages import Assistance
from tests.contract.helpers.positions import every_ply
from tests.helpers.cases import every_size
from tests.server.helpers.listeners import Ear, table_of
from tests.server.helpers.people import ME, RANDOM, Person

MOST_BYTES = 500
"""A position is shorter than this in every game with the box of the house."""
OTHER = "0123456789abcdef"


def hash_of(game: str) -> str:
    found = engine_of(game)
    assert found is not None
    return found.hash


def told(game: Game, guest: str, *, engine: bool, assistance: Assistance = "full") -> dict[str, Any]:
    """The position that a page is sent which comes to a table."""
    ear = Ear(guest, engine=engine)
    asyncio.run(table_of(game, assistance).attach(ear))
    found: dict[str, Any]
    (found,) = [one for one in map(json.loads, ear.heard) if one["type"] in ("position", "known")]
    return found


@every_size
def test_what_a_viewer_knows_says_all_that_the_view_says(name: str, options: dict[str, Any]) -> None:
    longest = 0
    met = Counter[int]()
    for number, game in enumerate(every_ply(name, options, 5)):
        phase = getattr(game.state, "phase", 0)
        met[phase] += 1
        if number % 17 and met[phase] > 5 and not game.over:  # works are few, and come at the end of a game
            continue
        for viewer in (None, *range(game.players)) if not game.chance_due else ():
            guest = "somebody" if viewer is None else str(viewer)
            view, known = (told(game, guest, engine=engine) for engine in (False, True))
            if game.spec.module("position_text") is None:
                assert known == view
                continue
            position = bosquet.position(known["position"])
            assert position.viewer == known["viewpoint"] == viewer
            assert position.view() == game.view(viewer)
            assert known == told(game, guest, engine=True, assistance="none") | {"undo": known["undo"]}
            longest = max(longest, len(known["position"]))
            del known["position"], known["type"], view["view"], view["type"]
            assert known == view
    assert longest < MOST_BYTES


@pytest.mark.parametrize("game", ["topiary", "topas", "schlossgarten"])
def test_a_page_that_names_the_engine_is_sent_positions(ann: Person, game: str) -> None:
    table = ann.open(game, {"players": 2}, [ME, {"kind": "here", "name": "Bea"}])
    with ann.at(table, engines=f"{OTHER},{hash_of(game)}") as page:
        page.ready()
        known = page.hear("known")
        assert known["position"].startswith(f"{game}/players=2/view=-/")
        page.ask("look", seat=0)
        known = page.hear("known")
        position = bosquet.position(known["position"])
        page.ask("play", seat=0, number=0, move=position.legal()[0])
        known = page.hear("known")
        assert known["number"] >= 1
        assert known["entries"][0]["move"]["say"] == position.legal()[0]
        page.ask("resign", seat=0)
        over = page.hear("position")
        assert over["view"]["over"], "a game that was ended early has no position"


@pytest.mark.parametrize(
    ("engines", "renews"),
    [("", False), (OTHER, True), ("that of topiary", True), ("%00,,%C3%A9", True), (f"{OTHER}," * 400, True)],
)
def test_everybody_else_is_sent_views(ann: Person, engines: str, renews: bool) -> None:
    """A page whose engine is another one is told so; nothing that it names is an error."""
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    with ann.at(table, engines=engines.replace("that of topiary", hash_of("topiary"))) as page:
        first = page.hear()
        assert (first["type"] == "renew") is renews
        if renews:
            page.hear("table")
        page.ask("ready", nonce="0" * 32)
        assert page.hear("position")["view"]["game"] == "topas"
