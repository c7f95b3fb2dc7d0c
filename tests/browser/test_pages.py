"""All pages: languages, no serious violation of accessibility, first paint, replay, scoring a real game."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import bosquet
from bosquet.core.real_game_scoring import score_file
from bosquet.server.http.static_files import PAGE
from tests.browser.conftest import PHONE, Visit
from tests.browser.helpers.games import finished_game
from tests.browser.helpers.looks import PAGES, by_look, keys, violations
from tests.browser.helpers.prints import expect_good_print
from tests.browser.helpers.tables import ME, RANDOM, fits, open_table, wait_for_turn
from tests.browser.helpers.topiary import play_by_mouse

GREETINGS = {"en-GB": "Play now", "fr-CA": "Jouer", "es-MX": "Jugar", "de-DE": "spielen"}


def test_no_serious_violation_and_no_key_of_a_text_on_any_page(visit: Visit) -> None:
    """On a desk in light; `test_reflow.py` looks at each page in the dark, too."""
    page = visit()
    wrong = {}
    for path in PAGES:
        page.goto(path)
        page.locator("h1").first.wait_for()
        page.wait_for_load_state("networkidle")
        if found := violations(page) + keys(page) + ([] if fits(page) else ["the page is wider than the screen"]):
            wrong[path] = found
    assert wrong == {}


@pytest.mark.parametrize("name", bosquet.GAMES)
@by_look
def test_no_serious_violation_at_a_table(visit: Visit, name: str, phone: bool, dark: bool) -> None:
    page = visit(phone=phone, dark=dark)
    open_table(page, name, {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.wait_for_timeout(300)
    assert violations(page) == []
    assert fits(page)


@pytest.mark.parametrize("language", GREETINGS)
def test_the_page_speaks_every_language_below_a_header_of_one_line(visit: Visit, language: str) -> None:
    page = visit("/", phone=True, language=language)
    expect(page.locator("html")).to_have_attribute("lang", language[:2])
    expect(page.get_by_role("button", name=re.compile(GREETINGS[language])).first).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto("/rules/topas")
    expect(page.locator("html")).to_have_attribute("lang", language[:2])
    page.locator("h1").wait_for()
    assert page.locator("header").first.evaluate("header => header.offsetHeight") < 60, "it is more than a line"
    assert fits(page)


def test_another_language_is_kept(visit: Visit) -> None:
    page = visit("/")
    page.get_by_label("Language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto("/rules/topas")
    expect(page.get_by_role("navigation", name="Kapitel")).to_be_visible()
    page.get_by_label("Sprache").select_option("fr")  # words of the page that were loaded in German only
    expect(page.get_by_role("navigation", name="Chapitres")).to_be_visible()


@pytest.mark.quick
def test_one_click_and_somebody_plays(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name=re.compile("Play now")).first.click()
    page.wait_for_selector("[data-number]")
    assert "/here/" in page.url


def test_the_level_that_was_chosen_last_plays_at_once(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name=re.compile("Set up a table")).first.click()
    page.get_by_label("Seat 2", exact=True).select_option("level3")
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector("[data-number]")
    expect(page.get_by_role("list", name="Players")).to_contain_text("Ivy")
    page.goto("/")
    page.get_by_role("button", name=re.compile("Play now")).first.click()
    page.wait_for_selector("[data-number]")
    expect(page.get_by_role("list", name="Players")).to_contain_text("Ivy")
    page.goto("/")
    page.get_by_role("button", name=re.compile("Play now")).nth(1).click()
    page.wait_for_selector("[data-number]")
    expect(page.get_by_role("list", name="Players")).to_contain_text("Clover")


def test_the_champion_is_the_last_choice_and_takes_its_seat(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name=re.compile("Set up a table")).first.click()
    seat = page.get_by_label("Seat 2", exact=True)
    expect(seat.locator("option").last).to_have_text("7 · Oak, a bot")
    seat.select_option("champion")
    expect(page.get_by_role("dialog")).to_contain_text("7 of 7, champion")
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector("[data-number]")
    expect(page.get_by_role("list", name="Players")).to_contain_text("Oak")


def test_learning_by_playing_explains_each_phase(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name=re.compile("Learn by playing")).first.or_(
        page.get_by_role("link", name=re.compile("Learn by playing")).first
    ).first.click()
    assert wait_for_turn(page)
    guide = page.get_by_role("complementary", name="First game")
    expect(guide).to_contain_text("When all visitors stand, the game is over")
    expect(guide.get_by_role("button", name="Got it")).to_have_count(0)
    guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("Place a visitor at the edge")
    guide.get_by_role("button", name="Next").click()
    guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("Point at a spot")
    guide.get_by_role("button", name="Got it").click()
    expect(guide).to_have_count(0)


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_record_is_opened_and_stepped_through(visit: Visit, name: str, tmp_path: Path) -> None:
    record = finished_game(name)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    page = visit("/replay")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("input[type=file]").set_input_files(file)
    replay = page.locator("[data-step]")
    expect(replay).to_have_attribute("data-step", "0")
    page.locator("h1").press("ArrowRight")
    expect(replay).to_have_attribute("data-step", "1")
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("group", name="Score sheet")).to_be_visible()
    for points in record["result"]["scores"]:
        expect(page.get_by_role("group", name="Score sheet")).to_contain_text(str(points))
    page.get_by_label("Seen by").select_option("0")
    expect(page.get_by_text("Hands", exact=True)).to_have_count(0)
    page.get_by_label("Seen by").select_option("all")
    expect(page.get_by_text("Hands", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    assert violations(page) == []
    assert [url for url in asked if url.endswith("/api/replay")] == []
    expect_good_print(page)


def test_a_file_that_is_no_record_says_so(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    page = visit("/replay")
    for text, said in (
        ("[1, 2]", "not the record of a game"),
        ('{\n "a": 1,\n}', "Line 2, column 8: a comma before }"),
    ):
        file.write_text(text)
        page.locator("input[type=file]").set_input_files(file)
        expect(page.get_by_role("alert")).to_contain_text(said)


def test_a_real_game_of_topiary_is_counted(visit: Visit) -> None:
    page = visit("/score/topiary")
    page.evaluate("localStorage.clear()")
    page.locator("[data-cell='c3'], [data-place='c3']").first.click()
    page.get_by_role("button", name=re.compile("T-Rex 3")).first.click()
    page.locator("[data-line='a3E'], [data-place='a3E']").first.click()
    sheet = page.get_by_role("group", name="Score sheet")
    expect(sheet).to_contain_text("T-Rex 3")
    expect(sheet.locator("strong").first).to_have_text("3")
    page.reload()
    expect(page.get_by_role("group", name="Score sheet").locator("strong").first).to_have_text("3")


def test_the_start_page_is_small_and_quick(visit: Visit) -> None:
    page = visit("/")
    page.locator("h1").wait_for()
    page.wait_for_load_state("networkidle")
    loaded: list[str] = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assets = [PAGE / "assets" / name.rsplit("/", 1)[1] for name in loaded if "/assets/" in name]
    assert len(assets) >= 4
    size = sum(len(gzip.compress(asset.read_bytes())) for asset in [PAGE / "index.html", *assets])
    assert size < 160 * 1024, f"{size / 1024:.0f} KiB gzipped"
    assert not [asset.name for asset in assets if asset.name.startswith("table-")], "words that it does not need"
    paints = []
    for _ in range(3):  # other tests run at the same time: the quickest of three tells most of the page
        page.goto("about:blank")
        page.goto("/")
        page.locator("h1").wait_for()
        paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    assert min(paints) < 1000, f"first paint after {min(paints):.0f} ms"


def test_the_lines_of_an_edge_are_drawn_to_choose_from(visit: Visit) -> None:
    page = visit("/score/topiary", phone=True)
    page.locator("[data-place='a3E']").tap()
    fan = page.get_by_role("group", name="Which way does the visitor look")
    expect(fan.get_by_role("button")).to_have_count(6)
    assert not re.search(r"[a-e]\d", fan.inner_text())
    fan.get_by_role("button", name="Line a3NE, free").tap()
    expect(page.locator("[data-place='a3NE']")).to_have_accessible_name("Line a3NE, Player 1 looks here")


def test_a_solitaire_of_topas_is_counted(visit: Visit) -> None:
    page = visit("/score/topas")
    page.get_by_role("radio", name="1", exact=True).check(force=True)
    expect(page.get_by_role("status").filter(has_text="Column 1 of 4")).to_be_visible()
    cards = page.get_by_role("group", name="Cards")
    cards.get_by_role("button", name="1 sapphire and 2 emeralds").click()
    expect(page.get_by_role("status").filter(has_text="7 cards to come")).to_be_visible()
    for left in range(6, -1, -1):
        cards.locator("button:enabled").first.click()
        page.locator("g.fits[data-cell]").first.press("Enter")
        said = f"{left} card{'' if left == 1 else 's'} to come" if left else "Column 2 of 4"
        expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
    expect(page.get_by_role("group", name="Score sheet")).to_contain_text("Column 1")
    assert violations(page) == []


def test_a_first_visitor_is_offered_the_guided_game_first_and_once(visit: Visit) -> None:
    page = visit("/")
    main = page.locator("article .main").first
    expect(main).to_have_text("Learn by playing")
    expect(page.locator("article").first.get_by_role("button", name="Play now")).to_be_visible()
    main.click()
    assert wait_for_turn(page)
    expect(page.get_by_role("complementary", name="First game")).to_be_visible()
    page.goto("/")
    expect(main).to_have_text("Learn by playing")  # nothing was played
    main.click()
    assert wait_for_turn(page)
    play_by_mouse(page)
    page.goto("/")
    expect(page.locator(".lead .main")).to_have_text("Play now")
    expect(page.get_by_role("button", name="Learn by playing")).to_have_count(2)  # of the games that were not played


def test_one_game_leads_and_can_be_begun_without_scrolling(visit: Visit) -> None:
    page = visit("/")
    lead = page.locator("article.lead")
    expect(lead).to_have_count(1)
    expect(lead).to_contain_text("10 minutes · easy")
    for width, height in ((1440, 900), (1280, 720), (820, 1180), (390, 844), (320, 568), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        expect(lead.get_by_role("button", name="Learn by playing")).to_be_in_viewport(ratio=1)
        assert fits(page), (width, height)


def test_the_leading_game_has_no_more_room_than_the_window_in_long_words(visit: Visit) -> None:
    page = visit(language="de-DE")
    for height in (800, 900, 990):
        page.set_viewport_size({"width": 1280, "height": height})
        page.goto("/")
        expect(page.locator("article.lead").get_by_role("button", name="Beim Spielen lernen")).to_be_in_viewport(
            ratio=1
        )


def test_what_runs_stands_above_everything_else(visit: Visit) -> None:
    page = visit()
    table = open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.goto("/here/topiary")
    assert wait_for_turn(page)
    play_by_mouse(page)
    page.set_viewport_size(PHONE)
    page.goto("/")
    links = page.locator("section", has=page.get_by_role("heading", name="Continue")).get_by_role("link")
    expect(links).to_have_count(2)
    for link in links.all():
        expect(link).to_be_in_viewport(ratio=1)
    expect(links.and_(page.locator(f"[href='/table/{table}']"))).to_have_count(1)
    expect(links.and_(page.locator("[href^='/here/topiary/']"))).to_have_count(1)
    assert violations(page) == []
    assert fits(page)


ROUND = ["G1Y2@0,0E", "R2Y3@3,0W", "R1Y3@3,-1W", "G3Y1@0,-1E", "B1G3@0,2S", "B3G2@1,2S", "G2R1@2,1E"]
KEEP = "real => localStorage.setItem(`bosquet.score.${real.game}`, JSON.stringify(real))"


def test_the_pad_of_topas_has_the_rounds_of_each_player_and_is_printed(visit: Visit, tmp_path: Path) -> None:
    page = visit("/")
    names = ["Ann", "Bea", "Cid", "Dot"]
    page.evaluate(KEEP, {"game": "topas", "players": 4, "names": names, "expert": False, "placements": ROUND})
    page.goto("/score/topas")
    pad = page.get_by_role("table", name="Score pad")
    expect(pad.get_by_role("row")).to_have_count(2 + 7)
    expect(pad.get_by_role("row", name="Round 1")).to_have_text(re.compile(r"1\s*5\s*5\s*9\s*9\s*11\s*11\s*7\s*7"))
    expect(pad.get_by_role("row", name="Round 2")).to_have_text(re.compile(r"2\s*9\s*14\s*11\s*20"))
    assert violations(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / "real.json"
    download.value.save_as(file)
    saved = json.loads(file.read_text())
    assert (saved["names"], saved["real"]["placements"]) == (names, ROUND)
    assert score_file(saved).counted.sheet.scores == [14, 20, 11, 7]
    page.emulate_media(media="print")
    expect(pad).to_be_visible()
    for gone in (page.get_by_role("banner"), page.get_by_role("group", name="Cards"), page.get_by_text("Print")):
        expect(gone).to_be_hidden()


def test_a_real_game_that_cannot_be_says_why(visit: Visit) -> None:
    page = visit("/score/schlossgarten")
    page.get_by_role("button", name="Pool").first.click()
    wrong = page.get_by_role("status").filter(has_text="can’t be counted yet")
    expect(wrong).to_contain_text("tiles kept: 0, cells under elements: 2")
    expect(page.get_by_role("alert")).to_have_count(0)
    more = page.get_by_role("button", name="One more").first
    for _ in range(2):
        more.click()
    expect(wrong).to_have_count(0)
    expect(page.get_by_role("group", name="Score sheet").locator("strong").first).to_have_text("4")


def test_solo_topas_says_at_first_sight_that_the_lowest_of_four_columns_counts(visit: Visit) -> None:
    page = visit()
    open_table(page, "topas", {"players": 1}, [ME])
    expect(page.get_by_text("Four columns: the lowest counts")).to_be_visible()
