"""Hints at the table, the coach of a finished game, and the luck receipt."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.games import finished_game
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import ME, RANDOM, fits, number, open_table, wait_for_more, wait_for_turn

EACH_GAME = pytest.mark.parametrize(("name", "phone"), [("topiary", True), ("topas", False), ("schlossgarten", True)])
"""Each game, on a phone or at a desk."""
SLOW = 400_000
"""On a cold machine the coach has to be compiled first."""


def studied(page: Page) -> None:
    """Wait until coach and luck receipt are there."""
    page.wait_for_selector("[data-stage=done][data-luck=done]", timeout=SLOW)


def opened(page: Page, record: dict[str, Any], folder: Path) -> None:
    """Open a record at the page that asks for one."""
    file = folder / "game.json"
    file.write_text(json.dumps(record))
    page.locator("input[type=file]").set_input_files(file)


@EACH_GAME
def test_a_hint_is_drawn_on_the_board(visit: Visit, name: str, phone: bool) -> None:
    page = visit(phone=phone, dark=phone)
    open_table(page, name, {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    expect(page.get_by_label("Allow hints")).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    choices = page.get_by_role("region", name="What the coach would do").get_by_role("listitem")
    expect(choices.first).to_contain_text("of 100 games", timeout=SLOW)
    assert 1 <= choices.count() <= 3
    expect(page.locator("g.marks")).to_have_count(1)
    choices.last.get_by_role("button").focus()
    expect(choices.last.get_by_role("button")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("g.marks > g").first).to_be_attached()
    assert violations(page) == []
    assert fits(page)


def test_a_hint_for_a_turn_stays_while_one_follows_it(visit: Visit) -> None:
    page = visit(phone=True)
    open_table(page, "schlossgarten", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.get_by_role("button", name="Hint").click()
    choices = page.get_by_role("region", name="What the coach would do").get_by_role("listitem")
    expect(choices.first).to_contain_text("of 100 games", timeout=SLOW)
    expect(choices.first).to_be_in_viewport()
    card = re.search(r"card (\d+)", choices.first.inner_text())
    assert card is not None
    before = number(page)
    page.get_by_role("button", name=re.compile(rf"^Card {card[1]}\b")).first.click()
    page.get_by_role("button", name="Play this card").click()
    wait_for_more(page, before)
    expect(choices.first).to_contain_text("of 100 games")
    expect(choices.first).not_to_contain_text("Plays card")
    expect(page.locator("g.marks > g")).to_have_count(1)


def test_a_hint_is_gone_with_its_position(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 1}, [ME])
    assert wait_for_turn(page)
    page.get_by_role("button", name="Hint").click()
    hint = page.get_by_role("region", name="What the coach would do")
    expect(hint).to_contain_text("points expected", timeout=SLOW)
    page.locator(".dock button").first.click()
    square = page.locator("g.fits[role=button]").first
    square.focus()
    square.press("Enter")
    wait_for_more(page, 0)
    expect(hint).to_have_count(0)
    expect(page.locator("g.marks")).to_have_count(0)


def test_two_people_agree_to_hints(visit: Visit) -> None:
    first, second = visit(), visit(phone=True)
    table = open_table(first, "topas", {"players": 2}, [ME, {"kind": "friend"}])
    link = first.get_by_label("Link to this table").input_value()
    second.goto(f"/table/{table}#{link.partition('#')[2]}")
    second.get_by_role("button", name="Sit down").click()
    for page in (first, second):
        page.wait_for_selector("[data-number]")
        expect(page.get_by_text("So far: nobody")).to_be_visible()
        expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    first.get_by_label("Allow hints").check()
    expect(second.get_by_text("So far: Ann")).to_be_visible()
    second.get_by_label("Allow hints").check()
    for page in (first, second):
        expect(page.get_by_text("Everybody here allows hints")).to_be_visible()
    mover = first if first.locator("h1").inner_text() == "Your turn" else second
    other = second if mover is first else first
    expect(other.get_by_role("button", name="Hint")).to_be_disabled()
    mover.get_by_role("button", name="Hint").click()
    expect(other.get_by_text("Asked for a hint")).to_be_visible()
    expect(mover.get_by_text("Asked for a hint")).to_have_count(0)
    expect(mover.get_by_role("region", name="What the coach would do")).to_be_visible(timeout=SLOW)
    expect(other.get_by_role("region", name="What the coach would do")).to_have_count(0)


def expect_whole(page: Page, players: int) -> None:
    """What the coach says has all of its parts: the curve, every decision, the luck of each seat."""
    expect(page.get_by_role("img", name=re.compile("Chance to win"))).to_be_visible()
    slider = page.get_by_role("slider")
    slider.focus()
    slider.press("End")
    total = re.search(r"(\d+) of (\d+)", slider.get_attribute("aria-label") or "")
    assert total is not None
    assert total[1] == total[2]
    assert "%" in (slider.get_attribute("aria-valuetext") or "")
    page.get_by_text("Every decision", exact=True).click()
    expect(page.get_by_role("region", name="Every decision").get_by_role("row")).to_have_count(int(total[2]) + 1)
    for seat in range(1, players + 1):
        expect(page.get_by_text(re.compile(rf"Player {seat}: .* better than \d+ of 100 games"))).to_be_visible()
    assert violations(page) == []
    assert fits(page)


def test_the_coach_of_a_record(visit: Visit, tmp_path: Path) -> None:
    page = visit("/coach")
    opened(page, finished_game("topas", 2), tmp_path)
    studied(page)
    expect_whole(page, 2)


@pytest.mark.parametrize("name", ["topiary", "schlossgarten"])
def test_a_costly_decision_is_shown_on_the_board(visit: Visit, name: str, tmp_path: Path) -> None:
    page, asked = visit("/replay", phone=True, dark=True), []
    page.on("request", lambda request: asked.append(request.url))
    opened(page, finished_game(name, 2), tmp_path)
    page.get_by_role("link", name="Ask the coach").click()
    studied(page)
    expect_whole(page, 2)
    costly = page.get_by_role("listitem").filter(has=page.get_by_text("Better"))
    assert 1 <= costly.count() <= 3
    expect(costly.first).to_contain_text("Played")
    expect(costly.first).to_contain_text(re.compile("to win, where .* was possible: .* points? (fewer|more)"))
    for verdict in costly.all():
        expect(verdict.locator(".pictures svg").first).to_be_visible()
        for sign in ("× Played", "★ Better"):
            expect(verdict.locator("figcaption").filter(has_text=sign)).to_have_count(1)
    if name != "topiary":  # there a tile that is put is only named
        expect(costly.first.locator(".pictures g.marks > g.made").first).to_be_attached()
    assert violations(page) == []
    pictures = costly.first.locator(".pictures svg")
    drawn, before = pictures.count(), costly.first.inner_text()
    page.reload()
    studied(page)
    expect(pictures).to_have_count(drawn)
    assert costly.first.inner_text() == before
    assert not [url for url in asked if url.endswith(("/api/coach", "/api/luck", "/api/replay"))]
    number = re.search(r"Decision (\d+) of", costly.first.inner_text())
    assert number is not None
    costly.first.get_by_role("link", name=re.compile("Show on the board")).click()
    note = page.get_by_role("region", name="What the coach says")
    expect(note).to_contain_text("to win, where")
    expect(page.locator("[data-step]")).to_have_attribute("data-step", page.url.rpartition("#ply")[2])
    played = note.get_by_role("button", name=re.compile("Played"))
    played.click()
    expect(played).to_have_attribute("aria-pressed", "true")
    assert violations(page) == []
    note.get_by_role("link", name="What the coach says").click()
    studied(page)


def test_a_game_at_a_table_leads_to_its_coach(visit: Visit) -> None:
    page = visit()
    table = open_table(page, "topas", {"players": 2}, [RANDOM, RANDOM])
    page.get_by_role("link", name="Ask the coach").click()
    assert page.url.endswith(f"/coach/{table}")
    studied(page)
    page.get_by_role("link", name="Step through it").click()
    expect(page.locator("[data-step]")).to_have_attribute("data-step", "0")


def test_alone_points_are_what_counts(visit: Visit, tmp_path: Path) -> None:
    page = visit("/coach")
    opened(page, finished_game("topas", 1), tmp_path)
    studied(page)
    expect(page.get_by_role("img", name=re.compile("Expected points"))).to_be_visible()
    expect(page.get_by_text(re.compile("better than .* of 100 games"))).to_be_visible()
    assert violations(page) == []


def test_a_game_that_is_not_there_has_no_coach(visit: Visit) -> None:
    page = visit("/coach/nowhere")
    expect(page.get_by_role("alert")).to_contain_text("no such game")
    expect(page.get_by_label("Open a game file")).to_be_attached()


@pytest.mark.quick
def test_without_an_engine_there_is_no_coach_and_the_page_says_what_it_needs(visit: Visit, tmp_path: Path) -> None:
    page = visit("/coach")
    opened(page, {"game": "chess", "moves": []}, tmp_path)
    expect(page.get_by_role("alert")).to_contain_text("The coach needs the engine of this game")
    expect(page.get_by_label("Open a game file")).to_be_attached()
