"""While a browser translates the page, every number and sentence on it stays true."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.schlossgarten import decide
from tests.browser.helpers.tables import ME, RANDOM, number, open_table, wait_for_more, wait_for_turn
from tests.browser.helpers.topas import choose_card, lay_by_mouse
from tests.browser.helpers.topiary import choose_by_mouse
from tests.browser.helpers.translator import WAYS, read, said, translate, undo

SETTLED = 300
"""Milliseconds after which everything is translated."""
SOON = 20.0
"""Seconds after which two pages that look at the same say the same."""


def topas(page: Page) -> None:
    choose_card(page)
    lay_by_mouse(page)


def schlossgarten(page: Page) -> None:
    decide(page, by_keyboard=False)


GAMES = {"topas": topas, "topiary": choose_by_mouse, "schlossgarten": schlossgarten}


def expect_true(page: Page, truth: Page) -> None:
    """The page says what an untranslated one of the same guest says that has seen the same."""
    page.mouse.move(5, 5)
    for one in (page, truth):
        one.mouse.move(5, 5)
        expect(one.locator(".bubble")).to_have_count(0)
    deadline = time.monotonic() + SOON
    while True:  # lists of the tables that others play reach the two pages at different times
        page.wait_for_timeout(SETTLED)
        if (here := read(page)) == (there := read(truth)) or time.monotonic() > deadline:
            break
    assert here == there
    assert page.locator("font").count() or "·" in page.locator("main").inner_text()


def go_home(page: Page) -> None:
    page.get_by_role("link", name="bosquet").first.click()
    page.get_by_role("button", name="Play now").first.wait_for()


@pytest.mark.parametrize(
    ("game", "way"), [*(("topas", way) for way in WAYS), ("topiary", "replaces"), ("schlossgarten", "replaces")]
)
def test_a_game(visit: Visit, game: str, way: str) -> None:
    page = visit()
    table = open_table(page, game, {"players": 2}, [ME, RANDOM])
    truth = page.context.new_page()
    truth.goto(f"/table/{table}")
    for one in (page, truth):
        assert wait_for_turn(one)
    translate(page, way)
    for _ in range(9 if way == "replaces" else 3):  # the other ways meet what each move changes, and not the end
        page.wait_for_function("() => /Your turn|over/.test(document.querySelector('h1').innerText)")
        expect(truth.locator("[data-number]")).to_have_attribute("data-number", str(number(page)))
        expect_true(page, truth)
        assert said(page) == said(truth)
        if "over" in page.locator("h1").inner_text():
            break
        before = number(page)
        GAMES[game](page)
        wait_for_more(page, before)
    for one in (page, truth):
        go_home(one)
    expect_true(page, truth)


@pytest.mark.parametrize("way", WAYS)
def test_pages_one_after_the_other(visit: Visit, way: str) -> None:
    page = visit("/")
    truth = page.context.new_page()
    truth.goto("/")
    for one in (page, truth):
        go_home(one)
    translate(page, way)
    for link in ("Today", "Puzzles", "Ratings", "bosquet", "Replay", "bosquet"):
        for one in (page, truth):
            if one.get_by_role("link", name=link).count() == 0:
                continue
            one.get_by_role("link", name=link).first.click()
        expect(truth).to_have_url(page.url)
        for one in (page, truth):
            one.locator("main h1").first.wait_for()
            one.wait_for_load_state("networkidle")
        expect_true(page, truth)
    for one in (page, truth):
        one.get_by_role("button", name="Set up a table").first.click()
        dialog = one.get_by_role("dialog")
        dialog.get_by_label("Seat 2").select_option("friend")
        one.wait_for_timeout(SETTLED)
    expect_true(page, truth)
    for one in (page, truth):
        one.keyboard.press("Escape")
        expect(one.locator("dialog[open]")).to_have_count(0)
    expect_true(page, truth)


def test_when_the_translation_is_undone_the_page_goes_on(visit: Visit) -> None:
    page = visit()
    table = open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    truth = page.context.new_page()
    truth.goto(f"/table/{table}")
    for one in (page, truth):
        assert wait_for_turn(one)
    translate(page, "replaces")
    page.wait_for_timeout(SETTLED)
    undo(page)
    page.wait_for_timeout(SETTLED)
    before = number(page)
    topas(page)
    wait_for_more(page, before)
    page.wait_for_function("() => /Your turn|over/.test(document.querySelector('h1').innerText)")
    expect(truth.locator("[data-number]")).to_have_attribute("data-number", str(number(page)))
    expect_true(page, truth)
