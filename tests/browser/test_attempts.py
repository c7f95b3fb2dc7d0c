"""Tables at which no moves are shown: what the rules forbid is said once it is tried, and nothing has changed."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, RANDOM, number, open_table, wait_for_more, wait_for_turn

NEIGHBOURS = [(0, 1), (0, -1), (1, 0), (-1, 0)]


def refused(page: Page, words: str) -> None:
    """The page says why not, and closes what it said."""
    before = number(page)
    notice = page.get_by_role("alert")
    expect(notice).to_have_text(re.compile(words))
    assert number(page) == before
    page.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)


def test_a_visitor_takes_a_tile_beside_its_line(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM], "none")
    assert wait_for_turn(page)
    before = number(page)
    column = next(c for c in "cbd" if page.locator(f'g.free[data-line="{c}1N"]').count())
    page.get_by_role("group", name="Your tiles").locator("button").first.click(force=True)
    expect(page.get_by_text("Choose one of the arrows")).to_be_visible()
    assert number(page) == before
    page.locator(f'[data-line="{column}1N"]').focus()
    page.keyboard.press("Enter")
    wait_for_more(page, before)
    expect(page.locator(f'.cell[data-cell="{column}1"]')).to_be_focused()
    expect(page.locator(".cell.open")).to_have_count(0)
    page.locator('.cell[data-cell="e5"]').click()
    refused(page, "e5 is not on the line")
    before = number(page)
    page.locator(f'.cell[data-cell^="{column}"][aria-label*="face-down"]').last.click()
    wait_for_more(page, before)
    before = number(page)
    page.get_by_role("group", name="Your tiles").get_by_role("button").first.click()
    wait_for_more(page, before)
    assert wait_for_turn(page)
    mine = page.locator(f'.visitor[data-place="{column}1N"]')
    mine.focus()
    mine.press("Enter")
    refused(page, "A visitor stands on this line")


def test_a_card_on_a_card(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 1}, [ME], "none")
    covered, free = page.locator('[data-cell="0,0"]'), page.locator('[data-cell="0,1"]')
    expect(page.locator("g.fits")).to_have_count(0)
    expect(free).to_have_attribute("aria-label", "0,1 east")
    covered.focus()
    covered.press("Enter")
    refused(page, "A card lies there already")
    before = number(page)
    box = free.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(400)  # a card is seen where it would lie before a click lays it
    page.mouse.down()
    page.mouse.up()
    wait_for_more(page, before)


def test_a_pawn_goes_too_far(visit: Visit) -> None:
    page = visit()
    open_table(page, "schlossgarten", {"players": 2}, [ME, RANDOM], "none")
    assert wait_for_turn(page)
    expect(page.get_by_text("Hint", exact=True)).to_have_count(0)
    before = number(page)
    page.get_by_role("button", name="Card ").first.click()
    page.get_by_role("button", name="Play this card").click()
    wait_for_more(page, before)
    king = page.get_by_role("gridcell", name="king").and_(page.get_by_role("gridcell", name="can be picked"))
    at = king.get_attribute("data-cell") or ""
    far = _cell(page, "a1" if at > "d" else "g1")
    king.click()
    expect(page.locator(".offer")).to_have_count(0)
    far.click()
    refused(page, "^The king can’t go|A pawn stands|An element")
    before = number(page)
    near = [_cell(page, chr(ord(at[0]) + east) + str(int(at[1]) + north)) for east, north in NEIGHBOURS]
    next(cell for cell in near if cell.count() and _is_free(cell)).click()
    wait_for_more(page, before)


def _is_free(cell: Locator) -> bool:
    return re.fullmatch(r"\w\d: \w+ \d", cell.get_attribute("aria-label") or "") is not None


def _cell(page: Page, name: str) -> Locator:
    return page.locator(f'[role="gridcell"][data-cell="{name}"]')
