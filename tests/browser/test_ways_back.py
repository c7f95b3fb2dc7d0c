"""The way back: the browser's own, after a reload, and after the server could not be reached."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import (
    FRIEND,
    ME,
    PLAY_ON,
    PLAY_THROUGH,
    RANDOM,
    ask_for_table,
    joined,
    open_table,
    setting,
)


def test_back_and_forward_open_no_other_table(visit: Visit) -> None:
    page = visit("/")
    setting(page, "topas").locator("footer button.main").click()
    page.wait_for_url("**/table/**")
    table = page.url
    page.go_back()
    expect(page).to_have_url(re.compile("/$"))
    page.go_forward()
    expect(page).to_have_url(table)
    page.reload()
    expect(page).to_have_url(table)


def test_a_screen_that_follows_a_rematch_leaves_a_way_back(visit: Visit) -> None:
    page = visit("/privacy")
    table = ask_for_table(page, "topas", {"players": 2}, [ME, RANDOM])
    page.evaluate(PLAY_THROUGH, table)
    page.goto(f"/screen/{table}")
    page.locator("aside button.main").click()
    expect(page).not_to_have_url(re.compile(table))
    page.go_back()
    expect(page).to_have_url(re.compile("/privacy$"))
    page.wait_for_timeout(500)
    expect(page).to_have_url(re.compile("/privacy$"))


def test_a_next_table_that_was_closed_is_open_for_nobody(visit: Visit) -> None:
    ann, bea, screen = visit(), visit(), visit()
    table = open_table(ann, "topas", {"players": 2}, [ME, FRIEND])
    joined(ann, bea, table)
    for page in (ann, bea):
        page.wait_for_selector("[data-number]")
    bea.evaluate(f"table => void ({PLAY_ON})(table)", table)
    ann.evaluate(PLAY_ON, table)
    expect(bea.get_by_role("button", name="Another game")).to_be_visible()
    screen.goto(f"/screen/{table}")
    expect(screen.get_by_label("The board for all")).to_be_visible()
    for opener, other in ((ann, bea), (bea, ann)):
        opener.get_by_role("button", name="Another game").click()
        closing = opener.get_by_role("button", name="Close the table")
        closing.wait_for()
        expect(other.get_by_role("link", name="On to the next game")).to_be_visible()
        expect(screen).not_to_have_url(re.compile(table))
        expect(screen.get_by_role("heading", name="Waiting for")).to_be_visible()
        closing.click()
        expect(other.get_by_text("The table of the next game was closed.")).to_be_visible()
        expect(other.get_by_text("is open and begins")).to_have_count(0)
        expect(other.get_by_role("link", name="On to the next game")).to_have_count(0)
        expect(screen).to_have_url(re.compile(table))
        opener.get_by_role("link", name="Back to the last game").click()
        expect(opener.get_by_role("button", name="Another game")).to_be_visible()


def test_a_replay_stays_where_it_is(visit: Visit) -> None:
    page = visit("/")
    table = ask_for_table(page, "topas", {"players": 2}, [ME, RANDOM])
    page.evaluate(PLAY_THROUGH, table)
    page.goto(f"/replay/{table}")
    shown = page.locator("[data-step]")
    expect(shown).to_have_attribute("data-step", "0")
    before = page.evaluate("history.length")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#3$"))
    assert page.evaluate("history.length") == before
    page.reload()
    expect(shown).to_have_attribute("data-step", "3")
    page.get_by_role("link", name="To the table").or_(page.locator("header a.wordmark")).first.click()
    page.go_back()
    expect(shown).to_have_attribute("data-step", "3")
    page.evaluate("location.hash = '#5'")
    expect(shown).to_have_attribute("data-step", "5")


def test_back_leads_to_the_place_in_a_list_that_was_left(visit: Visit) -> None:
    page = visit("/puzzles", phone=True)
    page.locator("main a").nth(30).scroll_into_view_if_needed()
    left = page.evaluate("scrollY")
    assert left > 300
    page.evaluate("document.querySelectorAll('main a')[30].click()")
    expect(page).not_to_have_url(re.compile("/puzzles$"))
    page.go_back()
    page.wait_for_function("left => scrollY === left", arg=left)
    page.goto("/privacy")
    page.go_back()
    page.wait_for_function("left => scrollY === left", arg=left)


@pytest.mark.parametrize("path", ["/today", "/history", "/people", "/ratings", "/me"])
def test_a_page_that_could_not_be_had_comes_by_itself(visit: Visit, path: str) -> None:
    page = visit("/privacy")
    page.locator("h1").wait_for()
    away = re.compile("/api/(?!games)")
    page.context.route(away, lambda route: route.abort("internetdisconnected"))
    page.goto(path)
    problem = page.get_by_role("alert").filter(has_text="connection is lost")
    expect(problem.first).to_be_visible()
    page.context.unroute(away)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(problem).to_have_count(0)
