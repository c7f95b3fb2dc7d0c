"""Draw the icons of the installed page: `python -m tests.browser.icons` writes them from `web/public/icon.svg`.

Systems that take no SVG, and those that cut an icon to a shape of their own (maskable: what matters is in the middle),
get PNG files. They are kept in the repository, so that a build needs no browser.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS

PUBLIC = Path(__file__).parents[2] / "web" / "public"


class Icon(NamedTuple):
    """One file: its name, its size in pixels, and whether it fills its square, with a margin around the drawing."""

    name: str
    size: int
    full: bool = False


ICONS = [
    Icon("192.png", 192),
    Icon("512.png", 512),
    Icon("maskable-192.png", 192, full=True),
    Icon("maskable-512.png", 512, full=True),
    Icon("touch.png", 180, full=True),
]
MARGIN = 0.14
"""Of the size, at each side: a maskable icon keeps its drawing within a circle of four fifths of the width."""
PAPER = "#f6f1e4"


def main() -> None:
    """Write all files."""
    drawing = (PUBLIC / "icon.svg").read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        for name, size, full in ICONS:
            margin = round(size * MARGIN) if full else 0
            inner = size - 2 * margin
            ground = PAPER if full else "transparent"
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(
                f"<style>body{{margin:0;background:{ground}}}"
                f"svg{{display:block;margin:{margin}px;width:{inner}px;height:{inner}px}}</style>{drawing}"
            )
            page.screenshot(path=PUBLIC / "icons" / name, omit_background=not full)
        browser.close()


if __name__ == "__main__":
    main()
