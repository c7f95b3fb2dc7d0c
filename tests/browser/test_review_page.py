"""A review: two people look at one game; one leads, the other follows, points, looks around, and takes over."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.games import finished_game
from tests.browser.helpers.looks import picture, violations
from tests.browser.helpers.tables import fits

LIT = """said => {
    const pointed = [...document.querySelectorAll("[role=status] span")].some((one) => one.textContent === said);
    return pointed && [...document.querySelectorAll("[data-board] path.lit")].at(-1)?.getAttribute("d");
}"""
"""Returns what is lit while a text is said: a point fades after a few seconds, so both are read at once."""


def named(page: Page, name: str) -> Page:
    page.evaluate("name => localStorage.setItem('bosquet.name', name)", name)
    return page


def plies(page: Page, count: int) -> None:
    expect(page.locator("[data-plies]")).to_have_attribute("data-plies", str(count))


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="Together", exact=True)


def says(page: Page, text: str) -> None:
    expect(bar(page).get_by_role("status").first).to_contain_text(text)


def press(page: Page, name: str | re.Pattern[str]) -> None:
    page.get_by_role("button", name=name).click()


def reviewed(page: Page, tmp_path: Path, record: dict[str, Any], forward: str, times: int = 1) -> None:
    """Open a finished game, step on in it, and look at it together."""
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(file)
    for _ in range(times):
        press(page, forward)
    press(page, "Look at it together")
    says(page, "You show the game")


def test_two_people_look_at_one_game(visit: Visit, tmp_path: Path) -> None:
    ann, bea = named(visit("/privacy"), "Ann"), named(visit("/privacy", phone=True, dark=True), "Bea")
    reviewed(ann, tmp_path, finished_game("topiary") | {"players": ["Zoe", "<i>Max</i>"]}, "One step forward", 3)
    plies(ann, 3)

    bea.goto(ann.url)
    says(bea, "Ann shows the game")
    says(bea, "2 people here")
    plies(bea, 3)
    press(ann, "One step forward")
    plies(bea, 4)
    ann.get_by_role("region", name="Best moves").get_by_role("listitem").last.get_by_role("button").click()
    plies(ann, 5)
    plies(bea, 5)
    expect(bea.get_by_role("region", name="Moves", exact=True)).to_have_text(
        ann.get_by_role("region", name="Moves", exact=True).inner_text(), use_inner_text=True
    )

    bea.get_by_role("button", name="Point", exact=True).click()
    cell = bea.locator("[data-board] [data-cell]").nth(7)
    pointed = cell.get_attribute("data-cell")
    cell.focus()
    bea.keyboard.press("Enter")
    expect(bar(ann).get_by_text(f"Bea points at {pointed}")).to_be_visible()
    plies(bea, 5)
    for page, name in ((ann, "review"), (bea, "review on a phone")):
        assert violations(page) == []
        assert fits(page)
        picture(page, name)

    press(bea, "One step back")
    says(bea, "you look on your own")
    press(ann, "To the start")
    plies(ann, 0)
    plies(bea, 4)
    press(bea, "Follow Ann")
    plies(bea, 0)
    press(ann, "Explore as Zoe saw it")
    expect(bea.get_by_text("What was hidden is drawn by chance")).to_be_visible()
    press(bea, "Show the game yourself")
    says(bea, "You show the game")
    says(ann, "Bea shows the game")
    press(bea, "All open")
    expect(ann.get_by_text("What was hidden is drawn by chance")).to_have_count(0)
    bea.reload()
    says(bea, "You show the game")
    says(ann, "Bea shows the game")
    bea.goto("/privacy")
    says(ann, "Nobody shows the game")
    says(ann, "1 person here")


def test_who_comes_when_all_have_left_sees_what_was_shown_last(visit: Visit, tmp_path: Path) -> None:
    ann, bea = named(visit("/privacy"), "Ann"), named(visit("/privacy"), "Bea")
    reviewed(ann, tmp_path, finished_game("topiary"), "One step forward", 3)
    ann.get_by_role("region", name="Best moves").get_by_role("listitem").last.get_by_role("button").click()
    plies(ann, 4)
    moves = ann.get_by_role("region", name="Moves", exact=True).inner_text()
    ann.wait_for_timeout(500)  # a page tells a place after a moment
    review = ann.url
    ann.goto("/privacy")

    bea.goto(review)
    says(bea, "Nobody shows the game")
    plies(bea, 4)
    expect(bea.get_by_role("region", name="Moves", exact=True)).to_have_text(moves, use_inner_text=True)
    bea.goto("/privacy")
    ann.goto(review)
    says(ann, "You show the game")  # the tab showed it last
    plies(ann, 4)
    ann.reload()
    says(ann, "You show the game")
    plies(ann, 4)


def test_each_half_of_a_card_of_topas_and_each_square_of_the_felt_can_be_pointed_at(
    visit: Visit, tmp_path: Path
) -> None:
    ann, bea = named(visit("/privacy"), "Ann"), named(visit("/privacy"), "Bea")
    reviewed(ann, tmp_path, finished_game("topas"), "To the end")
    bea.goto(ann.url)
    says(bea, "Ann shows the game")
    bea.get_by_role("button", name="Point", exact=True).click()
    halves = bea.locator("[data-board] [data-laid]")
    cells = halves.evaluate_all("all => all.map((half) => half.dataset.laid)")
    assert len(set(cells)) == len(cells) > 8
    drawn = set()
    for half in (2, 3):  # of one card
        halves.nth(half).click()
        drawn.add(ann.wait_for_function(LIT, arg=f"Bea points at {cells[half]}").json_value())
    assert len(drawn) == 2, "only the half is lit"
    expect(ann.get_by_text("Bea points at the place that glows")).to_be_visible()
    boxes = halves.evaluate_all("all => all.map((half) => half.getBoundingClientRect().toJSON())")
    low, box = max(zip(cells, boxes, strict=True), key=lambda pair: pair[1]["y"])
    bea.mouse.click(box["x"] + box["width"] / 2, box["y"] + 1.4 * box["height"])
    x, y = map(int, low.split(","))
    ann.wait_for_function(LIT, arg=f"Bea points at {x},{y - 1}")  # north is up
