"""Take the picture for the README, start page and boards: `uv run --group test python -m studies.pictures.page`."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path

from PIL import Image, ImageOps
from playwright.sync_api import Browser, Page, sync_playwright

import bosquet
from bosquet import bots
from studies import DOCS
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.helpers.services import serving

TARGET = DOCS / "pictures/games.webp"
PAPER = "#f6f1e4"
HEIGHT = 560
"""Of all parts, in pixels; boards are as wide."""
GAP = 16
SHOWN = {"topiary": (34, 0.0), "topas": (9, 0.14), "schlossgarten": (44, 0.0)}
"""Each game, after how many moves it is shown, and the part of its board that is left out at each side."""
SEED = 2


def record(game: str, moves: int) -> str:
    """Return a game of two bots after some moves as JSON."""
    played = bosquet.new(game, players=2, seed=SEED)
    bot, rng = bots.make("greedy"), bosquet.Rng(SEED)
    while len(played.moves) < moves:
        played.play(bot.choose(played.view(played.seat), rng))
    return json.dumps(played.record())


def shot(page: Page, selector: str | None = None) -> Image.Image:
    """Return a picture of a page or of a part of it."""
    page.wait_for_timeout(1500)
    taken = page.locator(selector).first.screenshot() if selector else page.screenshot()
    return Image.open(io.BytesIO(taken)).convert("RGB")


def pictures(browser: Browser, address: str) -> list[Image.Image]:
    """Return the start page and a board of each game."""

    def opened(path: str) -> Page:
        context = browser.new_context(base_url=address, viewport={"width": 1180, "height": 1040}, color_scheme="light")
        page = context.new_page()
        page.goto(path)
        return page

    found = [shot(opened("/"))]
    for game, (moves, bleed) in SHOWN.items():
        page = opened("/replay")
        page.locator("input[type=file]").set_input_files(
            {"name": f"{game}.json", "mimeType": "application/json", "buffer": record(game, moves).encode()}
        )
        page.locator(".board").first.wait_for()
        page.keyboard.press("End")
        board = page.locator(".board [role=grid]")
        taken = shot(page, ".board [role=grid]" if board.count() else ".board")
        found.append(ImageOps.fit(taken, (HEIGHT, HEIGHT), bleed=bleed))
    return found


def main() -> None:
    """Serve, look, and put the pictures beside each other."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        found = pictures(browser, address)
        browser.close()
    parts = [one.resize((round(one.width * HEIGHT / one.height), HEIGHT), Image.Resampling.LANCZOS) for one in found]
    whole = Image.new("RGB", (sum(part.width + GAP for part in parts) - GAP, HEIGHT), PAPER)
    left = 0
    for part in parts:
        whole.paste(part, (left, 0))
        left += part.width + GAP
    ImageOps.expand(whole, GAP, PAPER).save(TARGET, quality=76, method=6)


if __name__ == "__main__":
    main()
