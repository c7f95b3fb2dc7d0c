"""A table that lives in the page: it needs a server to load, and no network afterwards."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import bosquet
from bosquet.core.records import fair
from bosquet.core.records.duel import Follower
from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.offline import ready
from tests.browser.helpers.tables import fits, number, setting, wait_for_turn
from tests.browser.helpers.topas import choose_card, lay_by_mouse
from tests.browser.helpers.topiary import play_by_mouse

RELOADED = 5
"""Own decisions after which the page is loaded again."""


def test_a_game_is_played_to_its_end_without_a_network(visit: Visit) -> None:
    page = ready(visit("/", worker=True))
    page.locator("article[data-game=topiary]").get_by_role("button", name="Play now").click()
    page.wait_for_url("**/here/topiary/*")
    page.get_by_role("button", name="Bots move at once").click()
    made = 0
    while wait_for_turn(page):
        play_by_mouse(page)
        made += 1
        if made == 1:
            page.context.set_offline(True)
        if made == RELOADED:
            assert wait_for_turn(page)
            before = number(page)
            page.reload()
            assert wait_for_turn(page)
            assert number(page) == before
    assert made > RELOADED
    expect(page.locator(".ending")).to_contain_text(re.compile("won|lost|tie"))
    page.reload()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the record").click()
    fair.verify(bosquet.load(json.loads(saved.value.path().read_bytes())))
    page.get_by_role("button", name="Another game").click()
    assert wait_for_turn(page)
    play_by_mouse(page)
    assert fits(page)
    assert violations(page) == []
    page.goto("/history")
    games = page.locator("[data-here]")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text("goes on")
    assert fits(page)
    assert violations(page) == []
    games.last.get_by_role("button", name="Delete").click()
    expect(games).to_have_count(1)
    page.get_by_role("button", name="Bring it back").click()
    expect(games).to_have_count(2)
    games.last.get_by_role("link", name=re.compile("Replay")).click()
    expect(page.locator("[data-step]")).to_have_attribute("data-step", "0")
    page.get_by_role("link", name="Ask the coach").click()
    page.wait_for_selector("[data-stage=done][data-luck=done]", timeout=400_000)
    page.get_by_role("link", name="Step through it").click()
    expect(page.locator("[data-step]")).to_be_visible()
    page.goto("/history")
    games.first.get_by_role("link", name="Continue").click()
    assert wait_for_turn(page)


PRESS = """game => new Promise(done => {
    const start = performance.now();
    new MutationObserver(() => {
        if (document.querySelector("[data-number]")) done(performance.now() - start);
    }).observe(document.body, {childList: true, subtree: true});
    document.querySelector(`article[data-game=${game}] .ways button:not(.main)`).click();
})"""
"""Presses the second button of a card, *Play now*; gives the milliseconds until the board is there."""


@pytest.mark.parametrize("game", ["topiary", "topas", "schlossgarten"])
def test_a_card_that_was_seen_begins_a_game_without_a_request(visit: Visit, game: str) -> None:
    page = visit()
    with page.expect_response(re.compile(f"/engines/{game}")):
        page.goto("/")
        page.locator(f"article[data-game={game}]").hover()  # a newcomer, who has not played here
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    took = page.evaluate(PRESS, game)
    print(f"{game}: {took:.0f} ms")
    assert [url for url in asked if "/api/" not in url] == []
    assert wait_for_turn(page)


def test_all_games_of_a_device_go_to_another_one_in_a_file(visit: Visit, tmp_path: Path) -> None:
    page, other = visit("/"), visit("/history", phone=True, dark=True)
    page.locator("article[data-game=topiary]").get_by_role("button", name="Play now").click()
    assert wait_for_turn(page)
    play_by_mouse(page)
    page.goto("/history")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save all to a file").click()
    file = tmp_path / "device.json"
    saved.value.save_as(file)
    take_in = other.get_by_label("Import a file")
    file.with_name("bad.json").write_text(file.read_text().replace('"move"', '"steal"', 1))
    take_in.set_input_files(file.with_name("bad.json"))
    expect(other.get_by_role("alert")).to_have_text(
        "Nothing was imported: tables[0].journal[0] in the file can’t be read."
    )
    take_in.set_input_files(file)
    other.get_by_text("1 game imported").wait_for()
    assert fits(other)
    assert violations(other) == []
    other.get_by_role("link", name="Continue").click()
    assert wait_for_turn(other)


def test_a_table_that_is_set_up_is_played_on_this_device(visit: Visit) -> None:
    page = visit("/", dark=True)
    dialog = setting(page, "topiary")
    dialog.get_by_label("Seat 2").select_option("here")
    dialog.get_by_role("button", name="Play on this device").click()
    for _ in range(2):  # one at the screen after the other
        page.locator(".hand-over button").click()
        play_by_mouse(page)
        while page.get_by_role("heading", name="Your turn").count():
            play_by_mouse(page)
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Continue at the table of Topiary")).click()
    page.locator(".hand-over button").wait_for()
    other = page.context.new_page()
    other.goto(page.url)  # the tab that was opened last leads
    page.get_by_role("button", name="Go on here").click()
    expect(other.get_by_role("alert")).to_have_text("This game goes on in another tab.")
    expect(other.get_by_role("heading", level=1)).to_be_visible()


def test_those_at_the_screen_say_who_begins(visit: Visit) -> None:
    page = visit("/", phone=True)
    dialog = setting(page, "topiary")
    dialog.get_by_label("Seat 2").select_option("here")
    dialog.get_by_label("Name of seat 2").fill("Bea")
    dialog.get_by_label("Who begins").select_option("open")
    dialog.get_by_role("button", name="Play on this device").click()
    expect(page.get_by_role("heading", name="Who begins?")).to_be_visible()
    page.reload()
    expect(page.get_by_text("last trimmed").first).to_be_visible()
    assert fits(page)
    assert violations(page) == []
    page.get_by_role("button", name="Bea begins").click()
    page.get_by_role("button", name="I am Bea").click()
    assert wait_for_turn(page)


def test_a_duel_is_played_to_its_end_on_this_device(visit: Visit) -> None:
    page = visit("/")
    dialog = setting(page, "topiary")
    dialog.get_by_label("Bots move without a pause").check()
    dialog.get_by_label("A duel: 2 games").check()
    dialog.get_by_role("button", name="Play on this device").click()
    for game in (1, 2):
        expect(page.locator(".duel").first).to_contain_text(f"Duel: game {game} of 2")
        while wait_for_turn(page):
            play_by_mouse(page)
        if game == 1:
            page.get_by_role("button", name="On to game 2 of 2").click()
    expect(page.get_by_text("the duel").first).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="All games of the duel").click()
    follower = Follower()
    records = [json.loads(text) for text in saved.value.path().read_text().splitlines()]
    found = [follower.add(bosquet.load(record)) for record in records]
    assert [one is None for one in found] == [True, False]
    expect(page.get_by_role("button", name="Another duel")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("wrong", [False, True])
def test_a_box_of_ones_own_is_played_with_on_this_device_or_refused_there(
    visit: Visit, tmp_path: Path, *, wrong: bool
) -> None:
    starts = [["d2", "c2", "e2"], ["d6", "e6", "d2" if wrong else "c6"]]
    file = tmp_path / "box.json"
    file.write_text(json.dumps({"starts": {"2": starts}}))
    page = visit("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    dialog = setting(page, "schlossgarten")
    dialog.get_by_text("Play with what is in your box").click()
    dialog.locator("input[type=file]").set_input_files(file)
    dialog.get_by_role("button", name="Play on this device").click()
    if wrong:
        expect(dialog.get_by_text("d2, where another pawn starts already")).to_be_visible()
    else:
        assert wait_for_turn(page)
    assert asked == []


def test_the_champion_searches_with_the_cores_of_the_device_and_says_that_it_thinks(visit: Visit) -> None:
    page = visit("/")
    dialog = setting(page, "topas")
    dialog.get_by_label("Seat 2").select_option("champion")
    dialog.get_by_role("button", name="Play on this device").click()
    assert wait_for_turn(page)
    cores = page.evaluate("navigator.hardwareConcurrency")
    expect(page.locator("[data-number]")).to_be_visible()
    assert len(page.workers) == min(4, cores)
    before = number(page)
    choose_card(page)
    lay_by_mouse(page)
    expect(page.get_by_text("is thinking...").first).to_be_visible()
    assert wait_for_turn(page)
    assert number(page) > before + 1
