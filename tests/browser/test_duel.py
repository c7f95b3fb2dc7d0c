"""A duel: set up, played on at the next table, decided by total points, its deals checked."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from bosquet.core.installed import spec
from bosquet.core.records.duel import Follower
from bosquet.core.records.record import load
from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.tables import PLAY_THROUGH, fits, joined, opened, setting


def play_through(page: Page) -> list[int]:
    """Play the game of the table that the page shows to its end, and look at it."""
    scores: list[int] = page.evaluate(PLAY_THROUGH, page.url.rsplit("/", 1)[1])
    expect(page.locator("h1")).to_have_text("The game is over")
    return scores


def test_a_duel_from_its_setting_to_its_end(visit: Visit) -> None:
    page = visit("/")
    dialog = setting(page, "topas")
    dialog.get_by_label("Bots move without a pause").check()
    dialog.get_by_label("A duel: 2 games").check()
    assert violations(page) == []
    assert opened(page, dialog)["duel"] is True
    line = page.locator(".duel").first
    expect(line).to_contain_text("Duel: game 1 of 2")
    first = play_through(page)
    expect(line).to_contain_text(str(first[0]))
    page.get_by_role("button", name="On to game 2 of 2").click()
    expect(page.locator(".duel").first).to_contain_text("Duel: game 2 of 2")
    expect(page.locator(".duel").first).to_contain_text(str(first[0]))
    second = play_through(page)
    totals = [mine + theirs for mine, theirs in zip(second, first[::-1], strict=True)]
    expect(page.get_by_text("the duel with").first).to_contain_text(str(max(totals)))
    assert violations(page) == []
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair_good")
    link = page.get_by_role("link", name="All games of the duel")
    lines = page.request.get(link.get_attribute("href") or "").text().splitlines()
    follower = Follower()
    found = [follower.add(load(json.loads(line), lambda name: spec(str(name)))) for line in lines]
    assert found[1] is not None
    assert sorted(found[1].points) == sorted(totals)
    expect(page.get_by_role("button", name="Another duel")).to_be_visible()


def test_two_people_are_told_what_the_next_game_waits_for(visit: Visit) -> None:
    ann, bea = visit("/"), visit(phone=True)
    dialog = setting(ann, "topas")
    dialog.get_by_label("Seat 2").select_option("friend")
    dialog.get_by_label("A duel: 2 games").check()
    opened(ann, dialog)
    table = ann.url.rsplit("/", 1)[1]
    joined(ann, bea, table)
    for page in (ann, bea):
        page.wait_for_selector("[data-number]")
    bea.evaluate(f"table => void ({PLAY_THROUGH})(table)", table)
    play_through(ann)
    for page in (ann, bea):
        expect(page.get_by_text("Game 2 begins when all who play have gone on.")).to_be_visible()
    ann.get_by_role("button", name="On to game 2 of 2").click()
    expect(ann.get_by_text("Bea has still to go on from the end of the last game.")).to_be_visible()
    assert violations(ann) == []
    expect(bea.get_by_text("The next game is open and begins when all are there.")).to_be_visible()
    assert fits(bea)
    bea.get_by_role("link", name="On to game 2 of 2").tap()
    for page in (ann, bea):
        page.wait_for_selector("[data-number]")


def test_the_rules_say_why_a_duel(visit: Visit) -> None:
    page = visit("/rules/schlossgarten")
    expect(page.locator("#duel")).to_contain_text("the first player wins 91 of 100 games")


def test_who_resigns_is_told_that_it_is_the_whole_duel(visit: Visit) -> None:
    page = visit("/")
    dialog = setting(page, "topas")
    dialog.get_by_label("A duel: 2 games").check()
    opened(page, dialog)
    page.get_by_label("This game", exact=True).click()
    page.get_by_role("button", name="Give up…").click()
    expect(page.get_by_role("dialog")).to_contain_text("The whole duel ends, and the other side wins it.")
