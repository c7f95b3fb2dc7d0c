"""A guest who wants to be forgotten finds the way, and is."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, RANDOM, open_table


def test_a_guest_downloads_and_erases_what_is_kept(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    page.goto(page.url.split("/table")[0] + "/")
    page.get_by_role("link", name="Privacy").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download what is kept").click()
    kept = json.loads(Path(download.value.path()).read_text())
    assert [table["game"] for table in kept["tables"]] == ["topas"]
    page.get_by_role("button", name="Erase everything about me").click()
    expect(page.get_by_role("button", name="Erase", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Everything about you is erased.")
    answer = page.request.get("/api/me")
    kept = answer.json()
    assert "tables" in kept
    assert not any(kept.values())
