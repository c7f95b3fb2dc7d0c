"""Two fingers, a pen and keys on the boards: zooming, panning, the way back, and what a pen shows before it presses."""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, RANDOM, number, open_table, wait_for_more, wait_for_turn
from tests.browser.helpers.topas import choose_card, squares

HERE = {"kind": "here", "name": "Bea"}
BOARDS = {"topiary": ".plot", "schlossgarten": ".garden"}
Point = tuple[float, float]


class Glass:
    """The screen of a tablet, as fingers and a pen touch it."""

    def __init__(self, page: Page) -> None:
        self._protocol: CDPSession = page.context.new_cdp_session(page)

    def touch(self, kind: str, *fingers: Point) -> None:
        points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(fingers)]
        self._protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def draw(self, *ways: tuple[Point, Point], steps: int = 6) -> None:
        """Draw fingers from one point to another, all at the same time."""
        for n in range(steps + 1):
            share = n / steps
            fingers = [(x + (u - x) * share, y + (v - y) * share) for (x, y), (u, v) in ways]
            for count in range(1, len(fingers)) if n == 0 else ():
                self.touch("touchStart", *fingers[:count])
            self.touch("touchMove" if n else "touchStart", *fingers)
        self.touch("touchEnd")

    def pen(self, kind: str, x: float, y: float, *, pressed: bool = False) -> None:
        where = {"type": kind, "x": x, "y": y, "pointerType": "pen", "buttons": int(pressed)}
        click = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        self._protocol.send("Input.dispatchMouseEvent", where | click)

    def press(self, x: float, y: float) -> None:
        """Press with the pen where it hovers already."""
        self.pen("mousePressed", x, y, pressed=True)
        self.pen("mouseReleased", x, y)


def middle(thing: Locator) -> Point:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def width(thing: Locator) -> float:
    box = thing.bounding_box()
    assert box is not None
    return box["width"]


