"""The site of files only, as `python3 -m http.server` serves it: at the root of a host and in a folder."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from bosquet import GAMES
from bosquet.lab.puzzles.puzzle import GRADES
from bosquet.server.base.engines import files_of
from bosquet.server.host.site import addresses, write_site
from bosquet.server.http.catalogue import catalogue
from tests.browser.conftest import Visit, visiting
from tests.browser.helpers.files import serving_files
from tests.browser.helpers.firefox import launched, needs_firefox
from tests.browser.helpers.looks import violations
from tests.browser.helpers.offline import go_online, wait
from tests.browser.helpers.tables import fits, number, setting, wait_for_turn
from tests.browser.helpers.topiary import play_by_mouse, play_by_touch

BASES = ["/", "/games/"]
"""Which of them it is shows in addresses only: what is not about these is tried in the folder."""
in_a_folder = pytest.mark.parametrize("site", BASES[1:], indirect=True)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Gives the address of a site under a base: written once, and served by a program that knows nothing of it."""
    with ExitStack() as hosts:

        @functools.cache
        def address(base: str) -> str:
            folder = tmp_path_factory.mktemp("site")
            write_site(folder / base.strip("/"), base)
            return hosts.enter_context(serving_files(folder)) + base

        yield address


@pytest.fixture(params=BASES)
def site(request: pytest.FixtureRequest, served: Callable[[str], str]) -> str:
    """The address of the site. Tests leave its files as they are."""
    return served(request.param)


@pytest.fixture
def visit_site(browser: Browser, site: str) -> Iterator[Visit]:
    """Opens pages of the site; a request that leads out of its folder, or to an API, fails the test."""
    with visiting(browser, site) as open_page:
        yield open_page


def opened(page: Page) -> Page:
    """Fail at a request that only a server answers."""
    page.on("request", lambda asked: pytest.fail(asked.url) if "/api/" in asked.url else None)
    return page


def keep(page: Page, *games: str) -> None:
    """Keep games of a site in a folder for times without a network."""
    for game in games:
        page.get_by_role("checkbox", name=re.compile(game.capitalize())).check()
    files = [f"/games{file.address}" for game in games for file in files_of(game)]
    wait(page, f"(await Promise.all({files}.map(file => caches.match(file)))).every(Boolean)")


def look_at(page: Page, site: str, link: str) -> None:
    """Open an address by itself: it shows its page, or says that this needs a server."""
    if urldefrag(page.url).url == urldefrag(link).url:
        page.goto("about:blank")  # otherwise nothing is loaded where only what follows # differs
    answer = page.goto(link)
    assert answer is not None
    assert answer.status in (200, 304), link
    expect(page.locator("h1").first).to_be_visible()
    expect(page.locator("h1").first).not_to_have_text("This page does not exist")
    assert page.url.startswith(site)


def look_at_every_address(page: Page, site: str) -> set[str]:
    """Open each address by itself, and each to which these lead.

    Returns their paths below the site, with `?at=` and `#` where they have that; of those alike in this, one is opened.
    `#main`, to which each page has a link, makes no difference.
    """
    due, kinds = [f"{site}{address}" for address in addresses()], set[str]()
    while due:
        link = due.pop()
        address = urlsplit(link)
        path = f"{address.path}/".removeprefix(urlsplit(site).path).strip("/")
        kind = path + "?at=" * address.query.startswith("at=") + "#" * (address.fragment not in ("", "main"))
        if kind in kinds:
            continue
        kinds.add(kind)
        look_at(page, site, link)
        if path.startswith("docs"):
            continue  # Sphinx checks its links
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_have_count(0)
        links: list[str] = page.locator("a[href]").evaluate_all("links => links.map(({ href }) => href)")
        assert all(one.startswith(site) and "/api/" not in one for one in links), (link, links)
        due += links
    return kinds


def play_from_the_start_page(page: Page, moves: int) -> None:
    """Choose a game on the start page, and play."""
    page.locator("article[data-game=topiary]").get_by_role("button", name="Play now").click()
    page.get_by_role("button", name="Bots move at once").click()
    for _ in range(moves):
        assert wait_for_turn(page)
        play_by_mouse(page)


def test_the_site_has_each_engine_its_weights_and_its_puzzles(tmp_path: Path) -> None:
    write_site(tmp_path, "/")
    games = json.loads(catalogue().body)
    weights = [weights["address"] for game in games for weights in game["weights"]]
    assert weights
    puzzles = [f"{game['puzzles']['address']}.{grade}.0.jsonl" for game in games for grade in GRADES]
    for address in [*weights, *puzzles, *(game["engine"] for game in games)]:
        assert (tmp_path / address.lstrip("/")).is_file()


