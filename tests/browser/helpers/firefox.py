"""A Firefox that Playwright drives: Debian's, by way of a relay (`bidi_relay`)."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
MISSING = "no Firefox on this machine; Debian's package `firefox-esr` brings one"
PREFERENCES: dict[str, str | float | bool] = {"ui.prefersReducedMotion": 1, "ui.systemUsesDarkTheme": 0}
RELAY = Path(__file__).parent / "bidi_relay.py"

needs_firefox = pytest.mark.skipif(
    FIREFOX is None and os.environ.get("BOSQUET_BROWSER_TESTS") != "required", reason=MISSING
)


@contextmanager
def launched(playwright: Playwright, folder: Path) -> Iterator[Browser]:
    """Start Firefox; `folder` is for the program that starts it."""
    assert FIREFOX is not None, MISSING
    start = folder / "start"
    start.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, str(RELAY), FIREFOX])} "$@"\n')
    start.chmod(0o755)
    browser = playwright.firefox.launch(channel="moz-firefox", executable_path=start, firefox_user_prefs=PREFERENCES)
    yield browser
    browser.close()
