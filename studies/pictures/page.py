"""Take the picture of the page for the README: `uv run python -m studies.pictures.page`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile

from playwright.sync_api import Page, sync_playwright

from studies import DOCS
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.helpers.tables import ME, number, open_table, wait_for_more, wait_for_turn

TARGET = DOCS / "pictures/page.png"
TURNS = 5


def play_some(page: Page) -> None:
    """A few turns, so that there is something to see."""
    for _ in range(TURNS):
        for _ in range(3):
            assert wait_for_turn(page)
            before = number(page)
            prompt = page.locator(".prompt p").inner_text()
            if prompt.startswith("Place"):
                page.locator("[data-line] .near").nth(11).click()
            elif prompt.startswith("Take"):
                page.locator("g.cell.open").last.click()
            else:
                page.get_by_role("group", name="Your tiles").get_by_role("button").last.click()
            wait_for_more(page, before)
            if prompt.startswith("Put"):
                break


def main() -> None:
    """Serve, play, look along a line, take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bosquet", "serve", "--port", "0", "--no-browser", "--data", folder]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert server.stderr is not None
        found = re.search(r"http://[\d.:]+", server.stderr.readline())
        assert found is not None
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                page = browser.new_page(base_url=found[0], viewport={"width": 1280, "height": 860})
                page.goto("/")
                open_table(page, "topiary", {"players": 2}, [ME, {"kind": "bot", "bot": "greedy", "name": "Bea"}])
                play_some(page)
                assert wait_for_turn(page)
                spots = page.locator("[data-line]")
                labels = [spots.nth(i).get_attribute("aria-label") or "" for i in range(spots.count())]
                best = max(range(len(labels)), key=lambda i: int(re.findall(r"(\d+) point", labels[i])[0]))
                spots.nth(best).locator(".near").hover()
                page.wait_for_timeout(500)
                page.screenshot(path=TARGET)
                browser.close()
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    main()
