"""Topiary in the browser: to the end by mouse, by touch on a phone."""

from __future__ import annotations

import re
from base64 import b64encode

import pytest
from playwright.sync_api import Locator, expect

import bosquet
from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, RANDOM, finished, fits, number, open_table, wait_for_more, wait_for_turn
from tests.browser.helpers.topiary import play_by_mouse, play_by_touch


def test_a_game_by_mouse_ends_in_its_score_sheet(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    while wait_for_turn(page):
        play_by_mouse(page)
    record = finished(page)
    game = bosquet.load(record)
    assert game.over
    for points in game.scores:
        expect(
            page.get_by_role("group", name="Score sheet").locator("strong", has_text=str(points)).first
        ).to_be_visible()
    lines = page.get_by_role("group", name="Score sheet").locator("li > details > summary, li > button.single")
    assert lines.count() == len(game.score_sheet().entries)
    lit = next(entry for entry in game.score_sheet().entries if entry.cells)
    index = game.score_sheet().entries.index(lit)
    lines.nth(index).hover()
    expect(page.locator("g.cell.lit")).to_have_count(len(lit.cells))


def test_the_lens_shows_what_a_visitor_would_see(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    spot = page.locator("[data-line='c1N']")
    if spot.count() == 0:
        spot = page.locator("[data-line='a3E']")
    expect(page.locator("g.lens")).to_have_count(0)
    spot.locator(".near").hover()
    expect(page.locator("g.lens")).to_have_count(1)
    seen = page.locator("g.lens rect.seen").count()
    assert seen >= 1
    label = spot.get_attribute("aria-label") or ""
    assert (page.locator("g.lens text").text_content() or "?") in label


@pytest.mark.quick
def test_undo_until_something_hidden_was_seen(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    play_by_mouse(page)
    before = number(page)
    page.get_by_role("button", name="Take it back").click()
    wait_for_more(page, before)
    expect(page.locator(".prompt p")).to_have_text("Place a visitor")
    play_by_mouse(page)
    play_by_mouse(page)
    expect(page.locator(".prompt p")).to_have_text("Put a tile into the gap")
    expect(page.get_by_role("button", name="Take it back")).to_have_count(0)


def test_a_phone_opens_a_fan_of_large_buttons(visit: Visit) -> None:
    page = visit(phone=True)
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    while wait_for_turn(page):
        play_by_touch(page)
    assert fits(page)


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (844, 390)])
def test_tiles_in_hand_stay_in_sight_beside_the_fan(visit: Visit, size: tuple[int, int]) -> None:
    page = visit(phone=True)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.locator("[data-line] .near").first.tap()
    fan = page.locator(".fan")
    expect(fan.get_by_role("button", name="Place a visitor here")).to_be_in_viewport(ratio=1)
    tiles = page.locator(".hand button")
    expect(tiles).to_have_count(3)
    boxes = [fan.bounding_box(), page.locator(".plot").bounding_box()]
    for tile in tiles.all():
        expect(tile).to_be_in_viewport(ratio=1)
        box = tile.bounding_box()
        assert box is not None
        for other in boxes:
            assert other is not None
            apart = box["y"] + box["height"] <= other["y"] or other["y"] + other["height"] <= box["y"]
            assert apart or box["x"] >= other["x"] + other["width"]


def test_what_can_be_taken_is_marked_otherwise_than_what_is_seen(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    play_by_mouse(page)
    expect(page.locator(".prompt p")).to_contain_text("Take a face-down tile")
    assert page.locator("g.cell.open").count() > 0
    assert page.locator("g.cell.open .lift").count() == page.locator("g.cell .lift").count()
    assert page.locator("g.lens .eye").count() == page.locator("g.lens .seen").count()
    for letter in "abcde12345":
        expect(page.locator("svg text.name", has_text=letter)).to_have_count(1)
    expect(page.get_by_text("Not in this game:")).to_be_visible()


def test_pressing_something_that_is_not_offered_says_what_is(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.locator("[data-cell='c3']").click(force=True)
    expect(page.locator(".prompt p")).to_contain_text("Choose one of the arrows")
    play_by_mouse(page)
    expect(page.locator(".prompt p")).not_to_contain_text("arrows")


def test_points_of_tiles_and_of_players_are_said_during_the_game(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    signs: list[str] = []
    while wait_for_turn(page) and len(signs) < 12:
        if page.locator(".prompt p").inner_text().startswith("Put"):
            signs += page.locator(".hand .points").all_inner_texts()
        play_by_mouse(page)
    assert all(re.fullmatch(r"\+\d+|−\d+|0", sign) for sign in signs), signs
    lenses = page.locator("g.visitor").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    points = sum(int(m[1]) for label in lenses if label.startswith("Ann") and (m := re.search(r"(\d+) point", label)))
    ann = page.get_by_role("list", name="Players").get_by_role("listitem").filter(has_text="Ann")
    expect(ann).to_contain_text(f"{points} point")
    expect(ann).to_contain_text("in the garden so far")
    page.get_by_text("Where the points come from").click()
    assert page.get_by_role("group", name="Score sheet").locator("button.single").count() == len(lenses)


def test_everybodys_tiles_lie_open_at_the_end(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    while wait_for_turn(page):
        play_by_mouse(page)
    game = bosquet.load(finished(page))
    shown = page.get_by_role("list", name="Everybody’s tiles")
    tiles = [entry for entry in game.score_sheet().entries if entry.kind == "hand"]
    assert tiles
    assert shown.locator("li li").count() == len(tiles)


DARK = """async png => {
    const bytes = Uint8Array.from(atob(png), one => one.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
    const brush = new OffscreenCanvas(image.width, image.height).getContext("2d");
    brush.drawImage(image, 0, 0);
    const {data} = brush.getImageData(0, 0, image.width, image.height);
    let dark = 0;
    for (let i = 0; i < data.length; i += 4) {
        dark += 0.2126 * data[i] + 0.7152 * data[i + 1] + 0.0722 * data[i + 2] < 110;
    }
    return dark / (data.length / 4);
}"""
"""Which share of a picture is dark."""


def test_sculptures_are_darker_than_what_is_hidden(visit: Visit) -> None:
    page = visit()
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    wait_for_turn(page)

    def dark(cell: Locator) -> float:
        return float(page.evaluate(DARK, b64encode(cell.screenshot()).decode()))

    hidden = page.locator("svg.garden [data-cell]:has(.edge)")
    assert hidden.count() > 15
    darkest = max(dark(hidden.nth(i)) for i in range(3))
    assert darkest < 0.02
    shown = page.locator("svg.garden [data-cell]:not(:has(.edge)):has(svg svg)").first
    assert dark(shown) > darkest
