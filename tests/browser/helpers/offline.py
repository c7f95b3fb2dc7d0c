"""The service worker of the page."""

from __future__ import annotations

import json

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page


def ready(page: Page) -> Page:
    """Wait until the worker keeps all pages."""
    wait(page, "navigator.serviceWorker.controller && await caches.match('/language')")
    return page


def go_online(page: Page) -> None:
    """Let a page have a network again, and tell it so once its worker has one, too: the page is told first.

    A page that asks too early asks again only a quarter of a minute later.
    """
    page.context.set_offline(False)
    wait(page, "(window.dispatchEvent(new Event('online')), true)")


def wait(page: Page, condition: str) -> None:
    """Wait until something is true, which may be a promise (`wait_for_function` takes any promise for true)."""
    asked = (
        f"async () => {{ for (let i = 0; i < 600; i++) {{ if ({condition}) return;"
        f" await new Promise(done => setTimeout(done, 50)); }} throw new Error({json.dumps(condition)}); }}"
    )
    try:
        page.evaluate(asked)
    except PlaywrightError as error:
        if "context was destroyed" not in str(error):
            raise
        page.evaluate(asked)  # the page has loaded itself anew meanwhile
