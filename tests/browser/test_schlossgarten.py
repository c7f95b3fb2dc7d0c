"""Schlossgarten in the browser: to the end by mouse, walks by mouse and by keyboard, the figures within reach."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import pytest
from playwright.sync_api import Page, expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.looks import violations
from tests.browser.helpers.schlossgarten import decide, press, step
from tests.browser.helpers.tables import ME, RANDOM, finished, number, open_table, wait_for_more, wait_for_turn

GREEDY = {"kind": "bot", "bot": "greedy"}
NOTE_PLAYS = """
    window.played = [];
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (message) {
        if (String(message).includes('"play"')) played.push(Date.now());
        send.call(this, message);
    };
"""
"""Notes when the page sends a move: by its own clock, since a test hears of it late on a busy machine."""


def test_a_game_to_its_end(visit: Visit) -> None:
    page = visit()
    open_table(page, "schlossgarten", {"players": 2}, [ME, GREEDY])
    while wait_for_turn(page):
        decide(page, by_keyboard=False)
    game = bosquet.load(finished(page))
    assert game.over
    assert max(game.scores) >= 21
    expect(page.get_by_text(f"wins with {max(game.scores)} points").first).to_be_visible()


@pytest.mark.parametrize("by_keyboard", [False, True], ids=["mouse", "keyboard"])
def test_a_pawn_walks(visit: Visit, by_keyboard: bool) -> None:
    page = visit()
    open_table(page, "schlossgarten", {"players": 2}, [ME, GREEDY])
    assert wait_for_turn(page)
    decide(page, by_keyboard)
    before = number(page)
    step(page, by_keyboard)
    wait_for_more(page, before)
    page.get_by_text("What happened").click()
    expect(page.locator(".log li").first).to_contain_text("Ann: ")
    page.get_by_role("button", name="Take it back").click()
    wait_for_more(page, before + 1)


def test_figures_within_reach_are_listed_without_the_server(visit: Visit) -> None:
    """At a table of this device, and after a card was played."""
    page = visit("/here/schlossgarten")
    assert wait_for_turn(page)
    page.context.set_offline(True)
    page.get_by_role("button", name="Card ").first.click()
    expect(page.get_by_text("within reach")).to_be_visible()
    page.get_by_role("button", name="Play this card").click()
    page.get_by_role("button", name="Figures within reach").click()
    expect(page.get_by_text("within reach").first).to_be_visible()


SHAPES = [(["G...K", ".....", "...A."], 5), (["K.G.A"], 5), (["G", ".", "K", "A"], 4), (["KA", ".G"], 3)]
"""Cards, and the cells on each side of the square in which one is drawn."""


def test_a_card_of_any_size_is_drawn_whole(visit: Visit, subtests: pytest.Subtests) -> None:
    page = visit(phone=True)
    for rows, width in SHAPES:
        with subtests.test(" ".join(rows)):
            expect_drawn_whole(page, rows, width)


def expect_drawn_whole(page: Page, rows: list[str], width: int) -> None:
    """The marks of a card lie inside the paper, apart from each other, in each of the four turns."""
    cards = [{"id": number, "rows": rows} for number in range(1, 33)]
    options = {"players": 2, "overbuild": "bordering"}
    open_table(page, "schlossgarten", options, [ME, GREEDY], box={"cards": cards})
    assert wait_for_turn(page)
    page.get_by_role("button", name="Card ").first.click()
    drawn = page.locator(".turns svg")
    expect(drawn).to_have_count(4)
    for card in drawn.all():
        assert card.locator(".cell").count() == width * width
        paper = card.locator(".border").bounding_box()
        marks = [star.bounding_box() for star in card.locator(".star > rect").all()]
        assert paper
        assert len(marks) == 3
        for mark in marks:
            assert mark
            assert paper["x"] <= mark["x"] < mark["x"] + mark["width"] <= paper["x"] + paper["width"]
            assert paper["y"] <= mark["y"] < mark["y"] + mark["height"] <= paper["y"] + paper["height"]
        for one, other in combinations(filter(None, marks), 2):
            apart = max(abs(one["x"] - other["x"]), abs(one["y"] - other["y"]))
            assert apart >= one["width"]


def test_a_figure_that_was_chosen_stays_on_the_board_while_one_walks(visit: Visit) -> None:
    page = visit()
    open_table(page, "schlossgarten", {"players": 2}, [ME, GREEDY])
    assert wait_for_turn(page)
    page.get_by_role("button", name="Card ").first.click()
    figures = page.locator(".figures li button")
    figures.first.wait_for()
    assert figures.count() <= 6
    ways = page.locator(".garden .plan .way")
    for figure in figures.all():
        figure.click()
        if ways.count():  # one that stands already needs no walking
            break
    before = number(page)
    page.get_by_role("button", name="Play this card").click()
    wait_for_more(page, before)
    page.mouse.move(5, 5)
    expect(page.locator(".garden .plan")).to_have_count(1)
    expect(ways).not_to_have_count(0)


def test_stopping_without_a_figure_is_asked_about_once(visit: Visit) -> None:
    page = visit()
    asked, works = page.get_by_role("alert"), page.get_by_role("group", name="Choose who works")
    for _ in range(5):  # in few deals a figure stands before anybody has moved
        open_table(page, "schlossgarten", {"players": 2}, [ME, GREEDY])
        assert wait_for_turn(page)
        decide(page, by_keyboard=False)
        before = number(page)
        page.get_by_role("button", name="Stop moving").click()
        asked.or_(works).first.wait_for()
        if not works.count():
            break
    expect(asked).to_contain_text("No figure stands")
    page.wait_for_timeout(200)
    assert number(page) == before
    page.get_by_role("button", name="Stop all the same").click()
    wait_for_more(page, before)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_what_wins_is_told(visit: Visit, phone: bool) -> None:
    page = visit(phone=phone)
    open_table(page, "schlossgarten", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    expect(page.locator(".round")).to_contain_text("First to 21 points")
    expect(page.locator(".count").first).to_have_text(re.compile(r"^\d+/21"))


def test_one_press_walks_to_a_figure_and_escape_stops_it(visit: Visit) -> None:
    page = visit()
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(NOTE_PLAYS)
    open_table(page, "schlossgarten", {"players": 2}, [ME, GREEDY])
    assert wait_for_turn(page)
    page.get_by_role("button", name="Card ").first.click()
    figures = page.locator(".figures li button")
    figures.first.wait_for()
    farthest = max(figures.all(), key=lambda figure: figure.locator("i").count())
    steps = farthest.locator("i").count()
    assert steps >= 2
    farthest.click()
    assert violations(page) == []
    before = number(page)
    page.get_by_role("button", name=f"Walk there: {steps} steps").click()
    wait_for_more(page, before + 1)
    page.keyboard.press("Escape")
    page.wait_for_timeout(700)
    played = page.evaluate("played")
    made = len(played)
    assert made < steps + 1
    assert all(later - earlier >= 200 for earlier, later in pairwise(played))
    expect(page.get_by_role("button", name=re.compile(f"Walk there: {steps + 1 - made} step"))).to_be_visible()

    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="Walk there").click()
    page.wait_for_function("n => played.length >= n", arg=steps + 1)  # a smaller figure may stand on the way
    expect(page.get_by_text("The figure stands")).to_be_visible()
    assert len(page.evaluate("played")) == steps + 1
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("button", name=re.compile(f"Walk there: {steps + 1 - made} step"))).to_be_visible()
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("button", name=f"Walk there: {steps} steps")).to_be_visible()
    expect(page.get_by_role("button", name="Take it back")).to_have_count(0)


@pytest.mark.parametrize("by_keyboard", [False, True], ids=["mouse", "keyboard"])
def test_after_a_walk_the_focus_is_where_the_next_decision_is(visit: Visit, by_keyboard: bool) -> None:
    page = visit()
    open_table(page, "schlossgarten", {"players": 2}, [ME, GREEDY])
    assert wait_for_turn(page)
    press(page.get_by_role("button", name="Card ").first, by_keyboard)
    figures = page.locator(".figures li button")
    figures.first.wait_for()
    farthest = max(figures.all(), key=lambda figure: figure.locator("i").count())
    press(farthest, by_keyboard)
    press(page.get_by_role("button", name="Walk there"), by_keyboard)
    expect(page.get_by_text("The figure stands")).to_be_visible()
    if by_keyboard:
        expect(page.get_by_role("button", name="Stop moving")).to_be_focused()
    else:
        expect(page.locator(".schlossgarten")).to_be_focused()  # whose keys work
