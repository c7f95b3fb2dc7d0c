"""What moves is, at each moment of its motion, where it should be: near where it ends, or on the way there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.helpers.motion import astray, motions, watch
from tests.browser.helpers.schlossgarten import decide
from tests.browser.helpers.tables import ME, RANDOM, number, open_table, wait_for_more, wait_for_turn
from tests.browser.helpers.topas import choose_card, lay_by_mouse
from tests.browser.helpers.topiary import choose_by_mouse


def topas(page: Page) -> None:
    """Turn a card, and lay it as it was."""
    choose_card(page)
    for _ in range(4):
        page.keyboard.press("r")
    lay_by_mouse(page)


def schlossgarten(page: Page) -> None:
    """Walk a step where a pawn can, else decide."""
    if page.get_by_role("button", name="Stop moving").count():
        page.get_by_role("gridcell", name="can be picked").first.click()
        free = page.get_by_role("gridcell", name="step here")
        if free.count():
            free.first.click()
            return
    decide(page, by_keyboard=False)


GAMES = {"topiary": choose_by_mouse, "topas": topas, "schlossgarten": schlossgarten}
MOVING = {
    "topiary": ["(?i)g .*visitor at", "(?i)(svg|g) .*: gap", "(?i)button .*Put"],
    "topas": ["g card .*second half to", "g card .*laid by", "g ground"],
    "schlossgarten": ["g body .*held", "g pawn", "BUTTON .*Card"],
}
"""What has to be seen in motion, by name."""


@pytest.mark.parametrize("game", GAMES)
def test_what_moves_is_near_its_place(visit: Visit, game: str) -> None:
    page = visit(motion=True)
    open_table(page, game, {"players": 2}, [ME, RANDOM])
    page.wait_for_selector("[data-number]")
    watch(page)
    for _ in range(7):
        if not wait_for_turn(page):
            break
        before = number(page)
        GAMES[game](page)
        wait_for_more(page, before)
        page.wait_for_timeout(500)
    seen = motions(page)
    names = {motion["name"] for motion in seen if motion["moves"]}
    assert [name for name in MOVING[game] if not any(re.match(name, one) for one in names)] == []
    assert [wrong for wrong in map(astray, seen) if wrong] == []


def test_the_pictures_of_the_start_page_sway_about_their_place(visit: Visit) -> None:
    page = visit(motion=True)
    page.get_by_role("button", name="Play now").first.wait_for()
    watch(page)
    for card in page.locator("article[data-game]").all():
        card.hover()
        page.wait_for_timeout(400)
    seen = motions(page)
    names = {" ".join(motion["name"].split()[:2]) for motion in seen}
    assert {"path ripple", "g walker", "g held", "rect fall", "path spark"} <= names
    assert [wrong for wrong in map(astray, seen) if wrong] == []
