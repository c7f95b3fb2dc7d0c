"""What people do on the board of Schlossgarten."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tests.browser.helpers.tables import number, wait_for_more


def press(button: Locator, by_keyboard: bool) -> None:
    """Use a button."""
    if by_keyboard:
        button.press("Enter")
    else:
        button.click()


def decide(page: Page, by_keyboard: bool) -> None:
    """One decision: play the first card, stop at once, work no more."""
    before = number(page)
    stop = page.get_by_role("button", name="Stop moving")
    end = page.get_by_role("button", name="End the work")
    card = page.get_by_role("button", name="Card ").first
    stop.or_(end).or_(card).first.wait_for()
    if stop.count():
        press(stop, by_keyboard)
        anyway = page.get_by_role("button", name="Stop all the same")
        if number(page) == before and anyway.count():
            press(anyway, by_keyboard)
    elif end.count():
        press(end, by_keyboard)
    else:
        press(card, by_keyboard)
        press(page.get_by_role("button", name="Play this card"), by_keyboard)
    wait_for_more(page, before)


def step(page: Page, by_keyboard: bool) -> None:
    """Take a pawn up and put it on a cell that it can reach."""
    press(page.get_by_role("gridcell", name="can be picked").first, by_keyboard)
    press(page.get_by_role("gridcell", name="step here").first, by_keyboard)
