"""What one plays with is in sight, whatever the screen: the board, the own tiles or cards, the button that decides."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bosquet.server.today.puzzles import today
from tests.browser.conftest import PHONE, Visit
from tests.browser.helpers.looks import expect_in_sight
from tests.browser.helpers.tables import (
    GREEDY,
    ME,
    PLAY_ON,
    RANDOM,
    ask_for_table,
    fits,
    number,
    open_table,
    wait_for_more,
    wait_for_turn,
)
from tests.browser.helpers.topiary import play_by_mouse, play_by_touch

WEB = Path(__file__).parents[2] / "web"
SCREENS = [(1280, 800), (1366, 768), (1920, 1080), (1024, 768), (768, 1024)]
TABLETS = [(768, 1024), (1024, 768), (820, 1180), (1180, 820), (1366, 1024)]
BOARDS = {"topiary": "svg.garden", "topas": ".felt", "schlossgarten": ".garden"}

HELD = {"topiary": ".hand button", "topas": ".dock .cards button", "schlossgarten": ".panel .cards button"}


def sized(page: Page, screens: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Show a page on one screen after the other, each time from its top."""
    for width, height in screens:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        yield width, height


def at_a_table(visit: Visit, game: str, **options: bool) -> Page:
    page = visit()
    open_table(page, game, {"players": 2, **options}, [ME, RANDOM])
    assert wait_for_turn(page)
    return page


