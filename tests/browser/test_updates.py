"""A tab that is open across an update, or whose network lets a part through and another one not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import FRIEND, ME, joined, open_table

MISSING = "A part of this page could not be loaded"


def update(page: Page, kind: str = r"(js|css)") -> None:
    """From now on the server has no file of the page that is open."""
    page.route(
        re.compile(rf"/assets/[^?]*\.{kind}$"),
        lambda route: route.abort("connectionrefused"),
    )


def expect_told(page: Page) -> None:
    """The reader is told what to do, once, and can do it."""
    told = page.get_by_role("alert").filter(has_text=MISSING)
    expect(told).to_be_visible()
    page.unroute_all()
    with page.expect_navigation():
        page.get_by_role("button", name="Load the page again").click()
    page.wait_for_load_state("networkidle")
    expect(told).to_have_count(0)


@pytest.mark.parametrize("kind", ["js", "css"])
def test_a_table_can_not_be_set_up(visit: Visit, kind: str) -> None:
    page = visit("/")
    page.get_by_role("button", name="Set up a table").first.wait_for()
    update(page, kind)
    page.get_by_role("button", name="Set up a table").first.click()
    expect_told(page)
    page.get_by_role("button", name="Set up a table").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_another_language_can_not_be_spoken(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Play now").first.wait_for()
    update(page)
    page.get_by_label("Language").select_option("fr")
    expect(page.get_by_role("alert").filter(has_text=MISSING)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Three games, one garden")


def test_a_line_that_is_typed_stays_while_a_part_is_missing(visit: Visit) -> None:
    host, friend = visit(), visit()
    table = open_table(host, "topas", {"players": 2}, [ME, FRIEND])
    joined(host, friend, table)
    friend.wait_for_selector("[data-number]")
    friend.locator("summary", has_text=re.compile("^Chat")).click()
    line = friend.get_by_label("Your line")
    line.fill("I was about to say")
    update(friend)
    friend.get_by_label("Language").select_option("fr")
    expect(friend.get_by_role("alert").filter(has_text=MISSING)).to_be_visible()
    expect(line).to_have_value("I was about to say")
    friend.get_by_role("button", name="Close").last.click()
    line.press("Enter")
    expect(host.get_by_text("I was about to say").first).to_be_attached()


def test_a_page_that_does_not_come_says_so_in_its_place(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Play now").first.wait_for()
    update(page)
    page.locator("main a[href='/replay']").first.click()
    expect(page.get_by_role("heading", name="could not be loaded")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text=MISSING)).to_have_count(0)
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("main input[type=file]")).to_be_attached()


@pytest.mark.parametrize("what", ["script", "everything", "words"])
def test_without_its_script_the_page_says_so(visit: Visit, what: str) -> None:
    page = visit("/privacy")
    kinds = {"script": r"index-[^/]*\.js", "everything": r"[^/]*\.(js|css)", "words": r"first-[^/]*\.js"}
    page.route(re.compile(rf"/assets/{kinds[what]}$"), lambda route: route.abort("connectionrefused"))
    page.goto("/")
    expect(page.get_by_text("Load the page again.")).to_be_visible()
