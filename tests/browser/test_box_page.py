"""The page on which a box of Schlossgarten is drawn: what it checks, keeps, saves and opens, and where it is found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import bosquet
from bosquet.games.schlossgarten.box import Box, house_box, load_box
from bosquet.games.schlossgarten.constellations import house_rows, pattern_of, turned_rows
from bosquet.server.host.site import write_site
from tests.browser.conftest import Visit, visiting
from tests.browser.helpers.files import serving_files
from tests.browser.helpers.looks import by_look, picture, violations
from tests.browser.helpers.offline import ready
from tests.browser.helpers.tables import setting, wait_for_turn

EDITOR = "/box/schlossgarten"
BOXES = """() => new Promise(done => {
    indexedDB.open("bosquet").onsuccess = ({target}) => {
        const asked = target.result.transaction("tables").objectStore("tables").getAll();
        asked.onsuccess = () => (target.result.close(), done(asked.result.map(({box}) => box)));
    };
})"""
"""The boxes of the tables that the browser keeps."""
LEAST_TARGET = 38
"""CSS pixels of what is pressed on a narrow phone."""


def editor(page: Page) -> Page:
    """Wait for the editor that a page shows."""
    expect(page.get_by_role("grid").first).to_be_visible()
    return page


def card(page: Page, number: int) -> Locator:
    """The picture of a card among all."""
    return page.get_by_role("list", name="Cards").get_by_role("button", name=f"Card {number}:")


def cell(page: Page, row: int, column: int) -> Locator:
    return page.get_by_role("grid", name="Card").get_by_role("gridcell", name=f"Row {row}, column {column}:")


def progress(page: Page) -> Locator:
    return page.get_by_role("list", name="Progress")


def begin_with(page: Page, what: str, *, sure: bool = False) -> None:
    page.get_by_text("Begin with", exact=False).first.click()
    page.get_by_role("button", name=what).click()
    if sure:
        page.get_by_role("button", name="Replace it").click()


def open_file(page: Page, file: Path) -> None:
    page.locator("input[type=file]").set_input_files(file)


def saved(page: Page, folder: Path, button: str = "Save the file") -> Path:
    """Save the file, and give where it is."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def content(box: Box, players: int) -> dict[str, Any]:
    return {"pattern": box.pattern, "tiles": box.tiles, "start": box.start[: 3 * players]}


@by_look
def test_a_box_is_drawn_saved_read_by_python_and_played(visit: Visit, tmp_path: Path, phone: bool, dark: bool) -> None:
    page = editor(visit(EDITOR, phone=phone, dark=dark))
    press = "tap" if phone else "click"
    expect(progress(page)).to_contain_text("32 of 32 cards")
    assert violations(page) == []
    # Card 3 becomes one of five by five, in the order king, gardener, architect.
    getattr(card(page, 3), press)()
    page.get_by_role("button", name="Clear").first.click()
    expect(card(page, 3)).to_have_accessible_name("Card 3: empty")
    expect(progress(page)).to_contain_text("31 of 32 cards")
    expect(page.get_by_role("button", name="Try it")).to_be_disabled()
    expect(page.get_by_role("button", name="Save it unfinished")).to_be_visible()
    for row, column in ((1, 1), (5, 5), (2, 3)):
        getattr(cell(page, row, column), press)()
    expect(cell(page, 5, 5)).to_have_accessible_name("Row 5, column 5: gardener")
    expect(page.get_by_text("Frame of 5 × 5")).to_be_visible()
    # Counts that do not make 49.
    page.get_by_label("Tiles worth 1 point").fill("20")
    expect(page.get_by_role("status").filter(has_text="3 too many")).to_be_visible()
    expect(page.get_by_role("button", name="Try it")).to_be_disabled()
    expect(page.get_by_role("button", name="Try it")).to_have_accessible_description("Landscape tiles: 3 too many")
    page.get_by_label("Tiles worth 3 points").fill("13")
    expect(page.get_by_text("3 too many")).to_have_count(0)
    # The king of seat 1 starts elsewhere.
    garden = page.get_by_role("grid", name="Garden")
    getattr(garden.get_by_role("gridcell", name="d1:"), press)()
    expect(page.get_by_role("button", name="Try it")).to_be_disabled()
    getattr(garden.get_by_role("gridcell", name="d3:"), press)()
    expect(garden.get_by_role("gridcell", name="d3:")).to_have_accessible_name("d3: king of seat 1")
    page.get_by_label("Note").fill('The "first" edition')
    expect(page.get_by_role("button", name="Try it")).to_be_enabled()
    assert violations(page) == []
    picture(page, f"box-{'phone' if phone else 'desktop'}")
    # What is saved is read by Python as it was drawn.
    file = saved(page, tmp_path)
    rows = house_rows()
    rows[2] = ["K....", "..A..", ".....", ".....", "....G"]
    for players in (2, 3, 4):
        house = house_box(players)
        start = house.start.copy()
        if players == 2:
            start[0] += 14  # from d1 to d3
        expected = Box([pattern_of(one) for one in rows], [20, 16, 13], start)
        assert content(load_box(file, players), players) == content(expected, players)
    assert json.loads(file.read_bytes())["note"] == 'The "first" edition'
    assert json.loads(file.read_bytes())["cards"][2]["rows"] == rows[2]
    # The same file opened again is saved byte for byte as it was.
    begin_with(page, "An empty box")
    expect(progress(page)).to_contain_text("Cards: as the house has it")
    open_file(page, file)
    expect(progress(page)).to_contain_text("32 of 32 cards")
    again = tmp_path / "again"
    assert saved(page, again).read_bytes() == file.read_bytes()
    # It is tried at once.
    page.get_by_role("button", name="Try it").click()
    page.wait_for_url("**/here/schlossgarten/**")
    assert wait_for_turn(page)
    asked = bosquet.spec("schlossgarten").normalized_box({"players": 2}, json.loads(file.read_bytes()))
    assert page.evaluate(BOXES) == [asked]