@pytest.mark.parametrize("game", BOARDS)
def test_tablets_show_the_board_and_what_one_holds_without_scrolling(visit: Visit, game: str) -> None:
    page = visit(phone=True)
    open_table(page, game, {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    held = page.locator(HELD[game])
    if game != "topiary":
        held.first.tap()
    for width, height in sized(page, TABLETS):
        expect_in_sight(page, page.locator("h1"), page.locator(BOARDS[game]), *held.all())
        assert page.evaluate("document.documentElement.scrollWidth") == width
        board = page.locator(BOARDS[game]).bounding_box()
        assert board is not None
        assert max(board["width"] / width, board["height"] / height) > 0.5, (width, height)


def test_tablets_show_no_game_but_the_leading_one_alone_in_a_row(visit: Visit) -> None:
    page = visit("/", phone=True)
    games = page.locator("article[data-game]")
    expect(games).to_have_count(3)
    for width, _ in sized(page, TABLETS):
        tops = games.evaluate_all("cards => cards.map(card => card.getBoundingClientRect().top)")
        assert len(set(tops)) == 2, (width, tops)  # one above two, or beside them
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_garden_of_topiary_and_the_own_tiles(visit: Visit) -> None:
    page = at_a_table(visit, "topiary")
    tiles = page.get_by_role("group", name="Your tiles").get_by_role("button")
    for _ in range(9):
        for _screen in sized(page, SCREENS):
            expect_in_sight(page, page.locator("svg.garden"), tiles.first, tiles.last, page.locator(".prompt p"))
            if page.locator(".prompt p").inner_text().startswith("Put"):
                expect_in_sight(page, *page.locator(".hand .points").all())
        play_by_mouse(page)
        assert wait_for_turn(page)


def test_the_draft_of_topiary(visit: Visit) -> None:
    page = at_a_table(visit, "topiary", draft=True)
    tiles = page.get_by_role("group", name="Your tiles").get_by_role("button")
    keep = page.get_by_role("button", name="Keep these three")
    for _screen in sized(page, SCREENS):
        expect_in_sight(page, page.locator("svg.garden"), keep, *tiles.all())
    expect(keep).to_be_disabled()
    for n in range(3):
        expect(page.get_by_role("status").filter(has_text=f"({n} of 3)")).to_be_visible()
        tiles.nth(n).click()
    expect(keep).to_be_enabled()


def test_the_felt_of_topas_and_the_own_cards(visit: Visit) -> None:
    page = at_a_table(visit, "topas")
    cards = page.get_by_role("group", name="Your cards").get_by_role("button")
    cards.first.click()
    for _screen in sized(page, SCREENS):
        expect_in_sight(page, page.locator(".felt"), page.locator(".dock"), *cards.all())


def test_the_garden_of_schlossgarten_and_its_desk(visit: Visit) -> None:
    page = at_a_table(visit, "schlossgarten")
    card = page.get_by_role("button", name="Card ").first
    card.click()
    page.get_by_text("within reach").wait_for()
    play = page.get_by_role("button", name="Play this card")
    for _screen in sized(page, SCREENS):
        expect_in_sight(page, page.locator(".garden"), play, card, page.locator(".status"))
    play.click()
    for _screen in sized(page, SCREENS):
        expect_in_sight(page, page.get_by_role("button", name="Stop moving"), page.locator(".status"))
        assert fits(page)


@pytest.mark.quick
def test_a_phone_keeps_the_garden_in_sight_while_figures_are_looked_at(visit: Visit) -> None:
    page = visit(phone=True)
    open_table(page, "schlossgarten", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.get_by_role("button", name="Card ").first.tap()
    page.get_by_text("within reach").wait_for()
    figure = page.locator(".figures li button").nth(3)
    figure.scroll_into_view_if_needed()
    figure.tap()
    expect(page.locator(".garden .plan")).to_have_count(1)
    page.locator(".figures").first.evaluate("shown => shown.scrollIntoView({block: 'end'})")
    expect_in_sight(page, page.locator(".garden"), page.get_by_role("button", name="Play this card"))


def test_a_figure_stays_under_the_finger_and_what_comes_next_is_in_sight(visit: Visit) -> None:
    page = visit(phone=True)
    open_table(page, "schlossgarten", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.get_by_role("button", name="Card ").first.tap()
    figure = page.locator(".figures li button").first
    figure.wait_for()
    page.evaluate("scrollTo(0, 560)")
    before = figure.bounding_box()
    figure.tap()
    assert figure.bounding_box() == before
    page.get_by_role("button", name="Walk there").tap()
    page.get_by_text("The figure stands").wait_for()
    page.evaluate("scrollTo(0, 560)")
    page.get_by_role("button", name="Stop moving").tap()
    worker = page.locator(".panel button").first
    expect(page.get_by_role("button", name="End the work")).to_be_visible()
    garden, first = page.locator(".garden").bounding_box(), worker.bounding_box()
    assert garden is not None
    assert first is not None
    assert first["y"] >= garden["y"] + garden["height"]
    expect_in_sight(page, page.locator(".garden"), worker)


@pytest.mark.parametrize("game", BOARDS)
def test_the_end_on_a_phone_shows_the_board_and_what_comes_next(visit: Visit, game: str) -> None:
    page = visit(phone=True)
    table = open_table(page, game, {"players": 2}, [ME, GREEDY])
    page.wait_for_selector("[data-number]")
    page.evaluate(PLAY_ON, table)
    expect(page.locator("h1")).to_have_text("The game is over")
    expect(page.locator(".disclosure[open]")).to_have_count(0)
    expect(page.locator(BOARDS[game])).to_be_visible()
    other = visit(phone=True)
    other.goto(f"/table/{table}")
    expect(other.get_by_role("button", name="Another game")).to_have_count(0)
    page.get_by_role("button", name="Another game").tap()
    expect(page).not_to_have_url(re.compile(table))
    expect(page.locator("h1")).not_to_have_text("The game is over")
    expect(page.locator(BOARDS[game])).to_be_visible()
    other.get_by_role("link", name="On to the next game").tap()
    expect(other).to_have_url(page.url)


DRAWN = "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
"""Ends when what has changed is drawn."""
OWN = {"topiary": ".topiary .own", "topas": ".dock", "schlossgarten": ".schlossgarten .cards"}


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("players", [2, 4])
def test_a_phone_that_is_turned_on_its_side_shows_everything_without_scrolling(
    visit: Visit, game: str, players: int
) -> None:
    page = visit(phone=True)
    open_table(page, game, {"players": players}, [ME, *[RANDOM] * (players - 1)])
    assert wait_for_turn(page)
    everybody = page.get_by_role("list", name="Players").get_by_role("listitem")
    expect(everybody).to_have_count(players)
    for width, height in ((844, 390), (667, 375)):
        page.set_viewport_size(PHONE)
        page.evaluate(DRAWN)
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        expect_in_sight(page, page.locator("h1"), *everybody.all(), page.locator(BOARDS[game]), page.locator(OWN[game]))


def test_a_phone_on_its_side_plays_a_card(visit: Visit) -> None:
    page = visit(phone=True)
    page.set_viewport_size({"width": 844, "height": 390})
    open_table(page, "schlossgarten", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    card = page.get_by_role("button", name="Card ").first
    card.tap()
    play = page.get_by_role("button", name="Play this card")
    expect_in_sight(page, page.locator(".garden"), card, play)
    play.tap()
    page.get_by_role("gridcell", name="can be picked").first.tap()


@pytest.mark.parametrize("game", BOARDS)
def test_on_a_low_screen_the_board_of_a_puzzle_or_an_analysis_has_most_of_it(visit: Visit, game: str) -> None:
    page = visit("/analysis")
    page.get_by_role("combobox", name="Game").select_option(game)
    page.get_by_role("button", name="Deal").click()
    page.wait_for_url(re.compile("#"))
    for address in (page.url, f"/puzzles/{game}/{today()}/easy"):
        for width, height in ((844, 390), (720, 450)):
            page.set_viewport_size({"width": width, "height": height})
            page.goto("about:blank")
            page.goto(address)
            board = page.locator(BOARDS[game])
            expect_in_sight(page, board)
            if game != "schlossgarten":
                expect_in_sight(page, page.locator(HELD[game]).first)
            box = board.bounding_box()
            assert box is not None
            assert box["height"] >= 280, (address, width)
            assert fits(page)


NARROW = 320


@pytest.mark.parametrize("language", ["de-DE", "fr-FR"])
def test_nothing_is_wider_than_the_narrowest_phone(visit: Visit, language: str) -> None:
    page = visit(phone=True, language=language)
    page.set_viewport_size({"width": NARROW, "height": 640})
    for path in (
        "/",
        "/rules/topas",
        "/rules/topiary",
        "/replay",
        "/score/schlossgarten",
        "/box/schlossgarten",
        "/privacy",
        "/me",
        "/history",
        "/today",
    ):
        page.goto(path)
        page.locator("h1").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW, path
    others = [{"kind": "here", "name": f"Maximiliane {n}"} for n in range(3)]
    for game, board in BOARDS.items():
        for players in (2, 4):
            open_table(page, game, {"players": players}, [ME, *others[: players - 1]])
            page.locator(".hand-over button").click()
            page.locator(board).wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") == NARROW, (game, players)


def test_on_a_phone_names_and_who_is_here_are_whole(visit: Visit) -> None:
    page, screens = visit(phone=True), [(390, 844), (320, 568), (844, 390)]
    others = [{"kind": "here", "name": "Bernadette"}]
    for players in (2, 4):
        open_table(page, "topiary", {"players": players}, [{"kind": "me", "name": "Maximiliane"}, *others])
        page.locator(".hand-over button").click()
        page.locator("svg.garden").wait_for()
        names = page.get_by_role("list", name="Players").locator(".name")
        for screen in sized(page, screens):
            cut = names.evaluate_all("all => all.filter(name => name.scrollHeight > name.clientHeight + 1).length")
            assert cut == 0, (players, screen)
            assert fits(page)
        others += [{"kind": "here", "name": "Christopher"}, {"kind": "here", "name": "Magdalena"}]
    open_table(page, "schlossgarten", {"players": 2}, [ME, RANDOM])
    page.locator(".garden").wait_for()
    presence = page.get_by_role("list", name="Players").locator(".presence")
    for screen in sized(page, screens):
        whole = presence.evaluate_all("all => all.map(one => one.scrollWidth <= one.clientWidth)")
        assert whole == [True, True], screen


@pytest.mark.parametrize("game", BOARDS)
def test_the_guide_of_a_first_game_points_at_something(visit: Visit, game: str) -> None:
    page = visit()
    table = ask_for_table(page, game, {"players": 2}, [ME, RANDOM])
    page.goto(f"/table/{table}?teach")
    assert wait_for_turn(page)
    expect(page.get_by_role("complementary", name="First game")).to_be_visible()
    expect(page.locator(".rings div").first).to_be_visible()


@pytest.mark.parametrize("width", [390, 320])
def test_nothing_moves_under_a_finger(visit: Visit, width: int) -> None:
    page = visit(phone=True)
    page.set_viewport_size({"width": width, "height": 844})
    open_table(page, "topiary", {"players": 2}, [ME, {"kind": "here", "name": "Bea"}])
    seen: set[str] = set()
    places = set()
    for _ in range(9):
        page.locator(".prompt p, .hand-over").first.wait_for()
        if page.locator(".hand-over").count():
            page.locator(".hand-over button").tap()
        prompt = page.locator(".prompt p").inner_text()
        seen.add(prompt.split()[0])
        page.evaluate("scrollTo(0, 0)")
        places.add(where(page))
        if prompt.startswith("Place"):
            page.locator(".free").first.locator(".near").tap(force=True)
            page.locator(".fan").wait_for()
            assert where(page)[0] == next(iter(places))[0]  # the own tiles stand in the place of the prompt
        take_by_touch(page)
    assert seen == {"Place", "Take", "Put"}
    assert len(places) == 1, places


@pytest.mark.parametrize(("width", "language"), [(320, "de-DE"), (360, "de-DE"), (375, "fr-FR"), (390, "es-ES")])
def test_nothing_moves_when_a_move_can_be_taken_back(visit: Visit, width: int, language: str) -> None:
    words = json.loads((WEB / "src/games/topiary/words.json").read_text())
    page = visit(phone=True, language=language)
    page.set_viewport_size({"width": width, "height": 844})
    open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
    page.locator(".free").first.wait_for()
    before = where(page)
    page.locator(".free").first.locator(".near").tap(force=True)
    page.locator(".fan").get_by_role("button", name=words["here"][language[:2]]).tap()
    page.locator("g.cell.open").first.wait_for()
    assert where(page) == before


def take_by_touch(page: Page) -> None:
    """One decision by thumb on a phone; a hidden tile is taken."""
    if page.locator("g.cell.open").count():
        before = number(page)
        page.locator("g.cell.open").first.tap()
        wait_for_more(page, before)
    else:
        play_by_touch(page)


def where(page: Page) -> tuple[int, ...]:
    """Where the garden and the own tiles begin."""
    boxes = [page.locator(thing).first.bounding_box() for thing in ("svg.garden", ".hand")]
    return tuple(round(box["y"]) for box in boxes if box)


def test_every_number_of_a_sight_line_is_told(visit: Visit) -> None:
    while (
        True
    ):  # in three deals of four no tile in hand is of the kind that lies open; one guest may open but ten tables
        page = visit(phone=True)
        in_hand = page.locator("[data-line][aria-label*='in hand']")
        open_table(page, "topiary", {"players": 2}, [ME, RANDOM])
        assert wait_for_turn(page)
        page.locator("[data-line]").first.wait_for()
        if in_hand.count():
            break
    label = in_hand.first.get_attribute("aria-label") or ""
    found = re.search(r"(\d+) points? now, (\d+) in hand", label)
    assert found
    now, hand = found.groups()
    in_hand.first.locator(".near").tap(force=True)
    expect(page.locator(".prompt .note")).to_have_text(re.compile(f"^{now} points? now, {hand} in hand$"))
    chosen = page.locator(".fan [aria-pressed=true]")
    expect(chosen.locator(".number")).to_have_text([now, f"+{hand}"])
    expect(page.locator(".lens text")).to_have_text(now)
