"""The table page: two browsers and a cut connection, people at one screen, the waiting room, the end and after."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import (
    FRIEND,
    GREEDY,
    ME,
    PLAY_ON,
    RANDOM,
    Cable,
    finished,
    number,
    open_table,
    wait_for_more,
    wait_for_turn,
)
from tests.browser.helpers.topiary import play_by_mouse


@pytest.mark.quick
def test_two_browsers_at_one_table_and_a_connection_that_is_cut(visit: Visit) -> None:
    hers, other = visit(), visit()
    cables = {page: Cable(page) for page in (hers, other)}
    table = open_table(hers, "topiary", {"players": 2}, [ME, FRIEND])
    link = hers.locator("input[readonly]").input_value()
    assert table in link
    assert "#" in link
    other.goto(link)
    other.get_by_role("textbox").fill("Bea")
    other.get_by_role("button", name="Sit down").click()
    for page in (hers, other):
        page.wait_for_selector("[data-number]")
    mover, watcher = (hers, other) if hers.locator("h1").inner_text() == "Your turn" else (other, hers)
    play_by_mouse(mover)
    expect(watcher.locator("[data-number='1']")).to_be_attached()
    cables[watcher].cut()
    expect(watcher.get_by_role("alert")).to_contain_text("The connection is lost")
    play_by_mouse(mover)
    play_by_mouse(mover)
    assert number(mover) == 3
    assert number(watcher) == 1
    name = "Ann" if mover is hers else "Bea"
    cables[watcher].mend()
    expect(watcher.locator("[data-number='3']")).to_be_attached()
    expect(watcher.get_by_role("alert")).to_have_count(0)
    watcher.get_by_text("What happened").click()
    expect(watcher.locator(".log li")).to_have_count(3)
    expect(watcher.locator(".log li").first).to_contain_text(name)
    for page in (hers, other):
        assert page.locator(".hand button").count() == 3


def test_people_at_one_screen_pass_it_on_by_a_hand_over_screen(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, {"kind": "here", "name": "Bea"}])
    page.wait_for_selector("[data-number]")
    for _ in range(4):
        hand_over = page.locator(".hand-over")
        expect(hand_over).to_be_visible()
        expect(page.locator(".hand")).to_have_count(0)
        hand_over.get_by_role("button").click()
        expect(page.locator(".hand button")).to_have_count(3)
        before = number(page)
        while page.locator(".hand-over").count() == 0 and number(page) < before + 3:
            at = number(page)
            play_by_mouse(page)
            assert number(page) > at
            page.wait_for_timeout(60)


TABLES: list[tuple[str, dict[str, Any]]] = [
    ("topas", {"players": 1}),
    ("topas", {"players": 4}),
    ("topiary", {"players": 2, "draft": True}),
    ("topiary", {"players": 4}),
    ("schlossgarten", {"players": 3}),
]


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_the_deal_is_checked_in_the_page(visit: Visit, name: str, options: dict[str, Any]) -> None:
    page = visit()
    table = open_table(page, name, options, [ME, *[GREEDY] * (options["players"] - 1)])
    page.wait_for_selector("[data-number]")
    page.evaluate(PLAY_ON, table)
    page.get_by_text("Dealt fairly").click()
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair_good")
    record = finished(page)
    assert record["fair"]["secret"] in page.locator("dl").inner_text()
    page.route(
        "**/record", lambda route: route.fulfill(json=record | {"deal": record["deal"] | _another(record["deal"])})
    )
    page.reload()
    page.get_by_text("Dealt fairly").click()
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair_bad")


def _another(deal: dict[str, Any]) -> dict[str, Any]:
    """A deal with two parts exchanged."""
    pile = list(deal.get("pile") or deal["garden"])
    pile[0], pile[1] = pile[1], pile[0]
    return {"pile" if "pile" in deal else "garden": pile}


def test_the_game_is_over_and_goes_on(visit: Visit) -> None:
    page = visit()
    table = open_table(page, "topas", {"players": 1}, [ME])
    page.wait_for_selector("[data-number]")
    page.evaluate(PLAY_ON, table)
    expect(page.locator("h1")).to_have_text("The game is over")
    expect(page.get_by_text("Your lowest column counts")).to_be_visible()
    page.get_by_role("link", name="Step through it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Replay: Topas")
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("button", name="Another game").click()
    page.wait_for_selector("[data-number='0']")
    assert table not in page.url


@pytest.mark.parametrize("game", ["topas", "schlossgarten"])
def test_the_rules_of_the_game_open_beside_the_table(visit: Visit, game: str) -> None:
    page = visit()
    table = open_table(page, game, {"players": 2}, [ME, RANDOM])
    page.wait_for_selector("[data-number]")
    with page.context.expect_page() as opened:
        page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    expect(opened.value).to_have_url(re.compile(f"/rules/{game}$"))
    assert table in page.url


def test_what_a_bot_did_last_stays_to_be_read(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, {**RANDOM, "name": "Ivy"}])
    assert wait_for_turn(page)
    while page.locator("h1").inner_text() == "Your turn" and not page.locator(".last-move", has_text="Ivy").count():
        play_by_mouse(page)
        assert wait_for_turn(page)
    expect(page.locator(".last-move")).to_contain_text("Ivy")


def test_a_table_that_is_not_there_says_so_and_leads_on(visit: Visit) -> None:
    page = visit("/table/nowhere")
    expect(page.get_by_role("alert")).to_have_text("There is no such table. Ask for the whole link.")
    page.get_by_role("link", name="To the start page").click()
    expect(page.locator("article[data-game]").first).to_be_visible()


def test_bots_move_at_the_pace_that_was_set(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    pace = page.get_by_role("button", name="Bots move at once")
    expect(pace).to_have_attribute("aria-pressed", "true")
    pace.click()
    while page.locator("h1").inner_text() == "Your turn":
        play_by_mouse(page)
    expect(page.locator(".thinking")).to_have_count(1)
    pace.click()
    before = number(page)
    wait_for_more(page, before)
