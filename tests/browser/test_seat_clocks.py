"""Clocks in the browser: set in the dialog, counted down at the seats; vacation on the own page."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.reflow import READINGS, Reading, read_as, unreadable
from tests.browser.helpers.tables import opened, setting


def test_a_clock_is_set_and_runs_at_the_seat_to_move(visit: Visit) -> None:
    ann, bea = visit("/"), visit()
    dialog = setting(ann, "topas")
    dialog.get_by_label("Seat 2").select_option("friend")
    expect(dialog.get_by_label("When a player’s time is up")).to_have_count(0)
    dialog.get_by_label("Clocks").select_option(label="3 min + 5 s a turn")
    dialog.get_by_label("When a player’s time is up").select_option(label="5 · Hawthorn, a bot, plays on")
    assert violations(ann) == []
    assert opened(ann, dialog)["clock"] == {"minutes": 3, "increment": 5, "bot": "level5"}
    agreed = (
        "Clocks: 3 minutes each, and 5 seconds back after each turn. When the time is up, Hawthorn, a bot, plays on."
    )
    expect(ann.get_by_text(agreed)).to_be_visible()
    bea.goto(ann.get_by_label("Link to this table").input_value())
    bea.get_by_label("Your name").fill("Maximiliane Wolkenstein")
    bea.get_by_role("button", name="Sit down").click()
    for page in (ann, bea):
        page.wait_for_selector("[data-number]")
        expect(page.get_by_role("timer")).to_have_count(2)
        expect(page.locator(".clock.runs")).to_have_text(re.compile(r"Clock:\s*2:[345]\d"))
        expect(page.locator(".clock:not(.runs)")).to_have_text(re.compile(r"Clock:\s*3:00"))
        assert violations(page) == []
    session = ann.context.new_cdp_session(ann)
    for reading in (*READINGS, Reading(320, 640, font=32), Reading(320, 640, root="200%")):
        read_as(ann, session, reading)
        assert unreadable(ann) == [], reading


def test_a_slow_table_has_no_clock(visit: Visit) -> None:
    page = visit("/")
    dialog = setting(page, "topas")
    dialog.get_by_label("Seat 2").select_option("friend")
    dialog.get_by_label("Clocks").select_option(label="5 min + 10 s a turn")
    dialog.get_by_label("When it is played").select_option(label="1 day for each turn")
    expect(dialog.get_by_label("Clocks")).to_have_count(0)
    assert opened(page, dialog)["clock"] is None


def test_vacation_is_taken_and_ended(visit: Visit) -> None:
    page = visit("/me")
    part = page.get_by_role("region", name="Vacation")
    expect(part).to_contain_text("21 days left this year.")
    part.get_by_label("From now on for").select_option(label="3 days")
    part.get_by_role("button", name="Go on vacation").click()
    expect(part).to_contain_text("You are on vacation until")
    assert violations(page) == []
    part.get_by_role("button", name="I’m back").click()
    expect(part).to_contain_text("20 days left this year.")
