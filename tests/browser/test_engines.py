"""The engine of each game plays as Python does, in workers of a page of the real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright

import bosquet
from bosquet.search import Settings
from tests.browser.helpers.firefox import launched, needs_firefox
from tests.engine.helpers.node import assert_equal, has_engine
from tests.engine.helpers.questions import Question, game_of
from tests.engine.helpers.site import call, can_build, site, source_of

GAMES = [name for name in bosquet.GAMES if has_engine(name)]
ENGINES = 2
pytestmark = pytest.mark.skipif(not can_build(), reason="the tools of the page are not installed; web/check does that")
every_engine = pytest.mark.parametrize("game", GAMES)


@pytest.fixture(scope="module")
def address_of_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the site listens whose page puts questions to engines."""
    with site(tmp_path_factory.mktemp("engines")) as address:
        yield address


@pytest.fixture(scope="module")
def chromium(browser: Browser, address_of_site: str) -> Page:
    """The page in Chromium."""
    return opened(browser, address_of_site)


@pytest.fixture(scope="module")
def firefox(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory, address_of_site: str) -> Iterator[Page]:
    """The page in Firefox."""
    with launched(playwright, tmp_path_factory.mktemp("firefox")) as browser:
        yield opened(browser, address_of_site)


def opened(browser: Browser, address: str) -> Page:
    """Open the page."""
    page = browser.new_page()
    page.goto(address)
    return page


def games(name: str, count: int) -> list[list[Question]]:
    """Return games with every kind of bot: the search is that of as many threads as there are engines."""
    search = Settings(simulations=40, threads=ENGINES)
    seats = bosquet.spec(name).options["players"]
    options = [
        {option: values[0] for option, values in bosquet.spec(name).options.items()} | {"players": n} for n in seats
    ]
    return [game_of(name, options[seed % len(options)], seed, search=search) for seed in range(count)]


def check(page: Page, name: str, scripts: list[list[Question]]) -> None:
    """Fail at the first answer that is not Python's."""
    asked = [[[one.name, one.ask] for one in script] for script in scripts]
    assert_equal(scripts, page.evaluate(call("run", source_of(name), ENGINES, asked)))


@every_engine
def test_games_in_chromium(chromium: Page, game: str) -> None:
    check(chromium, game, games(game, 6))


@needs_firefox
@every_engine
def test_games_in_firefox(firefox: Page, game: str) -> None:
    check(firefox, game, games(game, 3))


@every_engine
def test_a_wrong_module_is_refused(chromium: Page, game: str) -> None:
    wrong = {
        "the engine plays": source_of(game) | {"game": "chess"},
        "status 404": {"address": "/assets/nothing.wasm", "game": game},
        "magic": {"address": "/", "game": game},
    }
    for message, source in wrong.items():
        with pytest.raises(Error, match=message):
            chromium.evaluate(call("run", source, 1, []))
