"""By keyboard alone: the focus goes to where the next decision is, and the keys of a board can be looked up."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, RANDOM, ask_for_table, number, open_table, wait_for_more, wait_for_turn

HERE = {"kind": "here", "name": "Bea"}
DECISIONS = {
    "topiary": ".free:focus, .cell.open:focus, .hand button:focus",
    "topas": ".dock [aria-pressed]:focus",
    "schlossgarten": ".cards button:focus, .garden .can:focus, .panel button:focus",
}
ARROWS = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]


def at_a_table(visit: Visit, game: str, seats: list[dict[str, Any]]) -> Page:
    page = visit()
    open_table(page, game, {"players": 2}, seats)
    page.wait_for_selector("[data-number]")
    return page


def topiary(page: Page) -> None:
    """Make one decision with what has the focus."""
    page.keyboard.press("Enter")


def topas(page: Page) -> None:
    page.keyboard.press("1")
    page.locator("[data-cell]").first.wait_for()
    page.keyboard.press("ArrowRight")
    for key in ARROWS * 5:
        if page.locator("g.fits:focus").count():
            break
        page.keyboard.press(key)
    page.keyboard.press("Enter")


def schlossgarten(page: Page) -> None:
    page.keyboard.press("Enter")
    if page.locator(".cards").count():
        page.get_by_role("button", name="Play this card").press("Enter")
        return
    page.get_by_role("button", name=re.compile("Stop moving|End the work")).first.press("Enter")
    anyway = page.get_by_role("button", name="Stop all the same")
    if anyway.count():
        anyway.press("Enter")


@pytest.mark.parametrize("decide", [topiary, topas, schlossgarten], ids=lambda decide: decide.__name__)
def test_the_focus_is_where_the_next_decision_is(visit: Visit, decide: Any) -> None:
    game = decide.__name__
    page = at_a_table(visit, game, [ME, RANDOM])
    assert wait_for_turn(page)
    page.locator("#main").focus()
    page.keyboard.press("Tab")
    decision = page.locator(DECISIONS[game])
    if decision.count() == 0:
        page.locator(DECISIONS[game].replace(":focus", "")).first.focus()
    for _ in range(6):
        before = number(page)
        decide(page)
        wait_for_more(page, before)
        assert wait_for_turn(page)
        expect(decision).to_have_count(1)


def test_at_one_screen_the_focus_comes_with_it(visit: Visit) -> None:
    page = at_a_table(visit, "topiary", [ME, HERE])
    for _ in range(6):
        if page.locator(".hand-over").count():
            page.keyboard.press("Enter")
        expect(page.locator(DECISIONS["topiary"])).to_have_count(1)
        before = number(page)
        page.keyboard.press("Enter")
        wait_for_more(page, before)


def test_a_decision_that_is_taken_back_has_the_focus_again(visit: Visit) -> None:
    page = at_a_table(visit, "topiary", [ME, RANDOM])
    assert wait_for_turn(page)
    page.locator(".free").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take it back").press("Enter")
    expect(page.locator(".free:focus")).to_have_count(1)


def test_a_pointer_moves_no_focus(visit: Visit) -> None:
    page = at_a_table(visit, "topiary", [ME, RANDOM])
    assert wait_for_turn(page)
    page.locator("[data-line] .near").first.click()
    expect(page.locator("[data-number='0']")).to_have_count(0)
    assert wait_for_turn(page)
    expect(page.locator(DECISIONS["topiary"])).to_have_count(0)


@pytest.mark.parametrize("decide", [topiary, schlossgarten], ids=lambda decide: decide.__name__)
def test_who_skips_the_lessons_goes_on_at_the_board(visit: Visit, decide: Any) -> None:
    game, page = decide.__name__, visit()
    table = ask_for_table(page, game, {"players": 2}, [ME, RANDOM])
    page.goto(f"/table/{table}?teach")
    assert wait_for_turn(page)
    guide = page.get_by_role("complementary", name="First game")
    guide.get_by_role("button", name="Skip").focus()
    page.keyboard.press("Enter")
    expect(guide).to_have_count(0)
    expect(page.locator(DECISIONS[game])).to_have_count(1)
    before = number(page)
    decide(page)
    wait_for_more(page, before)
    expect(guide).to_have_count(0)


PRESS = """([key, code, more]) => (document.activeElement ?? document.body)
    .dispatchEvent(new KeyboardEvent("keydown", {key, code, bubbles: true, cancelable: true, ...more}))"""


def strike(page: Page, key: str, code: str, held: str = "") -> bool:
    """Press a key at its place, perhaps with another one held; tell whether the browser may use it."""
    return bool(page.evaluate(PRESS, [key, code, {held: True} if held else {}]))


KEYBOARDS = {
    "AZERTY": (("é", "Digit2"), ("r", "KeyR")),
    "Cyrillic": (("2", "Digit2"), ("к", "KeyR")),
    "Greek": (("2", "Digit2"), ("ρ", "KeyR")),
    "Czech": (("ě", "Digit2"), ("r", "KeyR")),
    "Persian": (("۲", "Digit2"), ("ق", "KeyR")),
    "Dvorak": (("2", "Digit2"), ("r", "KeyO")),
    "Caps Lock": (("2", "Digit2"), ("R", "KeyR")),
    "the keys beside": (("2", "Numpad2"), ("r", "KeyR")),
}
"""The key of the second card, and that which turns it: what it writes, and where it is."""


def test_keys_of_topas_on_other_keyboards(visit: Visit, subtests: pytest.Subtests) -> None:
    page = at_a_table(visit, "topas", [ME, RANDOM])
    assert wait_for_turn(page)
    cards = page.get_by_role("group", name="Your cards").get_by_role("button")
    for layout, (second, turn) in KEYBOARDS.items():
        with subtests.test(layout):
            cards.first.click()
            expect(cards.first).to_have_attribute("aria-pressed", "true")
            cards.first.focus()
            assert not strike(page, *second)
            expect(cards.nth(1)).to_have_attribute("aria-pressed", "true")
            before = cards.nth(1).get_attribute("aria-label") or ""
            assert not strike(page, *turn)
            expect(cards.nth(1)).not_to_have_attribute("aria-label", before)
            after = cards.nth(1).get_attribute("aria-label") or ""
            for held in ("ctrlKey", "altKey", "metaKey", "isComposing"):
                assert strike(page, *turn, held)
                assert strike(page, "1", "Digit1", held)
            expect(cards.nth(1)).to_have_attribute("aria-label", after)
            expect(cards.nth(1)).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    ("game", "key"), [("topiary", "Arrows"), ("topas", "R"), ("schlossgarten", "Space")], ids=lambda row: str(row)
)
def test_a_question_mark_opens_the_keys_and_those_of_the_browser_are_left_alone(
    visit: Visit, game: str, key: str
) -> None:
    page = at_a_table(visit, game, [ME, RANDOM])
    assert wait_for_turn(page)
    keys = page.get_by_role("dialog", name="Keys")
    page.keyboard.press("?")
    expect(keys.locator("kbd", has_text=re.compile(f"^{key}$"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    page.locator(DECISIONS[game].replace(":focus", "")).first.focus()
    for other in ("ArrowLeft", "ArrowRight", "0", "+", "-"):
        assert strike(page, other, other, "altKey")
        assert strike(page, other, other, "ctrlKey")
    for written, code in (("?", "Minus"), ("؟", "Slash")):
        strike(page, written, code)
        expect(keys).to_be_visible()
        page.keyboard.press("Escape")
        expect(keys).to_have_count(0)


# A browser tells the page of a closed dialog later than of a key or a button that is pressed at once.
CLOSED_AND_ASKED_FOR = """button => {
    document.querySelector("dialog:modal").close();
    if (button) button.click();
    else document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "?", bubbles: true}));
}"""


def test_a_dialog_opens_again_right_after_it_was_closed(visit: Visit) -> None:
    page = visit("/")

    def opens(button: Locator | None, name: str) -> None:
        dialog = page.get_by_role("dialog", name=name)
        page.evaluate(CLOSED_AND_ASKED_FOR, button and button.element_handle())
        page.wait_for_timeout(100)
        expect(dialog).to_be_visible()
        expect(dialog.get_by_role("button")).not_to_have_count(0)

    sets = page.get_by_role("button", name="Set up a table")
    sets.first.click()
    expect(page.locator("dialog[data-game=topiary]")).to_be_visible()
    opens(sets.first, "A table for Topiary")
    opens(sets.nth(1), "A table for Topas")
    page.goto("/score/topiary")
    hands = page.locator("button.hand")
    hands.first.click()
    opens(hands.nth(1), "Hand of Player 2")
    page.keyboard.press("Escape")
    expect(hands.first).to_be_focused()  # as it had the focus before
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    menu = page.get_by_label("This game")
    menu.click()
    page.get_by_role("button", name="Keys").click()
    opens(None, "Keys")
    page.keyboard.press("Escape")
    menu.click()
    page.get_by_role("button", name="Give up").click()
    opens(page.get_by_role("button", name="Give up…", include_hidden=True), "Give up?")
    page.keyboard.press("Escape")
    expect(page.locator("summary:focus")).to_have_attribute("aria-label", "This game")
