"""The scenes of the rules pages: playing the move that a position offers leads to the next one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit


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
