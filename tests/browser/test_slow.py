"""Slow tables in the browser: set, found by a friend, played, listed with the time left, and counted in the title."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import number, opened, setting, wait_for_more
from tests.browser.helpers.topas import choose_card, squares

LEFT = re.compile("3 days left")


def in_list(page: Page) -> None:
    """See the own table in the list of the start page."""
    page.get_by_role("link", name="bosquet").first.click()
    expect(page.locator("article", has_text="3 days a turn").first).to_be_visible()


def test_a_slow_table_is_set_played_and_counted(visit: Visit) -> None:
    ann, bea = visit("/"), visit()
    dialog = setting(ann, "topas")
    expect(dialog.get_by_label("When it is played")).to_have_count(0)
    dialog.get_by_label("Seat 2").select_option("friend")
    expect(dialog.get_by_label("Which bot")).to_have_count(0)
    dialog.get_by_label("When it is played").select_option(label="3 days for each turn")
    dialog.get_by_label("When that time is over").select_option(label="a bot plays until they are back")
    dialog.get_by_label("Which bot").select_option(label="5 · Hawthorn")
    assert violations(ann) == []
    asked = opened(ann, dialog)
    assert asked["slow"] == {"days": 3, "bot": "level5", "until_back": True}
    agreed = "3 days for each turn. After that Hawthorn, a bot, plays until they are back."
    expect(ann.get_by_text(agreed)).to_be_visible()
    bea.goto(ann.get_by_label("Link to this table").input_value())
    expect(bea.get_by_text(agreed)).to_be_visible()
    bea.get_by_role("button", name="Sit down").click()
    for page in (ann, bea):
        page.wait_for_selector("[data-number]")
        expect(page.locator(".left time")).to_have_text(LEFT)
        expect(page.locator(".left time")).to_contain_text("until")
    first, second = (ann, bea) if ann.locator("h1").inner_text() == "Your turn" else (bea, ann)
    expect(first).to_have_title("(1) Your turn · Topas")
    expect(second).to_have_title(re.compile("^[^(]*’s turn · Topas"))
    for page in (ann, bea):
        assert violations(page) == []

    # Whose turn it is stands in the lists, and the title of any page counts what waits.
    for page in (ann, bea):
        in_list(page)
    expect(first).to_have_title("(1) bosquet")
    expect(second).to_have_title("bosquet")
    expect(first.locator("article", has_text="3 days a turn")).to_contain_text(re.compile("Your turn, 3 days left"))
    expect(second.locator("article", has_text="3 days a turn")).to_contain_text(re.compile("’s turn, 3 days left"))
    expect(second.locator("article", has_text="3 days a turn")).to_contain_text(
        "then Hawthorn, a bot, plays until they are back"
    )
    assert violations(first) == []
    first.goto("/rules/topas")
    expect(first).to_have_title(re.compile(r"^\(1\) "))

    first.go_back()
    first.get_by_role("link", name=re.compile("^Continue at the table of Topas with")).click()
    before = number(first)
    choose_card(first)
    first.mouse.move(5, 5)
    squares(first).first.hover()
    first.wait_for_timeout(400)
    squares(first).first.click()
    wait_for_more(first, before)
    expect(first).to_have_title(re.compile("^[^(]*’s turn · Topas"))
    # The other one's start page hears of it within seconds.
    expect(second).to_have_title("(1) bosquet")


def test_at_one_screen_or_against_bots_nobody_takes_days(visit: Visit) -> None:
    page = visit("/")
    dialog = setting(page, "topas")
    dialog.get_by_label("Seat 2").select_option("friend")
    dialog.get_by_label("When it is played").select_option(label="1 day for each turn")
    dialog.get_by_label("Seat 2").select_option("level1")
    expect(dialog.get_by_label("When it is played")).to_have_count(0)
    assert opened(page, dialog)["slow"] is None
