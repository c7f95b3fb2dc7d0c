"""The installed page: what it shows without a network, what its worker keeps, and how it meets a new server."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from bosquet.server.http.static_files import PAGE
from tests.browser.conftest import Visit
from tests.browser.helpers.games import finished_game
from tests.browser.helpers.looks import violations
from tests.browser.helpers.offline import go_online, ready, wait
from tests.browser.helpers.tables import ME, RANDOM, fits, open_table, wait_for_turn
from tests.helpers.services import free_port, serving_page

TITLES = {
    "en-GB": "The server can’t be reached",
    "fr-FR": "Le serveur est injoignable",
    "es-ES": "No se puede llegar al servidor",
    "de-DE": "Der Server ist nicht erreichbar",
}
MOST_KB = 405
"""What the worker may load in all, in one language."""
KEPT = """async () => {
    const found = {};
    for (const name of await caches.keys())
        for (const {url} of await (await caches.open(name)).keys()) {
            const answer = await caches.match(url, {cacheName: name});
            found[new URL(url).pathname] = (await answer.arrayBuffer()).byteLength;
        }
    return found;
}"""


def kept(page: Page) -> dict[str, int]:
    """Paths of all that the browser keeps for the site, with the bytes of each."""
    found: dict[str, int] = page.evaluate(KEPT)
    return found


def sent(path: str) -> int:
    """Bytes in which the server sends a file of the page."""
    file = PAGE / path.lstrip("/")
    packed = file.with_name(f"{file.name}.br")
    return next((one.stat().st_size for one in (packed, file) if one.is_file()), 0)


def another_build(folder: Path, title: str) -> Path:
    """Copy the built page as a later build would be: all its files have other names, and it has another title."""
    made = folder / "later"
    shutil.copytree(PAGE, made, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    names = {path.name: path.name.replace("-", "-L", 1) for path in (made / "assets").iterdir()}
    pattern = re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))
    for path in [*made.iterdir(), *(made / "assets").iterdir()]:
        if path.suffix in (".html", ".js", ".css"):
            path.write_text(pattern.sub(lambda found: names[found[0]], path.read_text()))
    for old, new in names.items():
        (made / "assets" / old).rename(made / "assets" / new)
    index = made / "index.html"
    index.write_text(index.read_text().replace("<body>", f'<body data-build="{title}">'))
    return made


def test_the_page_can_be_installed(visit: Visit) -> None:
    page = visit("/", language="de-DE")
    page.locator("h1").wait_for()
    address = page.locator("link[rel=manifest]").get_attribute("href")
    assert address == "/manifest-de.webmanifest"
    answer = page.request.get(address)
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert (manifest["lang"], manifest["display"], manifest["start_url"]) == ("de", "standalone", ".")
    for icon in manifest["icons"]:
        drawn = page.request.get(icon["src"])
        assert drawn.ok
        assert drawn.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            size = page.evaluate(
                "async src => { const image = new Image(); image.src = src; await image.decode();"
                "return `${image.naturalWidth}x${image.naturalHeight}` }",
                icon["src"],
            )
            assert size == icon["sizes"]
    problems = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
    # The only thing that Chromium has against it is the test itself: its windows are private ones.
    assert {problem["errorId"] for problem in problems} <= {"in-incognito"}


@pytest.mark.parametrize("language", TITLES)
def test_without_a_network_a_page_says_so_and_goes_away(visit: Visit, language: str) -> None:
    page = ready(visit("/", language=language, worker=True, phone=language == "de-DE"))
    title = page.get_by_role("heading", level=1)
    page.context.set_offline(True)
    if language in ("en-GB", "de-DE"):  # the others show that their words are kept
        for path in ("/table/abcdefgh", "/docs/"):
            page.goto(path)
            expect(title).to_have_text(TITLES[language])
        page.locator("a[href='/rules/topas']").first.click()
        expect(title).to_contain_text("Topas")
    page.goto("/me")
    expect(title).to_have_text(TITLES[language])
    assert violations(page) == []
    assert fits(page)
    go_online(page)
    expect(title).not_to_have_text(TITLES[language])


def test_without_a_network_one_plays_from_the_start_page(visit: Visit) -> None:
    page = ready(visit("/", worker=True))
    page.get_by_role("checkbox", name=re.compile(r"Topiary \d+ kB")).check()
    wait(page, "await caches.match((await (await fetch('/api/games')).json()).find(g => g.name === 'topiary').engine)")
    page.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_role("status").first).to_contain_text("The server can’t be reached")
    expect(page.locator("[inert] h2")).to_have_text(["Waiting for players"])
    other = page.locator("article[data-game=topas]")
    expect(other.get_by_role("button", name="Play now")).to_be_disabled()
    expect(other).to_contain_text("only what was loaded before can be played")
    assert violations(page) == []
    page.locator("article[data-game=topiary]").get_by_role("button", name="Play now").click()
    page.wait_for_url("**/here/topiary/*")
    assert wait_for_turn(page)
    page.goto("/")
    go_online(page)
    expect(page.locator("section[inert]")).to_have_count(0)


def test_without_a_network_one_practises_until_the_deals_of_the_day_are_back(visit: Visit) -> None:
    page = ready(visit("/", worker=True))
    page.context.set_offline(True)
    page.goto("/today")
    expect(page.get_by_role("button", name=re.compile("Practise with another deal"))).to_have_count(3)
    expect(page.get_by_text("need a server")).to_be_visible()
    go_online(page)
    expect(page.get_by_text("One deal of each game every day")).to_be_visible()


def test_without_a_network_a_language_that_is_not_kept_is_not_spoken(visit: Visit) -> None:
    page = visit("/privacy")
    page.get_by_role("heading", level=1).wait_for()
    page.context.set_offline(True)
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("alert")).to_have_text("The server does not answer. Check the connection and try again.")
    expect(page.get_by_label("Language")).to_have_value("en")
    expect(page.get_by_role("button", name="Load the page again")).to_have_count(0)


def test_without_a_network_a_real_game_is_not_counted_and_the_page_says_why(visit: Visit) -> None:
    page = ready(visit("/", worker=True, language="de-DE"))
    page.context.set_offline(True)
    page.goto("/score/topiary")
    expect(page.get_by_role("alert")).to_contain_text("Was das Spiel spielt, ließ sich nicht laden.")
    expect(page.get_by_text("Failed to fetch")).to_have_count(0)


def test_without_a_worker_the_page_says_that_it_keeps_nothing(visit: Visit) -> None:
    page = visit("/privacy")
    page.add_init_script("delete Navigator.prototype.serviceWorker")  # as over HTTP from another device
    page.goto("/")
    expect(page.get_by_text("At an address without HTTPS this browser keeps no page")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)


def test_a_game_opened_recently_is_stepped_through_without_a_network(visit: Visit, tmp_path: Path) -> None:
    file, running = tmp_path / "game.json", tmp_path / "running.json"
    record = finished_game("topiary")
    file.write_text(json.dumps(record))
    running.write_text(json.dumps(record | {"result": None, "moves": record["moves"][:3]}))
    page = ready(visit("/replay", worker=True))
    for name in (running, file):
        page.locator("input[type=file]").set_input_files(name)
        expect(page.locator("[data-step]")).to_have_attribute("data-step", "0")
        if name == file:
            wait(page, "await caches.match('/recent')")  # it is kept after it is shown
        page.evaluate("sessionStorage.clear()")
        page.goto("/replay")
    recent = page.get_by_role("button", name=re.compile("^Topiary"))
    expect(recent).to_have_count(1)  # the one that runs is not kept
    page.context.set_offline(True)
    page.goto("/replay")
    recent.click()
    expect(page.locator("[data-step]")).to_have_attribute("data-step", "0")
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("group", name="Score sheet")).to_be_visible()
    page.get_by_label("Seen by").select_option("0")  # nobody has looked so before: the engine shows it
    expect(page.get_by_label("Seen by")).to_have_value("0")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.evaluate("sessionStorage.clear()")
    page.goto("/replay")
    page.get_by_role("button", name="Keep none of them").click()
    expect(recent).to_have_count(0)
    assert not [path for path in kept(page) if path.startswith("/recent/")]


def test_nothing_of_a_guest_or_a_table_is_kept(visit: Visit) -> None:
    page = ready(visit("/", worker=True))
    open_table(page, "topas", {"players": 2}, [ME, RANDOM])
    assert wait_for_turn(page)
    page.goto("/me")
    page.get_by_role("heading", name="Devices").wait_for()
    page.goto("/privacy")
    found = kept(page)
    files = {f"/{path.relative_to(PAGE).as_posix()}" for path in PAGE.rglob("*")}
    engines = {path for path in found if path.startswith("/engines/")}
    assert set(found) - files - engines == {"/", "/api/games", "/language"}
    size = sum(sent(path) for path in found) / 1000
    print(f"the worker keeps {len(found)} files, sent as {size:.0f} kB")
    assert size < MOST_KB
    page.get_by_role("button", name="Erase everything about me").click()
    page.get_by_role("button", name="Erase", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Everything about you is erased.")
    assert kept(page) == {}
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then(found => found.length)") == 0


@pytest.mark.parametrize(("code", "said"), [("revoked", "signed this one out"), ("erased", "was erased")])
def test_a_device_that_was_signed_out_keeps_nothing(visit: Visit, tmp_path: Path, code: str, said: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(finished_game("topiary")))
    page = ready(visit("/replay", worker=True))
    page.locator("input[type=file]").set_input_files(file)
    page.locator("[data-step]").wait_for()
    wait(page, "await caches.match('/recent')")
    refused = {"code": code, "message": "this device is nobody's any more"}
    page.context.route("**/api/lobby", lambda route: route.fulfill(status=403, json=refused))
    page.goto("/")
    expect(page.get_by_role("alert")).to_contain_text(said)
    wait(page, "!await caches.match('/recent')")


def test_who_saves_data_loads_nothing_ahead(visit: Visit) -> None:
    page = visit("about:blank", worker=True)
    page.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})")
    page.goto("/")
    wait(page, "navigator.serviceWorker.controller")
    page.wait_for_timeout(500)
    assert not any("/rules-" in path for path in kept(page))
    page.context.set_offline(True)
    page.goto("/me")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["en-GB"])


def test_an_old_worker_meets_a_new_server(visit: Visit, tmp_path: Path) -> None:
    """Nobody sees an old page, or one that lacks a file, and the new worker takes over."""
    port, data = free_port(), tmp_path / "data"
    data.mkdir()
    address = f"http://127.0.0.1:{port}"
    later = another_build(tmp_path, "later")
    body = "document.body.dataset.build"
    with serving_page(PAGE, data, port):
        page = ready(visit("/", worker=True, by_way_of=address))
        assert page.evaluate(body) is None
        old = {path for path in kept(page) if path.startswith("/assets/")}
    page.goto("/me")  # nobody is there
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["en-GB"])
    with serving_page(later, data, port):
        page.get_by_role("button", name="Try again").click()
        page.wait_for_function(f"() => {body} === 'later'")
        for path in ("/rules/topas", "/privacy", "/me", "/replay", "/"):
            go_to(page, path)
            page.locator("h1").wait_for()
            page.wait_for_function(f"() => {body} === 'later'")
        old_caches = "name.startsWith('bosquet-page ') && !name.includes('-L')"
        wait(page, f"!(await caches.keys()).some(name => {old_caches})")
        ready(page)
        assert old.isdisjoint(kept(page))
    go_to(page, "/rules/topas")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Topas")
    page.wait_for_function(f"() => {body} === 'later'")


def go_to(page: Page, path: str) -> None:
    """Open a page. Where the one before is just loading itself anew, the browser drops one of the two: ask again."""
    try:
        page.goto(path)
    except PlaywrightError:
        page.goto(path)


def test_an_open_page_meets_a_new_server(browser: Browser, tmp_path: Path) -> None:
    """Without a worker it lacks the files of pages that it has not shown: the new build is loaded instead."""
    context = browser.new_context(service_workers="block")
    port, data = free_port(), tmp_path / "data"
    data.mkdir()
    later = another_build(tmp_path, "later")
    with serving_page(PAGE, data, port):
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator("h1").wait_for()
    with serving_page(later, data, port):
        page.get_by_role("link", name="Privacy").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Privacy")
        assert page.evaluate("document.body.dataset.build") == "later"
    context.close()
