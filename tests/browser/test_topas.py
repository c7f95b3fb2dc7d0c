"""Topas in the browser: to the end by mouse, by keyboard alone, by touch on a phone, and alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, RANDOM, finished, fits, number, open_table, wait_for_more, wait_for_turn
from tests.browser.helpers.topas import choose_card, lay_by_mouse, squares


@pytest.mark.quick
def test_a_game_by_mouse(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 2, "expert": True}, [ME, RANDOM])
    turns = 0
    while wait_for_turn(page):
        before = number(page)
        choose_card(page)
        page.mouse.move(5, 5)
        lay_by_mouse(page, turns % 3)
        wait_for_more(page, before)
        turns += 1
    assert turns == 7
    record = finished(page)
    assert record["options"]["expert"] is True
    assert bosquet.load(record).over


def test_a_game_by_keyboard_alone(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    while wait_for_turn(page):
        before = number(page)
        page.locator(".dock.playing").wait_for()
        page.get_by_role("group", name="Your cards").get_by_role("button").first.focus()
        page.keyboard.press("1")
        page.keyboard.press("R")
        squares(page).first.wait_for()
        page.keyboard.press("ArrowRight")
        for key in ["ArrowDown", "ArrowRight"] * 4:
            if page.locator("g.fits:focus").count():
                break
            page.keyboard.press(key)
        if page.locator("g.fits:focus").count() == 0:
            squares(page).first.focus()
        page.keyboard.press("Enter")
        wait_for_more(page, before)
    assert bosquet.load(finished(page)).over


def test_a_solitaire_on_a_phone(visit: Visit) -> None:
    page = visit(phone=True)
    open_table(page, "topas", {"players": 1}, [ME])
    turns = 0
    while wait_for_turn(page):
        before = number(page)
        page.locator(".dock.playing").wait_for()
        if squares(page).count() == 0:
            page.get_by_role("group", name="Your cards").get_by_role("button").first.tap()
        squares(page).first.wait_for()
        felt = page.locator(".felt").bounding_box()
        boxes = [square.locator("rect").bounding_box() for square in squares(page).all()]
        assert felt is not None
        # The felt shows a part of a large table: a finger taps what it shows.
        middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box is not None]
        left, top = felt["x"] + 16, felt["y"] + 64  # below the keys of the zoom
        right, bottom = felt["x"] + felt["width"] - 16, felt["y"] + felt["height"] - 16
        x, y = next((x, y) for x, y in middles if left < x < right and top < y < bottom)
        page.touchscreen.tap(x, y)
        lay = page.get_by_role("button", name="Lay it here")
        expect(lay).to_be_visible()
        assert (lay.bounding_box() or {"height": 0})["height"] >= 44
        lay.tap()
        wait_for_more(page, before)
        turns += 1
    assert turns == 28
    game = bosquet.load(finished(page))
    expect(page.get_by_text(f"Your lowest column counts: {game.scores[0]} point")).to_be_visible()
    assert fits(page)


def test_what_happened_names_no_squares_and_points_at_them(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    before = number(page)
    choose_card(page)
    lay_by_mouse(page)
    wait_for_more(page, before)
    assert wait_for_turn(page)
    page.get_by_text("What happened").click()
    line = page.locator(".log li", has_text="Ann lays").get_by_role("button")
    assert not re.search(r"-?\d,-?\d", line.inner_text())
    line.hover()
    expect(page.locator("path.lit").first).to_be_attached()


def test_counted_rows_give_way_to_a_card_that_is_chosen(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    for _ in range(4):
        assert wait_for_turn(page)
        before = number(page)
        choose_card(page)
        page.mouse.move(5, 5)
        expect(page.locator(".felt rect.light")).to_have_count(0)
        lay_by_mouse(page)
        wait_for_more(page, before)


def test_the_turns_that_remain_are_told(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 2}, [ME, {"kind": "here", "name": "Bea"}])
    page.locator(".hand-over button").click()
    screen = visit(page.url.replace("/table/", "/screen/"))
    for turn in range(3):
        own = 7 - turn // 2
        expect(page.locator(".stock .left")).to_have_text(f"{own} turns left for you")
        expect(screen.locator(".stock .left")).to_have_text(f"{own} rounds left")
        page.get_by_role("group", name="Your cards").get_by_role("button").first.click()
        page.locator("g.fits").first.press("Enter")
        page.locator(".hand-over button").click()


def begin(visit: Visit) -> Page:
    page = visit()
    open_table(page, "topas", {"players": 2}, [ME, {"kind": "here", "name": "Bea"}], "full")
    page.locator(".hand-over button").click()
    choose_card(page)
    return page


def test_a_card_is_dragged_from_the_hand_to_its_place(visit: Visit) -> None:
    page = begin(visit)
    square = squares(page).nth(2)
    box, target = page.locator(".dock .cards button").first.bounding_box(), square.bounding_box()
    assert box is not None
    assert target is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(200, 650, steps=4)
    expect(page.locator(".carried")).to_be_visible()
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator(".carried")).to_have_count(0)
    assert number(page) == 0
    choose_card(page)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=6)
    expect(page.locator(".bubble")).to_be_visible()
    page.mouse.up()
    wait_for_more(page, 0)
    expect(page.locator(".carried")).to_have_count(0)


def test_who_wants_to_is_asked_before_a_card_is_laid(visit: Visit) -> None:
    page = begin(visit)
    page.get_by_label("Ask before a card is laid").check()
    page.reload()
    page.locator(".hand-over button").click()
    choose_card(page)
    lay_by_mouse(page)
    lay = page.get_by_role("button", name="Lay it here")
    expect(lay).to_be_visible()
    assert number(page) == 0
    lay.click()
    wait_for_more(page, 0)


UNDER_PLATES = """() => {
    const box = (element) => element.getBoundingClientRect();
    const plates = [...document.querySelectorAll(".felt > .stock, .felt > .keys")].map(box);
    const meet = (one, other) =>
        one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
    const squares = [...document.querySelectorAll("g[data-cell]")];
    const under = squares.filter((square) => plates.some((plate) => meet(box(square), plate)));
    return under.map(({dataset}) => dataset.cell);
}"""
FARTHEST = """squares => {
    const far = ({dataset}) => Math.abs(dataset.cell.split(",")[0]);
    return squares.map(far).reduce((best, _, n, all) => all[n] > all[best] ? n : best, 0);
}"""

AT_REST = """() => Promise.allSettled(
    document.getAnimations().filter(({effect}) => effect.getComputedTiming().endTime < Infinity)
        .map(({finished}) => finished)
)"""


@pytest.mark.parametrize("screen", [(390, 844), (320, 568), (844, 390)], ids=str)
def test_on_a_phone_no_square_is_under_a_plate_or_too_small_for_a_finger(visit: Visit, screen: tuple[int, int]) -> None:
    page = visit(phone=True)
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    show_all = page.get_by_role("button", name="Show all cards")
    came_near = 0
    while wait_for_turn(page):
        before = number(page)
        choose_card(page)
        expect(show_all).to_be_disabled()
        page.evaluate(AT_REST)
        assert page.evaluate(UNDER_PLATES) == []
        square = squares(page).nth(squares(page).evaluate_all(FARTHEST))
        cell = square.get_attribute("data-cell")
        box = square.locator("rect").first.bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        lay = page.get_by_role("button", name="Lay it here")
        expect(lay).to_be_visible()
        page.evaluate(AT_REST)
        near = page.locator(f"[data-cell='{cell}'] rect").first.bounding_box()
        assert near is not None
        assert near["width"] >= 32
        came_near += near["width"] > box["width"]
        page.touchscreen.tap(near["x"] + near["width"] / 2, near["y"] + near["height"] / 2)
        wait_for_more(page, before)
    assert came_near >= 1


@pytest.mark.parametrize("screen", [(1440, 900), (820, 1180), (844, 390)], ids=str)
def test_the_hand_stays_in_its_place_when_a_card_is_chosen_and_turned(visit: Visit, screen: tuple[int, int]) -> None:
    page = visit(language="fr-FR", phone=screen == (844, 390))
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    page.locator(".dock.playing").wait_for()
    hand, turn = page.locator(".dock"), page.locator(".dock .turn")
    places = [(hand.bounding_box(), turn.bounding_box())]
    page.locator(".dock .cards button").first.click()
    for _ in range(2):
        turn.click()
        places.append((hand.bounding_box(), turn.bounding_box()))
    assert places == places[:1] * 3
    assert page.evaluate("document.documentElement.scrollHeight") <= max(screen[1], 844)


def hold_over_a_square(page: Page) -> tuple[float, float]:
    """Choose a card, and tell the middle of a square where it fits; the mouse is elsewhere."""
    choose_card(page)
    page.mouse.move(5, 5)
    box = squares(page).first.locator("rect").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("pause", [0, 60, 250])
def test_a_click_lays_a_card_however_soon_after_the_mouse_came(visit: Visit, pause: int) -> None:
    page = visit()
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    before = number(page)
    page.mouse.move(*hold_over_a_square(page))
    page.wait_for_timeout(pause)
    page.mouse.down()
    page.mouse.up()
    wait_for_more(page, before)


def test_a_mouse_at_rest_lays_a_card_that_was_chosen_and_turned_by_keys(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    before = number(page)
    page.mouse.move(*hold_over_a_square(page))
    for _ in range(4):
        page.keyboard.press("r")
    page.mouse.down()
    page.mouse.up()
    wait_for_more(page, before)


@pytest.mark.parametrize("move", ["zoom", "wheel", "scroll"])
def test_a_click_while_the_felt_moves_under_the_mouse_lays_nothing(visit: Visit, move: str) -> None:
    page = visit()
    if move == "scroll":
        page.set_viewport_size({"width": 900, "height": 620})
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    before = number(page)
    x, y = hold_over_a_square(page)
    page.mouse.move(x, y)
    page.wait_for_timeout(400)
    there = "document.elementFromPoint(x, y)"
    moves = {
        "zoom": "dispatchEvent(new KeyboardEvent('keydown', {key: '+', code: 'BracketRight', bubbles: true}))",
        "wheel": f"{there}.dispatchEvent(new WheelEvent('wheel', {{deltaY: 9, clientX: x, clientY: y, bubbles: 1}}))",
        "scroll": "scrollBy({top: 4, behavior: 'instant'})",
    }
    page.evaluate(
        """([move, x, y]) => new Promise(done => {
            const at = {clientX: x, clientY: y, pointerType: "mouse", pointerId: 1, isPrimary: true, bubbles: true};
            const send = (kind, more) => document.elementFromPoint(x, y)
                .dispatchEvent(new PointerEvent(kind, {...at, ...more}));
            new Function("x", "y", move)(x, y);
            setTimeout(() => {
                send("pointermove", {buttons: 0});
                send("pointerdown", {button: 0, buttons: 1});
                send("pointerup", {button: 0, buttons: 0});
                done();
            }, 100);
        })""",
        [moves[move], x, y],
    )
    page.wait_for_timeout(700)
    assert number(page) == before
    page.mouse.move(x + 1, y)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.up()
    wait_for_more(page, before)
