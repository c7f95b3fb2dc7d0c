"""Large text and high zoom (WCAG 1.4.4, 1.4.10): every page and table stays readable, and scrolls one way only."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE, Visit
from tests.browser.helpers.looks import PAGES, keys, violations
from tests.browser.helpers.reflow import READINGS, read_as, unreadable
from tests.browser.helpers.tables import FRIEND, GREEDY, ME, PLAY_ON, RANDOM, open_table, wait_for_turn

LONG = {"kind": "me", "name": "Maximiliane Wolkenstein"}
PICKED = {
    "topiary": ".free .near",
    "topas": ".dock .cards button",
    "schlossgarten": ".panel .cards button",
}


def faults(page: Page) -> dict[str, list[str]]:
    """What nobody could read of a page, for each way of reading."""
    session = page.context.new_cdp_session(page)
    found = {}
    for reading in READINGS:
        read_as(page, session, reading)
        if wrong := unreadable(page):
            found[str(tuple(reading))] = wrong[:8]
    read_as(page, session, READINGS[-1]._replace(width=1280, height=800))
    session.detach()
    return found


def test_every_page(visit: Visit) -> None:
    """In the dark, where nothing is a serious violation, and no text is missing, on a phone."""
    page = visit(language="de-DE", dark=True)
    found: dict[str, Any] = {}
    for path in PAGES:
        page.goto(path)
        page.locator("h1").first.wait_for()
        page.wait_for_load_state("networkidle")
        faulty = faults(page)
        page.set_viewport_size(PHONE)
        found[path] = [faulty] * bool(faulty) + violations(page) + keys(page)
    page.goto("/")
    page.locator("article[data-game=schlossgarten]").get_by_role("button", name=re.compile("…")).click()
    page.locator("dialog:modal").wait_for()
    found["a table is set up"] = faults(page)
    assert {place: wrong for place, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("game", PICKED)
def test_every_table_its_end_and_what_is_made_of_it(visit: Visit, game: str) -> None:
    page = visit()
    found = {}
    names = ("Bernadette Wolkenstein", "Christopher", "Magdalena")
    others = [{"kind": "bot", "bot": "random", "name": name} for name in names]
    open_table(page, game, {"players": 4}, [LONG, *others])
    assert wait_for_turn(page)
    found["table"] = faults(page)
    page.locator(PICKED[game]).first.click(force=True)
    found["something is chosen"] = faults(page)
    page.keyboard.press("Escape")
    page.get_by_label("This game", exact=True).click()
    page.get_by_role("button", name="Keys").click()
    page.locator("dialog:modal").wait_for()
    found["keys"] = faults(page)
    table = open_table(page, game, {"players": 2}, [LONG, GREEDY | {"name": names[0]}])
    page.wait_for_selector("[data-number]")
    page.evaluate(PLAY_ON, table)
    page.get_by_role("link", name="Save the record").wait_for()
    found["end"] = faults(page)
    for kind in ("replay", "coach", "screen"):
        page.goto(f"/{kind}/{table}")
        page.locator("h1").wait_for()
        page.wait_for_timeout(400)
        found[kind] = faults(page)
    assert {place: wrong for place, wrong in found.items() if wrong} == {}


def test_the_waiting_room(visit: Visit) -> None:
    page = visit(language="de-DE")
    open_table(page, "topas", {"players": 4}, [{"kind": "me", "name": "Maximiliane"}, FRIEND, FRIEND, RANDOM])
    page.locator("input[readonly]").first.wait_for(state="attached")
    assert faults(page) == {}


COLOURS = """() => {
    const brush = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const light = colour => {
        brush.fillStyle = colour;
        brush.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...brush.getImageData(0, 0, 1, 1).data].map(one => (one / 255) ** 2.2);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    window.contrast = (one, other) => {
        const [dark, bright] = [light(other), light(one)].toSorted((a, b) => a - b);
        return (bright + 0.05) / (dark + 0.05);
    };
    window.ground = one => {
        for (let each = one; each; each = each.parentElement) {
            const {backgroundColor} = getComputedStyle(each);
            if (!backgroundColor.endsWith(", 0)")) return backgroundColor;
        }
    };
}"""
"""How well a colour can be told from the one it lies on, 1 to 21, and on which one something lies."""


@pytest.mark.parametrize("dark", [False, True], ids=["on white", "on black"])
def test_forced_colours_show_whose_turn_it_is_what_is_chosen_and_where_it_may_go(visit: Visit, dark: bool) -> None:
    page = visit("/", dark=dark)
    page.emulate_media(forced_colors="active", color_scheme="dark" if dark else "light")

    def contrast(thing: str, value: str, other: str = "ground(one)") -> float:
        page.evaluate(COLOURS)
        js = f"one => {{ const style = getComputedStyle(one); return contrast({value}, {other}); }}"
        return float(page.locator(thing).first.evaluate(js))

    page.locator("article[data-game=topas]").get_by_role("button", name=re.compile("…")).click()
    chosen = "dialog:modal .counts input:checked + span"
    assert contrast(chosen, "style.color") > 4.5
    assert contrast(chosen, "style.backgroundColor", "ground(one.closest('dialog'))") > 3
    for game in PICKED:
        open_table(page, game, {"players": 2}, [ME, RANDOM])
        assert wait_for_turn(page)
        players = "[aria-label=Players] li"
        turns = f"{players}[aria-current]"
        assert contrast(turns, "style.borderTopColor") > 3
        assert page.locator(turns).evaluate("one => getComputedStyle(one).borderTopColor") not in [
            page.locator(f"{players}:not([aria-current])").evaluate("one => getComputedStyle(one).borderTopColor")
        ]
        assert contrast(f"{turns} text", "style.fill", "getComputedStyle(one.previousElementSibling).fill") > 4.5
        if game == "topiary":
            assert contrast(".free .near ~ path", "style.fill") > 3
            continue
        page.locator(PICKED[game]).first.click()
        pressed = page.locator(PICKED[game]).and_(page.locator("[aria-pressed=true]"))
        assert pressed.evaluate("one => getComputedStyle(one).outlineStyle") != "none"
        if game == "topas":
            assert contrast(".fits .square, .turned .turn", "style.stroke", "ground(one.closest('.felt'))") > 3
