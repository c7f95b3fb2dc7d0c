"""A real browser at a real server. Without Chromium these tests are skipped; `.ci/run` requires it.

`BOSQUET_BROWSER_TESTS` is `required`, `skip`, or unset: then they run where a Chromium is found.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)

from bosquet.server.http.static_files import PAGE
from tests.helpers.services import serving as serving

WHOLE = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""A Chromium that has all that people's browsers have, though it may be started without a window."""
CHROMIUM = shutil.which("chromium-headless-shell") or WHOLE
"""The Chromium of most tests: the headless shell, which draws pages only, needs a quarter less time."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
FRUGAL = "--in-process-gpu"
"""Without a GPU its process does little: as a thread of the browser it takes a page a twentieth less processor time."""
HERE = Path(__file__).parent
PHONE: ViewportSize = {"width": 390, "height": 844}
EXPECTED = [
    "ERR_INTERNET_DISCONNECTED",
    "ERR_CONNECTION_REFUSED",
    "WebSocket connection",
    "status of 403",
    "status of 409",
    "status of 410",
]
WRONG_ON_PURPOSE = ["/nowhere", "/api/me/recover", "/api/me/notices/mail", "/api/history/brought"]
DESKTOP: ViewportSize = {"width": 1440, "height": 900}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all but a handful `slow`, and skip all where they can't run."""
    wanted = os.environ.get("BOSQUET_BROWSER_TESTS", "")
    reason = "turned off by BOSQUET_BROWSER_TESTS" if wanted == "skip" else ""
    if CHROMIUM is None:
        reason = reason or "no Chromium on this machine; Debian's package `chromium-headless-shell` brings one"
    elif not (PAGE / "index.html").exists():
        reason = reason or "the page is not built; `uv run` builds it"
    for item in items:
        if HERE in item.path.parents:
            if not item.get_closest_marker("quick"):
                item.add_marker(pytest.mark.slow)
            if reason and wanted != "required":
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the server of these tests listens."""
    with serving(tmp_path_factory.mktemp("tables"), program="tests.helpers.one_address") as address:
        yield address


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Where a server of its own listens."""
    with serving(tmp_path) as address:
        yield address


@pytest.fixture(scope="package")  # its event loop must not run on into the tests of the server
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, FRUGAL])
    yield browser
    browser.close()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Opens pages; see `visiting`."""
    with visiting(browser, address) as open_page:
        yield open_page


@pytest.fixture
def visit_with_notices(playwright: Playwright, address: str) -> Iterator[Visit]:
    """Opens pages in a browser that shows notices, as the headless shell does not."""
    if WHOLE is None:
        pytest.skip("no Chromium that shows notices on this machine; Debian's package `chromium` brings one")
    browser = playwright.chromium.launch(executable_path=WHOLE, args=FLAGS)
    with visiting(browser, address) as open_page:
        yield open_page
    browser.close()


@contextlib.contextmanager
def visiting(browser: Browser, address: str) -> Iterator[Visit]:
    """Opens pages, each in a browser of its own; any error on a page fails the test, any request elsewhere, too.

    Without `path` the page shows nothing yet: a test that goes to a table need not load the start page before.
    Without `worker` the page has no service worker, so that what a test loads comes from the server each time.
    """
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def open_page(
        path: str | None = None,
        *,
        phone: bool = False,
        language: str = "en-GB",
        dark: bool = False,
        by_way_of: str = address,
        worker: bool = False,
        motion: bool = False,
    ) -> Page:
        context = browser.new_context(
            base_url=by_way_of,
            viewport=PHONE if phone else DESKTOP,
            has_touch=phone,
            is_mobile=phone,
            locale=language,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce",
            service_workers="allow" if worker else "block",
        )
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.extend([line.text] if _is_wrong(line) else []))
        page.on("request", lambda asked: wrong.extend([] if asked.url.startswith(_own(by_way_of)) else [asked.url]))
        if path is not None:
            page.goto(path)
        return page

    try:
        yield open_page
    finally:
        for context in contexts:
            context.close()
    assert wrong == []


def _own(address: str) -> tuple[str, ...]:
    return (address, "blob:", "data:", "ws" + address.removeprefix("http"))


def _is_wrong(line: ConsoleMessage) -> bool:
    """Whether a page complains; what a browser writes of a cut connection, a missing table or a refusal is expected."""
    expected = any(text in line.text for text in EXPECTED)
    return line.type == "error" and not expected and not any(path in line.location["url"] for path in WRONG_ON_PURPOSE)
