"""What people do on the board of Topiary."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.helpers.tables import number, wait_for_more


def play_by_mouse(page: Page) -> None:
    """One decision of one's own: the first thing that glows."""
    before = number(page)
    choose_by_mouse(page)
    wait_for_more(page, before)


def choose_by_mouse(page: Page) -> None:
    """Click on a move; whether it is made is another question."""
    prompt = page.locator(".prompt p").inner_text()
    if prompt.startswith("Place"):
        page.locator("[data-line] .near").first.click()
    elif prompt.startswith("Take"):
        page.locator("g.cell.open .lawn").last.click()  # what is drawn on it may stand out
    else:
        page.get_by_role("group", name="Your tiles").get_by_role("button").first.click()


def play_by_touch(page: Page) -> None:
    """One decision by thumb, on a phone; hidden tiles are left."""
    before = number(page)
    prompt = page.locator(".prompt p").text_content() or ""  # unseen while a line is chosen
    if prompt.startswith("Place"):
        page.locator("[data-line] .near").first.tap()
        fan = page.get_by_role("group", name="Sight lines here")
        box = fan.get_by_role("button").first.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        fan.get_by_role("button", name="Place a visitor here").tap()
    elif prompt.startswith("Take"):
        page.get_by_role("button", name="Leave them").tap()
    else:
        page.get_by_role("group", name="Your tiles").get_by_role("button").first.tap()
    wait_for_more(page, before)


def play_by_keyboard(page: Page) -> None:
    """One decision by arrow keys and Enter."""
    before = number(page)
    prompt = page.locator(".prompt p").inner_text()
    if prompt.startswith("Place"):
        page.locator("svg[role=group] [tabindex='0']").focus()
        for key in [*["ArrowLeft"] * 5, *["ArrowUp"] * 9, *["ArrowRight"] * 9, *["ArrowDown"] * 9, *["ArrowLeft"] * 9]:
            if page.locator("g.free:focus").count():
                break
            page.keyboard.press(key)
        page.keyboard.press("Enter")
    elif prompt.startswith("Take"):
        page.get_by_role("button", name="Leave them").press("Enter")
    else:
        page.get_by_role("group", name="Your tiles").get_by_role("button").first.press("Enter")
    wait_for_more(page, before)
