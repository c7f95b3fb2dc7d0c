"""What is printed: nothing that can be pressed, everything that is folded, and the end of every motion."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.games import finished_game
from tests.browser.helpers.tables import ME, RANDOM, fits, open_table, wait_for_turn

FOLDED = """() => [...document.querySelectorAll('details:not([open])')]
    .filter((fold) => fold.checkVisibility())
    .filter((fold) => [...fold.children].slice(1).every((part) => !part.checkVisibility({contentVisibilityAuto: true})))
    .map((fold) => fold.textContent)"""
PRESSED = """() => [...document.querySelectorAll('button, a.button, select')]
    .filter((key) => key.checkVisibility() && !key.querySelector('svg, img'))
    .map((key) => key.textContent)"""
KEYS = """() => [...document.querySelectorAll('.scrubber, [role=group].keys, button.turn, button.whole')]
    .filter((key) => key.checkVisibility()).length"""


def check(page: Page) -> None:
    page.emulate_media(media="print")
    assert page.evaluate(FOLDED) == []
    assert page.evaluate(PRESSED) == []
    assert page.evaluate(KEYS) == 0
    assert page.evaluate("document.getAnimations().length") == 0
    assert fits(page)
    page.emulate_media(media="screen")


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_replay_and_its_sheet(visit: Visit, name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(finished_game(name)))
    page = visit("/replay")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("group", name="Score sheet")).to_be_visible()
    check(page)


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_table(visit: Visit, name: str) -> None:
    page = visit()
    open_table(page, name, {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    check(page)


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_the_rules(visit: Visit, name: str) -> None:
    page = visit(f"/rules/{name}")
    page.locator("figure").first.wait_for()
    findings = page.get_by_role("link", name="What the bots know")
    expect(findings).to_be_visible()
    check(page)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1047})  # a sheet of A4 within its margins
    figures = page.locator("figure").evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert max(figures) < 1047, "none is cut in two"
    page.set_viewport_size({"width": 739, "height": 979})  # one of Letter
    first = page.locator("figure").first.evaluate("figure => figure.getBoundingClientRect().bottom")
    assert first < 979, "it is on the sheet of the title"
    expect(findings).to_be_hidden()