def test_every_address_opens_without_a_server(visit_site: Visit, site: str) -> None:
    page = opened(visit_site("./"))
    play_from_the_start_page(page, 2)
    while wait_for_turn(page):
        play_by_mouse(page)
    page.goto(site)
    play_from_the_start_page(page, 2)
    page.goto(f"{site}rules/topas")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Topas")
    page.get_by_role("link", name="Rules", exact=True).click()
    page.wait_for_url(f"{site}rules/topiary")
    page.get_by_role("link", name="Past games", exact=True).first.click()
    expect(page.locator("[data-here]").filter(has_text="goes on")).to_have_count(1)
    expect(page.locator("main")).not_to_contain_text(re.compile("this server|connection"))
    look_at(page, site, f"{site}#main")
    kinds = look_at_every_address(page, site)
    assert kinds >= {f"{place}?at=" for place in ("puzzles", "here/topiary", "here/replay", "here/coach")}
    assert kinds >= {"analysis#", "rules/topas#"}


@in_a_folder
def test_what_the_browser_keeps_of_the_site_is_erased(visit_site: Visit, site: str) -> None:
    page = opened(visit_site("./"))
    play_from_the_start_page(page, 2)
    page.goto(f"{site}history")
    expect(page.locator("main a[href*='/here/topiary/?at=']")).to_be_visible()
    page.goto(f"{site}privacy")
    expect(page.locator("main")).to_contain_text("Without a server you play in your browser")
    expect(page.locator("main")).not_to_contain_text("cookie")
    page.get_by_role("button", name="Erase everything about me").click()
    page.get_by_role("button", name="Erase", exact=True).click()
    expect(page.get_by_text("Everything about you is erased")).to_be_visible()
    page.goto(f"{site}history")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("main a[href*='/here/topiary/?at=']")).to_have_count(0)


@in_a_folder
def test_a_table_is_set_on_this_device_alone(visit_site: Visit) -> None:
    page = opened(visit_site("./"))
    dialog = setting(page, "topiary")
    sitters = dialog.get_by_label("Seat 2")
    expect(sitters.get_by_role("option", name="A friend, by link")).to_have_count(0)
    expect(dialog).not_to_contain_text(re.compile("server|phone"))
    sitters.select_option(label="Somebody at this screen")
    expect(dialog.locator("footer button")).to_have_count(1)
    dialog.locator("footer button").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Pass the screen")


def test_a_table_its_replay_and_its_coach_open_directly(visit_site: Visit, site: str, tmp_path: Path) -> None:
    page = opened(visit_site("./"))
    play_from_the_start_page(page, 2)
    assert re.fullmatch(f"{re.escape(site)}here/topiary/\\?at=\\w+", page.url)
    assert wait_for_turn(page)
    table, moves = page.url, number(page)
    reload(page)
    assert wait_for_turn(page)
    assert (page.url, number(page)) == (table, moves)
    while wait_for_turn(page):
        play_by_mouse(page)
    page.goto(f"{site}history")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("Without a server you play in your browser")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save all to a file").click()
    file = tmp_path / "device.json"
    saved.value.save_as(file)
    page.get_by_role("button", name="Delete").click()
    page.get_by_label("Import a file").set_input_files(file)
    page.get_by_text("1 game imported").wait_for()
    page.get_by_role("link", name=re.compile("Replay")).click()
    step = page.locator("[data-step]")
    expect(step).to_have_attribute("data-step", "0")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/here/replay/?at=*#1")
    reload(page)
    expect(step).to_have_attribute("data-step", "1")
    expect(page.get_by_role("button", name="Look at it together")).to_be_disabled()
    expect(page.get_by_text("looking at a game together needs one")).to_be_visible()
    page.get_by_role("link", name="Ask the coach").click()
    page.wait_for_selector("[data-stage]")
    reload(page)
    page.wait_for_selector("[data-stage]")
    page.go_back()
    expect(step).to_have_attribute("data-step", "1")


def test_a_lesson_goes_on_when_its_page_is_loaded_again(visit_site: Visit, site: str) -> None:
    page = opened(visit_site("./"))
    page.locator("article[data-game=topiary]").get_by_role("button", name="Learn by playing").click()
    assert wait_for_turn(page)
    assert re.fullmatch(f"{re.escape(site)}here/topiary/\\?at=\\w+&teach", page.url)
    reload(page)
    assert wait_for_turn(page)
    assert page.url.endswith("&teach")