def at_a_table(visit: Visit, game: str, *, phone: bool = False) -> Page:
    page = visit(phone=phone)
    open_table(page, game, {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    return page


@pytest.mark.parametrize("game", BOARDS)
def test_a_board_is_pinched_and_drawn_and_comes_back(visit: Visit, game: str) -> None:
    page = at_a_table(visit, game, phone=True)
    glass = Glass(page)
    board, cell = page.locator(f"{BOARDS[game]} .board"), page.locator("[data-cell=c3]")
    whole, (x, y) = width(board), middle(cell)
    before = number(page)
    glass.draw(((x - 30, y), (x - 75, y)), ((x + 30, y), (x + 75, y)))
    back = page.get_by_role("button", name="Whole board")
    expect(back).to_be_visible()
    assert width(board) == pytest.approx(whole * 2.5, rel=0.03)
    assert middle(cell) == pytest.approx((x, y), abs=6)
    glass.draw(((x, y), (x + 40, y - 60)))
    assert middle(cell) == pytest.approx((x + 40, y - 60), abs=6)
    glass.draw(((x - 40, y), (x - 70, y + 60)), ((x + 40, y), (x + 10, y + 60)))
    assert middle(cell) == pytest.approx((x + 10, y), abs=8)
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("visualViewport.scale") == 1
    assert (number(page), page.locator(".fan").count()) == (before, 0)
    back.tap()
    expect(back).to_have_count(0)
    assert width(board) == whole


def test_one_finger_scrolls_the_page_over_a_whole_board(visit: Visit) -> None:
    page = at_a_table(visit, "topiary", phone=True)
    page.set_viewport_size({"width": 390, "height": 500})
    x, y = middle(page.locator("[data-cell=c3]"))
    Glass(page).draw(((x, y), (x, y - 120)))
    page.wait_for_function("() => scrollY > 50")


def test_two_fingers_on_the_felt(visit: Visit) -> None:
    page = at_a_table(visit, "topas", phone=True)
    glass, felt = Glass(page), page.locator(".felt .ground")
    x, y = middle(page.locator(".felt"))
    before = felt.evaluate("felt => new DOMMatrix(getComputedStyle(felt).transform).a")
    glass.draw(((x, y - 30), (x, y - 60)), ((x, y + 30), (x, y + 60)))
    back = page.get_by_role("button", name="Show all cards")
    expect(back).to_be_enabled()
    assert felt.evaluate("felt => new DOMMatrix(getComputedStyle(felt).transform).a") > before * 1.2
    assert page.evaluate("scrollY") == 0
    back.tap()
    expect(back).to_be_disabled()


@pytest.mark.parametrize("game", BOARDS)
def test_keys_zoom_and_the_focus_stays_in_sight(visit: Visit, game: str) -> None:
    page = at_a_table(visit, game)
    board, frame = page.locator(f"{BOARDS[game]} .board"), page.locator(f"{BOARDS[game]} .zoom")
    whole = width(board)
    page.locator("[data-cell=c3]").focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert width(board) == pytest.approx(whole * 1.3**3, rel=0.01)
    for key in ["ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown"]:
        page.keyboard.press(key)
    (left, bottom), around = middle(page.locator("[data-cell]:focus")), frame.bounding_box()
    assert around is not None
    assert around["x"] < left < around["x"] + around["width"]
    assert around["y"] < bottom < around["y"] + around["height"]
    page.keyboard.press("0")
    expect(page.get_by_role("button", name="Whole board")).to_have_count(0)
    assert width(board) == whole


def test_a_board_that_is_near_is_dragged_by_the_mouse_and_nothing_is_chosen(visit: Visit) -> None:
    page = at_a_table(visit, "topiary")
    line = page.locator("[data-line] .near").first
    line.hover()
    before = number(page)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -60)
    page.keyboard.up("Control")
    expect(page.get_by_role("button", name="Whole board")).to_be_visible()
    x, y = middle(line)
    page.mouse.down()
    page.mouse.move(x + 15, y + 10, steps=3)
    page.mouse.up()
    assert number(page) == before
    assert middle(line) != pytest.approx((x, y), abs=5)
    line.click()
    wait_for_more(page, before)


def test_a_board_stays_near_where_nothing_happened_last(visit: Visit) -> None:
    page = at_a_table(visit, "topiary")
    page.locator("[data-cell=a1]").hover()
    page.keyboard.down("Control")
    for _ in range(6):
        page.mouse.wheel(0, -60)
    page.keyboard.up("Control")
    expect(page.get_by_role("button", name="Whole board")).to_be_visible()
    frame, far = page.locator(".plot .zoom").bounding_box(), page.locator("[data-cell=c3]").bounding_box()
    assert frame is not None
    assert far is not None
    assert far["y"] + far["height"] < frame["y"]  # out of sight, as is what the bot did where it is not at a1


def test_a_pen_looks_at_a_sight_line_and_places_a_visitor(visit: Visit) -> None:
    page = at_a_table(visit, "topiary")
    glass, (x, y) = Glass(page), middle(page.locator("[data-line] .near").first)
    before = number(page)
    expect(page.locator("g.lens")).to_have_count(0)
    glass.pen("mouseMoved", x, y)
    expect(page.locator("g.lens")).to_have_count(1)
    glass.press(x, y)
    wait_for_more(page, before)


def test_a_pen_drags_a_card_of_topas_to_its_place(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 2}, [ME, HERE], "full")
    page.locator(".hand-over button").click()
    choose_card(page)
    glass, target = Glass(page), middle(squares(page).nth(2))
    from_hand = middle(page.locator(".dock .cards button").first)
    glass.pen("mouseMoved", *target)
    expect(page.locator(".bubble")).to_be_visible()
    glass.pen("mouseMoved", *from_hand)
    glass.pen("mousePressed", *from_hand, pressed=True)
    for share in (0.3, 0.6, 1):
        x, y = (start + (end - start) * share for start, end in zip(from_hand, target, strict=True))
        glass.pen("mouseMoved", x, y, pressed=True)
    glass.pen("mouseReleased", *target)
    wait_for_more(page, 0)


def test_a_pen_walks_a_pawn_of_schlossgarten(visit: Visit) -> None:
    page = at_a_table(visit, "schlossgarten")
    glass = Glass(page)
    page.get_by_role("button", name="Card ").first.click()
    page.get_by_role("button", name="Play this card").click()
    for name in ("can be picked", "step here"):
        cell = page.get_by_role("gridcell", name=name).first
        cell.wait_for()
        before = number(page)
        glass.pen("mouseMoved", *middle(cell))
        glass.press(*middle(cell))
    wait_for_more(page, before)


def test_a_finger_carries_a_card_and_lays_it_by_a_press(visit: Visit) -> None:
    page = at_a_table(visit, "topas", phone=True)
    before = number(page)
    card = middle(page.get_by_role("group", name="Your cards").get_by_role("button").first)
    x, y = middle(page.locator(".felt .ground"))
    Glass(page).draw((card, (x, y + 120)))
    lay = page.get_by_role("button", name="Lay it here")
    expect(lay).to_be_visible()
    assert number(page) == before
    assert page.evaluate("scrollY") == 0
    lay.tap()
    wait_for_more(page, before)
