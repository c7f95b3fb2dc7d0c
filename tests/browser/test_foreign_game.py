"""The foreign game of tests/foreign in the browser, on the generic board, at a real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, serving
from tests.browser.helpers.tables import ME, RANDOM, finished, number, open_table, wait_for_more, wait_for_turn

PACKAGE = Path(__file__).parents[1] / "foreign" / "package"


@pytest.fixture
def foreign_address(tmp_path: Path) -> Iterator[str]:
    """Where a server listens that has the foreign game installed."""
    with serving(tmp_path, {"PYTHONPATH": str(PACKAGE), "BOSQUET_JIT": "0"}) as address:
        yield address


def test_its_engine_plays_without_a_network(browser: Browser, foreign_address: str) -> None:
    with browser.new_context(base_url=foreign_address, viewport=PHONE, has_touch=True, is_mobile=True) as context:
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.goto("/")
        page.locator("article[data-game=matches]").get_by_role("button", name="Play now").click()
        page.wait_for_url("**/here/matches/*")
        made = 0
        while wait_for_turn(page):
            context.set_offline(True)
            before = number(page)
            page.locator("[data-move]").first.click()
            wait_for_more(page, before)
            made += 1
        assert made > 3
        expect(page.locator(".ending")).to_contain_text(re.compile("won|lost"))


def test_it_is_offered_and_played_to_its_end(browser: Browser, foreign_address: str) -> None:
    with browser.new_context(base_url=foreign_address, viewport=PHONE, has_touch=True, is_mobile=True) as context:
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.goto("/")
        expect(page.get_by_role("heading", name="Tide")).to_be_visible()
        open_table(page, "tide", {"players": 2}, [ME, RANDOM])
        while wait_for_turn(page):
            before = number(page)
            page.locator("[data-move]").first.click()
            wait_for_more(page, before)
        record = finished(page)
        assert record["game"] == "tide"
        assert record["result"]["winners"]
