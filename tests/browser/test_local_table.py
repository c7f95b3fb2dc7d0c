"""A table that lives in the page: it needs a server to load, and no network afterwards."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.offline import ready
from tests.browser.helpers.tables import fits, number, setting, wait_for_turn
from tests.browser.helpers.topiary import play_by_mouse

RELOADED = 5
"""Own decisions after which the page is loaded again."""


def test_a_game_is_played_to_its_end_without_a_network(visit: Visit) -> None:
    page = ready(visit(worker=True))
    page.locator("article[data-game=topiary]").get_by_role("button", name="Play on this device").click()
    page.wait_for_url("**/here/topiary")
    page.get_by_role("combobox", name="Bots").select_option("instant")
    made = 0
    while wait_for_turn(page):
        play_by_mouse(page)
        made += 1
        if made == 1:
            page.context.set_offline(True)
        if made == RELOADED:
            assert wait_for_turn(page)
            before = number(page)
            page.reload()
            assert wait_for_turn(page)
            assert number(page) == before
    assert made > RELOADED
    expect(page.locator(".ending")).to_contain_text(re.compile("won|lost|tie"))
    page.reload()
    page.get_by_role("button", name="Another game").click()
    assert wait_for_turn(page)
    assert fits(page)
    assert violations(page) == []


def test_a_table_that_is_set_up_is_played_on_this_device(visit: Visit) -> None:
    page = visit(dark=True)
    dialog = setting(page, "topiary")
    dialog.get_by_label("Seat 2").select_option("here")
    dialog.get_by_role("button", name="Play on this device").click()
    for _ in range(2):  # one at the screen after the other
        page.locator(".hand-over button").click()
        play_by_mouse(page)
        while page.get_by_role("heading", name="Your turn").count():
            play_by_mouse(page)
    page.goto("/")
    expect(page.get_by_role("link", name="Continue on this device")).to_have_attribute("href", "/here/topiary")
    setting(page, "topiary").get_by_text("The game that waits on this device is given up for it.").wait_for()
    page.goto("/here/topiary")
    other = page.context.new_page()
    other.goto("/here/topiary")  # the tab that was opened last leads
    page.get_by_role("button", name="Go on here").click()
    expect(other.get_by_role("alert")).to_have_text("This game goes on in another tab.")
