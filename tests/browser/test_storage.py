"""Browsers that keep nothing: the page is whole, and games go on until it is closed."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser.conftest import FLAGS, WHOLE, Visit
from tests.browser.helpers.games import finished_game
from tests.browser.helpers.relay import Relay, relaying
from tests.browser.helpers.tables import number, opened, setting, wait_for_more, wait_for_turn
from tests.browser.helpers.topas import choose_card, lay_by_mouse
from tests.browser.helpers.topiary import play_by_mouse

PAGES = ["/", "/rules/topiary", "/me", "/today", "/puzzles", "/replay", "/history", "/people", "/privacy"]
PAGES += ["/score/topiary", "/score/topas", "/score/schlossgarten", "/box/schlossgarten"]


def play_now(page: Page, game: str = "topas") -> None:
    """Begin a game on this device, and make a move."""
    page.locator(f"[data-game={game}]").get_by_role("button", name="Play now").click()
    move(page, game)


def play_at_the_server(page: Page, game: str = "topas") -> None:
    """Begin a game at a table of the server, and make a move."""
    opened(page, setting(page, game))
    move(page, game)


def move(page: Page, game: str) -> None:
    assert wait_for_turn(page)
    if game == "topas":
        before = number(page)
        choose_card(page)
        lay_by_mouse(page)
        wait_for_more(page, before)


def look_around(page: Page, tmp_path: Path, paths: list[str] = PAGES) -> None:
    """Look at pages, replay a game, and change the settings."""
    for path in paths:
        page.goto(path)
        expect(page.locator("main h1, main h2").first).to_be_visible()
    page.goto("/score/topas")
    page.get_by_label("Name of player 1").fill("Ann")
    file = tmp_path / "game.json"
    file.write_text(json.dumps(finished_game("topiary")))
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("[data-step]")).to_be_visible()
    page.get_by_role("link", name="bosquet").first.click()
    page.get_by_label("Language").select_option("fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.get_by_label("Langue").select_option("en")


@pytest.fixture
def without_cookies(playwright: Playwright, address: str, tmp_path: Path) -> Iterator[Page]:
    """A page in a browser whose owner has blocked cookies, and with them everything that a site could keep."""
    if WHOLE is None:
        pytest.skip("no Chromium that blocks cookies on this machine; Debian's package `chromium` brings one")
    settings = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default/Preferences").write_text(json.dumps(settings))
    context = playwright.chromium.launch_persistent_context(
        tmp_path, executable_path=WHOLE, args=FLAGS, base_url=address, locale="en-GB", reduced_motion="reduce"
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert wrong == []


def test_where_cookies_are_blocked_everything_works_until_the_page_is_closed(
    without_cookies: Page, tmp_path: Path
) -> None:
    page = without_cookies
    page.goto("/")
    assert page.evaluate("() => { try { return localStorage === null } catch { return true } }"), "it is not blocked"
    play_now(page)
    told = page.get_by_text("This browser keeps nothing")
    expect(told).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(told).to_have_count(0)
    page.get_by_role("link", name="bosquet").first.click()
    play_at_the_server(page)
    expect(page.get_by_text("keeps no cookies")).to_be_visible()
    table = page.url.rpartition("/")[2]
    page.get_by_role("link", name="This is me").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download").click()
    assert table in saved.value.path().read_text()
    look_around(page, tmp_path)


REFUSED = "throw new DOMException('Access is denied for this document.', 'SecurityError')"
GARBAGE = ["", "null", "undefined", "{", "[]", "[null]", "{}", "-1", "1e9", "x" * 5000]
ODD = {
    "refused": f"for (const one of ['localStorage', 'sessionStorage', 'caches', 'indexedDB'])"
    f" Object.defineProperty(window, one, {{get() {{ {REFUSED} }}}});"
    f" Object.defineProperty(Navigator.prototype, 'serviceWorker', {{get() {{ {REFUSED} }}}})",
    "null": "for (const one of ['localStorage', 'sessionStorage', 'caches', 'indexedDB'])"
    " Object.defineProperty(window, one, {get: () => null})",
    "missing": "for (const one of ['localStorage', 'sessionStorage', 'caches', 'indexedDB'])"
    " Object.defineProperty(window, one, {get: () => undefined});"
    " delete Navigator.prototype.serviceWorker",
    "refused at each use": f"for (const one of ['getItem', 'setItem', 'removeItem', 'clear'])"
    f" Storage.prototype[one] = () => {{ {REFUSED} }};"
    " for (const one of ['open', 'match', 'keys', 'delete', 'has'])"
    " CacheStorage.prototype[one] = () => Promise.reject(new DOMException('no', 'UnknownError'));"
    " ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('no', 'SecurityError'));"
    " ServiceWorkerContainer.prototype.getRegistration = () => Promise.reject(new DOMException('no', 'SecurityError'))",
    "forgetful": "Storage.prototype.setItem = () => {}",
    "full": "Storage.prototype.setItem = Cache.prototype.put = IDBObjectStore.prototype.put ="
    " () => { throw new DOMException('full', 'QuotaExceededError') }",
    "evicted": "const {put} = IDBObjectStore.prototype;"
    " IDBObjectStore.prototype.put = function (...what) {"
    " const asked = put.apply(this, what); this.transaction.abort(); return asked; }",
    "silent": "IDBFactory.prototype.open = () => new EventTarget()",
}


@pytest.mark.parametrize("what", ODD)
def test_where_storage_is_odd_everything_works(visit: Visit, what: str, tmp_path: Path) -> None:
    # The worker has only its caches: where those are as ever, it is not needed.
    page = visit("/", worker="cache" in ODD[what].lower())
    page.context.add_init_script(ODD[what])
    page.goto("/")
    play_at_the_server(page)
    page.goto("/")
    play_now(page)
    forgets = what in ("refused", "null", "missing", "full", "evicted", "silent")
    expect(page.get_by_text("This browser keeps nothing")).to_have_count(int(forgets))
    # One module asks the storage (`shell/store.ts`), so each page is looked at where all that it is asked fails.
    look_around(page, tmp_path, PAGES if "refused" in what else ["/me", "/today", "/puzzles", "/history", "/privacy"])


FILL = """() => {
    const add = (size, count) => {
        try { for (let n = 0; n < 9e4; n++) localStorage.setItem(size + " " + n, "x".repeat(size)) } catch {}
    };
    for (const size of [1 << 20, 1 << 10, 1]) add(size);
}"""


def test_with_a_full_storage_games_of_all_kinds_are_dealt(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Play now").first.wait_for()
    page.evaluate(FILL)
    for game in ("topiary", "topas", "schlossgarten"):
        page.goto("/")
        play_at_the_server(page, game)


NAMES = ["name", "name.shared", "garden-name", "level.topas", "assistance", "language", "theme", "sound", "played"]
NAMES += ["score.topiary", "score.topas", "score.schlossgarten", "topas.confirm", "record", "found", "guest"]


@pytest.mark.parametrize("first", [0, 3, 7])
def test_what_is_kept_may_be_garbage(visit: Visit, first: int) -> None:
    """Each name holds another kind of garbage."""
    page = visit("/")
    kinds = itertools.islice(itertools.cycle(GARBAGE), first, None)
    held = dict(zip(NAMES, kinds, strict=False))
    keep = "held => { for (const name in held) for (const place of [localStorage, sessionStorage])"
    page.evaluate(keep + " place.setItem(`bosquet.${name}`, held[name]) }", held)
    for path in ("/", "/replay", "/coach", "/me", "/score/topiary", "/score/topas", "/score/schlossgarten"):
        page.goto(path)
        expect(page.locator("main h1").first).to_be_visible()
        page.wait_for_timeout(300)
    page.goto("/")
    play_now(page)


def test_a_table_whose_nonce_is_garbage_is_dealt_all_the_same(visit: Visit) -> None:
    page = visit()
    page.context.add_init_script(
        "if (location.pathname.startsWith('/table/'))"
        " localStorage.setItem(`bosquet.nonce.${location.pathname.split('/')[2]}`, 'garbage')"
    )
    page.goto("/")
    page.locator("[data-game=topas]").get_by_role("button", name="Set up a table").click()
    page.get_by_role("dialog").locator("footer button.main").click()
    page.wait_for_url("**/table/**")
    page.reload()
    assert wait_for_turn(page)


class NoCookies(Relay):
    """A network that takes the cookies off the server's answers."""

    def passed(self, content: bytes) -> bytes:
        """Rename the header, so that the length stays."""
        return content.replace(b"set-cookie:", b"no-cookies:")