def test_a_card_that_is_a_turned_other_is_named_with_it(visit: Visit) -> None:
    page = editor(visit(EDITOR))
    house = house_rows()
    card(page, 9).click()
    page.get_by_role("button", name="Clear").first.click()
    rows = turned_rows(house[1], 1)
    for mark in "KGA":
        south = next(i for i, row in enumerate(rows) if mark in row)
        cell(page, south + 2, rows[south].index(mark) + 2).click()
    expect(card(page, 9)).to_have_accessible_name("Card 9: the same as card 2, turned by 90°")
    expect(card(page, 2)).to_have_accessible_name("Card 2: the same as card 9, turned by 270°")
    # Python plays with such a box, so it can be tried.
    expect(page.get_by_role("button", name="Try it")).to_be_enabled()
    page.get_by_role("button", name="Card 2 →").click()
    expect(page.get_by_role("heading", name="Card 2")).to_be_visible()
    assert violations(page) == []


def test_by_keyboard_alone(visit: Visit) -> None:
    page = editor(visit(EDITOR))
    grid = page.get_by_role("grid", name="Card 1")
    grid.locator("[tabindex='0']").focus()
    for key in ("PageDown", "PageUp", "PageDown"):
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Card 2")).to_be_visible()
    # Take away what stands in the middle rows, then put all three by the arrows.
    page.keyboard.press("k")
    expect(cell(page, 3, 3)).to_have_accessible_name("Row 3, column 3: king")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("g")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("a")
    expect(cell(page, 1, 2)).to_be_focused()
    expect(cell(page, 1, 2)).to_have_accessible_name("Row 1, column 2: architect")
    page.keyboard.press("Space")
    expect(cell(page, 1, 2)).to_have_accessible_name("Row 1, column 2: empty")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(cell(page, 1, 3)).to_have_accessible_name("Row 1, column 3: architect")
    page.keyboard.press("Delete")
    expect(card(page, 2)).to_have_accessible_name("Card 2: missing: architect")
    page.keyboard.press("Control+z")
    expect(card(page, 2)).to_have_accessible_name("Card 2: complete")
    page.keyboard.press("Control+Shift+z")
    expect(card(page, 2)).to_have_accessible_name("Card 2: missing: architect")


def test_work_survives_a_reload_and_is_not_replaced_unasked(visit: Visit, tmp_path: Path) -> None:
    page = editor(visit(EDITOR))
    begin_with(page, "An empty box")
    expect(page.get_by_role("button", name="Try it")).to_be_disabled()
    expect(page.get_by_role("button", name="Try it")).to_have_accessible_description("An empty box")
    cell(page, 4, 5).click()
    expect(card(page, 1)).to_have_accessible_name("Card 1: missing: gardener, architect")
    page.get_by_label("Tiles worth 2 points").fill("30")
    page.reload()
    editor(page)
    expect(cell(page, 4, 5)).to_have_accessible_name("Row 4, column 5: king")
    expect(page.get_by_label("Tiles worth 2 points")).to_have_value("30")
    expect(page.get_by_role("status").filter(has_text="19 more needed")).to_be_visible()
    begin_with(page, "The box of the house")
    page.get_by_role("button", name="Keep it").click()
    expect(progress(page)).to_contain_text("0 of 32 cards")
    begin_with(page, "The box of the house", sure=True)
    expect(progress(page)).to_contain_text("32 of 32 cards")
    page.get_by_role("button", name="Undo").click()
    expect(progress(page)).to_contain_text("0 of 32 cards")
    expect(cell(page, 4, 5)).to_have_accessible_name("Row 4, column 5: king")
    # An unfinished file is a way to another device; Python names what is missing.
    file = saved(page, tmp_path, "Save it unfinished")
    with pytest.raises(Exception, match=r"cards\[0\] does not show G, A"):
        load_box(file, 2)
    other = editor(visit(EDITOR))
    open_file(other, file)
    expect(card(other, 1)).to_have_accessible_name("Card 1: missing: gardener, architect")


