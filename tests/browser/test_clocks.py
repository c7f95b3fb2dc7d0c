"""Devices whose clock is wrong, networks without live connections, and who comes too late."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import FRIEND, ME, Cable, open_table, opened, setting

LEFT = re.compile(r"(3 days|2 days|7\d hours) left")


def sit_at_a_slow_table(visit: Visit) -> tuple[Page, Page]:
    """Pages of Ann and Bea at a table that gives three days for a turn."""
    ann, bea = visit(), visit()
    slow = {"days": 3, "bot": "level2", "until_back": True}
    open_table(ann, "topas", {"players": 2}, [ME, FRIEND], slow=slow)
    bea.goto(ann.get_by_label("Link to this table").input_value())
    bea.get_by_role("button", name="Sit down").click()
    for page in (ann, bea):
        page.wait_for_selector("[data-number]")
    return ann, bea


def test_a_deadline_does_not_hang_on_the_clock_of_the_device(visit: Visit) -> None:
    ann, _ = sit_at_a_slow_table(visit)
    expect(ann.locator(".left time")).to_have_text(LEFT)
    for hours in (-96, 96):
        off = ann.context.new_page()
        off.add_init_script(
            f"""(() => {{ const off = {hours} * 3600e3, now = Date.now; Date.now = () => now() + off; }})()"""
        )
        off.goto(ann.url)
        expect(off.locator(".left time")).to_have_text(LEFT)
        off.goto("/")
        expect(off.get_by_role("main").locator("time").filter(has_text=LEFT).first).to_be_visible()
        off.close()


def test_a_clock_that_is_set_while_the_page_is_open_changes_no_deadline(visit: Visit) -> None:
    ann, _ = sit_at_a_slow_table(visit)
    ann.evaluate("() => { const now = Date.now; Date.now = () => now() + 96 * 3600e3; }")
    ann.wait_for_timeout(12_000)
    ann.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ann.locator(".left time")).to_have_text(LEFT)


def test_a_network_that_lets_no_live_connection_through_is_named(visit: Visit) -> None:
    page = visit("/")
    cable = Cable(page)
    cable.cut()
    opened(page, setting(page, "topiary"))
    expect(page.get_by_role("alert")).to_contain_text("blocks live connections (WebSocket)")
    cable.mend()
    page.get_by_role("button", name="Try now").click()
    expect(page.locator("h1")).to_have_text("Your turn")
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_who_comes_too_late_for_the_last_seat_is_told_at_the_top(visit: Visit, phone: bool) -> None:
    ann, bea, cyd = visit(), visit(), visit(phone=phone)
    open_table(ann, "topas", {"players": 2}, [ME, FRIEND])
    link = ann.get_by_label("Link to this table").input_value()
    cable = Cable(cyd)
    for page in (bea, cyd):
        page.goto(link)
        page.get_by_role("button", name="Sit down").wait_for()
    cable.cut()  # the news of it are on their way
    bea.get_by_role("button", name="Sit down").click()
    bea.wait_for_selector("[data-number]")
    cyd.get_by_role("button", name="Sit down").click()
    said = cyd.get_by_role("alert").filter(has_text="All seats are taken")
    expect(said).to_be_in_viewport()
    cable.mend()
    cyd.wait_for_selector("[data-number]")
    expect(said).to_be_in_viewport()
    box = said.bounding_box()
    assert box is not None
    assert box["y"] < 200
    said.get_by_role("button", name="Close").click()
    expect(said).to_have_count(0)
    cyd.reload()  # as whoever opens the invitation once the game runs
    expect(said).to_be_in_viewport()
    bea.reload()
    bea.wait_for_selector("[data-number]")
    expect(bea.get_by_text("All seats are taken")).to_have_count(0)
