"""What is printed: nothing that can be pressed, everything that is folded, and the end of every motion."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.helpers.tables import fits

FOLDED = """() => [...document.querySelectorAll('details:not([open])')]
    .filter((fold) => fold.checkVisibility())
    .filter((fold) => [...fold.children].slice(1).every((part) => !part.checkVisibility({contentVisibilityAuto: true})))
    .map((fold) => fold.textContent)"""
PRESSED = """() => [...document.querySelectorAll('button, a.button, select')]
    .filter((key) => key.checkVisibility() && !key.querySelector('svg, img'))
    .map((key) => key.textContent)"""
KEYS = """() => [...document.querySelectorAll('.scrubber, [role=group].keys, button.turn, button.whole')]
    .filter((key) => key.checkVisibility()).length"""


def expect_good_print(page: Page) -> None:
    """Look at the page as it is printed."""
    page.emulate_media(media="print")
    assert page.evaluate(FOLDED) == []
    assert page.evaluate(PRESSED) == []
    assert page.evaluate(KEYS) == 0
    assert page.evaluate("document.getAnimations().length") == 0
    assert fits(page)
    page.emulate_media(media="screen")
