"""The scenes of the rules pages: playing the move that a position offers leads to the next one."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

import bosquet
from tests.browser.conftest import DESKTOP, PHONE, Visit
from tests.browser.helpers.tables import fits


def cell(name: str) -> Callable[[Locator], Locator]:
    return lambda scene: scene.locator(f"[data-cell='{name}']")


TOPIARY = [
    lambda scene: scene.locator("[data-line='a5S']"),
    cell("a3"),
    lambda scene: scene.locator(".hand button.active"),
]
TOPAS = [lambda scene: scene.locator(".dock .cards button").nth(1), cell("-1,-1"), cell("-1,-1")]


@pytest.mark.parametrize(
    ("game", "chapter", "presses"),
    [
        ("topiary", "turn", TOPIARY),
        ("topas", "turn", TOPAS),
        ("schlossgarten", "turn", [cell("e2"), cell("d2")]),
        ("schlossgarten", "work", [cell("d1"), cell("d1")]),
    ],
)
def test_a_turn_can_be_played_through(
    visit: Visit, game: str, chapter: str, presses: list[Callable[[Locator], Locator]]
) -> None:
    page = visit(f"/rules/{game}")
    scene = page.locator(f"section#{chapter} figure")
    number = scene.locator(".steps .number")
    first = number.inner_text()
    for press in presses:
        press(scene).focus()
        page.keyboard.press("Enter")
    expect(scene.get_by_role("button", name="Next")).to_be_disabled()
    assert number.inner_text() != first


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_five_tips_stand_on_boards_that_fit(visit: Visit, name: str) -> None:
    page = visit("/", phone=True)
    page.locator(f"article[data-game={name}]").get_by_role("link", name="Five tips").click()
    expect(page).to_have_url(re.compile(rf"/rules/{name}#tips$"))
    tips = page.locator("#tips li")
    expect(tips).to_have_count(5)
    expect(page.locator("#tips button:not([inert] *), #tips [tabindex]:not([inert] *)")).to_have_count(0)
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        for number in range(5):
            board = tips.nth(number).locator("figure").first
            box = board.bounding_box()
            assert box is not None
            assert box["width"] >= 120
            assert box["height"] >= 90
            expect(tips.nth(number).locator("p").first).not_to_be_empty()
        assert fits(page)
    assert page.evaluate("localStorage.getItem('bosquet.tips')") == name
