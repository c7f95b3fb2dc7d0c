"""What a table may cost: bytes to load it, and time from an input to the next frame on a felt full of cards."""

from __future__ import annotations

import gzip
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

import bosquet
from bosquet.server.base.engines import sent_at
from bosquet.server.http.static_files import PAGE
from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, RANDOM, number, open_table, wait_for_more, wait_for_turn
from tests.browser.helpers.topas import choose_card, squares

TABLE_BYTES = 300_000
"""With its engine, at a server and on this device."""
FIRST_BYTES = 200_000
NEXT_PAINT_MS = 100
ROUNDS = 4
FULL = 18
"""Cards on the table towards the end of a game of four."""
OBSERVE = """() => {
    window.inputs = [];
    new PerformanceObserver(list => {
        for (const {duration, interactionId} of list.getEntries()) if (interactionId) window.inputs.push(duration);
    }).observe({type: "event", durationThreshold: 16, buffered: false});
}"""


class Loaded:
    """The files that a page loads from now on, those of its workers included."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._paths: set[str] = set()
        page.on("request", lambda asked: self._paths.add(urlsplit(asked.url).path))

    def bytes(self) -> int:
        """Bytes of all files so far, compressed, with index.html."""
        self._page.wait_for_load_state("networkidle")
        assets = [PAGE / path.lstrip("/") for path in self._paths if path.startswith("/assets/")]
        assert len(assets) >= 8
        engines = [engine for path in self._paths if (engine := sent_at(path))]
        size = sum(len(gzip.compress(asset.read_bytes())) for asset in [PAGE / "index.html", *assets])
        return size + sum(len(engine.compressed) for engine in engines)


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_table_loads_few_bytes(visit: Visit, name: str) -> None:
    page = visit()
    table = open_table(page, name, {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.goto("about:blank")
    loaded = Loaded(page)
    page.goto(f"/table/{table}")
    page.wait_for_selector("[data-number]")
    size = loaded.bytes()
    print(f"{name}: {size / 1000:.1f} kB")
    assert size < TABLE_BYTES, f"{size / 1000:.0f} kB gzipped"


def test_a_first_visit_loads_few_bytes(visit: Visit) -> None:
    page = visit("about:blank")
    loaded = Loaded(page)
    page.goto("/")
    page.locator("article").first.wait_for()
    size = loaded.bytes()
    print(f"first visit: {size / 1000:.1f} kB")
    assert size < FIRST_BYTES, f"{size / 1000:.0f} kB gzipped"


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_table_on_this_device_loads_few_bytes_with_its_engine(visit: Visit, name: str) -> None:
    page = visit("about:blank")
    loaded = Loaded(page)
    with page.expect_request("**/engines/*"):
        page.goto(f"/here/{name}")
        page.wait_for_selector("[data-number]")
    size = loaded.bytes()
    print(f"{name}: {size / 1000:.1f} kB with its engine")
    assert size < TABLE_BYTES, f"{size / 1000:.0f} kB gzipped"


def slowest_key(page: Page) -> float:
    """Choose cards, turn them and look at squares by keys; give the milliseconds to the next frame of the slowest key.

    Other tests run at the same time: of each key the quickest of some rounds tells what the page itself takes.
    """
    page.evaluate(OBSERVE)
    page.get_by_role("group", name="Your cards").get_by_role("button").first.focus()
    keys = ("1", "r", "r", "ArrowRight", "ArrowDown", "Escape")
    took: dict[int, list[float]] = {}
    for _ in range(ROUNDS):
        for at, key in enumerate(keys):
            page.evaluate("inputs.length = 0")
            page.keyboard.press(key)
            page.wait_for_timeout(150)
            # Inputs below 16 ms are not reported.
            took.setdefault(at, []).append(page.evaluate("Math.max(16, ...inputs)"))
    return max(min(durations) for durations in took.values())


def test_a_full_felt_answers_at_once(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 4}, [ME, RANDOM, RANDOM, RANDOM])
    took = []
    while wait_for_turn(page):
        page.locator(".dock.playing").wait_for()
        if page.locator("[role=listitem]").count() >= FULL:
            took.append(slowest_key(page))
        before = number(page)
        page.keyboard.press("Escape")
        choose_card(page)
        squares(page).first.press("Enter")
        wait_for_more(page, before)
    assert took
    print(f"slowest key: {min(took):.0f} ms")
    assert min(took) < NEXT_PAINT_MS
