"""The page of a server that lies in a folder of its host, beside other things."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visit, visiting
from tests.browser.helpers.offline import go_online, wait
from tests.browser.helpers.tables import number, setting, wait_for_turn
from tests.browser.helpers.topiary import play_by_mouse
from tests.helpers.services import serving

BASE = "/games/"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of the page."""
    with serving(tmp_path, None, "--base", BASE) as address:
        yield address + BASE


@pytest.fixture
def visit_site(browser: Browser, site: str) -> Iterator[Visit]:
    """Opens pages; any request that leads out of the folder fails the test."""
    with visiting(browser, site) as open_page:
        yield open_page


def test_a_table_is_opened_played_and_shared(visit_site: Visit, site: str) -> None:
    page = visit_site("./")
    dialog = setting(page, "topiary")
    dialog.get_by_label("Seat 2").select_option("friend")
    dialog.get_by_role("button", name="Open the table").click()
    page.wait_for_url(f"{site}table/*")
    link = page.locator("input[readonly]").first.input_value()
    assert link.startswith(page.url + "#")
    friend = visit_site(link)
    friend.get_by_role("button", name="Sit down").click()
    for one in (page, friend):
        one.wait_for_selector("[data-number]")
    first = page if page.get_by_role("heading", name="Your turn").count() else friend
    before = number(first)
    play_by_mouse(first)
    first.reload()
    first.wait_for_selector("[data-number]")
    assert number(first) > before
    assert {cookie.get("path") for cookie in page.context.cookies()} == {BASE}


def test_links_stay_in_the_folder_also_in_another_tab(visit_site: Visit, site: str) -> None:
    page = visit_site("./")
    page.locator("footer").wait_for()
    addresses = page.locator("a[href]").evaluate_all("links => links.map(link => link.href)")
    assert len(addresses) > 10
    assert [address for address in addresses if not address.startswith(site)] == []
    page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    page.wait_for_url(f"{site}rules/*")
    page.go_back()
    page.wait_for_url(site)


def test_its_worker_keeps_the_folder_and_nothing_else(visit_site: Visit, site: str) -> None:
    page = visit_site("./", worker=True)
    wait(page, f"navigator.serviceWorker.controller && await caches.match('{BASE}language')")
    assert page.evaluate("navigator.serviceWorker.ready.then(({scope}) => scope)") == site
    page.context.set_offline(True)
    page.goto(f"{site}rules/topas")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Topas")
    page.goto(site)
    page.locator("article[data-game=topiary]").get_by_role("button", name="Play now").wait_for()
    go_online(page)
    expect(page.locator("section[inert]")).to_have_count(0)  # it has loaded itself again
    page.goto(f"{site}here/topiary")
    assert wait_for_turn(page)
