"""Two quick taps do not zoom, and two fingers do; browsers that darken pages leave the colours alone."""

from __future__ import annotations

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, RANDOM, open_table, wait_for_turn

ZOOMED_BY_TAPS = """() => [...document.querySelectorAll("body *")].filter(node => {
    for (let one = node; one; one = one.parentElement)
        if (getComputedStyle(one).touchAction !== "auto") return false;
    return true;
}).length"""
"""How many elements a browser may zoom to by two quick taps."""
ZOOMED_BY_FINGERS = """of => [...document.querySelectorAll(of)].every(node => {
    for (let one = node; one; one = one.parentElement)
        if (!/auto|manipulation|pinch-zoom/.test(getComputedStyle(one).touchAction)) return false;
    return true;
})"""


def test_two_quick_taps_zoom_no_page(visit: Visit) -> None:
    page = visit(phone=True)
    for path in ("/", "/score/topiary"):
        page.goto(path)
        page.locator("h1").first.wait_for()
        assert page.evaluate(ZOOMED_BY_TAPS) == 0, path
        assert page.evaluate(ZOOMED_BY_FINGERS, "h1, main h2, header a"), path
    for game in bosquet.GAMES:
        open_table(page, game, {"players": 2}, [ME, RANDOM])
        assert wait_for_turn(page)
        assert page.evaluate(ZOOMED_BY_TAPS) == 0, game
        assert page.evaluate(ZOOMED_BY_FINGERS, "h1, header a"), game


def test_a_browser_that_darkens_pages_changes_no_colour(visit: Visit) -> None:
    page = visit("/privacy", dark=True)
    page.locator("h1").first.wait_for()
    darkens = page.context.new_cdp_session(page)
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        before = page.screenshot(animations="disabled")
        darkens.send("Emulation.setAutoDarkModeOverride", {"enabled": True})
        page.wait_for_timeout(300)
        assert page.screenshot(animations="disabled") == before, theme
        darkens.send("Emulation.setAutoDarkModeOverride", {})
    assert page.locator("meta[name=darkreader-lock]").count() == 1
