"""Games that were played on this device are taken along to the server, where they are one's own and are not rated."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import fits, wait_for_turn
from tests.browser.helpers.topiary import play_by_mouse
from tests.server.helpers.brought import whole

SAVED = ("topas", 21), ("topas", 22), ("topiary", 23)


def kept_table(name: str, seed: int, record: dict[str, Any]) -> dict[str, Any]:
    """What a device keeps of a finished game, as its file has it."""
    return {
        "id": f"{seed:016x}",
        "form": 3,
        "game": name,
        "options": {"players": 2},
        "box": None,
        "duel": None,
        "open": False,
        "seats": [{"name": "Ann", "bot": None}, {"name": "greedy", "bot": "greedy"}],
        "assistance": "full",
        "pace": "human",
        "hints": False,
        "secret": f"{seed:064x}",
        "journal": [],
        "begun": True,
        "changed": f"2026-01-{seed:02}T12:00:00.000Z",
        "record": record,
    }


def take_in(page: Page, folder: Path) -> None:
    """Take in a file of another device, with three games; the points of the last one are wrong."""
    tables = [kept_table(name, seed, whole(name, seed)) for name, seed in SAVED]
    tables[-1]["record"]["result"]["scores"][0] += 1
    file = folder / "bosquet-device.json"
    file.write_text(json.dumps({"format": "bosquet-device/1", "tables": tables, "answers": []}))
    page.get_by_label("Import a file").set_input_files(file)
    expect(page.get_by_text("3 games imported")).to_be_visible()


def test_games_of_a_device_are_taken_along_each_once(visit: Visit, tmp_path: Path) -> None:
    page = visit("/")
    page.locator("article[data-game=topiary]").get_by_role("button", name="Play now").click()
    page.wait_for_url("**/here/topiary/*")
    page.get_by_role("button", name="Bots move at once").click()
    while wait_for_turn(page):
        play_by_mouse(page)
    page.goto("/history")
    take_in(page, tmp_path)
    here = page.locator("[data-here]")
    expect(here).to_have_count(4)
    expect(here.filter(has_text="also at this server")).to_have_count(0)
    assert fits(page)
    assert violations(page) == []
    page.get_by_role("button", name="Take 4 games along to this server").click()
    expect(page.get_by_text("3 games are at this server now")).to_be_visible()
    expect(page.get_by_text("1 game stays here alone")).to_be_visible()
    expect(here.filter(has_text="also at this server")).to_have_count(3)
    there = page.locator("[data-table]")
    expect(there.filter(has_text="on a device, not rated")).to_have_count(3)
    expect(page.get_by_role("button", name="Take 1 game along to this server")).to_be_visible()
    page.set_viewport_size(PHONE)
    assert fits(page)
    assert violations(page) == []

    # A page that is loaded again knows it, and so does another device of the same person: it asks the server.
    page.reload()
    expect(here.filter(has_text="also at this server")).to_have_count(3)
    expect(there).to_have_count(3)
    for row in (0, 1, 2):
        here.filter(has_text="also at this server").first.get_by_role("button", name="Delete").click()
        expect(here).to_have_count(3 - row)
    expect(there).to_have_count(3)
    there.first.get_by_role("link", name=re.compile("Replay")).click()
    expect(page.locator("[data-step]")).to_have_attribute("data-step", "0")
    page.get_by_role("link", name="Ask the coach").click()
    page.wait_for_selector("[data-stage=done]", timeout=400_000)