def reload(page: Page) -> None:
    """Load the page again: the host has a file at its address."""
    answer = page.reload()
    assert answer is not None
    assert answer.ok


@in_a_folder
def test_a_game_is_played_to_its_end_with_the_network_cut(visit_site: Visit, site: str) -> None:
    page = visit_site("./", worker=True, phone=True)
    wait(page, "navigator.serviceWorker.controller && await caches.match('/games/language')")
    keep(page, "topiary")
    page.context.set_offline(True)
    page.reload()
    page.locator("article[data-game=topiary]").get_by_role("button", name="Play now").click()
    page.get_by_role("button", name="Bots move at once").click()
    while wait_for_turn(page):
        play_by_touch(page)
    expect(page.locator(".ending")).to_contain_text(re.compile("won|lost|tie"))
    page.goto(f"{site}people")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page needs a server")
    page.goto(f"{site}history")
    page.get_by_role("link", name=re.compile("Replay")).click()
    expect(page.locator("[data-step]")).to_have_attribute("data-step", "0")


@in_a_folder
def test_a_newcomers_card_is_made_ready_where_its_engine_is_kept(visit_site: Visit) -> None:
    page = visit_site("./", worker=True, phone=True)
    wait(page, "navigator.serviceWorker.controller && await caches.match('/games/language')")
    keep(page, "topiary")
    assert page.workers == []
    with page.expect_event("worker"):
        page.reload()
    page.locator("article[data-game=topas]").scroll_into_view_if_needed()
    page.wait_for_timeout(1000)
    assert len(page.workers) == 1  # that of Topas is not kept


@in_a_folder
def test_a_real_game_is_counted_on_the_site(visit_site: Visit) -> None:
    page = opened(visit_site("./"))
    for game in GAMES:
        expect(page.locator(f"a[href$='/score/{game}']").first).not_to_have_class(re.compile("greyed"))
    page.locator("a[href$='/score/topas']").first.click()
    cards = page.get_by_role("group", name="Cards")
    first_card = cards.get_by_role("button", name="1 sapphire and 2 emeralds")
    first_card.click()
    expect(first_card).to_be_disabled()
    cards.locator("button:enabled").first.click()
    page.locator("g.fits[data-cell]").first.press("Enter")
    expect(page.get_by_role("table", name="Score pad")).to_be_visible()


@in_a_folder
def test_a_real_game_is_counted_with_the_network_cut(visit_site: Visit, site: str) -> None:
    page = visit_site("./", worker=True)
    wait(page, "navigator.serviceWorker.controller && await caches.match('/games/language')")
    keep(page, "schlossgarten")
    page.context.set_offline(True)
    page.goto(f"{site}score/schlossgarten")
    page.get_by_role("button", name="Pool").first.click()
    wrong = page.get_by_role("status").filter(has_text="tiles kept: 0, cells under elements: 2")
    expect(wrong).to_be_visible()
    for _ in range(2):
        page.get_by_role("button", name="One more").first.click()
    expect(wrong).to_have_count(0)
    expect(page.get_by_role("group", name="Score sheet").locator("strong").first).to_have_text("4")


@in_a_folder
def test_a_puzzle_is_answered_with_the_network_cut(visit_site: Visit) -> None:
    page = opened(visit_site("./", worker=True, phone=True))
    wait(page, "navigator.serviceWorker.controller && await caches.match('/games/language')")
    keep(page, *GAMES)
    page.context.set_offline(True)
    link = page.locator("header").get_by_role("link", name="Puzzles")
    expect(link).not_to_have_class(re.compile("greyed"))
    link.click()
    page.locator("[data-game=topiary] a").first.click()
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Show it all the same").click()
    expect(page.get_by_role("heading", name="The answer")).to_be_focused()
    expect(page.get_by_text("Best:").first).to_be_visible()
    assert fits(page)
    page.get_by_role("link", name="All puzzles").click()
    expect(page.locator("[data-game=topiary] a").first).to_contain_text("not solved")


@in_a_folder
def test_puzzles_that_were_seen_are_opened_with_the_network_cut(visit_site: Visit, site: str) -> None:
    page = opened(visit_site("./", worker=True))
    wait(page, "navigator.serviceWorker.controller && await caches.match('/games/language')")
    kept = "(await (await caches.open('bosquet-engines')).keys()).filter(({url}) => url.endsWith('.jsonl'))"
    for older in ("topas.puzzles-0", "topas.puzzles-0.hard.7"):
        page.evaluate(f"caches.open('bosquet-engines').then(c => c.put('engines/{older}.jsonl', new Response()))")
    page.goto(f"{site}puzzles/")
    expect(page.locator("a > .picture:has(svg)")).to_have_count(3 * len(GAMES))
    wait(page, f"{kept}.length === {3 * len(GAMES)}")
    assert page.evaluate(f"async () => {kept}.every(({{url}}) => !url.includes('puzzles-0.'))")
    page.context.set_offline(True)
    page.reload()
    page.locator("[data-game=topiary] a").first.click()
    expect(page.get_by_role("button", name="Show the answer")).to_be_visible()