def test_a_second_tab_takes_over_what_the_first_draws(visit: Visit) -> None:
    page = editor(visit(EDITOR))
    other = page.context.new_page()
    other.goto(EDITOR)
    editor(other)
    page.get_by_label("Tiles worth 1 point").fill("11")
    expect(other.get_by_label("Tiles worth 1 point")).to_have_value("11")
    other.get_by_role("button", name="Undo").click()
    expect(other.get_by_label("Tiles worth 1 point")).to_have_value("17")
    expect(page.get_by_label("Tiles worth 1 point")).to_have_value("17")


def test_what_is_wrong_with_a_file_is_said_with_the_places_of_python(visit: Visit, tmp_path: Path) -> None:
    page = editor(visit(EDITOR))
    cards: list[dict[str, Any]] = [{"id": i + 1, "rows": rows} for i, rows in enumerate(house_rows())]
    cards[4]["rows"] = ["KGK"]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"cards": cards, "tiles": [1, 2, "x"]}))
    open_file(page, file)
    expect(page.get_by_text("In mine.json these places were wrong")).to_be_visible()
    expect(page.get_by_text("cards[4] shows K twice; it must show K, G and A once each")).to_be_visible()
    expect(page.get_by_text('tiles[2] is "x"; it must be a whole number from 0 to 49')).to_be_visible()
    with pytest.raises(Exception, match=r"cards\[4\] shows K twice"):
        load_box(file, 2)
    expect(card(page, 5)).to_have_accessible_name("Card 5: missing: architect")
    expect(progress(page)).to_contain_text("31 of 32 cards")
    assert violations(page) == []
    file.write_text("[]")
    open_file(page, file)
    expect(page.get_by_text("mine.json is not a box file.")).to_be_visible()


def test_the_setting_of_a_table_and_the_rules_lead_there(visit: Visit) -> None:
    page = visit("/")
    dialog = setting(page, "schlossgarten")
    dialog.get_by_text("Play with what is in your box").click()
    dialog.get_by_role("link", name="box editor").click()
    editor(page)
    assert page.url.endswith(EDITOR)
    page.goto("/rules/schlossgarten")
    page.get_by_role("link", name="box editor").click()
    editor(page)
    assert page.url.endswith(EDITOR)
    page.goto("/box/topas")
    expect(page.locator("h1")).to_have_text("This page does not exist")


def test_a_narrow_screen_has_large_targets(visit: Visit) -> None:
    page = visit(EDITOR, phone=True, language="de-DE")
    editor(page)
    for width, height in ((320, 640), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        sizes = page.locator("main button:visible").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"
        )
        assert len(sizes) > 25 + 49 + 32
        assert [size for size in sizes if size < LEAST_TARGET] == [], (width, height)


@pytest.fixture
def visit_site(browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    """Opens pages of a site of files only, in a folder of its host."""
    write_site(tmp_path / "site" / "games", "/games/")
    with serving_files(tmp_path / "site") as host, visiting(browser, f"{host}/games/") as open_page:
        yield open_page


def test_a_site_of_files_draws_and_tries_boxes(visit_site: Visit) -> None:
    page = visit_site("box/schlossgarten/")
    editor(page)
    page.get_by_label("Tiles worth 1 point").fill("18")
    page.get_by_label("Tiles worth 2 points").fill("15")
    page.get_by_role("button", name="Try it").click()
    assert wait_for_turn(page)
    assert "/games/here/schlossgarten" in page.url


def test_without_a_network_a_box_is_drawn_and_tried(visit: Visit) -> None:
    page = ready(visit(EDITOR, worker=True))
    editor(page)
    page.context.set_offline(True)
    page.reload()
    editor(page)
    page.get_by_label("How many play").select_option("3")
    page.get_by_role("button", name="Try it").click()
    page.wait_for_url("**/here/schlossgarten/**")
    assert wait_for_turn(page)
