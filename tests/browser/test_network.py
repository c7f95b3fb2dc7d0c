"""A network that goes away without a word: the page says so soon, and no move is lost or made twice."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.relay import Relay, relaying
from tests.browser.helpers.schlossgarten import decide, step
from tests.browser.helpers.tables import FRIEND, ME, RANDOM, number, open_table, wait_for_turn
from tests.browser.helpers.topas import choose_card, lay_by_mouse
from tests.browser.helpers.topiary import choose_by_mouse, play_by_mouse

LOST = "The connection is lost"


@pytest.fixture
def relay(address: str) -> Iterator[Relay]:
    with relaying(address, Relay) as relay:
        yield relay


def two_at_a_table(visit: Visit, relay: Relay) -> tuple[Page, Page]:
    """The page of the one who is to move, and that of the other; both by way of the relay only if it is Ann."""
    ann, bea = visit(by_way_of=relay.address), visit()
    table = open_table(ann, "topiary", {"players": 2}, [ME, FRIEND])
    invitation = ann.locator("input[readonly]").input_value().partition("#")[2]
    bea.goto(f"/table/{table}#{invitation}")
    bea.get_by_role("textbox").fill("Bea")
    bea.get_by_role("button", name="Sit down").click()
    for page in (ann, bea):
        page.wait_for_selector("[data-number]")
    while ann.locator("h1").inner_text() != "Your turn":
        play_by_mouse(bea)
        expect(ann.locator("h1")).to_have_text(re.compile("Your turn|Bea"))
        ann.wait_for_timeout(100)
    return ann, bea


def test_a_silent_network_is_shown_within_three_seconds_and_the_others_see_who_is_away(
    visit: Visit, relay: Relay
) -> None:
    ann, bea = two_at_a_table(visit, relay)
    expect(bea.locator(".away")).to_have_count(0)
    at = int(ann.locator("[data-number]").get_attribute("data-number") or 0)
    relay.silence()
    begin = time.monotonic()
    choose_by_mouse(ann)
    expect(ann.get_by_role("status").filter(has_text="on its way")).to_be_visible()
    expect(ann.get_by_role("alert")).to_contain_text(LOST, timeout=3500)
    assert time.monotonic() - begin < 3.5
    expect(ann.get_by_text("Your move is sent when the connection is back")).to_be_visible()
    expect(bea.locator(".away")).to_have_count(1, timeout=15_000)
    assert time.monotonic() - begin < 16
    assert bea.locator(f"[data-number='{at}']").count() == 1
    relay.restore()
    for page in (ann, bea):
        expect(page.locator(f"[data-number='{at + 1}']")).to_be_attached()
    expect(ann.get_by_role("alert")).to_have_count(0)
    expect(ann.get_by_text("Your move is sent")).to_have_count(0)
    expect(bea.locator(".away")).to_have_count(0)
    ann.wait_for_timeout(1500)
    assert ann.locator(f"[data-number='{at + 1}']").count() == 1  # once, though it was sent by two connections


GAMES = ["topiary", "topas", "schlossgarten"]


@pytest.mark.parametrize("game", GAMES)
def test_a_move_that_is_on_its_way_is_shown_on_the_board(visit: Visit, relay: Relay, game: str) -> None:
    page = visit(by_way_of=relay.address)
    open_table(page, game, {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    if game == "schlossgarten":
        decide(page, by_keyboard=False)
    if game == "topas":
        choose_card(page)
    marks = page.locator(".marks")
    expect(marks).to_have_count(0)
    at = number(page)
    relay.silence()
    if game == "topiary":
        choose_by_mouse(page)
    elif game == "topas":
        lay_by_mouse(page)
    else:
        step(page, by_keyboard=False)
    expect(marks).to_have_count(1)
    assert number(page) == at
    relay.restore()
    expect(marks).to_have_count(0)
    assert number(page) > at


def test_what_is_asked_while_offline_is_refused_and_the_refusal_goes(visit: Visit, relay: Relay) -> None:
    ann, _ = two_at_a_table(visit, relay)
    at = int(ann.locator("[data-number]").get_attribute("data-number") or 0)
    relay.silence()
    ann.context.set_offline(True)
    expect(ann.get_by_role("alert")).to_contain_text(LOST, timeout=3000)
    choose_by_mouse(ann)
    expect(ann.get_by_text("Not sent")).to_be_visible()
    ann.context.set_offline(False)
    relay.restore()
    expect(ann.get_by_text("Not sent")).to_have_count(0)
    expect(ann.get_by_role("alert")).to_have_count(0)
    ann.wait_for_timeout(1500)
    assert ann.locator(f"[data-number='{at}']").count() == 1
    play_by_mouse(ann)
    expect(ann.locator(f"[data-number='{at + 1}']")).to_be_attached()


def test_a_server_on_the_same_device_needs_no_network(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, {"kind": "here", "name": "Bea"}])
    page.wait_for_selector("[data-number]")
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.wait_for_timeout(2500)
    expect(page.get_by_role("alert")).to_have_count(0)
