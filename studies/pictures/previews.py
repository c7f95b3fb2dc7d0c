"""Draw the pictures that messengers show beside links: `uv run --group test python -m studies.pictures.previews`.

Each is a position of two bots as spectators see it, of a game that anybody can deal again: nothing hidden is in it. The
last one shows all games, for every other page.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path

from PIL import Image, ImageOps
from playwright.sync_api import Browser, sync_playwright

from bosquet.core import installed
from studies.pictures.page import PAPER, SHOWN, record, shot
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.helpers.services import serving

TARGET = Path(__file__).parents[2] / "web/public/previews"
SIZE = (1200, 630)
"""The size in pixels that messengers ask for."""
MOST_BYTES = 60_000
SOURCE = "source.json"
"""Says of which positions the pictures are, so that a test sees when those change."""


def source() -> dict[str, str]:
    """Return the digest of the record behind the picture of each game."""
    return {game: hashlib.sha256(record(game, SHOWN[game][0]).encode()).hexdigest() for game in installed.names()}


def board(browser: Browser, address: str, game: str) -> Image.Image:
    """Return the board of a game in the middle of it."""
    context = browser.new_context(base_url=address, viewport={"width": 1180, "height": 1040}, color_scheme="light")
    page = context.new_page()
    page.goto("/replay")
    content = record(game, SHOWN[game][0]).encode()
    page.locator("input[type=file]").set_input_files(
        {"name": f"{game}.json", "mimeType": "application/json", "buffer": content}
    )
    page.locator(".board").first.wait_for()
    page.locator("select:has(option[value=spectator])").select_option("spectator")
    page.keyboard.press("End")
    grid = page.locator(".board [role=grid]")
    return shot(page, ".board [role=grid]" if grid.count() else ".board")


def beside(parts: list[Image.Image]) -> Image.Image:
    """Return some pictures side by side on paper."""
    whole = Image.new("RGB", SIZE, PAPER)
    wide, margin = SIZE[0] // len(parts), 20
    for at, part in enumerate(parts):
        fitted = ImageOps.contain(part, (wide - 2 * margin, SIZE[1] - 2 * margin), Image.Resampling.LANCZOS)
        whole.paste(fitted, (at * wide + (wide - fitted.width) // 2, (SIZE[1] - fitted.height) // 2))
    return whole


def save(picture: Image.Image, name: str) -> None:
    """Write a picture as small as it has to be."""
    for quality in range(85, 40, -5):
        picture.save(TARGET / f"{name}.jpg", quality=quality, optimize=True, progressive=True)
        if (TARGET / f"{name}.jpg").stat().st_size < MOST_BYTES:
            return


def main() -> None:
    """Serve, look, and write the pictures."""
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        boards = {game: board(browser, address, game) for game in installed.names()}
        browser.close()
    for game, drawn in boards.items():
        save(beside([drawn]), game)
    save(beside(list(boards.values())), "bosquet")
    (TARGET / SOURCE).write_text(json.dumps(source(), indent=2) + "\n")


if __name__ == "__main__":
    main()