@in_a_folder
def test_the_answer_of_a_puzzle_speaks_of_the_visitor_by_name(visit_site: Visit) -> None:
    page = opened(visit_site("puzzles/"))
    page.locator("[data-game=schlossgarten] a").first.click()
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Show it all the same").click()
    expect(page.get_by_role("heading", name="The answer")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text(re.compile("You (chooses|is)"))


@in_a_folder
def test_a_wrong_address_of_the_documentation_is_no_missing_network(visit_site: Visit, site: str) -> None:
    page = visit_site("./")
    # As a host answers that sends the page for all other addresses.
    found = page.request.get(f"{site}404.html")
    page.route("**/docs/nowhere.html", lambda route: route.fulfill(status=404, response=found))
    page.goto(f"{site}docs/nowhere.html")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page does not exist")


@in_a_folder
def test_a_servers_address_opens_where_the_host_sends_the_page_for_it(visit_site: Visit, site: str) -> None:
    page = opened(visit_site("./puzzles/"))
    link = page.locator("[data-game=topiary] a").first.get_attribute("href")
    assert link is not None
    asked = f"/games/puzzles/{link.removeprefix('/games/puzzles/?at=')}"
    found = page.request.get(f"{site}404.html")
    page.route(f"**{asked}", lambda route: route.fulfill(response=found))
    page.goto(urljoin(site, asked))
    expect(page.get_by_role("button", name="Show the answer")).to_be_visible()
    assert page.url == urljoin(site, link)


@in_a_folder
def test_with_the_network_cut_one_practises_and_is_told_what_is_not_kept(visit_site: Visit, site: str) -> None:
    page = opened(visit_site("./", worker=True, phone=True, dark=True))
    wait(page, "navigator.serviceWorker.controller && await caches.match('/games/language')")
    keep(page, "topas")
    title = page.get_by_role("heading", level=1)
    page.context.set_offline(True)
    page.goto(f"{site}docs/")
    expect(title).to_have_text("There is no network")
    go_online(page)
    expect(title).not_to_have_text("There is no network")
    page.context.set_offline(True)
    page.goto(f"{site}nowhere/")
    expect(title).to_have_text("This page does not exist")
    link = page.locator("header").get_by_role("link", name="Today")
    expect(link).not_to_have_class(re.compile("greyed"))
    link.click()
    expect(page.get_by_text("need a server")).to_be_visible()
    assert fits(page)
    assert violations(page) == []
    page.get_by_role("button", name="Practise with another deal: Topas").click()
    assert wait_for_turn(page)


@in_a_folder
@pytest.mark.parametrize("dark", [False, True])
def test_what_needs_people_is_greyed_and_says_why(visit_site: Visit, site: str, dark: bool) -> None:
    page = opened(visit_site("./", dark=dark, language="de-DE" if dark else "en-GB"))
    reason = "braucht einen Server" if dark else "needs a server"
    expect(page.get_by_text(reason)).to_be_visible()
    assert page.locator("[inert] button").count() == 2
    assert fits(page)
    assert violations(page) == []
    page.locator("footer a.greyed").first.click()
    expect(page.locator("main")).to_contain_text("Server" if dark else "needs a server")
    assert violations(page) == []


def test_without_scripts_the_page_says_what_it_is(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}rules/topas")
    expect(page.locator("body")).to_contain_text("Board games of gardens and gems")
    expect(page.locator("body")).to_contain_text("Brettspiele um Gärten und Edelsteine")
    picture = page.locator("meta[property='og:image']").get_attribute("content")
    assert page.request.get(urljoin(site, picture or "nowhere")).ok
    context.close()


@in_a_folder
@needs_firefox
def test_firefox_opens_every_address_and_plays(playwright: Playwright, site: str, tmp_path: Path) -> None:
    with launched(playwright, tmp_path) as firefox, visiting(firefox, site) as visit_site:
        page = opened(visit_site("./"))
        for address in addresses():
            look_at(page, site, f"{site}{address}")
        page.goto(site)
        play_from_the_start_page(page, 2)
        assert wait_for_turn(page)
        moves = number(page)
        reload(page)
        assert wait_for_turn(page)
        assert number(page) == moves
