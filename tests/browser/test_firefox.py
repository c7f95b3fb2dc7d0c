"""The page in Firefox: the start, a game of each, rules and a replay. Everything else is tested in Chromium.

Debian's package is `firefox-esr`. Without a Firefox these tests are skipped, unless `BOSQUET_BROWSER_TESTS=required`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.bidi_relay import relayed
from tests.browser.helpers.firefox import launched, needs_firefox
from tests.browser.helpers.games import finished_game
from tests.browser.helpers.looks import expect_in_sight
from tests.browser.helpers.motion import astray, play_watched
from tests.browser.helpers.schlossgarten import decide, step
from tests.browser.helpers.tables import ME, RANDOM, number, open_table, wait_for_more, wait_for_turn
from tests.browser.helpers.topas import choose_card, lay_by_mouse
from tests.browser.helpers.topiary import play_by_mouse

pytestmark = needs_firefox


@pytest.fixture(scope="module")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Firefox, in which `visit` opens its pages here."""
    with launched(playwright, tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


def test_topiary_from_the_start_page_to_the_replay(visit: Visit) -> None:
    page = visit("/")
    assert "Firefox" in page.evaluate("navigator.userAgent")
    page.locator("[data-game=topiary]").get_by_role("button", name="Play now").click()
    assert wait_for_turn(page)
    page.get_by_role("button", name="Bots move at once").click()
    for _ in range(4):
        assert wait_for_turn(page)
        play_by_mouse(page)
    with page.context.expect_page() as opened:
        page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    expect(opened.value).to_have_url(re.compile("/rules/topiary$"))
    expect(opened.value.locator("svg.garden").first).to_be_visible()


def test_cards_of_topas_are_laid_beside_what_can_be_done(visit: Visit) -> None:
    page = visit()
    page.set_viewport_size({"width": 1280, "height": 800})
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    for _ in range(2):
        assert wait_for_turn(page)
        before = number(page)
        choose_card(page)
        expect_in_sight(page, page.locator(".felt"), page.locator(".dock"), page.locator(".dock .next"))
        page.mouse.move(5, 5)
        lay_by_mouse(page)
        wait_for_more(page, before)


@pytest.mark.parametrize("game", ["topiary", "topas", "schlossgarten"])
def test_what_moves_is_near_its_place(visit: Visit, game: str) -> None:
    page = visit()
    open_table(page, game, {"players": 2}, [ME, RANDOM])
    seen = play_watched(page, game, 4)
    assert any(motion["moves"] for motion in seen)
    assert [wrong for wrong in map(astray, seen) if wrong] == []


def test_a_card_of_schlossgarten_is_played_and_a_pawn_walks(visit: Visit) -> None:
    page = visit()
    open_table(page, "schlossgarten", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.locator("[data-cell=d4]").focus()
    page.keyboard.press("+")
    page.get_by_role("button", name="Whole board").click()
    decide(page, by_keyboard=False)
    before = number(page)
    step(page, by_keyboard=False)
    wait_for_more(page, before)
    page.get_by_role("button", name="Take it back").click()
    wait_for_more(page, before + 1)


def test_a_replay_is_stepped_through(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(finished_game("topas")))
    page = visit("/replay")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("[data-step]")).to_have_attribute("data-step", "0")
    page.locator("h1").press("ArrowRight")
    expect(page.locator("[data-step]")).to_have_attribute("data-step", "1")
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("group", name="Score sheet")).to_be_visible()


def test_the_relay_changes_only_what_this_firefox_cannot_emulate() -> None:
    refused = {"type": "error", "id": 7, "error": "unknown command", "message": "emulation.setMediaFeaturesOverride"}
    assert json.loads(relayed(json.dumps(refused))) == {"type": "success", "id": 7, "result": {}}
    others = [refused | {"message": "input.performActions"}, refused | {"error": "invalid argument"}]
    for other in map(json.dumps, others):
        assert relayed(other) == other
