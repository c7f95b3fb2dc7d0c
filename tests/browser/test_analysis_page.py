"""The analysis board: playing on for all seats, in branches that are kept; its link; what seats know."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.games import finished_game
from tests.browser.helpers.looks import by_look, violations
from tests.browser.helpers.tables import fits
from tests.browser.helpers.topiary import choose_by_mouse

BOARD = "[data-plies]"


def plies(page: Page, count: int) -> None:
    expect(page.locator(BOARD)).to_have_attribute("data-plies", str(count))


def moves(page: Page) -> Locator:
    return page.get_by_role("region", name="Moves", exact=True)


def choices(page: Page) -> Locator:
    return page.get_by_role("region", name="Best moves").get_by_role("listitem")


def explored(page: Page, name: str, folder: Path, step: int) -> None:
    """Open a finished game at the replay page, go to a step, and explore from there."""
    file = folder / "game.json"
    file.write_text(json.dumps(finished_game(name)))
    page.locator("input[type=file]").set_input_files(file)
    for _ in range(step):
        page.get_by_role("button", name="One step forward").click()
    page.get_by_role("link", name="Explore from here").click()
    plies(page, step)


@by_look
def test_a_game_is_explored_from_its_replay(visit: Visit, phone: bool, dark: bool, tmp_path: Path) -> None:
    page = visit("/replay", phone=phone, dark=dark)
    explored(page, "topiary", tmp_path, 4)
    expect(page.get_by_text("All open", exact=True)).to_be_visible()
    expect(choices(page).first).to_contain_text(re.compile(r"\d %|\d%"))
    expect(choices(page).first).to_contain_text("if all lay open")
    assert violations(page) == []
    assert fits(page)

    before = moves(page).get_by_role("button").count()
    best = choices(page).last
    expect(page.get_by_text(re.compile("games played out for each move"))).to_be_visible(timeout=60_000)
    best.get_by_role("button").click()
    plies(page, 5)
    remove = page.get_by_role("button", name="Remove this move")
    if remove.count():
        assert moves(page).get_by_role("button").count() == before + 2  # the branch, and the button that removes it
    page.get_by_role("button", name="One step back").click()
    plies(page, 4)
    choices(page).first.get_by_role("button").click()
    plies(page, 5)
    page.get_by_role("button", name="To the start").click()
    plies(page, 0)
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    plies(page, 1)
    assert violations(page) == []
    assert fits(page)


def test_branches_are_kept_and_a_link_leads_to_the_position(visit: Visit, tmp_path: Path) -> None:
    page = visit("/replay")
    explored(page, "topas", tmp_path, 3)
    page.get_by_role("checkbox", name="Best moves").uncheck()
    page.locator("h1").click()
    for branch in (1, 2):
        page.get_by_role("checkbox", name="Best moves").check()
        expect(choices(page)).not_to_have_count(0)
        choices(page).nth(branch).get_by_role("button").click()
        plies(page, 4)
        page.get_by_role("checkbox", name="Best moves").uncheck()
        if branch == 1:
            page.get_by_role("button", name="One step back").click()
            plies(page, 3)
    branches = moves(page).locator(".branch")
    kept = branches.count()
    assert kept >= 1
    page.wait_for_timeout(400)  # the address follows the board
    address = page.url
    page.reload()
    plies(page, 4)
    expect(branches).to_have_count(kept)
    remove = page.get_by_role("button", name="Remove this move")
    if remove.count():
        remove.click()
        expect(branches).to_have_count(kept - 1)
        plies(page, 3)

    other = visit()
    other.goto(f"{address}).")
    plies(other, 4)
    expect(other.get_by_text("All open", exact=True)).to_be_visible()


def test_what_a_seat_does_not_know_is_in_no_link_and_not_on_the_board(visit: Visit, tmp_path: Path) -> None:
    page = visit("/replay")
    explored(page, "topas", tmp_path, 2)
    expect(page.get_by_text("Hands", exact=True)).to_be_visible()
    page.get_by_role("button", name=re.compile("^Explore as .* saw it")).click()
    expect(page.get_by_text("What was hidden is drawn by chance")).to_be_visible()
    expect(page.get_by_text("Hands", exact=True)).to_have_count(0)
    page.wait_for_timeout(400)
    code = page.url.split("#")[1]
    told = page.evaluate("code => atob(code.replaceAll('-', '+').replaceAll('_', '/'))", code)
    assert set(json.loads(told)) <= {"position", "players", "bots", "seed", "path"}
    assert "deal" not in told
    page.get_by_role("button", name="All open", exact=True).click()
    expect(page.get_by_text("Hands", exact=True)).to_be_visible()
    plies(page, 2)
    page.go_back()
    expect(page.get_by_text("What was hidden is drawn by chance")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("All open", exact=True)).to_be_visible()
    plies(page, 2)


def test_a_text_and_a_fresh_deal(visit: Visit) -> None:
    page = visit("/analysis", phone=True)
    assert violations(page) == []
    assert fits(page)
    field = page.get_by_role("textbox", name="A position as text")
    field.fill("topas/players=2/view=0/nonsense=1")
    page.get_by_role("button", name="Set it up").click()
    expect(page.get_by_role("alert").filter(has_text="nonsense")).to_be_visible()
    field.fill("chess/players=2")
    page.get_by_role("button", name="Set it up").click()
    expect(page.get_by_role("alert").filter(has_text="one of")).to_be_visible()
    game = bosquet.new("topiary", players=3, seed=5)
    game.play(game.legal()[0])
    field.fill(str(game.position(game.seat)))
    page.get_by_role("button", name="Set it up").click()
    plies(page, 0)
    expect(page.get_by_text(re.compile("As Player . saw it"))).to_be_visible()

    page.get_by_role("button", name="Another position").click()
    page.get_by_role("combobox", name="Game").select_option("schlossgarten")
    page.get_by_role("combobox", name="Players").select_option("3")
    page.get_by_role("button", name="Deal").click()
    plies(page, 0)
    expect(page.get_by_text("All open", exact=True)).to_be_visible()
    page.get_by_role("combobox", name="Who plays").select_option("1")
    expect(page.locator(BOARD)).not_to_have_attribute("data-plies", "0")
    assert fits(page)


def test_a_broken_link_names_the_place(visit: Visit) -> None:
    page = visit("/analysis#abc")
    expect(page.get_by_role("alert").filter(has_text="code")).to_be_visible()
    page.goto("/analysis#eyJzZWVkIjoiMSIsInBhdGgiOltdfQ")
    expect(page.get_by_role("alert").filter(has_text="record")).to_be_visible()


def test_mistakes_are_asked_again_and_played_on_from(visit: Visit, tmp_path: Path) -> None:
    page = visit("/coach")
    file = tmp_path / "game.json"
    file.write_text(json.dumps(finished_game("topiary")))
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Learn from your mistakes").click(timeout=400_000)
    learn = page.get_by_role("region", name="Learn from your mistakes")
    expect(learn.get_by_role("heading", name="Learn from your mistakes")).to_be_focused()
    expect(learn.get_by_text("There was something better here")).to_be_visible()
    expect(learn.get_by_text("Better:")).to_have_count(0)
    assert violations(page) == []
    assert fits(page)
    choose_by_mouse(page)
    judged = learn.get_by_role("heading", level=3)
    expect(judged).to_have_text(re.compile("nothing is lost|something better"), timeout=60_000)
    if learn.get_by_role("button", name="Show the answer").count():
        learn.get_by_role("button", name="Show the answer").click()
        expect(learn.get_by_text("Better:")).to_be_visible()
        assert set(learn.locator(".marks text").all_inner_texts()) == {"★", "×"}
    learn.get_by_role("button", name="Play on from here").click()
    plies(page, 0)
    expect(page.get_by_role("combobox", name="Who plays")).not_to_have_value("null")
    expect(page.get_by_text("What was hidden is drawn by chance")).to_be_visible()


def test_the_board_is_found_and_says_in_the_words_of_the_page_what_is_wrong(visit: Visit) -> None:
    page = visit("/", language="de-DE")
    for place in ("/", "/puzzles", "/history"):
        page.goto(place)
        page.get_by_role("link", name="Analysebrett").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Analysebrett")
    wrong = page.get_by_role("alert")
    page.get_by_role("textbox", name="Eine Stellung als Text").fill("topas/players=9")
    page.get_by_role("button", name="Aufbauen").click()
    expect(wrong).to_contain_text("„players“ fehlt oder stimmt nicht")
    expect(wrong.locator("small[lang=en]")).to_contain_text("is no value of this option")
    page.goto("about:blank")
    page.goto("/analysis#abc")
    expect(wrong.first).to_contain_text("Dieser Link führt zu keiner Stellung")
    assert violations(page) == []
