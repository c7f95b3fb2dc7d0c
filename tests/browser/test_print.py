"""What is printed of tables and of the rules; that of a replay is in `test_pages.py`."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.prints import expect_good_print
from tests.browser.helpers.tables import ME, RANDOM, open_table, wait_for_turn


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_table(visit: Visit, name: str) -> None:
    page = visit()
    open_table(page, name, {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    expect_good_print(page)


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_the_rules(visit: Visit, name: str) -> None:
    page = visit(f"/rules/{name}")
    page.locator("figure").first.wait_for()
    findings = page.get_by_role("link", name="What the bots know")
    expect(findings).to_be_visible()
    expect_good_print(page)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1047})  # a sheet of A4 within its margins
    figures = page.locator("figure").evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert max(figures) < 1047, "none is cut in two"
    page.set_viewport_size({"width": 739, "height": 979})  # one of Letter
    first = page.locator("figure").first.evaluate("figure => figure.getBoundingClientRect().bottom")
    assert first < 979, "it is on the sheet of the title"
    expect(findings).to_be_hidden()
