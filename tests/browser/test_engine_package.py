"""The page of the README of the engines' package, in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.helpers.files import serving_files
from tests.engine.helpers.package import COMPILER, example, installed

pytestmark = pytest.mark.skipif(not COMPILER.exists(), reason="the compiler is not installed; web/check does that")


def test_a_page_plays_as_the_readme_says(browser: Browser, tmp_path: Path) -> None:
    installed(tmp_path)
    (tmp_path / "index.html").write_text(example("html"))
    with serving_files(tmp_path) as address:
        page = browser.new_page()
        page.goto(address)
        expect(page.locator("p")).to_have_text(re.compile(r"\d+ : \d+"))
        assert page.locator("li").count() > 10
        page.close()
