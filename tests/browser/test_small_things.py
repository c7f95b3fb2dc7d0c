"""Small things that spoil an impression: cards that fly in, a replay that hides what it says to show, and others."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.helpers.tables import ME, PLAY_ON, RANDOM, fits, open_table

RECORD_PLACES = """(() => {
    window.places = [];
    const look = () => {
        const ground = document.querySelector(".felt .ground");
        const card = ground?.querySelector(".stock, [data-colour]");
        if (card && getComputedStyle(ground).visibility === "visible") {
            const {left, top} = card.getBoundingClientRect();
            window.places.push(`${Math.round(left)} ${Math.round(top)}`);
        }
        requestAnimationFrame(look);
    };
    look();
})()"""


def test_the_table_of_topas_opens_with_its_card_in_place(visit: Visit) -> None:
    page = visit()
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(RECORD_PLACES)
    open_table(page, "topas", {"players": 1}, [ME])
    page.locator(".felt .ground").wait_for()
    page.wait_for_timeout(700)
    places = page.evaluate("window.places")
    assert len(places) > 5
    far = max(max(values) - min(values) for values in zip(*(map(int, place.split()) for place in places), strict=True))
    assert far <= 30, set(places)  # the felt finds its size; it used to come from the corner, 400 pixels off


def test_a_replay_that_reveals_all_shows_the_hidden_tiles(visit: Visit) -> None:
    page = visit()
    table = open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    page.wait_for_selector("[data-number]")
    page.evaluate(PLAY_ON, table)
    page.goto(f"/replay/{table}")
    hidden = page.locator("svg.garden .under")
    expect(hidden).to_have_count(24)
    expect(page.get_by_role("button", name="face down")).to_have_count(24)
    page.get_by_label("Seen by").select_option(index=1)
    expect(hidden).to_have_count(0)


def test_who_did_not_sit_here_is_told_of_no_promise(visit: Visit) -> None:
    page, latecomer = visit(), visit()
    table = open_table(page, "topas", {"players": 1}, [ME])
    page.wait_for_selector("[data-number]")
    page.evaluate(PLAY_ON, table)
    latecomer.goto(f"/table/{table}")
    for reader, verdict in ((page, "fair_good"), (latecomer, "fair_watched")):
        reader.get_by_text("Dealt fairly").click()
        expect(reader.locator("[data-verdict]")).to_have_attribute("data-verdict", verdict)
    expect(latecomer.locator("[data-verdict]")).to_contain_text("This browser did not sit here")


def test_what_comes_after_a_game_stands_in_one_line_each(visit: Visit) -> None:
    for language in ("en-GB", "de-DE", "fr-FR"):
        page = visit(language=language)
        page.set_viewport_size({"width": 1280, "height": 800})
        table = open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
        page.wait_for_selector("[data-number]")
        page.evaluate(PLAY_ON, table)
        page.locator(".next .button").first.wait_for()
        boxes = [link.bounding_box() for link in page.locator(".next > *").all()]
        assert [box for box in boxes if box and box["height"] > 46] == []
        assert page.evaluate("document.documentElement.scrollWidth") == 1280


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "fr-FR", "es-ES"])
def test_the_deals_of_the_day_are_reached_from_the_header_of_every_width(visit: Visit, language: str) -> None:
    page = visit("/rules/topas", language=language)
    today = page.locator("header a[href='/today']")
    for width in (320, 360, 390, 430, 480, 540, 640, 768):
        page.set_viewport_size({"width": width, "height": 700})
        box = today.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width
        assert box["width"] >= 44 or width > 500
        assert fits(page), width
    page.set_viewport_size({"width": 320, "height": 700})
    today.click()
    expect(page).to_have_url(re.compile("/today$"))


def test_the_box_for_records_stays_off_the_edges(visit: Visit) -> None:
    page = visit("/replay", phone=True)
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 700})
        box = page.locator("main section").first.bounding_box()
        assert box is not None
        assert box["x"] >= 12
        assert box["x"] + box["width"] <= width - 12


def test_what_the_bots_know_is_a_press_away(visit: Visit) -> None:
    page = visit("/rules/topiary")
    page.get_by_role("link", name="What the bots know").click()
    expect(page).to_have_url(re.compile(r"/docs/findings\.html#topiary"))
    expect(page.locator("#topiary-sculptures")).to_be_attached()


def test_where_bots_are_chosen_it_is_said_how_the_champion_compares(visit: Visit) -> None:
    page = visit("/")
    page.locator("article").first.get_by_role("button", name="Set up a table").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Seat 2").select_option("champion")
    expect(dialog).to_contain_text("Yew. Thinks for up to a second")
    dialog.get_by_label("Seat 2").select_option("level6")
    expect(dialog).not_to_contain_text("Thinks for")
