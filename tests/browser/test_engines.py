"""The engine of each game plays as Python does, in workers of a page of the real server."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright

import bosquet
from bosquet.bots.champion import NAME as CHAMPION
from bosquet.bots.champion import strongest
from bosquet.bots.learned import Lookahead
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.search import Settings
from tests.browser.helpers.firefox import launched, needs_firefox
from tests.engine.helpers.judged import judged
from tests.engine.helpers.node import assert_answered, assert_equal, has_engine
from tests.engine.helpers.questions import SECRET, Question, Searching, deal, game_of
from tests.engine.helpers.site import call, can_build, site, source_of

GAMES = [name for name in bosquet.GAMES if has_engine(name)]
ENGINES = 2
LEARNED = [
    ("topas", {"players": 1}),
    ("topas", {"players": 2, "expert": True}),
    ("topiary", {"players": 3}),
]
"""Games that are played by learned values, some of each kind."""
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


@functools.cache
def game_of_seed(name: str, seed: int) -> list[Question]:
    """Return a game with every kind of bot: the search is that of as many threads as there are engines."""
    search = Settings(simulations=40, threads=ENGINES)
    spec = bosquet.spec(name)
    seats = spec.options["players"]
    options = {option: values[0] for option, values in spec.options.items()} | {"players": seats[seed % len(seats)]}
    return game_of(name, options, seed, search=search)


def check(page: Page, name: str, scripts: list[list[Question]]) -> None:
    """Fail at the first answer that is not Python's."""
    asked = [[[one.name, one.ask] for one in script] for script in scripts]
    assert_equal(scripts, page.evaluate(call("run", source_of(name), ENGINES, asked)))


@every_engine
def test_games_in_chromium(chromium: Page, game: str) -> None:
    """One game shows that workers of a page compute what `tests/engine/test_in_node.py` compares in more games."""
    check(chromium, game, [game_of_seed(game, 0)])


@needs_firefox
@every_engine
def test_games_in_firefox(firefox: Page, game: str) -> None:
    check(firefox, game, [game_of_seed(game, seed) for seed in range(3)])  # another interpreter than that of Node


def champions(name: str, options: dict[str, Any], plies: int) -> list[Question]:
    """Return the first plies of a game of champions: who decides, and the move.

    A search that is bounded by time is put in the place of one by simulations.
    """
    nonces = ["1"] * options["players"]
    game = fair.deal(bosquet.spec(name), options, SECRET, nonces)
    asked = [Question("deal", deal(options, nonces), None)]
    player = strongest(name, game.options)
    searching = Searching(game.players, Settings(simulations=40, threads=ENGINES), random.Random(1), learned=True)
    for _ in range(plies):
        assert game.seat is not None
        seed = f"{CHAMPION}/{fair.bot_salt(SECRET)}/{game.position(game.seat)}"
        if isinstance(player, Lookahead):
            plays: dict[str, Any] = {"cards": player.settings.ahead}
            made = Question("named", {"bot": CHAMPION}, player.choose(game.view(game.seat), Rng(seed)))
        else:
            chosen = player.settings
            bounds = {"simulations": chosen.simulations, "seconds": chosen.seconds, "stopEarly": chosen.stop_early}
            plays = {"engines": chosen.threads, "settings": {**bounds, "learned": True}}
            made = searching.asked(game)
        asked += [Question("decision", {"bot": CHAMPION}, {"seed": seed, "player": plays}), made]
        game.play(made.answer)
        asked.append(Question("play", {"move": made.answer}, None))
    return asked


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "options"), LEARNED)
def test_learned_values_in_chromium(chromium: Page, game: str, options: dict[str, Any]) -> None:
    """The server's weights make the hints, what the coach says and the champion's moves those of Python."""
    scripts = [champions(game, options, 4)]
    if options["players"] > 1:
        scripts.append(judged(game, options, 1, 0.04, 8))
    asked = [[[one.name, one.ask] for one in script] for script in scripts]
    found = chromium.evaluate(call("run", source_of(game), ENGINES, asked))
    for script, answers in zip(scripts, found, strict=True):
        assert_answered(script, answers)


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
