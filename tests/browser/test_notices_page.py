"""Notices in a real browser: turned on and off by a press, and shown by the worker.

A browser without a push service can't subscribe, so the test stands in for that; the worker gets its messages as from
one.
"""

from __future__ import annotations

import json
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.offline import ready
from tests.browser.helpers.tables import fits
from tests.server.helpers.push_service import Browser

SUBSCRIBE = """subscription => {
    let made = null;
    Notification.requestPermission = async () => 'granted';
    const {endpoint, p256dh, auth} = subscription;
    PushManager.prototype.getSubscription = async () => made;
    PushManager.prototype.subscribe = async options => {
        window.subscribedWith = options;
        made = {toJSON: () => ({endpoint, keys: {p256dh, auth}}), unsubscribe: async () => { made = null; }};
        return made;
    };
}"""


def deliver(page: Page, message: dict[str, object]) -> None:
    """Give the worker a message as its push service would."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    for _ in range(100):
        if found:
            break
        page.wait_for_timeout(50)
    origin = page.evaluate("location.origin")
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": found[-1], "data": json.dumps(message)},
    )


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_notices_are_turned_on_and_off(visit: Visit, phone: bool) -> None:
    page = visit("/me", worker=True, phone=phone, dark=phone)
    subscription = Browser().subscription(f"https://push.example.org/{phone}")
    page.evaluate(SUBSCRIBE, subscription)
    notices = page.get_by_role("region", name="Notices")
    notices.get_by_role("button", name="Tell me on this device").click()
    expect(notices).to_contain_text("This device gets notices.")
    assert page.evaluate("window.subscribedWith.applicationServerKey").startswith("B")
    notices.get_by_label("From").select_option("23")
    expect(notices.get_by_label("From")).to_have_value("23")
    expect(notices.get_by_label("To")).to_have_value("8")
    notices.get_by_label("From").select_option("")
    expect(notices.get_by_label("To")).to_have_count(0)
    assert violations(page) == []
    assert fits(page)
    notices.get_by_role("button", name="Stop all notices").click()
    expect(notices.get_by_role("status")).to_have_text("You get no more notices.")
    assert page.request.get("/api/me/notices").json()["devices"] == 0


def test_the_worker_shows_a_notice_in_the_readers_language(visit_with_notices: Visit) -> None:
    page = ready(visit_with_notices("/", worker=True, language="de-DE"))
    page.context.grant_permissions(["notifications"])
    tables = [{"table": "abcdefgh", "title": "Topas", "deadline": int(time.time()) + 3600}]
    deliver(page, {"language": "en", "tables": tables, "total": 1})
    page.wait_for_timeout(300)
    shown = page.evaluate(
        """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
            ({title, body, data, actions}) => ({title, body, data, actions: actions.map(({action}) => action)}))"""
    )
    assert len(shown) == 1
    assert (shown[0]["title"], shown[0]["data"], shown[0]["actions"]) == ("Du bist am Zug", "table/abcdefgh", ["stop"])
    assert shown[0]["body"].startswith("Topas, bis ")
