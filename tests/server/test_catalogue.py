"""The catalogue says of every game what a page needs to open a table of it."""

from __future__ import annotations

from typing import Any

import bosquet
from bosquet import bots
from bosquet.games.schlossgarten.constellations import house_rows
from tests.server.helpers.people import RANDOM, Person


def test_the_catalogue_lists_every_game_as_its_spec_has_it(client: Any) -> None:
    answer = client.get("/api/games")
    assert [game["name"] for game in answer.json()] == list(bosquet.GAMES)
    for game in answer.json():
        spec = bosquet.spec(game["name"])
        assert game["title"] == spec.title
        assert game["players"] == list(spec.options["players"])
        assert {name: (o["values"], o["default"]) for name, o in game["options"].items()} == {
            name: (list(values), values[0]) for name, values in spec.options.items() if name != "players"
        }
        assert all(o["help"] == spec.option_help.get(name) for name, o in game["options"].items())
        assert game["bots"] == list(bots.NAMES)
        assert game["levels"] == len(spec.levels)
        assert game["pace"] == spec.pace
        assert game["deck"] == (house_rows() if spec.box_keys else None)


def test_whatever_the_catalogue_offers_can_be_opened(ann: Person) -> None:
    for game in ann.get("/api/games").json():
        for players in game["players"]:
            options = {
                name: option["values"][-1] for name, option in game["options"].items() if players in option["players"]
            }
            ann.open(game["name"], options | {"players": players}, [RANDOM] * players)


def test_the_catalogue_may_be_kept_and_makes_no_guest(client: Any) -> None:
    client.cookies.clear()
    answer = client.get("/api/games")
    assert "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "public, max-age=300"
    again = client.get("/api/games", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
