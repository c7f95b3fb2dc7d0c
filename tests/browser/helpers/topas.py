"""What people do on the board of Topas."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def squares(page: Page) -> Locator:
    """The squares where the chosen card may lie as it is turned."""
    return page.locator("g.fits[data-cell]")


def choose_card(page: Page) -> None:
    """Choose the first card, unless one is chosen by itself."""
    page.locator(".dock.playing").wait_for()
    if squares(page).count() == 0:
        page.get_by_role("group", name="Your cards").get_by_role("button").first.click()
    squares(page).first.wait_for()


def lay_by_mouse(page: Page, nth: int = 0) -> None:
    """Lay the chosen card, after it was seen where it would lie."""
    squares(page).nth(nth).hover()
    expect(page.locator(".bubble")).to_be_visible()
    page.wait_for_timeout(400)
    squares(page).nth(nth).click()
