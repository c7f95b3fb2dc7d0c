"""The dialog in which a table is set: options of the games, and a box file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import opened, setting

STARTS = [["d2", "c2", "e2"], ["d6", "e6", "c6"]]


def test_options_and_a_box_go_to_the_table(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "box.json"
    file.write_text(json.dumps({"starts": {"2": STARTS}}))
    page = visit("/")
    dialog = setting(page, "schlossgarten")
    dialog.get_by_label("Work in a figure").select_option(label="one may dig, the other build")
    dialog.get_by_label("A building site has").select_option("elements")
    dialog.get_by_text("Play with what is in your box").click()
    dialog.locator("input[type=file]").set_input_files(file)
    assert violations(page) == []
    asked = opened(page, dialog)
    assert asked["options"] == {"players": 2, "work": "each", "overbuild": "elements"}
    assert asked["box"] == {"starts": {"2": STARTS}}
    expect(page.locator("[data-game=schlossgarten]").first).to_be_visible()


@pytest.mark.slow
def test_a_type_is_named_where_one_is_left_out(visit: Visit) -> None:
    page = visit("/")
    dialog = setting(page, "topiary")
    named = dialog.get_by_label("Type left out")
    named.select_option(label="Whale")
    dialog.locator("input[name=seats][value='4']").check(force=True)
    expect(named).to_have_count(0)
    dialog.locator("input[name=seats][value='3']").check(force=True)
    expect(named).to_have_value("W")
    asked = opened(page, dialog)
    assert asked["options"] == {"players": 3, "draft": False, "removed": "W"}


@pytest.mark.slow
@pytest.mark.parametrize("text", ["[]", "no JSON"])
def test_a_bad_box_file_is_refused_in_words(visit: Visit, tmp_path: Path, text: str) -> None:
    file = tmp_path / "box.json"
    file.write_text(text)
    page = visit("/")
    dialog = setting(page, "schlossgarten")
    dialog.get_by_text("Play with what is in your box").click()
    dialog.locator("input[type=file]").set_input_files(file)
    expect(dialog.get_by_text("box.json is not a box file.")).to_be_visible()
    expect(dialog.locator("footer button.main")).to_be_disabled()


def test_one_who_is_chosen_begins(visit: Visit) -> None:
    page = visit("/")
    dialog = setting(page, "topiary")
    first = dialog.get_by_label("Who begins")
    expect(first).to_have_value("lot")
    expect(dialog.get_by_text("the player who last trimmed a real plant")).to_be_visible()
    bot = first.locator("option").last.inner_text()
    first.select_option(label=bot)
    assert violations(page) == []
    assert opened(page, dialog)["first"] == 1
    expect(players(page).first).to_contain_text(bot)


def test_a_screen_asks_who_begins_when_the_phones_are_there(visit: Visit) -> None:
    screen = visit("/")
    dialog = setting(screen, "topiary")
    for chair in dialog.locator("ol select").all():
        chair.select_option("friend")
    dialog.get_by_label("This screen is the table").check()
    dialog.get_by_label("Who begins").select_option("open")
    dialog.locator("footer button.main").click()
    screen.wait_for_url("**/screen/**")
    link = screen.locator("aside input[readonly]")
    expect(link).to_be_attached()
    address = link.input_value()
    for name in ("Ann", "Bea"):
        phone = visit(address, phone=True)
        phone.get_by_role("textbox").fill(name)
        phone.get_by_role("button", name="Sit down").click()
    expect(screen.get_by_role("heading", name="Who begins?")).to_be_visible()
    expect(screen.get_by_text("the player who last trimmed a real plant")).to_be_visible()
    assert violations(screen) == []
    screen.get_by_role("button", name="Bea begins").click()
    expect(screen.get_by_role("region", name="The board for all")).to_be_visible()
    expect(players(screen).first).to_contain_text("Bea")


def players(page: Page) -> Locator:
    """The players of a table, in the order of their seats."""
    return page.get_by_role("list", name="Players").get_by_role("listitem")
