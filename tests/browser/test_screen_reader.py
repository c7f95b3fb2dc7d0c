"""What a screen reader is given of a whole game that is played by keyboard: names, scores, and what is said aloud."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.schlossgarten import decide as decide_schlossgarten
from tests.browser.helpers.tables import ME, finished, number, open_table, wait_for_more, wait_for_turn
from tests.browser.helpers.topiary import play_by_keyboard as decide_topiary

GREEDY = {"kind": "bot", "bot": "greedy"}
LISTEN = """() => {
    window.said = [];
    const regions = "[aria-live], [role=status], [role=alert]";
    const texts = new Map([...document.querySelectorAll(regions)].map(region => [region, region.textContent]));
    new MutationObserver(() => {
        for (const region of document.querySelectorAll(regions)) {
            const text = region.textContent.trim();
            if (texts.get(region) !== text && text) window.said.push(text);
            texts.set(region, text);
        }
    }).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""
"""Writes down what live regions say from now on."""
NAMED = "button|link|gridcell|checkbox|combobox|radio|slider|img|grid|region|list|listitem|group"
LINE = re.compile(rf"""^\s*- '?(?P<role>{NAMED})(?P<name> "[^"]*")?(?P<states>( \[[^\]]*\])*)'?(?P<rest>:.*)?$""")
DECISIONS = {
    "topiary": r"From [a-e][1-5] [a-z-]+: .+, sees .+|[a-e][1-5]: take this tile|Leave them|[A-Z][\w -]+ \d",
    "topas": r"(\d \w+ and \d \w+|4 \w+), second half to the \w+|-?\d+,-?\d+ \w+: .+",
    "schlossgarten": r"Card \d+|Stop moving|Stop all the same|End the work|[a-g][1-7]: .+",
}
"""What moves are called."""


def decide_topas(page: Page) -> None:
    """Lay the first card on the first square where it fits."""
    before = number(page)
    page.locator(".dock.playing").wait_for()
    page.get_by_role("group", name="Your cards").get_by_role("button").first.focus()
    page.keyboard.press("1")
    page.locator("g.fits[data-cell]").first.focus()
    page.keyboard.press("Enter")
    wait_for_more(page, before)


def faults(tree: str) -> list[str]:
    """What is wrong in an accessibility tree: controls and pictures without a name, two buttons with the same one."""
    found = []
    lines = [match for line in tree.splitlines() if (match := LINE.match(line))]
    for line in lines:
        unnamed = line["name"] is None and not (line["rest"] or "").strip(": ")
        if unnamed and line["role"] not in ("group", "list", "listitem"):
            found.append(f"no name: {line[0]}")
    buttons = Counter(line["name"] for line in lines if line["role"] in ("button", "link"))
    found += [f"twice: {name}" for name, times in buttons.items() if times > 1]
    return found


@pytest.mark.parametrize(
    ("game", "decide"),
    [
        ("topiary", decide_topiary),
        ("topas", decide_topas),
        ("schlossgarten", lambda page: decide_schlossgarten(page, by_keyboard=True)),
    ],
    ids=["topiary", "topas", "schlossgarten"],
)
def test_a_whole_game_makes_sense_as_text(visit: Visit, game: str, decide: Callable[[Page], None]) -> None:
    page = visit()
    open_table(page, game, {"players": 2}, [ME, GREEDY])
    page.wait_for_selector("[data-number]")
    page.evaluate(LISTEN)
    offered = re.compile(DECISIONS[game])
    while wait_for_turn(page):
        tree = page.locator("body").aria_snapshot()
        assert faults(tree) == [], tree
        buttons = re.findall(r"""- '?(?:button|gridcell) "([^"]+)"(?! \[disabled)""", tree)
        assert any(offered.fullmatch(name) for name in buttons), tree
        players = page.get_by_role("list", name="Players").aria_snapshot()
        assert len(re.findall(r"strong: -?\d+ point", players)) == 2, players
        assert re.search(r"text: Ann you, to move, (\d+|no) ", players), players
        decide(page)
    tree = page.locator("body").aria_snapshot()
    assert faults(tree) == [], tree
    expect(page.get_by_role("group", name="Score sheet")).to_be_visible()
    record = bosquet.load(finished(page))
    assert record.over
    if game == "schlossgarten":
        assert max(record.scores) >= 21
        expect(page.get_by_text(f"wins with {max(record.scores)} points").first).to_be_visible()

    said: list[str] = page.evaluate("said")
    turns = [i for i, text in enumerate(said) if "Your turn" in text]
    assert len(turns) >= 3
    for before, after in pairwise(turns):  # somebody else has moved in between, and was heard
        assert any("Greedy" in text for text in said[before + 1 : after + 1]), said[before : after + 1]
    assert sum("The game is over" in text for text in said) == 1, said
