"""How a page looks: what axe-core objects to, texts that are missing, what is in sight, and pictures."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import bosquet

AXE = Path(__file__).parents[3] / "web/node_modules/axe-core/axe.min.js"
RULES = "wcag2a", "wcag2aa", "wcag21a", "wcag21aa"


def violations(page: Page) -> list[str]:
    """What axe-core calls serious or critical."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())  # through the debugger: the page's own policy would not load it
    # What was right is not described: that takes longer than the check.
    found = page.evaluate("tags => axe.run(document, {runOnly: tags, resultTypes: ['violations']})", list(RULES))
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


PAGES = [
    *("/", "/replay", "/analysis", "/coach", "/privacy", "/me", "/history", "/ratings", "/people", "/today"),
    *(f"/{kind}/{game}" for kind in ("rules", "score") for game in bosquet.GAMES),
    *("/puzzles", "/box/schlossgarten", "/mail/confirm#code", "/mail/stop/token", "/nowhere"),
]
"""Every page that shows no game."""
KEY = re.compile(
    r"\b(history|me|privacy|start|table|today|topiary|topas|schlossgarten|rules|score|replay|analysis|coach|common)\.[a-z_]+\b"
)


def keys(page: Page) -> list[str]:
    """Keys of texts, which stand where these are missing. The build fails where one is missing in one language only."""
    return [key[0] for key in KEY.finditer(page.locator("body").inner_text())]


by_look = pytest.mark.parametrize(
    ("phone", "dark"), [(False, False), (True, True)], ids=["desktop in light", "phone in dark"]
)
"""Both widths and both themes; the width changes no colour, and the theme no size."""


def expect_in_sight(page: Page, *things: Locator) -> None:
    """Each of them lies wholly in the window, as the page is scrolled."""
    for thing in things:
        expect(thing).to_be_visible()
        box = thing.bounding_box()
        size = page.viewport_size
        assert box is not None
        assert size is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size["height"], f"{thing} ends at {box['y'] + box['height']:.0f}"
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]


PICTURES = os.environ.get("BOSQUET_PICTURES")
"""A folder for pictures of what the tests see."""


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)