@pytest.fixture
def stripping(address: str) -> Iterator[NoCookies]:
    with relaying(address, NoCookies) as relay:
        yield relay


def test_where_cookies_do_not_stick_a_guest_keeps_the_seat_over_a_reload(visit: Visit, stripping: NoCookies) -> None:
    host = visit("/", by_way_of=stripping.address)
    play_at_the_server(host)
    expect(host.get_by_text("keeps no cookies")).to_be_visible()
    host.reload()
    expect(host.locator("h1")).to_have_text("Your turn")
    assert host.context.cookies() == []


def test_where_cookies_do_not_stick_a_friend_sits_down(visit: Visit, stripping: NoCookies) -> None:
    host, friend = visit("/"), visit(by_way_of=stripping.address)
    host.locator("[data-game=topas]").get_by_role("button", name="Set up a table").click()
    dialog = host.get_by_role("dialog")
    dialog.get_by_label("Seat 2").select_option("friend")
    dialog.locator("footer button.main").click()
    link = host.get_by_label("Link to this table").input_value()
    friend.goto(link.replace(link.partition("/table/")[0], stripping.address))
    friend.get_by_role("button", name="Sit down").click()
    for page in (host, friend):
        page.wait_for_selector("[data-number]")
    expect(friend.get_by_text("keeps no cookies")).to_be_visible()


SILENT = "IDBFactory.prototype.open = () => new EventTarget();"
SILENT += f" window.BroadcastChannel = class {{ constructor() {{ {REFUSED} }} }}"


def test_a_table_on_this_device_begins_where_a_database_does_not_answer(visit: Visit) -> None:
    page = visit()
    page.add_init_script(SILENT)
    page.goto("/here/topiary")
    assert wait_for_turn(page)
    expect(page.get_by_text("the game is gone when the page is closed")).to_be_visible()
    play_by_mouse(page)


def test_a_table_on_this_device_says_where_no_worker_may_start(visit: Visit) -> None:
    page = visit()
    page.add_init_script(f"window.Worker = class {{ constructor() {{ {REFUSED} }} }}")
    page.goto("/here/topiary")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
