"""A game that the page has no folder for: the server lists it, and sends views and moves that no page has seen."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import fits

LISTED = {"name": "lanterns", "title": "Lanterns", "players": [2, 3], "options": {}}
SEAT = {"kind": "human", "ready": True, "here": True, "bot": None, "stands_in": False, "gone": False, "hints": False}
SEAT |= {"agrees": None, "left": None}
TABLE = {
    "type": "table",
    "table": "lanterns-1",
    "game": "lanterns",
    "options": {"players": 2},
    "phase": "playing",
    "seats": [SEAT | {"name": "Ann"}, SEAT | {"name": "Ben"}],
    "mine": [0],
    "host": True,
    "pace": "human",
    "watchers": 0,
    "commitment": "00" * 32,
    "invitation": None,
    "listed": False,
    "rematch": None,
    "previous": None,
    "duel": None,
    "hints": False,
    "assistance": "full",
    "ending": None,
}
MOVES: list[dict[str, Any]] = [
    {"say": "light a1", "kind": "light", "cells": ["a1"], "points": 2},
    {"say": "light b3", "kind": "light", "cells": ["b3"], "points": None},
    {"say": "swap b3 c1", "kind": "swap", "cells": ["b3", "c1"], "points": -1},
    {"say": "pass", "kind": "pass", "cells": [], "points": 0},
]


def position(number: int, entries: list[dict[str, Any]], moves: list[dict[str, Any]]) -> dict[str, Any]:
    """A message of the server about a position."""
    view = {
        "game": "lanterns",
        "options": {"players": 2},
        "viewer": 0,
        "seat": 0 if moves else 1,
        "over": False,
        "phase": "play",
        "scores": [4, 3],
        "winners": [],
        "lamps": {"a1": "out", "c3": "lit"},
        "hand": ["moon", "sun"],
        "hand_sizes": [2, 1],
        "moves": moves,
    }
    return {"type": "position", "number": number, "viewpoint": 0, "entries": entries, "view": view, "undo": False}


def go_to_table(page: Page) -> list[dict[str, Any]]:
    """Go to a table of the game; whatever the page asks for is kept in the list."""
    asked: list[dict[str, Any]] = []

    def list_games(route: Route) -> None:
        route.fulfill(json=[LISTED])

    def answer(socket: WebSocketRoute) -> None:
        def hear(message: str | bytes) -> None:
            if not message:  # a heartbeat
                socket.send(message)
                return
            asked.append(json.loads(message))
            if asked[-1]["type"] == "play":
                move = next(move for move in MOVES if move["say"] == asked[-1]["move"])
                entry = {"number": 1, "seat": 0, "say": move["say"], "move": move, "undo": False}
                socket.send(json.dumps(position(2, [entry], [])))

        socket.on_message(hear)
        socket.send(json.dumps(TABLE))
        lit = {"say": "light c3", "kind": "light", "cells": ["c3"]}
        entry = {"number": 0, "seat": 1, "say": lit["say"], "move": lit, "undo": False}
        socket.send(json.dumps(position(1, [entry], MOVES)))

    page.route("**/api/games", list_games)
    page.route_web_socket(re.compile("/live"), answer)
    page.goto("/table/lanterns-1")
    page.locator("[data-number='1']").wait_for()
    return asked


@pytest.mark.parametrize(
    ("language", "phone", "dark"),
    [("es-ES", False, False), ("de-DE", True, True)],
)
def test_the_board_is_made_of_the_view_and_its_moves(visit: Visit, language: str, phone: bool, dark: bool) -> None:
    page = visit(phone=phone, dark=dark, language=language)
    go_to_table(page)
    expect(page.locator("[role=gridcell]")).to_have_count(9)
    expect(page.locator("[data-cell='c3']")).to_contain_text("lit")
    expect(page.locator("[data-move]")).to_have_count(len(MOVES))
    expect(page.locator("dl")).to_contain_text("moon, sun")
    assert violations(page) == []
    assert fits(page)


def test_the_only_move_of_a_cell_is_played_by_its_cell(visit: Visit) -> None:
    page = visit()
    asked = go_to_table(page)
    page.locator("[data-cell='a1']").click()
    page.locator("[data-number='2']").wait_for()
    assert asked == [{"type": "play", "seat": 0, "number": 1, "move": "light a1"}]
    expect(page.locator("[data-move]")).to_have_count(0)


def test_of_several_moves_at_a_cell_one_is_chosen_by_the_keyboard_alone(visit: Visit) -> None:
    page = visit()
    asked = go_to_table(page)
    page.locator("[data-cell='a1']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-cell='b3']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-move]")).to_have_count(2)
    page.locator("[data-move='swap b3 c1']").press("Enter")
    page.locator("[data-number='2']").wait_for()
    assert asked[-1]["move"] == "swap b3 c1"


def test_its_log_is_in_notation_and_lights_its_cells(visit: Visit) -> None:
    page = visit()
    go_to_table(page)
    expect(page.locator("[data-cell='c3']")).to_have_class(re.compile("last"))
    page.get_by_text("What happened").click()
    expect(page.locator(".log li")).to_have_text(re.compile("Ben: light c3"))


def test_the_start_page_offers_it_under_its_title(visit: Visit) -> None:
    page = visit()
    page.route("**/api/games", lambda route: route.fulfill(json=[LISTED]))
    page.goto("/")
    expect(page.get_by_role("heading", name="Lanterns")).to_be_visible()
    expect(page.locator("article[data-game]")).to_have_count(1)
